# SPDX-License-Identifier: Apache-2.0
"""Lossless outputs contain, in third-party decoders, the code values that the standards specify."""

import itertools

import numpy as np

import color
from runner import check, require
from tools import (
    REFERENCE, avif_codes, avifdec_planes, convert, heif_codes, our_planes, png_codes, read_light,
    require_within, run, tiff_codes)

# The inverse shoulder of HLG starts at half the peak; values below are exact.
HLG_KNEE = 500.0


def expected_signal(light, transfer):
    light = color.clean(light)
    return color.pq_signal(light) if transfer == "pq" else color.hlg_signal(light)


def below_knee(light, transfer):
    """Pixels that the default shoulder of HLG does not change."""
    light = color.clean(light)
    return np.ones(light.shape, bool) if transfer == "pq" else \
        np.broadcast_to(light.max(-1, keepdims=True) <= HLG_KNEE, light.shape)


def compare(got, expected, mask, what):
    require(got.shape == expected.shape, f"{what}: shape {got.shape}, not {expected.shape}")
    return require_within(1, np.where(mask, got, 0), np.where(mask, expected, 0), what)


def source(name, exposure=0.0):
    with np.errstate(invalid="ignore", over="ignore"):
        return read_light(REFERENCE / name)[0] * 2.0**exposure


SCENES = ["ramps.exr", "chart.exr", "extremes.exr", "photo.exr"]


def rgb_output(name, transfer, suffix, bits):
    light = source(name)
    cicp = {"pq": "9/16/0/full", "hlg": "9/18/0/full"}[transfer]
    coding = ["--transfer", transfer] if suffix == ".png" else ["--set", f"cicp={cicp}"]
    path = convert(REFERENCE / name, suffix, "--lossless", "-d", bits, *coding)
    expected = color.rgb_codes(expected_signal(light, transfer), bits)
    if suffix == ".png":
        got = png_codes(path)
        if bits < 16:
            expected = color.replicate(expected, bits)
            require(np.array_equal(got, color.replicate(got >> 16 - bits, bits)), "low bits differ")
            got, expected = got >> 16 - bits, expected >> 16 - bits
    else:
        got = avif_codes(path) if suffix == ".avif" else heif_codes(path, bits)
    error = compare(got, expected, below_knee(light, transfer), f"{name} {suffix}")
    return f"at most {error} off"


for name, transfer in itertools.product(SCENES, ("pq", "hlg")):
    for suffix, bits in ((".png", 16), (".png", 12), (".png", 10), (".avif", 10), (".avif", 12),
                         (".heic", 10), (".heic", 12)):
        check(f"pixels: {name} to {transfer} RGB{suffix}, {bits} bit",
              name, transfer, suffix, bits)(rgb_output)


def ycbcr_output(name, transfer, suffix, bits, full):
    light = source(name)
    range_name = "full" if full else "limited"
    path = convert(REFERENCE / name, suffix, "--lossless", "-d", bits, "-y", "444", "--set",
                   f"cicp=9/{16 if transfer == 'pq' else 18}/9/{range_name}")
    expected = color.ycbcr_codes(expected_signal(light, transfer), 9, bits, full)
    mask = below_knee(light, transfer)
    if suffix == ".avif":
        got = np.stack(avifdec_planes(path)[0], -1)
        return f"planes at most {compare(got, expected, mask, 'planes')} off"
    planes = np.stack(our_planes(path)[0], -1)
    error = compare(planes, expected, mask, "planes by our decoder")
    # libheif returns RGB only: that of the same planes, rounded once more.
    rgb = color.rgb_codes(color.rgb_signal(planes, 9, bits, full), bits)
    foreign = compare(heif_codes(path, bits), rgb, mask, "RGB by libheif")
    return f"planes at most {error} off, libheif's RGB {foreign}"


for name, transfer in itertools.product(SCENES, ("pq", "hlg")):
    for suffix, bits, full in ((".avif", 10, True), (".avif", 12, False), (".avif", 10, False),
                               (".heic", 10, True), (".heic", 12, True)):
        check(f"pixels: {name} to {transfer} Y'CbCr 4:4:4{suffix}, {bits} bit"
              f" {'full' if full else 'narrow'}", name, transfer, suffix, bits, full)(ycbcr_output)


