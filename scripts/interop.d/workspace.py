# SPDX-License-Identifier: Apache-2.0
"""A folder for each check, removed when the check ends."""

import contextlib
import os
import pathlib
import shutil
import tempfile
import threading

_local = threading.local()


@contextlib.contextmanager
def scratch():
    """A working folder for one check, in memory if enough is available."""
    memory = pathlib.Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 2 << 30
    # A browser that is exiting may write while its folder is being removed.
    with tempfile.TemporaryDirectory(
            prefix="interop-", dir=memory if roomy else None, ignore_cleanup_errors=True) as folder:
        _local.folder = folder
        yield


def fresh(suffix):
    """An unused path in the check's working folder."""
    handle, path = tempfile.mkstemp(suffix=suffix, dir=_local.folder)
    os.close(handle)
    os.unlink(path)
    return pathlib.Path(path)
