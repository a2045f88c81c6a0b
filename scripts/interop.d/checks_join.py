# SPDX-License-Identifier: Apache-2.0
"""Mismatched bases and maps, and maps with three equal components."""

import json
import subprocess

import numpy as np
import pillow_heif
from PIL import Image

import tools
from runner import check, require
from tools import REFERENCE, corpus, fresh, run


def parts():
    """A base, a map of a quarter of its size and its metadata, each in a file."""
    both, base, coded, record = fresh(".jpg"), fresh(".jpg"), fresh(".jpg"), fresh(".json")
    tool = tools.binaries / "hdrconvert"
    run(tool, "gainmap", "create", REFERENCE / "photo.exr", "-o", both, "--gainmap-scale", "4", "--quiet")
    run(tool, "gainmap", "extract", both, "-o", coded, "--metadata", record, "--quiet")
    run(tool, "gainmap", "flatten", both, "-o", base, "--quiet")
    return base, coded, record


def join(base, coded, record):
    target = fresh(".jpg")
    done = subprocess.run(
        [tools.binaries / "hdrconvert", "gainmap", "join", "--baseline", base, "--map", coded, "--metadata", record, "-o", target],
        capture_output=True, text=True, timeout=tools.MINUTES)
    return done, target


@check("join: a map of another shape or a rotated one is reported; its own orientation is followed")
def shapes():
    base, coded, record = parts()
    image = Image.open(coded)
    rotated, square, oriented, upright = (fresh(".jpg") for _ in range(4))
    image.transpose(Image.Transpose.ROTATE_90).save(rotated)
    image.resize((100, 100)).save(square)
    exif = Image.Exif()
    exif[274] = 6
    image.save(oriented, exif=exif)
    image.transpose(Image.Transpose.ROTATE_90).save(upright, exif=exif)
    for path, words in ((coded, None), (rotated, "(gain-map/shape-rotated)"), (square, "(gain-map/shape-differs)"),
                        (oriented, "(gain-map/shape-rotated)"), (upright, None)):
        done, target = join(base, path, record)
        told = [line for line in done.stderr.splitlines() if "(gain-map/shape-" in line or "(gain-map/orientation-" in line]
        require(done.returncode == 0 and target.exists(), done.stderr)
        require(len(told) == (words is not None) and (not words or words in told[0]), f"{words}: {done.stderr}")
    return "5 maps"


@check("join: CMYK is rejected as a base and as a map")
def inks():
    base, coded, record = parts()
    cmyk = fresh(".jpg")
    Image.open(base).convert("CMYK").save(cmyk)
    for first, second in ((cmyk, coded), (base, cmyk)):
        done, target = join(first, second, record)
        require(done.returncode == 65 and not target.exists(), f"exit {done.returncode}: {done.stderr}")
        require("(color/cmyk)" in done.stderr and "  try: " in done.stderr, done.stderr)
    shown = run(tools.binaries / "hdrconvert", "inspect", cmyk)
    require("8 bit CMYK" in shown and "sRGB" not in shown, shown)
    file, = json.loads(run(tools.binaries / "hdrconvert", "inspect", cmyk, "--json"))["results"]
    require([notice["code"] for notice in file["notices"]].count("color/cmyk-not-decodable") == 1, file["notices"])
    return done.stderr.splitlines()[1].strip()


@check("inspect, validate: a failing input among several is in the JSON")
def failing():
    base, coded, _ = parts()
    missing = fresh(".jpg")
    for verb in ("inspect", "validate"):
        document = json.loads(
            run(tools.binaries / "hdrconvert", verb, base, missing, coded, "--json", accept=(1,)))
        require([entry["input"] for entry in document["results"]] == [str(base), str(coded)], f"{verb}: {document}")
        failure, = document["failures"]
        require(failure["file"] == str(missing) and failure["exitCode"] == 66 and failure["reason"], f"{verb}: {failure}")
        whole = json.loads(run(tools.binaries / "hdrconvert", verb, base, "--json", accept=(0, 1)))
        require(whole["failures"] == [], f"{verb}: failures without any")
    return "2 verbs"


@check("remux: a Samsung map of three equal components becomes an Apple map of one")
def one_component():
    source, record, codes = corpus("heic-gainmap-other/samsung-s25ultra-tmap.heic"), fresh(".json"), fresh(".png")
    tool = tools.binaries / "hdrconvert"
    run(tool, "gainmap", "extract", source, "-o", codes, "--metadata", record, "--quiet")
    numbers = json.loads(run(tool, "inspect", source, "--json"))["results"][0]["gainMaps"][0]["gainMapCarriers"][0]["channels"][0]
    samples = np.asarray(Image.open(codes)).astype(np.float64) / 255
    require(samples.ndim == 3 and (samples == samples[..., :1]).all(), "components differ")
    low, high, gamma = numbers["minimumGainStops"], numbers["maximumGainStops"], numbers["gamma"]
    # ISO 21496-1, and the Apple curve: gain 1 + (H - 1) times the sRGB EOTF of the sample.
    share = samples[..., 0] ** (1 / gamma)
    light = (2 ** (low + (high - low) * share) - 1) / (2 ** high - 1)
    light = np.clip(light, 0, 1)
    expected = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055) * 255
    for flavors in ("apple", "iso,apple"):
        refused = subprocess.run([tool, "remux", source, "-o", fresh(".heic"), "--flavors", flavors],
                                 capture_output=True, text=True)
        require(refused.returncode == 64 and "--exact" in refused.stderr, refused.stderr)
        target = fresh(".heic")
        run(tool, "remux", source, "-o", target, "--flavors", flavors, "--exact", "--quiet")
        image = pillow_heif.open_heif(target)
        ids = image.info["aux"]["urn:com:apple:photo:2020:aux:hdrgainmap"]
        coded = image.get_aux_image(ids[0])
        require(coded.mode == "L", f"libheif sees {coded.mode}")
        off = np.abs(np.asarray(coded).astype(float) - expected).max()
        # The only difference is rounding to a code value.
        require(off < 0.5 + 1e-3, f"{flavors}: {off:.2f} codes off")
    return f"at most {off:.3f} codes off by libheif"