def narrow_rgb(suffix, bits):
    """RGB in narrow range: all components alike, 219 steps of 8-bit code values from 16 on.

    Source: ITU-T H.273, MatrixCoefficients 0, where E'G, E'B and E'R are quantized by one formula.
    """
    signal = expected_signal(source("chart.exr"), "pq")
    path = convert(REFERENCE / "chart.exr", suffix, "--lossless", "-d", bits, "--set",
                   "cicp=9/16/0/limited")
    expected = np.floor((219 * signal + 16) * 2.0**(bits - 8) + 0.5)
    if suffix == ".avif":
        green, blue, red = avifdec_planes(path)[0]
        error = require_within(1, np.stack([red, green, blue], -1), expected, "planes")
        full = (expected / 2.0**(bits - 8) - 16) / 219
        foreign = require_within(1, avif_codes(path), color.rgb_codes(full, bits), "libavif's RGB")
        return f"planes at most {error} off, libavif's RGB {foreign}"
    green, blue, red = our_planes(path)[0]
    error = require_within(1, np.stack([red, green, blue], -1), expected, "planes")
    # libheif 1.23 widens blue and red like color differences (by 1.1429, which is
    # 256/224, not by 256/219 as green), so only green can be correct.
    full = (expected / 2.0**(bits - 8) - 16) / 219
    green = require_within(
        2, heif_codes(path, bits)[..., 1], color.rgb_codes(full, bits)[..., 1], "libheif's green")
    return f"planes at most {error} off, libheif's green {green}"


for suffix, bits in itertools.product((".avif", ".heic"), (10, 12)):
    check(f"pixels: narrow RGB{suffix}, {bits} bit", suffix, bits)(narrow_rgb)


@check("pixels: exposure")
def exposure():
    light = source("photo.exr", exposure=-3.5)
    worst = 0
    for transfer in ("pq", "hlg"):
        path = convert(REFERENCE / "photo.exr", ".png", "--transfer", transfer, "--exposure", "-3.5")
        expected = color.rgb_codes(expected_signal(light, transfer), 16)
        worst = max(worst, require_within(1, png_codes(path), expected, transfer))
    return f"at most {worst} off"


@check("pixels: reference white")
def reference_white():
    # The file specifies 203 cd/m2 for 1.0; the option overrides it.
    light = source("chart.exr") / 203 * 100
    path = convert(REFERENCE / "chart.exr", ".png", "--reference-white", "100")
    expected = color.rgb_codes(expected_signal(light, "pq"), 16)
    return f"at most {require_within(1, png_codes(path), expected, 'codes')} off"


def primaries_output(primaries):
    light = source("chart.exr")
    light = color.convert(light, color.CHROMATICITIES["bt2020"], color.CHROMATICITIES[primaries])
    path = convert(REFERENCE / "chart.exr", ".png", "--primaries", primaries)
    expected = color.rgb_codes(expected_signal(light, "pq"), 16)
    got = png_codes(path)
    # If the terms of a matrix almost cancel, 16-bit PQ has less resolution than single precision has for
    # the input components.
    noise = np.abs(light).max(-1, keepdims=True) * 2.0**-22
    same = np.abs(color.pq_luminance(got / 65535) - color.clean(light)) <= noise
    error = require_within(1, np.where(same, 0, got), np.where(same, 0, expected), "codes")
    return f"at most {error} off"


for name in ("p3", "bt709"):
    check(f"pixels: {name} primaries", name)(primaries_output)


def tiff_output(name, transfer):
    light = source(name)
    path = convert(REFERENCE / name, ".tif", "--transfer", transfer)
    expected = color.rgb_codes(expected_signal(light, transfer), 16)
    error = compare(tiff_codes(path), expected, below_knee(light, transfer), "codes")
    return f"at most {error} off"


for name, transfer in itertools.product(SCENES, ("pq", "hlg")):
    check(f"pixels: {name} to {transfer} RGB.tif, 16 bit", name, transfer)(tiff_output)


def exr_output(name, depth, precision):
    light = np.nan_to_num(source(name), nan=0)
    path = convert(REFERENCE / name, ".exr", "-d", depth)
    got = read_light(path)[0]
    # Infinite values are replaced by values that are finite after any matrix.
    largest = (65504 if depth == 16 else 1e30) * color.WHITE
    light = np.clip(light, -largest, largest)
    error = np.abs(got - light) / np.maximum(np.abs(light), 2.0**-14 * color.WHITE)
    require(error.max() <= precision, f"{error.max():.2e} off")
    return f"at most {error.max():.1e} off"


for name in SCENES:
    check(f"pixels: {name} to half OpenEXR", name, 16, 2.0**-11)(exr_output)
    check(f"pixels: {name} to float OpenEXR", name, 32, 2.0**-21)(exr_output)
