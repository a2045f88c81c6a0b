# SPDX-License-Identifier: Apache-2.0
"""Closed, full or truncated streams: a documented status without a crash; and the text of errors."""

import os
import subprocess

import tools
from runner import check, require
from tools import CANNOT_CREATE, INPUT_OUTPUT, MINUTES, NO_INPUT, REFERENCE, USAGE
from workspace import fresh

CHART, EXTREMES = REFERENCE / "chart.exr", REFERENCE / "extremes.exr"


def shell(command, **paths):
    """Status and standard error of a command line for sh, in which $H is the command under test."""
    environment = os.environ | {"H": str(tools.binaries / "hdrconvert")}
    environment |= {name: str(path) for name, path in paths.items()}
    done = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, timeout=5 * MINUTES)
    return done.returncode, done.stderr.decode(errors="replace")


def full(arguments):
    """Output to a full device or a closed pipe."""
    for stream in ("/dev/full", "&-"):
        status, words = shell(f"$H {arguments} >{stream}", CHART=CHART)
        require(status == INPUT_OUTPUT, f"exit {status} with >{stream}: {words[-500:]}")
        require("error:" in words, f"no error with >{stream}")
    # A pipe whose reader exits before the first byte: no message.
    status, words = shell(f"{{ sleep 0.3; $H {arguments}; echo $? >&2; }} | :", CHART=CHART)
    require(words.split()[-1] == str(INPUT_OUTPUT), f"a closed pipe: {words[-500:]}")
    require("hdrconvert" not in words and "try:" not in words, f"a closed pipe: {words[-500:]}")


for arguments in ("codecs", "codecs --json", "inspect $CHART", "inspect --json $CHART"):
    check(f"streams: not enough space for {arguments}", arguments)(full)


@check("streams: not enough space for the file")
def limited():
    """A limit on the size of files, which by default ends a program: 74, without a partial file."""
    folder = fresh("")
    folder.mkdir()
    for suffix in (".png", ".exr"):
        status, words = shell("ulimit -f 1; $H $IN -o $OUT", IN=CHART, OUT=folder / f"out{suffix}")
        require(status == INPUT_OUTPUT, f"exit {status} beyond the limit of a file: {words[-500:]}")
        require("error:" in words, "no error beyond the limit of a file")
        require(not list(folder.iterdir()), f"left behind: {list(folder.iterdir())}")


@check("streams: closed and full standard error")
def notices():
    for stream in ("&-", "/dev/full"):
        target = fresh(".png")
        status, _ = shell(f"$H $IN -o $OUT 2>{stream}", IN=EXTREMES, OUT=target)
        require(status == 0, f"exit {status} with 2>{stream}")
        require(target.read_bytes()[:4] == b"\x89PNG", "the image does not begin as PNG")
        require(b"hdrconvert: " not in target.read_bytes(), "a notice in the image")


@check("streams: one of several files fails")
def some_fail():
    status, words = shell("$H inspect $CHART /nowhere.exr >/dev/null", CHART=CHART)
    require(status == 1, f"exit {status}")
    errors = [line for line in words.splitlines() if "error:" in line]
    require(len(errors) == 1 and "/nowhere.exr" in errors[0], f"errors {errors}")


@check("streams: errors contain a remedy")
def remedies():
    for arguments, status in (("/nowhere.exr -o x.png", NO_INPUT), ("/ -o x.png", INPUT_OUTPUT),
                              ("$CHART -o / --to png", CANNOT_CREATE), ("$CHART -o /nowhere/x.png", CANNOT_CREATE),
                              ("insepct $CHART", USAGE), ("$CHART -o x.png --depth 11", USAGE),
                              ("tag $CHART --frob", USAGE)):
        got, words = shell(f"$H {arguments}", CHART=CHART)
        require(got == status, f"{arguments}: exit {got}, not {status}")
        require("\n  try: " in words, f"{arguments}: {words}")
    require("hdrconvert help tag" in words, words)
