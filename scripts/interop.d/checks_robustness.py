# SPDX-License-Identifier: Apache-2.0
"""Truncated and damaged files: exit 65 without output, or 0 and a complete image (with a notice if truncated)."""

import random

import numpy as np

from chunks import PNGFile
from runner import check, require
from tools import DATA_ERROR, MINUTES, REFERENCE, command, convert, fresh, png_codes

PLACES = 80


def attempt(data, suffix, place):
    """Converts damaged bytes; returns the status, the output if any, and standard error."""
    source, target = fresh(suffix), fresh(".png")
    source.write_bytes(data)
    status, words = command(source, "-o", target, "-j", "1", timeout=2 * MINUTES)
    source.unlink()
    require(status in (0, DATA_ERROR), f"exit {status} at {place}: {words[-500:]}")
    require(status == 0 or not target.exists(), f"output in spite of exit 65 at {place}")
    require(status == 0 or words.strip(), f"exit 65 without a word at {place}")
    return status, target, words


def cut(make):
    path = make()
    data = path.read_bytes()
    whole, image = 0, None
    for index in range(PLACES):
        place = len(data) * index // PLACES
        status, target, messages = attempt(data[:place], path.suffix, place)
        if status == 0:
            # A HEIF file whose Exif and XMP after the samples are missing is still decoded.
            require("(heif/truncated" in messages, f"cut at {place} of {len(data)}: exit 0 and no word of it: {messages}")
            if image is None:
                image = png_codes(convert(path, ".png"))
            require(np.array_equal(png_codes(target), image), f"cut at {place} of {len(data)}: another image")
            target.unlink()
            whole += 1
    return f"{PLACES} places in {len(data)} bytes; {whole} read as an image"


def changed(make):
    path = make()
    data = path.read_bytes()
    generator = random.Random(path.suffix)
    whole = 0
    for _ in range(PLACES):
        place = generator.randrange(len(data))
        damaged = bytearray(data)
        damaged[place] ^= generator.randrange(1, 256)
        status, target, _ = attempt(bytes(damaged), path.suffix, place)
        if status == 0:
            whole += 1
            PNGFile(target.read_bytes())
            png_codes(target)
            target.unlink()
    return f"{PLACES} places in {len(data)} bytes; {whole} read as an image"


def reference(name):
    return lambda: REFERENCE / name


def converted(name, suffix, *options):
    return lambda: convert(REFERENCE / name, suffix, *options)


SOURCES = {path.name: reference(path.name) for path in sorted(REFERENCE.glob("*")) if path.is_file() and path.suffix != ".md"}
SOURCES |= {
    "edges.heic": converted("edges-61x43.png", ".heic"),
    "edges-alpha.heic": converted("edges-alpha-61x43.png", ".heic", "-y", "444"),
    "edges.avif": converted("edges-61x43.png", ".avif"),
    "edges-alpha.avif": converted("edges-alpha-61x43.png", ".avif", "-y", "444"),
    "edges.tif": converted("edges-61x43.png", ".tif"),
    "chart.heic": converted("chart.exr", ".heic", "--lossless"),
    "chart.avif": converted("chart.exr", ".avif", "--lossless"),
}
for name, make in SOURCES.items():
    check(f"robustness: {name} truncated", make)(cut)
    check(f"robustness: {name} with a byte changed", make)(changed)
