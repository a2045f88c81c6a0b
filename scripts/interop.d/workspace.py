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


def case(name):
    """A small input behind a public report; the check is skipped if the folder is missing."""
    from runner import Skip

    folder = pathlib.Path(
        os.environ.get("HDR_CASES") or pathlib.Path(__file__).resolve().parents[3] / "shared" / "cases")
    if not folder.is_dir():
        raise Skip("no cases here (HDR_CASES)")
    return folder / name
