# SPDX-License-Identifier: Apache-2.0
"""Malformed files: typed errors or partial reads, within the time and the memory of a guard."""

import collections
import json
import re
import subprocess
import sys

import imagecodecs
import numpy as np
from PIL import Image

import chunks
import tools
from checks_motion import made
from checks_privacy import chunk
from runner import check, require
from tools import CORPUS, DATA_ERROR, UNAVAILABLE, avif_codes, convert, corpus, fresh, heif_codes, png_codes, run

# Processor time, which other load on the machine affects little.
SECONDS = 1
MEBIBYTES = 512
ADDRESSES = 8 << 30


# A separate process: the measured memory of a direct child includes that of this process.
GUARD = f"""
import resource, subprocess, sys
resource.setrlimit(resource.RLIMIT_AS, ({ADDRESSES}, {ADDRESSES}))
resource.setrlimit(resource.RLIMIT_CPU, ({20 * SECONDS}, {20 * SECONDS}))
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
"""


def guarded(*arguments):
    """Runs the command; returns status, standard error, seconds and mebibytes."""
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-c", GUARD, tools.binaries / "hdrconvert", *arguments],
        capture_output=True, timeout=tools.MINUTES)
    status, seconds, mebibytes = done.stdout.split()
    return int(status), done.stderr.decode(errors="replace"), float(seconds), float(mebibytes)


def within_bounds(what, path, result, limit=SECONDS):
    status, words, seconds, mebibytes = result
    require(status in (0, DATA_ERROR, UNAVAILABLE), f"{what} {path.name}: exit {status}: {words[-500:]}")
    require(status == 0 or path.name in words, f"{what} {path.name}: exit {status} without a word: {words}")
    require(seconds < limit, f"{what} {path.name}: {seconds:.2f} s")
    require(mebibytes < MEBIBYTES, f"{what} {path.name}: {mebibytes:.0f} MiB")


def malformed(folder):
    expected = {entry["name"]: entry["expected"]
                for entry in json.loads((CORPUS / "MANIFEST.json").read_text())["files"]}
    counts, slowest, largest = collections.Counter(), 0, 0
    paths = sorted(corpus(folder).iterdir())
    for path in paths:
        messages = expected.get(f"{folder}/{path.name}", "")
        inspected = guarded("inspect", path)
        target = fresh(".png")
        converted = guarded(path, "-o", target, "--quiet", "-j", "1")
        within_bounds("inspect", path, inspected)
        # Some are complete photos with a broken gain map, which take longer to decode and encode.
        within_bounds("convert", path, converted, 10 * SECONDS if messages.startswith("ok") else SECONDS)
        require(target.exists() == (converted[0] == 0), f"{path.name}: output {target.exists()}")
        if converted[0] == 0:
            png_codes(target)
            target.unlink()
        require(messages != "reject" or converted[0] != 0, f"{path.name}: read, but to be rejected")
        require(messages not in ("ok-sdr", "ok-base") or converted[0] == 0,
                f"{path.name}: not read, but '{messages}': {converted[1]}")
        counts["read" if converted[0] == 0 else "refused"] += 1
        if not messages.startswith("ok"):
            slowest = max(slowest, inspected[2], converted[2])
        largest = max(largest, inspected[3], converted[3])
    return (f"{len(paths)} files: {counts['read']} read as an image, {counts['refused']} refused;"
            f" at most {slowest:.2f} s, {largest:.0f} MiB")


def attempt(*words):
    """Status and standard error of the command, and its output."""
    *words, source, suffix = words
    target = fresh(suffix)
    return *tools.command(*words, source, "-o", target, timeout=10 * tools.MINUTES), target


def base_codes(path):
    """The baseline image of a file, from a third-party program."""
    if path.suffix == ".avif":
        return avif_codes(path)
    return heif_codes(path, 10) if path.suffix == ".heic" else imagecodecs.jpeg8_decode(path.read_bytes())


