# SPDX-License-Identifier: Apache-2.0
"""Common jobs in one command each: phone photos to Ultra HDR JPEG, gain-map AVIF and SDR, read by other programs."""

import json

import imagecodecs
import numpy as np
import pyvips
from PIL import Image

import tools
from runner import check, require
from tools import CANNOT_CREATE, REFERENCE, USAGE, command, corpus, fresh

PHONE = "heic-apple/iphone12pro-16-7-portrait.heic"


def made(source, suffix, *options):
    target = fresh(suffix)
    status, messages = command(source, "-o", target, *options, timeout=5 * tools.MINUTES)
    require(status == 0, f"exit {status}: {messages[-300:]}")
    return target, messages


def base_and_map(path):
    """Sizes of both images, as libultrahdr and Pillow read them."""
    image = pyvips.Image.uhdrload(str(path))
    require("gainmap-data" in image.get_fields(), f"{path}: libultrahdr finds no gain map")
    return image.width, image.height


@check("jobs: a phone photo becomes Ultra HDR JPEG, and its thumbnail keeps the map")
def phone_to_jpeg():
    target, messages = made(corpus(PHONE), ".jpg", "--resize", "600")
    require("(base/re-encoded)" in messages and "(location/included)" in messages, messages)
    width, height = base_and_map(target)
    require(max(width, height) == 600, f"{width}x{height}")
    require(imagecodecs.jpeg_decode(target.read_bytes()).dtype == np.uint8, "no JPEG")
    data = target.read_bytes()
    require(b"urn:iso:std:iso:ts:21496:-1" in data and b"hdrgm:GainMapMax" in data, "ISO or XMP is missing")
    return f"{width}x{height}"


@check("jobs: a phone photo becomes AVIF with its map")
def phone_to_avif():
    target, messages = made(corpus(PHONE), ".avif", "--gainmap", "keep", "--resize", "400", "-s", "10")
    require("(base/re-encoded)" in messages, messages)
    require("Gain map" in tools.run("avifdec", "--info", target) or b"tmap" in target.read_bytes(), "no gain map")
    require(max(imagecodecs.avif_decode(target.read_bytes()).shape[:2]) == 400, "size")
    return "libavif reads the base"


@check("jobs: a render becomes Ultra HDR JPEG by its file name")
def render_to_jpeg():
    target, _ = made(REFERENCE / "photo.exr", ".jpg")
    return f"{base_and_map(target)}"


@check("jobs: --sdr writes an SDR image without a map")
def standard():
    target, _ = made(corpus(PHONE), ".jpg", "--sdr", "--resize", "300", "--strip", "all")
    with Image.open(target) as image:
        require(getattr(image, "n_frames", 1) == 1 and max(image.size) == 300, f"{image.size}")
        require(image.getexif().get_ifd(0x8825) == {}, "GPS is left")
    return "one image of 300 pixels"


@check("jobs: --strip removes the location with every verb")
def stripped():
    source, lines = corpus(PHONE), []
    for verb, suffix, options in ((("gainmap", "flatten"), ".heic", ()), (("remux",), ".heic", ("--flavors", "iso")),
                                  (("convert",), ".jpg", ("--resize", "200")), (("render",), ".png", ("--level", "standard", "--resize", "100"))):
        target = fresh(suffix)
        status, messages = command(*verb, source, "-o", target, "--strip", "gps", *options, timeout=5 * tools.MINUTES)
        require(status == 0 and "(location/included)" not in messages, messages)
        found = json.loads(tools.run("exiftool", "-j", "-gps*", target))[0]
        require(set(found) == {"SourceFile"}, f"{verb}: {found}")
        lines.append(" ".join(verb))
    return ", ".join(lines)


@check("jobs: files are not replaced without --force, and --backup keeps the original")
def in_place():
    path, _ = made(REFERENCE / "photo.exr", ".png")
    before = path.read_bytes()
    status, messages = command("tag", path, "--set", "clli=300:200")
    require(status == CANNOT_CREATE and "(output/exists)" in messages and path.read_bytes() == before, messages)
    status, messages = command("tag", path, "--set", "clli=300:200", "--backup")
    kept = path.with_name(path.name + ".orig")
    require(status == 0 and kept.read_bytes() == before and path.read_bytes() != before, messages)
    kept.unlink()
    return messages.strip() or "original kept"


@check("jobs: a quality without effect is reported")
def quality():
    _, messages = made(REFERENCE / "photo.exr", ".png", "-q", "50")
    require("(encode/quality-not-used)" in messages, messages)
    return messages.splitlines()[0]


@check("jobs: failures are JSON with --json, wrong arguments included")
def failures():
    import subprocess
    count = 0
    for words, status in ((("convert", "missing.exr", "-o", fresh(".avif"), "--json"), tools.NO_INPUT),
                          (("convert", REFERENCE / "photo.exr", "--json"), USAGE),
                          (("render", REFERENCE / "photo.exr", "-o", fresh(".png"), "--operator", "aces", "--level",
                            "standard", "--json"), USAGE)):
        done = subprocess.run([tools.binaries / "hdrconvert", *map(str, words)], capture_output=True, text=True)
        document = json.loads(done.stdout)
        require(done.returncode == status, f"exit {done.returncode}")
        require(set(document) == {"schema", "inputs", "results", "failures"}, f"{set(document)}")
        require(document["failures"][0]["exitCode"] == status and document["failures"][0]["code"], f"{document}")
        require("\\u{" not in done.stderr, done.stderr)
        count += 1
    return f"{count} failures"
