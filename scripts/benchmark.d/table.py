# SPDX-License-Identifier: Apache-2.0
"""Registers and measures the work of other programs, and prints it below the case of this project."""

import json
import os
import pathlib
import subprocess
import tempfile
import time

PIXELS = 4000 * 3000
RUNS = 5
peers = []


def peer(case, group="--maps", size=None):
    """Registers a function as the peer of a case of `Benchmarks`.

    The function takes no argument and yields a row for each program: its name, a function that does the
    work once with prepared images, and one that does only the encoding or decoding that cannot be
    separated from it, or None. `group` is the option of `Benchmarks` that measures the case; with `size`, the bytes
    per pixel, rates are also printed.
    """

    def register(function):
        peers.append((case, group, size, function))
        return function

    return register


program = pathlib.Path()


def written(task, name):
    """A file that `Benchmarks` writes as input for other programs."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, task, folder], check=True)
        return (pathlib.Path(folder) / name).read_bytes()


def best(body):
    """Nanoseconds per pixel: elapsed time, and processor time divided by two cores.

    Includes child processes.
    """
    walls, processor = [], []
    for _ in range(RUNS):
        wall, used = time.perf_counter(), sum(os.times()[:4])
        body()
        walls.append(time.perf_counter() - wall)
        processor.append(sum(os.times()[:4]) - used)
    return min(walls) * 1e9 / PIXELS, min(processor) / 2 * 1e9 / PIXELS


def line(name, wall, shared, ours=None, remark=""):
    ratio = f"{wall / ours[0]:7.1f} {shared / ours[1]:7.1f}" if ours else " " * 15
    print(f"{name:56}{wall:9.2f} {shared:9.2f}  {ratio}  {remark}".rstrip(), flush=True)


def run(part):
    """Prints the table, at the end cases with a goal and without a peer; true if all goals are met."""
    chosen = [entry for entry in peers if part in entry[0]]
    groups = sorted({group for _, group, _, _ in chosen})
    report = json.loads(subprocess.run(
        [program, "--json", *groups], check=True, capture_output=True).stdout)
    found = {row["name"]: row for row in report}
    print(f"{'':56}{'2 threads':>9} {'2 cores':>9}  {'times ours':>15}")
    holds = True
    both = ", on two cores"
    named = {entry[0] for entry in chosen}
    for name, row in found.items():
        case = name.removesuffix(both)
        if row.get("goal") and name.endswith(both) and part in case and case not in named:
            chosen.append((case, None, None, list))
    for case, _, size, function in chosen:
        def rate(wall, size=size):
            return f"{size * 1000 / wall:.0f} MB/s on the wall" if size else ""

        wall, shared = found[f"{case}, 2 threads"], found[f"{case}, on two cores"]
        ours = wall["value"], shared["value"]
        goal = shared.get("goal")
        missed = goal is not None and shared["value"] > goal
        holds = holds and not missed
        line(case, *ours, remark=rate(ours[0]) if goal is None else f"{'MISSES' if missed else 'holds'} {goal}")
        for who, work, coding in function():
            times = best(work)
            line(f"  {who}", *times, ours=ours, remark=rate(times[0]))
            if coding:
                alone = best(coding)
                line("    its coding alone", *alone)
                line("    without it", *(max(t - a, 0) for t, a in zip(times, alone)), ours=ours)
    return holds
