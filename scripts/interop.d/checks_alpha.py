# SPDX-License-Identifier: Apache-2.0
"""Emissive pixels, and images of odd size that exceed the levels of AV1."""

import subprocess

import imagecodecs
import numpy as np
import OpenImageIO as oiio

import color
import tools
from boxes import HEIFFile
from chunks import PNGFile
from runner import check, require
from tools import (
    MINUTES, REFERENCE, avif_codes, avifdec_planes, convert, corpus, heif_codes, our_planes, png_codes, read_light,
    write_exr)
from workspace import fresh


def read_exr(path):
    return np.asarray(oiio.ImageInput.open(str(path)).read_image(format="float"))


def flames():
    """Opaque, half transparent and almost transparent pixels, and an emissive one with alpha 0."""
    return write_exr(np.array([[[1, 0.5, 0.25, 1], [0.5, 0.25, 0, 0.5], [8, 4, 2, 1e-3], [2, 2, 2, 0]]]))


def kept(make):
    source = make()
    path = convert(source, ".exr", "--primaries", "bt709", "-d", "32")
    before, after = read_exr(source), read_exr(path)
    require(before.shape == after.shape and np.array_equal(before, after),
            f"{np.count_nonzero(before != after)} of {before.size} samples differ")
    hidden = before[(before[..., 3] == 0) & (before[..., :3].max(-1) > 0)]
    return f"{len(hidden)} pixels with light and no coverage"


check("alpha: emissive pixels are kept in OpenEXR", flames)(kept)
check("alpha: exr/oexr-CandleGlass.exr is kept in OpenEXR", lambda: corpus("exr/oexr-CandleGlass.exr"))(kept)


@check("alpha: dropped emissive pixels are reported")
def named():
    for suffix in (".png", ".avif"):
        done = subprocess.run([tools.binaries / "hdrconvert", flames(), "-o", fresh(suffix)],
                              capture_output=True, text=True, timeout=MINUTES)
        require(done.returncode == 0 and "(pixels/emissive)" in done.stderr and "50 %" in done.stderr, done.stderr)


def premultiplied(suffix, codes, divides):
    """Emissive pixels come back from a premultiplied PQ signal; for others, libavif and libheif read the multiplied one.

    libavif divides the signal by alpha, libheif returns it as stored.
    """
    source = write_exr(oiio.ImageBuf(str(flames())).get_pixels(oiio.FLOAT).repeat(16, 0).repeat(16, 1))
    lossless = ("--lossless", "-d", "12")
    path = convert(source, suffix, "--set", "alpha=premultiplied", *lossless)
    require(b"prem" in path.read_bytes(), "no reference of type prem")
    light, alpha = read_light(source)
    back, back_alpha = read_light(convert(path, ".exr", "-d", "32"))
    require(np.abs(back_alpha - alpha).max() < 1e-3, "another alpha")
    # Opaque, half transparent, without coverage; the coarse alpha of the glow is tested with more bits elsewhere.
    for x in (8, 24, 56):
        error = np.abs(back[8, x] - light[8, x]).max() / light[8, x].max()
        require(error < 0.02, f"pixel {x}: {back[8, x]}, not {light[8, x]}")
    straight, read = (codes(file)[8, [8, 24]].astype(int) for file in (convert(source, suffix, *lossless), path))
    if not divides:
        straight[:, :3] = straight[:, :3] * straight[:, 3:] / 4095
    require(np.abs(straight - read).max() <= 2, f"codes {read.tolist()}, not {straight.tolist()}")
    return f"{back[8, 56].max():.1f} cd/m2 without coverage, {light[8, 56].max():.1f} in the source"


check("alpha: emissive pixels are kept in premultiplied AVIF", ".avif", avif_codes, True)(premultiplied)
check("alpha: emissive pixels are kept in premultiplied HEIC", ".heic", lambda path: heif_codes(path, 12),
      False)(premultiplied)


@check("alpha: light levels are measured on premultiplied values")
def measured():
    source = REFERENCE / "photo-alpha.exr"
    light, _ = read_light(source)
    maximum, average = color.light_levels(light)
    level = PNGFile(convert(source, ".png").read_bytes()).get("cLLI")
    for name, value in (("max", maximum), ("average", average)):
        require(abs(level[name] - value) <= 2e-4 * value, f"cLLI {name} is {level[name]}, not {value}")
    return f"cLLI {level['max']:.4f}, {level['average']:.4f}"


