# SPDX-License-Identifier: Apache-2.0
"""Cropping, resizing and rotation: compared with Pillow, numpy and third-party readers."""

import json
import re
import subprocess

import imagecodecs
import numpy as np
import OpenImageIO as oiio
import pillow_heif
from PIL import Image, ImageOps

import boxes
import color
import gain
import tools
from checks_tag import warnings
from runner import check, require
from tools import REFERENCE, convert, corpus, fresh, run

SIZES = (("photo.exr", 201, 117), ("photo.exr", 37, 900), ("photo.exr", 1003, 41), ("chart.exr", 64, 64),
         ("ramps.exr", 333, 9), ("photo.exr", 1, 1))
ROTATIONS = {("0", None): lambda a: a, ("90", None): lambda a: np.rot90(a, -1), ("180", None): lambda a: np.rot90(a, 2),
         ("-90", None): np.rot90, ("0", "horizontal"): lambda a: a[:, ::-1], ("0", "vertical"): lambda a: a[::-1],
         ("90", "horizontal"): lambda a: np.rot90(a, -1)[:, ::-1],
         ("270", "vertical"): lambda a: np.rot90(a)[::-1]}


def rotation_options(rotation):
    degrees, flip = rotation
    return ("--rotate", degrees) + (("--flip", flip) if flip else ())


def exr(path):
    """Samples of an OpenEXR file, and their conversion to linear BT.2020 in cd/m2."""
    image = oiio.ImageInput.open(str(path))
    spec = image.spec()
    pixels = np.asarray(image.read_image(format="float"), np.float64)[..., :3]
    flat = spec.getattribute("chromaticities")
    primaries = color.CHROMATICITIES["bt709"] if flat is None else tuple(
        (flat[i], flat[i + 1]) for i in range(0, 8, 2))
    white = spec.getattribute("whiteLuminance") or color.WHITE
    return pixels, lambda light: color.convert(light, primaries, color.CHROMATICITIES["bt2020"]) * white


def held(wide, source, start, end):
    """Pillow's result for this part of the first axis, limited to the range of the samples within two lobes."""
    step = (end - start) / len(wide)
    reach = int(np.ceil(2 * max(step, 1)))
    for index in range(len(wide)):
        middle = int(np.floor(start + (index + 0.5) * step + 0.5))
        near = source[max(middle - reach, 0):middle + reach]
        wide[index] = np.clip(wide[index], near.min(0), near.max(0))
    return wide


