# SPDX-License-Identifier: Apache-2.0
"""Registers checks, runs them a few at a time, and counts."""

import os
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

from workspace import scratch

checks = []


class Skip(Exception):
    """The check does not apply on this machine."""


class Failed(Exception):
    """The result differs from the expected one."""


def check(name, *arguments):
    """Registers a function as a check; its return value is printed next to its name."""

    def register(function):
        checks.append((name, function, arguments))
        return function

    return register


def require(condition, message):
    if not condition:
        raise Failed(message)


def run_one(entry):
    name, function, arguments = entry
    start = time.monotonic()
    try:
        with scratch():
            status, detail = "ok", function(*arguments) or ""
    except Skip as reason:
        status, detail = "skip", str(reason)
    except Failed as reason:
        status, detail = "FAIL", str(reason)
    except Exception:
        status, detail = "FAIL", traceback.format_exc()
    line = f"{status:4}  {name}  [{time.monotonic() - start:.1f} s]  {detail}".rstrip()
    # One call, so that lines of two threads are not interleaved.
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
    return status


def run(part, jobs, modules=None):
    """Runs the checks whose names contain `part`, of some modules or all; true if none failed."""
    selected = [entry for entry in checks
                if part in entry[0] and (modules is None or entry[1].__module__ in modules)]
    with ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        statuses = list(pool.map(run_one, selected))
    passed, failed, skipped = (statuses.count(o) for o in ("ok", "FAIL", "skip"))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed == 0 and passed > 0
