# SPDX-License-Identifier: Apache-2.0
"""Images with gain maps in Chromium: a display without headroom shows their baseline image."""

import io

import imagecodecs
import numpy as np
import pillow_heif
from PIL import Image, ImageCms

import browser
import color
import tools
from runner import check, require
from tools import REFERENCE, corpus, fresh, run

SRGB = ImageCms.createProfile("sRGB")


def made(suffix, *options):
    target = fresh(suffix)
    run(tools.binaries / "hdrconvert", "gainmap", "create", REFERENCE / "photo.exr", "-o", target, "--quiet",
        *options)
    return target


def remuxed(name, *options):
    source = corpus(name)
    target = fresh(source.suffix)
    run(tools.binaries / "hdrconvert", "remux", source, "-o", target, "--quiet", *options)
    return target


def kept(name, *options):
    source = corpus(name)
    target = fresh(source.suffix)
    run(tools.binaries / "hdrconvert", source, "-o", target, "--quiet", "--gainmap", "keep", *options)
    return target


def base(path):
    """The baseline image in 8-bit sRGB, from other programs."""
    if path.suffix == ".jpg":
        image = Image.open(path)
        profile = image.info.get("icc_profile")
        if profile is None:
            return np.asarray(image.convert("RGB"))
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        return np.asarray(ImageCms.profileToProfile(
            image.convert("RGB"), source, SRGB, ImageCms.Intent.RELATIVE_COLORIMETRIC, outputMode="RGB"))
    codes = imagecodecs.avif_decode(path.read_bytes())[..., :3]
    signal = codes / (255 if codes.dtype == np.uint8 else 1023)
    profile = pillow_heif.open_heif(path).info.get("nclx_profile") or {}
    primaries = color.CICP_PRIMARIES.get(int(profile.get("color_primaries", 1)), "bt709")
    light = color.convert(color.srgb_light(signal), color.CHROMATICITIES[primaries], color.CHROMATICITIES["bt709"])
    return np.round(255 * color.srgb_signal(light))


def as_base(make, *arguments):
    """The screenshot equals the baseline image within coding noise."""
    path = make(*arguments)
    expected = base(path).astype(int)
    height, width = expected.shape[:2]
    got = browser.shown(path, width, height).astype(int)
    require(got.shape == expected.shape, f"{got.shape}, not {expected.shape}")
    difference = np.abs(got - expected)
    mean, tail = difference.mean(), np.percentile(difference, 99)
    require(mean <= 1 and tail <= 6, f"codes differ by {mean:.2f} (mean), {tail:g} (99 %)")
    return f"codes differ by {mean:.2f} (mean), {tail:g} (99 %), {difference.max()} at most"


for suffix in (".jpg", ".avif"):
    check(f"browser: gainmap create {suffix}", made, suffix)(as_base)
    check(f"browser: gainmap create {suffix} in sRGB, 4:2:0", made, suffix, "--primaries", "bt709", "--yuv", "420")(
        as_base)
for entry in (("jpeg-uhdr/lrc14-1-xmp-iso.jpg", "--flavors", "iso"), ("jpeg-iso/pyiso-out1.jpg", "--flavors", "iso,xmp"),
              ("avif-gainmap/libavif-seine-sdr.avif", "--flavors", "iso"),
              ("jpeg-uhdr/uhdrapp-gimp-daisies.jpg", "--rotate", "90")):
    check(f"browser: remux {' '.join(entry)}", remuxed, *entry)(as_base)
for entry in (("jpeg-uhdr/lrc14-1-xmp-iso.jpg", "--resize", "500"),
              ("avif-gainmap/libavif-seine-sdr.avif", "--crop", "31,20,301,203")):
    check(f"browser: convert {' '.join(entry)} with its map", kept, *entry)(as_base)
