"""Malformed files: typed errors or partial reads, within the time and the memory of a guard."""

import collections
import json
import subprocess
import sys

import tools
from runner import check, require
from tools import CORPUS, corpus, fresh, png_codes

MALFORMED, UNSUPPORTED = 65, 69
# Processor time, so that other work on the machine does not count.
SECONDS = 1
MEBIBYTES = 512
ADDRESSES = 8 << 30


# A process of its own: what a child of this one uses counts from what this one has in memory.
GUARD = f"""
import resource, subprocess, sys
resource.setrlimit(resource.RLIMIT_AS, ({ADDRESSES}, {ADDRESSES}))
resource.setrlimit(resource.RLIMIT_CPU, ({20 * SECONDS}, {20 * SECONDS}))
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""


def guarded(*arguments):
    """Runs the command; its status, what it says on standard error, its seconds and mebibytes."""
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", GUARD, tools.binaries / "hdrconvert", *arguments],
        capture_output=True, timeout=tools.MINUTES)
    status, seconds, mebibytes = done.stdout.split()
    return int(status), done.stderr.decode(errors="replace"), float(seconds), float(mebibytes)


def within_bounds(what, path, outcome, limit=SECONDS):
    status, words, seconds, mebibytes = outcome
    require(status in (0, MALFORMED, UNSUPPORTED), f"{what} {path.name}: exit {status}: {words[-500:]}")
    require(status == 0 or path.name in words, f"{what} {path.name}: exit {status} without a word: {words}")
    require(seconds < limit, f"{what} {path.name}: {seconds:.2f} s")
    require(mebibytes < MEBIBYTES, f"{what} {path.name}: {mebibytes:.0f} MiB")


def malformed(folder):
    expected = {entry["name"]: entry["expected"]
                for entry in json.loads((CORPUS / "MANIFEST.json").read_text())["files"]}
    outcomes, slowest, largest = collections.Counter(), 0, 0
    paths = sorted(corpus(folder).iterdir())
    for path in paths:
        said = expected.get(f"{folder}/{path.name}", "")
        inspected = guarded("inspect", path)
        target = fresh(".png")
        converted = guarded(path, "-o", target, "--quiet", "-j", "1")
        within_bounds("inspect", path, inspected)
        # Some are whole photos with a broken gain map; decoding and coding those takes its time.
        within_bounds("convert", path, converted, 10 * SECONDS if said.startswith("ok") else SECONDS)
        require(target.exists() == (converted[0] == 0), f"{path.name}: output {target.exists()}")
        if converted[0] == 0:
            png_codes(target)
            target.unlink()
        require(said != "reject" or converted[0] != 0, f"{path.name}: read, but to be rejected")
        require(said not in ("ok-sdr", "ok-base") or converted[0] == 0,
                f"{path.name}: not read, but '{said}': {converted[1]}")
        outcomes["read" if converted[0] == 0 else "refused"] += 1
        if not said.startswith("ok"):
            slowest = max(slowest, inspected[2], converted[2])
        largest = max(largest, inspected[3], converted[3])
    return (f"{len(paths)} files: {outcomes['read']} read as a picture, {outcomes['refused']} refused;"
            f" at most {slowest:.2f} s, {largest:.0f} MiB")


if CORPUS.is_dir():
    for folder in sorted(CORPUS.iterdir()):
        if "malformed" in folder.name or "broken" in folder.name:
            check(f"malformed: {folder.name}", folder.name)(malformed)
