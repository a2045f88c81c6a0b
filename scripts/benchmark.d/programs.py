# SPDX-License-Identifier: Apache-2.0
"""Programs whose processor time is measured, and the errors of their outputs."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import typing

FOLDER = pathlib.Path(__file__).parent
# Seconds after which a program is not run again.
LONG = 10


class Use(typing.NamedTuple):
    """Processor time of all threads and child processes and elapsed time, in seconds, and the largest memory, in MiB."""

    processor: float
    elapsed: float
    memory: float


def run(command):
    start = time.monotonic()
    child = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"ends with {child.returncode}: {' '.join(map(str, command))}")
    return Use(usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024)


def script(name, *arguments):
    """What a program of this folder prints. It runs in a process of its own: the memory of this one would count for others."""
    command = [sys.executable, FOLDER / name, *arguments]
    child = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: {child.stderr}")
    return child.stdout


class Program(typing.NamedTuple):
    """What is measured, and how the error of its output is."""

    name: str
    measure: typing.Callable
    output: pathlib.Path = None
    command: tuple = ()
    is_available: bool = True
    # The image that a lossy output is compared with, and options of `compare` for the color of the output.
    original: pathlib.Path = None
    color: tuple = ()
    # A command that makes of the output what `compare` reads, and its file.
    readable: tuple = ()

    def of(self, original, *color, readable=()):
        return self._replace(original=original, color=color, readable=readable)

    def error(self, command):
        """Mean Delta E ITP, measured by `command`."""
        output = self.output
        if self.readable:
            output = self.readable[-1]
            run(self.readable)
        words = [command, "compare", self.original, output, *self.color, "--json", "--quiet"]
        report = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
        if report.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, words))}: {report.stderr or report.stdout}")
        return json.loads(report.stdout)["results"][0]["pixels"]["deltaEITP"]["mean"]

    def result(self, command):
        """Size and error of the output."""
        if not (self.output and self.output.exists()):
            return ""
        size = self.output.stat().st_size
        text = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
        return text + (f", Delta E ITP {self.error(command):.2f}" if self.original else "")


def program(name, *command, output=None):
    return Program(name, lambda: run(command), output, command, shutil.which(command[0]) is not None)


def library(name, function, target, *arguments, output=None):
    """A peer that is a library: a function of libraries.py. Its elapsed time and memory are not measured."""
    return Program(name, lambda: Use(float(script("libraries.py", function, target, *arguments)), 0, 0), output or target)


def measure(work, runs, command):
    """The least use of each program, which run alternately, and the sizes and errors of their outputs."""
    least = {}
    for _ in range(runs):
        for program in work:
            if program.name in least and least[program.name][0].processor > LONG:
                continue
            use = program.measure()
            known, result = least.get(program.name) or (use, program.result(command))
            least[program.name] = (Use(*map(min, use, known)), result)
    return least
