# SPDX-License-Identifier: Apache-2.0
"""Truncated and damaged files: exit 65 without output, or 0 and a complete image (with a notice if truncated)."""

import io
import random

import imagecodecs
import numpy as np
import tifffile

from chunks import PNGFile
from runner import check, require
from tools import DATA_ERROR, MINUTES, REFERENCE, command, convert, fresh, png_codes, write_exr

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
            require(": truncated: " in messages, f"cut at {place} of {len(data)}: exit 0 and no word of it: {messages}")
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


def noise():
    """A PNG and a TIFF of noise in sRGB, in several strips, whose samples end early."""
    samples = np.random.default_rng(0).integers(0, 256, (1000, 300, 3)).astype(np.uint8)
    image, strips = bytearray(imagecodecs.png_encode(samples)), io.BytesIO()
    image[len(image) * 9 // 10] ^= 0x55
    tifffile.imwrite(strips, samples, photometric="rgb", compression="zlib", rowsperstrip=50)
    for suffix, data in ((".png", bytes(image)), (".tif", strips.getvalue()[:len(strips.getvalue()) * 9 // 10])):
        path = fresh(suffix)
        path.write_bytes(data)
        yield path


def refused(source, suffix, *words):
    """Whatever the number of threads: the same error, which names the damaged file, without an output."""
    messages = set()
    for threads in "1", "2", "5":
        target = fresh(suffix)
        status, message = command(*words, "-o", target, "-j", threads, timeout=2 * MINUTES)
        require(status == DATA_ERROR, f"exit {status} from {words} to {suffix} with -j {threads}: {message[-500:]}")
        require(not target.exists(), f"output in spite of exit 65 from {words} to {suffix}")
        require(f"cannot read {source}" in message, f"{source.name} is not named: {message}")
        messages.add(message)
    require(len(messages) == 1, f"other errors with other numbers of threads: {messages}")


@check("robustness: images that are damaged in a later strip")
def later_strips():
    hdr = write_exr(np.random.default_rng(1).random((1000, 300, 3)) * 4)
    for source in noise():
        for suffix in ".jpg", ".png", ".tif", ".jxl", ".avif", ".heic":
            refused(source, suffix, source, "--sdr")
        refused(source, ".exr", source)
        for suffix in ".jpg", ".avif":
            for options in (), ("--gainmap-channels", "1"):
                refused(source, suffix, "gainmap", "create", "--hdr", hdr, "--sdr", source, *options)


@check("robustness: OpenEXR with damaged chunks")
def chunks():
    """The first one is named, though all are decoded at the same time."""
    data = bytearray(write_exr(np.random.default_rng(1).random((1000, 300, 3))).read_bytes())
    for place in range(len(data) // 4, len(data), len(data) // 7):
        data[place:place + 64] = bytes(64)
    source = fresh(".exr")
    source.write_bytes(data)
    refused(source, ".png", source)


@check("robustness: HEVC with a damaged substream")
def substream():
    """The decoder fails with one thread as well; with several, the first of its warnings depends on their timing."""
    noise = np.random.default_rng(1).random((340, 420, 3)) * 0.02
    y, x = np.mgrid[:340, :420]
    ramps = np.stack([x / 420, y / 340, (x + y) / 760], -1) * 0.6 + 0.05
    data = convert(write_exr(ramps + noise), ".heic", "--lossless").read_bytes()
    for place in range(len(data) // 4, len(data) * 9 // 10, len(data) // 16):
        source = fresh(".heic")
        source.write_bytes(data[:place] + bytes(64) + data[place + 64:])
        for threads in "1", "2", "5":
            status, message = command(source, "-o", fresh(".tif"), "-j", threads, timeout=2 * MINUTES)
            require(status == DATA_ERROR, f"exit {status} at {place} with -j {threads}: {message}")
            require(f"cannot read {source}" in message, message)