def maps_cut_off(suffix):
    """The end of a file with its map is missing: the base is read with a notice, and the map can be dropped."""
    source = made(suffix, b"")
    data = source.read_bytes()
    shown = base_codes(source)
    image = png_codes(convert(source, ".png", "--gainmap", "drop", "-s", "10"))
    lengths = (1, 2, 40, 200, 900)
    for missing in lengths:
        cut = fresh(suffix)
        cut.write_bytes(data[:-missing])
        status, messages, target = attempt("convert", "-s", "10", cut, ".png")
        require(status == 0, f"{missing} bytes missing: exit {status}: {messages}")
        if suffix == ".jpg" and missing <= 2:
            # Without EOI, the map is complete.
            require("(jpeg/end-missing)" in messages, f"{missing} bytes missing: {messages}")
            whole = png_codes(convert(source, ".png", "-s", "10"))
            require(np.array_equal(png_codes(target), whole), f"{missing} bytes missing: another image")
            cut.unlink()
            continue
        require(re.search(r"truncated|unreadable|ignored", messages), f"{missing} bytes missing, and no word: {messages}")
        require(np.array_equal(png_codes(target), image), f"{missing} bytes missing: another base")
        status, messages, target = attempt("gainmap", "flatten", cut, suffix)
        require(status == 0 and messages, f"flatten, {missing} bytes missing: exit {status}: {messages}")
        require(np.array_equal(base_codes(target), shown), f"flatten, {missing} bytes missing: another base")
        left = run("exiftool", "-s", "-a", "-NumberOfImages", "-GainMapMax", "-DirectoryItemSemantic",
                   "-HDRGainMapVersion", target)
        require(not left.strip(), f"flatten, {missing} bytes missing: {left}")
        status, messages, _ = attempt("remux", "--flavors", "iso", cut, suffix)
        require(status == DATA_ERROR, f"remux, {missing} bytes missing: exit {status}: {messages}")
        cut.unlink()
    # Data of the baseline image are required.
    cut = fresh(suffix)
    cut.write_bytes(data[:len(data) // 3])
    status, messages, target = attempt("convert", "-s", "10", cut, ".png")
    require(status == DATA_ERROR and not target.exists(), f"a third of the file: exit {status}: {messages}")
    return f"{', '.join(map(str, lengths))} of {len(data)} bytes missing"


@check("malformed: a PNG file without IEND has the samples that Pillow reads")
def without_end():
    whole, cut = tools.REFERENCE / "edges-61x43.png", fresh(".png")
    cut.write_bytes(whole.read_bytes()[:-12])
    with Image.open(whole) as one, Image.open(cut) as other:
        require(np.array_equal(one, other), "Pillow reads other samples")
    status, messages, target = attempt("convert", cut, ".png")
    require(status == 0 and "(png/end-missing)" in messages, f"exit {status}: {messages}")
    require(np.array_equal(png_codes(target), png_codes(convert(whole, ".png"))), "other samples")
    run(tools.binaries / "hdrconvert", "validate", target)
    return "read with a warning"


@check("malformed: a PNG file without the checksum of its data has the samples that Pillow reads")
def without_checksum():
    whole, cut = tools.REFERENCE / "edges-61x43.png", fresh(".png")
    parts = chunks.PNGFile(whole.read_bytes()).chunks
    coded = b"".join(body for kind, body in parts if kind == "IDAT")
    others = [(kind, body) for kind, body in parts if kind != "IDAT"]
    for missing in (1, 4):
        parts = [*others[:-1], ("IDAT", coded[:-missing]), others[-1]]
        cut.write_bytes(chunks.SIGNATURE + b"".join(chunk(kind.encode(), body) for kind, body in parts))
        with Image.open(whole) as one, Image.open(cut) as other:
            require(np.array_equal(one, other), "Pillow reads other samples")
        status, messages, target = attempt("convert", cut, ".png")
        require(status == 0 and "(library-warned)" in messages, f"{missing}: exit {status}: {messages}")
        require(np.array_equal(png_codes(target), png_codes(convert(whole, ".png"))), "other samples")
    return "read with a warning"


for suffix in (".heic", ".avif", ".jpg"):
    check(f"malformed: {suffix[1:]} with a truncated map", suffix)(maps_cut_off)

if CORPUS.is_dir():
    for folder in sorted(CORPUS.iterdir()):
        if "malformed" in folder.name or "broken" in folder.name:
            check(f"malformed: {folder.name}", folder.name)(malformed)
