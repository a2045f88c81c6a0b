# SPDX-License-Identifier: Apache-2.0
"""Rotation without decoding: container properties, and JPEG coefficients compared with jpegtran."""

import io
import json
import shutil
import subprocess

import imagecodecs
import numpy as np
from PIL import Image

import tools
from checks_gainmap import folder
from checks_geometry import ROTATIONS, displayed, rotation_options
from checks_tag import warnings
from runner import Skip, check, require
from tools import corpus, fresh, run


def rotated_file(source, rotation, suffix=None):
    path = fresh(suffix or source.suffix)
    report = json.loads(run(tools.binaries / "hdrconvert", "remux", source, "-o", path, "--json", "--quiet",
                            *rotation_options(rotation)))["results"][0]
    return path, report


def numbers(path):
    metadata = fresh(".json")
    run(tools.binaries / "hdrconvert", "gainmap", "extract", path, "-o", fresh(path.suffix), "--metadata", metadata,
        "--quiet")
    record = json.loads(metadata.read_text())
    record.pop("map", None)
    return record


def kept(name, rotation):
    """The container signals the rotation; compressed data are unchanged."""
    source = corpus(name)
    path, report = rotated_file(source, rotation)
    require(all(p["status"] == "unchanged" for p in report["codedData"]), "coded data changed")
    expected = ROTATIONS[rotation](displayed(source))
    require(np.array_equal(displayed(path), expected), "another image is shown")
    new = warnings(path) - warnings(source)
    require(not new, f"exiftool warns: {new}")
    return f"{len(report['codedData'])} coded data as they were"


# jpegtran's names for the transformation from stored to upright, by Exif orientation.
JPEGTRAN = {1: (), 2: ("-flip", "horizontal"), 3: ("-rotate", "180"), 4: ("-flip", "vertical"),
            5: ("-transpose",), 6: ("-rotate", "90"), 7: ("-transverse",), 8: ("-rotate", "270")}
UPRIGHT = {1: lambda a: a, 2: lambda a: a[:, ::-1], 3: lambda a: a[::-1, ::-1], 4: lambda a: a[::-1],
           5: lambda a: a.T, 6: lambda a: np.rot90(a, -1), 7: lambda a: a[::-1, ::-1].T, 8: np.rot90}


def exif_orientation(data):
    return Image.open(io.BytesIO(data)).getexif().get(274, 1)


def images(path):
    """The coded images of a JPEG file: the first image and the gain map."""
    gain_map = fresh(".jpg")
    run(tools.binaries / "hdrconvert", "gainmap", "extract", path, "-o", gain_map, "--quiet")
    return [path.read_bytes(), gain_map.read_bytes()]


def by_jpegtran(data, orientation):
    """Pixels after lossless rotation by jpegtran; `None` if it is not possible."""
    program = shutil.which("jpegtran")
    if program is None:
        raise Skip("jpegtran is not installed")
    done = subprocess.run([program, "-perfect", "-copy", "none", *JPEGTRAN[orientation]], input=data,
                          capture_output=True)
    return imagecodecs.jpeg8_decode(done.stdout) if done.returncode == 0 else None


def rotated_exactly(name, rotation):
    """Both images of a JPEG file equal the results of jpegtran, or both are unchanged."""
    source = corpus(name)
    old = images(source)
    stored = exif_orientation(old[0])
    square = np.arange(6).reshape(2, 3)
    wanted = ROTATIONS[rotation](UPRIGHT[stored](square))
    (orientation,) = [o for o, f in UPRIGHT.items() if np.array_equal(f(square), wanted)]
    expected = [by_jpegtran(data, orientation) for data in old]
    path, report = rotated_file(source, rotation)
    new = images(path)
    rotated = [p["status"] == "rotated" for p in report["codedData"] if p["name"].startswith("image")]
    new_warnings = warnings(path) - warnings(source)
    require(not new_warnings, f"exiftool warns: {new_warnings}")
    require(numbers(path) == numbers(source), "the map means something else")
    broken = failures(path) - failures(source)
    require(not broken, f"it breaks {broken}")
    if any(e is None for e in expected):
        require(not any(rotated) and any(n["code"] == "orientation/rotated-by-exif" for n in report["notices"]),
                "jpegtran cannot rotate both, and no notice reports it")
        require(exif_orientation(new[0]) == orientation, "Exif contains another orientation")
        require(all(np.array_equal(imagecodecs.jpeg8_decode(a), imagecodecs.jpeg8_decode(b))
                    for a, b in zip(new, old)), "other pixels")
        return "by Exif: " + "; ".join(n["message"] for n in report["notices"] if n["code"] == "orientation/rotated-by-exif")
    require(exif_orientation(new[0]) == 1, "Exif turns it again")
    for data, pixels in zip(new, expected):
        require(np.array_equal(imagecodecs.jpeg8_decode(data), pixels), "jpegtran makes other pixels")
    if is_read(source):
        light = imagecodecs.ultrahdr_decode(path.read_bytes())
        require(light.shape[:2] == expected[0].shape[:2], "libultrahdr sees another size")
    # A rotation by 90° is the identity after four, all others after two.
    back = path
    for _ in range(3 if rotation[0] in ("90", "-90") and rotation[1] is None else 1):
        back, _ = rotated_file(back, rotation)
    start, _ = rotated_file(source, ("0", "horizontal"))
    start, _ = rotated_file(start, ("0", "horizontal"))
    for a, b in zip(images(back), images(start)):
        require(np.array_equal(imagecodecs.jpeg8_decode(a), imagecodecs.jpeg8_decode(b)), "it does not come back")
    return f"{len(rotated)} images as jpegtran rotates them"


def is_read(path):
    """Whether libultrahdr reads the file; it does not support Apple maps or XMP properties as elements."""
    try:
        imagecodecs.ultrahdr_decode(path.read_bytes())
    except imagecodecs.UltrahdrError:
        return False
    return True


def failures(path):
    """Rules that the file violates."""
    (judged,) = json.loads(run(tools.binaries / "hdrconvert", "validate", path, "--json", accept=(0, 1, 2)))["results"]
    return {rule["id"] for rule in judged["rules"] if rule["verdict"] == "broken"}


for name in ("heic-apple/iphone12pro-16-7-portrait.heic", "heic-apple-tmap/iphone15pro-18-7-portrait.heic",
             "heic-hdr/sdwebimage-pq10.heic", "avif-gainmap/libavif-seine-sdr.avif"):
    for rotation in (("90", None), ("90", "horizontal"), ("0", "vertical")):
        title = f"rotated by {rotation[0]}" + (f", {rotation[1]} flip" if rotation[1] else "")
        check(f"rotation: {name} {title} in the container", name, rotation)(kept)
# Each file once, and each transformation about equally often.
for index, name in enumerate(folder("jpeg-uhdr", ".jpg") + folder("jpeg-iso", ".jpg") + folder("jpeg-apple", ".jpg")):
    rotation = list(ROTATIONS)[1 + index % (len(ROTATIONS) - 1)]
    title = f"rotated by {rotation[0]}" + (f", {rotation[1]} flip" if rotation[1] else "")
    check(f"rotation: {name} {title} as jpegtran", name, rotation)(rotated_exactly)