@check("planes: 36 megapixels of odd size in AVIF")
def odd():
    width, height = 6001, 6001
    source = fresh(".hdr")
    # One run of a single color per row, in the old run-length coding of Radiance.
    rows = b"".join(bytes([128, 100, y % 256, 129]) + bytes([1, 1, 1, (width - 1) & 255])
                    + bytes([1, 1, 1, (width - 1) >> 8]) for y in range(height))
    source.write_bytes(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n" % (height, width) + rows)
    path = convert(source, ".avif", "-y", "420", "-s", "10", "-q", "30")
    require(HEIFFile(path.read_bytes()).primary.get("clap") is None, "a clean aperture")
    theirs, _ = avifdec_planes(path)
    ours, _ = our_planes(path)
    require(theirs[0].shape == (height, width), f"avifdec shows {theirs[0].shape}")
    for a, b in zip(ours, theirs, strict=True):
        require(np.array_equal(a, b), f"{np.count_nonzero(a != b)} codes differ")
    require(avif_codes(path).shape == (height, width, 3), "libavif shows another size")


def with_coverage():
    """An SDR rendition in PNG with 8-bit alpha, and the alpha."""
    light = oiio.ImageBuf(str(REFERENCE / "photo.exr")).get_pixels(oiio.FLOAT)[..., :3]
    height, width, _ = light.shape
    y, x = np.mgrid[0:height, 0:width]
    coverage = np.clip(np.hypot(x - width / 2, y - height / 2) - 100, 0, 255).astype(np.uint8)
    codes = np.round(color.srgb_signal(np.clip(light * 0.6, 0, 1)) * 255).astype(np.uint8)
    path = fresh(".png")
    path.write_bytes(imagecodecs.png_encode(np.dstack([codes, coverage])))
    return path, coverage


def created(suffix, read):
    """libavif and libheif find the alpha of the SDR rendition; images computed from base and map contain it."""
    source, coverage = with_coverage()
    path = fresh(suffix)
    tools.run(tools.binaries / "hdrconvert", "gainmap", "create", "--sdr", source, "--hdr", REFERENCE / "photo.exr",
              "-o", path, "--quiet")
    wanted = np.round(coverage * (1023 / 255)).astype(int)
    found = read(path)
    require(found.shape[-1] == 4 and np.array_equal(found[..., 3], wanted), f"{suffix}: another coverage")
    moved = fresh(suffix)
    tools.run(tools.binaries / "hdrconvert", "gainmap", "swap", path, "-o", moved, "--allow-reencode", "--quiet")
    require(np.array_equal(read(moved)[..., 3], wanted), "another coverage after swap")
    for headroom in ("1x", "2x", "full"):
        applied = fresh(".png")
        tools.run(tools.binaries / "hdrconvert", "gainmap", "apply", path, "-o", applied, "--headroom", headroom,
                  "--quiet", "-d", "16")
        require(np.array_equal(png_codes(applied)[..., 3], np.round(wanted * (65535 / 1023))), f"{headroom}: another")
    tools.run(tools.binaries / "hdrconvert", "validate", path, "--standard", "all")
    return f"{np.count_nonzero((wanted > 0) & (wanted < 1023))} pixels covered in part"


check("alpha: created AVIF has the alpha of the SDR rendition", ".avif", avif_codes)(created)
check("alpha: created HEIC has the alpha of the SDR rendition", ".heic", lambda path: heif_codes(path, 10))(created)


@check("alpha: loss of alpha in created JPEG is reported")
def none_in_jpeg():
    source, _ = with_coverage()
    done = subprocess.run(
        [tools.binaries / "hdrconvert", "gainmap", "create", "--sdr", source, "--hdr", REFERENCE / "photo.exr",
         "-o", fresh(".jpg")], capture_output=True, text=True, timeout=tools.MINUTES)
    require(done.returncode == 0 and "(create/alpha-dropped)" in done.stderr, done.stderr)
