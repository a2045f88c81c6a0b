# SPDX-License-Identifier: Apache-2.0
"""Times of jobs as multiples of a copy of memory, compared with those in baseline.json.

A copy of 256 MB measures the speed of a machine and of its hour. On a machine with another processor than that of the
baseline, for which the relation of computing to copying differs, the median of all jobs is expected instead of 1.
"""

import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys

BASELINE = pathlib.Path(__file__).with_name("baseline.json")
TOLERANCE = 1.25
SIZE = 1 << 28


# Runs in a process of its own, since a child process is charged with the memory of its parent.
COPY = f"""
import os, time
source, target = bytearray(os.urandom(1 << 16)) * ({SIZE} >> 16), bytearray({SIZE})
def copy():
    start = time.process_time()
    target[:] = source
    return time.process_time() - start
print(min(copy() for _ in range(3)))
"""


class CopyTimer:
    """The least processor time of a copy, in seconds."""

    def __init__(self):
        self.least = math.inf

    def measure(self):
        run = subprocess.run([sys.executable, "-c", COPY], capture_output=True, text=True, check=True)
        self.least = min(self.least, float(run.stdout))


def processor():
    """Name of the processor."""
    found = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return found[1].strip() if found else "unknown"


def write(seconds, copy):
    copies = {job: round(used / copy, 2) for job, used in seconds.items()}
    BASELINE.write_text(json.dumps({"processor": processor(), "copies": copies}, indent=2) + "\n")


def check(seconds, copy):
    """Prints the ratio of each job to the baseline; whether all are within the tolerance."""
    if not BASELINE.exists():
        raise SystemExit("the baseline does not exist: scripts/benchmark --files --baseline on a quiet machine writes it")
    known = json.loads(BASELINE.read_text())
    ratios = {job: used / copy / known["copies"][job] for job, used in seconds.items() if job in known["copies"]}
    if not ratios:
        raise SystemExit("the baseline does not contain these jobs")
    is_same = known["processor"] == processor()
    expected = 1 if is_same else statistics.median(ratios.values())
    print(f"a copy of 256 MB takes {copy * 1000:.0f} ms; baseline of {'this' if is_same else 'another'} processor")
    for job, ratio in ratios.items():
        verdict = "" if ratio <= TOLERANCE * expected else "  SLOWER"
        print(f"{ratio / expected:6.2f}  {job}{verdict}")
    return all(ratio <= TOLERANCE * expected for ratio in ratios.values())
