# SPDX-License-Identifier: Apache-2.0
"""Speedup of jobs on 16 cores, from counts of instructions: run by scripts/benchmark --files --cores.

valgrind runs 16 threads in turns of equal length, and dumps the instructions of each thread some hundred times. In the time between
two dumps, a machine with enough cores takes the time of the thread with the most instructions. The counts do not depend on
other load; memory, which cores share, and kernels for AVX-512, which valgrind does not know, are not part of them.
"""

import collections
import pathlib
import re
import shutil
import subprocess
import tempfile

CORES = 16
# Blocks of instructions between dumps, for each second of processor time, about a two hundredth of all.
BLOCKS = 10_000_000


def stripped(command, folder):
    """Copies of a command and its worker: valgrind 3.19 does not read the debugging information of Swift."""
    for name in (command.name, f"{command.name}-worker"):
        subprocess.run(["strip", "-g", "-o", folder / name, command.with_name(name)], check=True)
    return folder / command.name


def instructions(command, words, seconds):
    """All instructions of a job, and those of the threads that the others wait for."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        valgrind = ["valgrind", "--tool=callgrind", "--separate-threads=yes", "--fair-sched=yes", "--trace-children=yes",
                    f"--dump-every-bb={max(int(seconds * BLOCKS), 200_000)}", f"--callgrind-out-file={folder / 'dump'}"]
        job = [stripped(command, folder), *words, "--no-isolation", "--jobs", CORES]
        child = subprocess.run(list(map(str, [*valgrind, *job])), capture_output=True, text=True, check=False)
        if child.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, job))}: {child.stderr}")
        dumps = collections.defaultdict(list)
        for file in folder.glob("dump*-*"):
            total = re.search(r"^totals: (\d+)", file.read_text(errors="replace"), re.MULTILINE)
            dumps[file.name.rpartition("-")[0]].append(int(total[1]))
    return sum(map(sum, dumps.values())), sum(map(max, dumps.values()))


def rows(command, jobs, part, line):
    """A row for each job; `line` makes it of its cells."""
    if not shutil.which("valgrind"):
        raise SystemExit("valgrind is not installed")
    found = [line("job", "10^9 instructions", f"speedup on {CORES} cores", "serial"), "|---|---|---|---|"]
    print(found[0], flush=True)
    for job, ours, _ in jobs:
        # `inspect` does not use threads.
        if part in job and "inspect" not in ours.command:
            whole, longest = instructions(command, ours.command[1:], ours.measure().processor)
            speedup = whole / longest
            # Amdahl's law.
            serial = max((1 / speedup - 1 / CORES) / (1 - 1 / CORES), 0)
            found.append(line(job, f"{whole / 1e9:.2f}", f"{speedup:.1f}", f"{serial:.0%}"))
            print(found[-1], flush=True)
    return found
