# SPDX-License-Identifier: Apache-2.0
"""Runs of hdrconvert, with their processor time and peak memory."""

import os
import subprocess
import tempfile
import time
from dataclasses import dataclass


@dataclass
class Run:
    status: int
    # Seconds of processor time and of the wall clock.
    processor: float
    wall: float
    # Peak resident memory, in bytes.
    peak: int
    text: str

    @property
    def code(self):
        """The code of the error, which stands last in its line."""
        for line in self.text.splitlines():
            if line.endswith(")") and ("why:" in line or line.startswith("error:")):
                return line[line.rindex("(") + 1:-1]
        return ""


def tree_memory(root):
    """Memory of a process and its descendants, in bytes; pages that they share count once."""
    total, waiting = 0, [root]
    while waiting:
        folder = f"/proc/{waiting.pop()}"
        try:
            for task in os.listdir(f"{folder}/task"):
                with open(f"{folder}/task/{task}/children") as file:
                    waiting += file.read().split()
            with open(f"{folder}/smaps_rollup") as file:
                total += sum(int(line.split()[1]) << 10 for line in file if line.startswith("Pss:"))
        except OSError:
            # The process has ended.
            continue
    return total


def run(binary, arguments, timeout=120, stdin=os.devnull, counts_children=False):
    """Runs the command; -9 is the status of one that takes longer than `timeout` seconds."""
    with tempfile.TemporaryFile() as output, open(stdin, "rb") as source:
        start = time.monotonic()
        peak = 0
        process = subprocess.Popen(
            [binary, *map(str, arguments)], stdin=source, stdout=subprocess.DEVNULL, stderr=output)
        while True:
            if counts_children:
                peak = max(peak, tree_memory(process.pid))
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - start > timeout:
                process.kill()
                _, status, usage = os.wait4(process.pid, 0)
                break
            time.sleep(0.002)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read(1 << 16).decode(errors="replace")
        return Run(
            process.returncode, usage.ru_utime + usage.ru_stime, time.monotonic() - start,
            max(usage.ru_maxrss << 10, peak), text)


def verbs(path, folder):
    """The arguments of the verbs that read one file, by their names."""
    suffix = path.suffix
    quiet = ["--force", "--quiet"]
    return {
        "inspect": ["inspect", path],
        "validate": ["validate", path],
        "compare": ["compare", path, path],
        "tag": ["tag", path, "--orientation", "6", "-o", folder / f"t{suffix}", *quiet],
        "strip": ["tag", path, "--strip", "gps", "-o", folder / f"s{suffix}", *quiet],
        "anonymize": ["tag", path, "--strip", "all", "-o", folder / f"a{suffix}", *quiet],
        "remux": ["remux", path, "--rotate", "90", "-o", folder / f"r{suffix}", *quiet],
        "convert": ["convert", path, "-o", folder / "c.png", *quiet],
    }
