# SPDX-License-Identifier: Apache-2.0
"""Processes that are forked or started by a process that uses the library."""

import concurrent.futures
import gc
import multiprocessing
import subprocess
import sys

import numpy as np
import pytest

import hdrconvert

USED = "the library was used before fork; start workers with the 'spawn' or 'forkserver' method"


def size(content):
    with hdrconvert.open(content) as image:
        return image.decode().shape


def inherit(image, execution):
    """Uses and releases what a forked process has inherited."""
    for call in (
            image.decode, image.describe, image.render, lambda: image.encode("png"),
            lambda: image.format, execution.cancel, hdrconvert.Execution,
            lambda: hdrconvert.from_array(np.zeros((2, 2, 3), np.uint8)),
            lambda: hdrconvert.open("/nonexistent.avif"),
            lambda: image.decode(execution=execution)):
        with pytest.raises(RuntimeError, match=USED):
            call()
    assert image.width == 64
    image.close()
    del image, execution
    gc.collect()


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_inherited_handles(ramp):
    """A forked process does not wait for the locks of its parent, whose handles stay valid."""
    image, execution = hdrconvert.from_array(ramp), hdrconvert.Execution()
    process = multiprocessing.get_context("fork").Process(target=inherit, args=(image, execution))
    process.start()
    process.join(60)
    is_waiting = process.is_alive()
    process.kill()
    assert not is_waiting and process.exitcode == 0
    assert image.decode(execution=execution).shape == (48, 64, 3)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_forked_pool(ramp):
    file = hdrconvert.from_array(ramp).encode("png")
    with multiprocessing.get_context("fork").Pool(2) as pool:
        result = pool.map_async(size, [bytes(file)] * 4)
        with pytest.raises(RuntimeError, match=USED):
            result.get(timeout=60)


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_started_pool(ramp, method):
    file = hdrconvert.from_array(ramp).encode("png")
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        assert pool.map_async(size, [bytes(file)] * 4).get(timeout=120) == [(48, 64, 3)] * 4
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        assert pool.submit(size, bytes(file)).result(timeout=120) == (48, 64, 3)


UNUSED = """
import os, sys
import hdrconvert
process = os.fork()
if process == 0:
    image = hdrconvert.open(sys.argv[1])
    image.decode()
    if os.fork() == 0:  # The child has used the library, and its own child may not.
        try:
            image.decode()
        except RuntimeError:
            os._exit(0)
        os._exit(1)
    os._exit(os.waitstatus_to_exitcode(os.wait()[1]))
assert os.waitstatus_to_exitcode(os.wait()[1]) == 0
assert hdrconvert.open(sys.argv[1]).decode().any()
"""


def test_fork_before_use(ramp, tmp_path):
    """A process that has only loaded the library may be forked."""
    hdrconvert.from_array(ramp).save(tmp_path / "a.png")
    subprocess.run([sys.executable, "-c", UNUSED, tmp_path / "a.png"], check=True, timeout=60)
