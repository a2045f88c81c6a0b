"""A folder for each check, gone when the check is over."""

import contextlib
import os
import pathlib
import shutil
import tempfile
import threading

_local = threading.local()


@contextlib.contextmanager
def scratch():
    """A working folder for one check, in memory where there is plenty of it."""
    memory = pathlib.Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 2 << 30
    # A browser that is ending may write while its folder is being removed.
    with tempfile.TemporaryDirectory(
            prefix="interop-", dir=memory if roomy else None, ignore_cleanup_errors=True) as folder:
        _local.folder = folder
        yield


def fresh(suffix):
    """A path in the check's working folder that nothing has used."""
    handle, path = tempfile.mkstemp(suffix=suffix, dir=_local.folder)
    os.close(handle)
    os.unlink(path)
    return pathlib.Path(path)
