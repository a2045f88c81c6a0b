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


def run(binary, arguments, timeout=120, stdin=os.devnull):
    """Runs the command; -9 is the status of one that takes longer than `timeout` seconds."""
    with tempfile.TemporaryFile() as output, open(stdin, "rb") as source:
        start = time.monotonic()
        process = subprocess.Popen(
            [binary, *map(str, arguments)], stdin=source, stdout=subprocess.DEVNULL, stderr=output)
        while True:
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
            usage.ru_maxrss << 10, text)


def verbs(path, folder):
    """The arguments of the verbs that read one file, by their names."""
    suffix = path.suffix
    quiet = ["--force", "--quiet"]
    return {
        "inspect": ["inspect", path],
        "validate": ["validate", path],
        "compare": ["compare", path, path],
        "tag": ["tag", path, "--set", "orientation=6", "-o", folder / f"t{suffix}", *quiet],
        "strip": ["tag", path, "--strip", "gps", "-o", folder / f"s{suffix}", *quiet],
        "anonymize": ["tag", path, "--strip", "all", "-o", folder / f"a{suffix}", *quiet],
        "remux": ["remux", path, "--rotate", "90", "-o", folder / f"r{suffix}", *quiet],
        "convert": ["convert", path, "-o", folder / "c.png", *quiet],
    }
