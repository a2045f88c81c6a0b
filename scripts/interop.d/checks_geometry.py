"""Cutting, sizing and turning: as Pillow and numpy do it, and as foreign readers show it."""

import json
import re
import subprocess

import imagecodecs
import numpy as np
import OpenImageIO as oiio
import pillow_heif
from PIL import Image, ImageOps

import color
import tools
from checks_tag import warnings
from runner import check, require
from tools import REFERENCE, convert, corpus, fresh, run

SIZES = (("photo.exr", 201, 117), ("photo.exr", 37, 900), ("photo.exr", 1003, 41), ("chart.exr", 64, 64),
         ("ramps.exr", 333, 9), ("photo.exr", 1, 1))
TURNS = {("0", None): lambda a: a, ("90", None): lambda a: np.rot90(a, -1), ("180", None): lambda a: np.rot90(a, 2),
         ("-90", None): np.rot90, ("0", "horizontal"): lambda a: a[:, ::-1], ("0", "vertical"): lambda a: a[::-1],
         ("90", "horizontal"): lambda a: np.rot90(a, -1)[:, ::-1],
         ("270", "vertical"): lambda a: np.rot90(a)[::-1]}


def turn_options(turn):
    degrees, flip = turn
    return ("--rotate", degrees) + (("--flip", flip) if flip else ())


def exr(path):
    """Samples of an OpenEXR file, and how they become BT.2020 light in cd/m2."""
    image = oiio.ImageInput.open(str(path))
    spec = image.spec()
    pixels = np.asarray(image.read_image(format="float"), np.float64)[..., :3]
    flat = spec.getattribute("chromaticities")
    primaries = color.CHROMATICITIES["bt709"] if flat is None else tuple(
        (flat[i], flat[i + 1]) for i in range(0, 8, 2))
    white = spec.getattribute("whiteLuminance") or color.WHITE
    return pixels, lambda light: color.convert(light, primaries, color.CHROMATICITIES["bt2020"]) * white


def held(wide, source, count):
    """What Pillow made of the first axis, held between the samples within two lobes."""
    step = len(source) / count
    reach = int(np.ceil(2 * max(step, 1)))
    for index in range(count):
        middle = int(np.floor((index + 0.5) * step + 0.5))
        near = source[max(middle - reach, 0):middle + reach]
        wide[index] = np.clip(wide[index], near.min(0), near.max(0))
    return wide


def pillow(pixels, width, height):
    """Lanczos of Pillow along one axis after the other, in single precision."""
    for axis, count in ((1, width), (0, height)):
        if pixels.shape[axis] == count:
            continue
        size = (width, pixels.shape[0]) if axis == 1 else (width, height)
        planes = [np.asarray(Image.fromarray(pixels[..., k].astype(np.float32)).resize(
            size, Image.Resampling.LANCZOS)) for k in range(3)]
        wide = np.stack(planes, -1).astype(np.float64)
        pixels = np.moveaxis(held(np.moveaxis(wide, axis, 0).copy(), np.moveaxis(pixels, axis, 0), count),
                             0, axis)
    return pixels


def as_pillow(name, width, height):
    source = REFERENCE / name
    pixels, meaning = exr(source)
    expected = meaning(pillow(pixels, width, height))
    path = convert(source, ".exr", "--depth", "32", "--resize", f"{width}x{height}")
    got, back = exr(path)
    got = back(got)
    require(got.shape == expected.shape, f"{got.shape}, not {expected.shape}")
    error = np.abs(got - expected) / np.maximum(np.abs(expected).max(-1, keepdims=True), 1)
    require(error.max() <= 1e-4, f"light differs by {error.max():.2g} of itself")
    before, after = meaning(pixels).mean(), got.mean()
    return f"largest difference {error.max():.1g}; mean light {after / before:.4f} of what it was"


def cut(width, height, x, y):
    """A part is what the whole picture has there, code by code."""
    source = REFERENCE / "photo.exr"
    whole = tools.png_codes(convert(source, ".png"))
    part = tools.png_codes(convert(source, ".png", "--crop", f"{x},{y},{width},{height}"))
    require(np.array_equal(part, whole[y:y + height, x:x + width]), "the part differs from the whole")


def turned(suffix, turn, orientation):
    """What a reader shows is the whole picture, turned."""
    source = REFERENCE / "edges-61x43.png"
    exact = ("--lossless", "--depth", "10") if suffix == ".heic" else ()
    options = turn_options(turn) + ("--orientation", orientation)

    def shown(path):
        if suffix == ".heic":
            return np.asarray(pillow_heif.open_heif(path, convert_hdr_to_8bit=False))
        if suffix == ".exr":
            return exr(path)[0]
        return imagecodecs.tiff_decode(path.read_bytes()) if suffix == ".tif" else tools.png_codes(path)

    whole = shown(convert(source, suffix, *exact, "--assume", "pq"))
    got = shown(convert(source, suffix, *exact, "--assume", "pq", *options))
    require(np.array_equal(got, TURNS[turn](whole)), "another picture is shown")


def displayed(path):
    if path.suffix == ".jpg":
        return np.asarray(ImageOps.exif_transpose(Image.open(path)))
    return np.asarray(pillow_heif.open_heif(path))