def pillow(pixels, width, height, box=None):
    """Pillow's Lanczos filter, one axis after the other, in single precision."""
    left, top, right, bottom = box or (0, 0, pixels.shape[1], pixels.shape[0])
    for axis, count, start, end in ((1, width, left, right), (0, height, top, bottom)):
        rows, columns = pixels.shape[:2]
        if (start, end) == (0, count) and pixels.shape[axis] == count:
            continue
        size, part = ((width, rows), (start, 0, end, rows)) if axis == 1 else (
            (columns, height), (0, start, columns, end))
        planes = [np.asarray(Image.fromarray(pixels[..., k].astype(np.float32)).resize(
            size, Image.Resampling.LANCZOS, box=part)) for k in range(3)]
        wide = np.stack(planes, -1).astype(np.float64)
        pixels = np.moveaxis(held(np.moveaxis(wide, axis, 0).copy(), np.moveaxis(pixels, axis, 0), start, end),
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
    """A crop equals that part of the whole image, code value by code value."""
    source = REFERENCE / "photo.exr"
    whole = tools.png_codes(convert(source, ".png"))
    part = tools.png_codes(convert(source, ".png", "--crop", f"{x},{y},{width},{height}"))
    require(np.array_equal(part, whole[y:y + height, x:x + width]), "the part differs from the whole")


def rotated(suffix, rotation, orientation):
    """A reader shows the whole image, rotated."""
    source = REFERENCE / "edges-61x43.png"
    exact = ("--quality", "100", "--depth", "10", "--set", "cicp=9/16/0/full") if suffix == ".heic" else ()
    options = rotation_options(rotation) + ("--set", f"orientation={orientation}")

    def shown(path):
        if suffix == ".heic":
            return np.asarray(pillow_heif.open_heif(path, convert_hdr_to_8bit=False))
        if suffix == ".exr":
            return exr(path)[0]
        return imagecodecs.tiff_decode(path.read_bytes()) if suffix == ".tif" else tools.png_codes(path)

    whole = shown(convert(source, suffix, *exact, "--assume", "pq"))
    got = shown(convert(source, suffix, *exact, "--assume", "pq", *options))
    require(np.array_equal(got, ROTATIONS[rotation](whole)), "another image is shown")


def displayed(path):
    """Upright image from a third-party reader."""
    if path.suffix == ".jpg":
        return np.asarray(ImageOps.exif_transpose(Image.open(path)))
    if path.suffix == ".avif":
        # libavif leaves rotation to its callers; in its avif.h, axis 0 exchanges top and bottom.
        item = boxes.HEIFFile(path.read_bytes()).primary
        rotation, mirror = item.get("irot"), item.get("imir")
        pixels = np.rot90(imagecodecs.avif_decode(path.read_bytes()), rotation["quarter_turns"] if rotation else 0)
        return np.flip(pixels, mirror["axis"]) if mirror else pixels
    return np.asarray(pillow_heif.open_heif(path))


def is_on_its_side(path):
    """Whether stored rows are displayed as columns."""
    if path.suffix == ".jpg":
        return Image.open(path).getexif().get(274, 1) > 4
    return (boxes.HEIFFile(path.read_bytes()).primary.get("irot") or {"quarter_turns": 0})["quarter_turns"] % 2 == 1


def resampled(source, pixels, width, height, box=None):
    """Pillow's result for a displayed image; limiting is not linear, so the axis of stored rows is first."""
    if not is_on_its_side(source):
        return pillow(pixels, width, height, box)
    box = box and (box[1], box[0], box[3], box[2])
    return pillow(pixels.swapaxes(0, 1), height, width, box).swapaxes(0, 1)


def map_and_record(path):
    """The map from a third-party reader, with three components, and its metadata."""
    coded, metadata = fresh(path.suffix), fresh(".json")
    run(tools.binaries / "hdrconvert", "gainmap", "extract", path, "-o", coded, "--metadata", metadata, "--quiet")
    shown = displayed(coded)
    return shown, json.loads(metadata.read_text())


def gain_of_codes(record):
    """Logarithmic gain of all 8-bit code values, one column per component; strictly increasing."""
    samples = np.arange(256)[:, None] / 255
    if "iso21496" in record:
        return gain.Metadata(record).log_gain(samples)
    return np.log2(1 + (record["apple"]["headroomRatio"] - 1) * color.srgb_light(samples)) * np.ones(3)


def noise(of_jpeg, is_color):
    """Root mean square rounding error of code values: each step adds a uniform error of at most a half."""
    step = 1 / 12
    # Rounding of code values, of Y'CbCr, of coefficients (quantization tables of ones), and of the decoder.
    planes = step * (is_color + 2 * of_jpeg)
    if not is_color:
        return np.sqrt(step + planes)
    # Blue has the largest range; its code values are rounded for display.
    return np.sqrt(step + planes * (1 + 1.772 ** 2) + step)


def followed(name, options, part, size, rotation):
    """Base and map equal Pillow's results for the displayed ones, in linear values and logarithmic gain.

    Only luma of the base is compared, because chroma may be subsampled.
    """
    source = corpus(name)
    path = fresh(source.suffix)
    exact = ("-q", "100") if source.suffix == ".jpg" else ("--lossless",)
    run(tools.binaries / "hdrconvert", source, "-o", path, "--quiet", "--gainmap", "keep", *exact, *options)
    new = warnings(path) - warnings(source)
    require(not new, f"exiftool warns: {new}")
    (old_map, old_record), (new_map, new_record) = map_and_record(source), map_and_record(path)
    # The metadata of JPEG become ISO 21496-1 and XMP, which contain the same parameters, unless they were Apple's.
    kept = ("iso21496", "apple", "flavor") if source.suffix != ".jpg" else ("iso21496",) if "iso21496" in old_record else ()
    for key in kept:
        require(old_record.get(key) == new_record.get(key),
                f"{key}: {new_record.get(key)}, not {old_record.get(key)}")
    require(source.suffix != ".jpg" or new_record["flavor"] == "iso", f"flavor: {new_record['flavor']}")

    height, width = displayed(source).shape[:2]
    left, top, across, down = part or (0, 0, width, height)
    shape = (down, across) if size is None else tuple(
        round(side * size / max(down, across)) for side in (down, across))
    shape = ROTATIONS[rotation](np.empty(shape)).shape
    got = displayed(path).shape[:2]
    require(got == shape, f"the image is {got}, not {shape}")

    rows, columns = ROTATIONS[rotation](np.empty(shape)).shape if rotation[0] == "90" else shape
    cut = displayed(source)[top:top + down, left:left + across, :3]
    expected = 255 * color.srgb_signal(resampled(source, color.srgb_light(cut / 255), columns, rows))
    error = (displayed(path)[..., :3] - ROTATIONS[rotation](expected)) @ (0.299, 0.587, 0.114)
    base_error = np.sqrt((error ** 2).mean())
    require(base_error <= noise(of_jpeg=True, is_color=False), f"luma of the base is off by {base_error:.3f} codes rms")

    codes = gain_of_codes(old_record)
    gains = np.stack([codes[old_map if old_map.ndim == 2 else old_map[..., k], k] for k in range(3)], -1)
    rows, columns = ROTATIONS[rotation](new_map if new_map.ndim == 2 else new_map[..., 0]).shape if rotation[0] == "90" \
        else new_map.shape[:2]
    box = (left * old_map.shape[1] / width, top * old_map.shape[0] / height,
           (left + across) * old_map.shape[1] / width, (top + down) * old_map.shape[0] / height)
    expected = ROTATIONS[rotation](resampled(source, gains, columns, rows, box))
    codes = gain_of_codes(new_record)
    expected = np.stack([np.interp(expected[..., k], codes[:, k], np.arange(256)) for k in range(3)], -1)
    got = np.repeat(new_map[..., None], 3, -1) if new_map.ndim == 2 else new_map
    error = np.sqrt(((got - expected) ** 2).mean((0, 1))).max()
    most = noise(of_jpeg=source.suffix == ".jpg", is_color=old_map.ndim == 3)
    require(error <= most, f"codes differ by {error:.3f} rms, {most:.3f} can be explained")
    return f"base {base_error:.3f} codes rms, map {error:.3f}, of which {most:.3f} can be explained"


@check("geometry: clipping of a base that keeps its map is always reported")
def cut_off():
    """16 of 65,536 pixels of a limited-range base are outside R'G'B' of 0 to 1."""
    made, coded, record = fresh(".avif"), fresh(".avif"), fresh(".json")
    command = tools.binaries / "hdrconvert"
    run(command, "gainmap", "create", REFERENCE / "photo.exr", "-o", made, "--quiet", "-s", "10")
    run(command, "gainmap", "extract", made, "-o", coded, "--metadata", record, "--quiet")
    told = []
    for luma, red in ((120, 128), (250, 240)):
        video, base, joined, sized = fresh(".y4m"), fresh(".avif"), fresh(".avif"), fresh(".avif")
        planes = np.full((3, 256, 256), 128, np.uint8)
        planes[:, 100:104, 100:104] = np.array((luma, 128, red))[:, None, None]
        video.write_bytes(b"YUV4MPEG2 W256 H256 F1:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\nFRAME\n" + planes.tobytes())
        run("avifenc", "--min", "0", "--max", "0", "--cicp", "1/13/6", "--range", "limited", video, base)
        run(command, "gainmap", "join", "--baseline", base, "--map", coded, "--metadata", record, "-o", joined, "--quiet")
        done = subprocess.run([command, joined, "-o", sized, "--gainmap", "keep", "--resize", "200", "--verbose"],
                              capture_output=True, text=True, timeout=tools.MINUTES)
        require(done.returncode == 0, done.stderr)
        told.append([line for line in done.stderr.splitlines() if "(swap/pixels-clipped)" in line or
                     "(pixels/" in line])
    require(not told[0] and len(told[1]) == 1, told)
    return told[1][0]


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
    check(f"geometry: a crop of {part[0]}x{part[1]}", *part)(cut)
for rotation in ROTATIONS:
    title = f"rotated by {rotation[0]}" + (f", {rotation[1]} flip" if rotation[1] else "")
    for suffix, orientation in ((".png", "keep"), (".exr", "keep"), (".heic", "keep"), (".heic", "bake"),
                                (".tif", "keep")):
        check(f"geometry: {suffix}, {title}, {orientation}", suffix, rotation, orientation)(rotated)
KEPT = ("jpeg-uhdr/uhdrapp-cat-mapbigger.jpg", "jpeg-iso/pyiso-out1.jpg", "jpeg-uhdr/lrc14-1-xmp-iso.jpg",
        "jpeg-apple/handmade-makernote.jpg", "heic-apple/iphone12pro-16-7-portrait.heic",
        "heic-apple-tmap/iphone15pro-18-7-portrait.heic", "avif-gainmap/libavif-seine-sdr.avif")
for name in KEPT:
    for part, size, rotation in ((None, 300, ("0", None)), ((33, 41, 301, 207), None, ("0", None)),
                             ((11, 7, 333, 201), 200, ("90", None))):
        options = (("--crop", ",".join(map(str, part))) if part else ()) + (
            ("--resize", str(size)) if size else ()) + (rotation_options(rotation) if rotation != ("0", None) else ())
        check(f"geometry: {name} {' '.join(options)} with its map", name, options, part, size, rotation)(followed)
for options, status, words in ((("--crop", "60,0,2,2"), 64, "--crop 60,0,1,2"), (("--crop", "1,2,3"), 64, "like"),
                               (("--rotate", "45"), 64, "multiples of 90"), (("--resize", "0"), 64, "like"),
                               (("--resize", "70000,enlarge"), 65, "limit"),
                               (("--resize", "5000,enlarge", "--max-pixels", "1M"), 65, "limit")):
    check(f"geometry: {' '.join(options)} is refused", options, status, words)(refused)