def displayed(path):
    if path.suffix == ".jpg":
        return np.asarray(ImageOps.exif_transpose(Image.open(path)))
    return np.asarray(pillow_heif.open_heif(path))


def followed(name, options):
    """Resizing the picture that the map makes, and the picture of the resized map, are the same.

    Where light and gain change together, the mean of light times the mean of logarithms of gain is not
    the mean of their product; so fine detail that becomes smaller differs more than a part that is cut.
    """
    source = corpus(name)
    path = fresh(source.suffix)
    run(tools.binaries / "hdrconvert", source, "-o", path, "--quiet", "--gainmap", "keep", "-q", "98", *options)
    new = warnings(path) - warnings(source)
    require(not new, f"exiftool warns: {new}")

    def light(file, *more):
        return exr(convert(file, ".exr", "--depth", "32", "--primaries", "bt2020", "--orientation", "bake", *more))[0]

    got, expected = light(path), light(source, *options)
    require(got.shape == expected.shape, f"{got.shape}, not {expected.shape}")
    codes = [np.round(color.pq_signal(np.clip(a, 0, 49) * color.WHITE) * 1023) for a in (got, expected)]
    difference = np.abs(codes[0] - codes[1])
    median, tail = np.median(difference), np.percentile(difference, 95)
    most = (8, 80) if "--resize" in options else (1, 6)
    require(median <= most[0] and tail <= most[1], f"10-bit PQ codes differ by {median} (median), {tail} (95 %)")
    if path.suffix == ".jpg":
        foreign = np.asarray(imagecodecs.ultrahdr_decode(path.read_bytes()))
        require(foreign.shape[:2] in (got.shape[:2], got.shape[1::-1]), f"libultrahdr: {foreign.shape}")
    elif path.suffix == ".avif":
        foreign = imagecodecs.avif_decode(path.read_bytes())
        require(foreign.shape[:2] in (got.shape[:2], got.shape[1::-1]), f"libavif: {foreign.shape}")
    else:
        require(displayed(path).shape[:2] == got.shape[:2], "libheif shows another size")
    records = []
    for file in (source, path):
        metadata = fresh(".json")
        run(tools.binaries / "hdrconvert", "gainmap", "extract", file, "-o", fresh(file.suffix), "--metadata", metadata,
            "--quiet")
        records.append(json.loads(metadata.read_text()))
    # XMP says six decimals of a headroom that the source's maker note may have in full.
    for record in records:
        if "apple" in record:
            record["apple"]["headroom"] = round(record["apple"]["headroom"], 6)
    for key in ("iso21496", "apple", "flavor"):
        require(records[0].get(key) == records[1].get(key), f"{key}: {records[1].get(key)}, not {records[0].get(key)}")
    return f"median {median:g}, 95 % {tail:g} codes"


def refused(options, status, words):
    source = REFERENCE / "edges-61x43.png"
    target = fresh(".png")
    command = [str(tools.binaries / "hdrconvert"), str(source), "-o", str(target), "--assume", "pq", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    require(done.returncode == status, f"exit {done.returncode}: {done.stderr}")
    require("  try: " in done.stderr and re.search(words, done.stderr), done.stderr)
    require(not target.exists(), "there is an output")


for name, width, height in SIZES:
    check(f"geometry: {name} at {width}x{height}, as Pillow", name, width, height)(as_pillow)
for part in ((100, 50, 31, 17), (1, 1, 0, 0), (7, 201, 13, 5)):
    check(f"geometry: a part of {part[0]}x{part[1]}", *part)(cut)
for turn in TURNS:
    title = f"rotated by {turn[0]}" + (f", {turn[1]} flip" if turn[1] else "")
    for suffix, orientation in ((".png", "keep"), (".exr", "keep"), (".heic", "keep"), (".heic", "bake"),
                                (".tif", "keep")):
        check(f"geometry: {suffix}, {title}, {orientation}", suffix, turn, orientation)(turned)
KEPT = ("jpeg-uhdr/uhdrapp-cat-mapbigger.jpg", "jpeg-iso/pyiso-out1.jpg", "jpeg-uhdr/lrc14-1-xmp-iso.jpg",
        "heic-apple/iphone12pro-16-7-portrait.heic", "heic-apple-tmap/iphone15pro-18-7-portrait.heic",
        "avif-gainmap/libavif-seine-sdr.avif")
for name in KEPT:
    for options in (("--resize", "300"), ("--crop", "33,41,301,207"),
                    ("--crop", "11,7,333,201", "--resize", "200", "--rotate", "90")):
        check(f"geometry: {name} {' '.join(options)} with its map", name, options)(followed)
for options, status, words in ((("--crop", "60,0,2,2"), 64, "--crop 60,0,1,2"), (("--crop", "1,2,3"), 64, "like"),
                               (("--rotate", "45"), 64, "multiples of 90"), (("--resize", "0"), 64, "like"),
                               (("--resize", "70000"), 65, "limit"),
                               (("--resize", "5000", "--max-pixels", "1M"), 65, "limit")):
    check(f"geometry: {' '.join(options)} is refused", options, status, words)(refused)
