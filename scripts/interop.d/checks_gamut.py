# SPDX-License-Identifier: Apache-2.0
"""Gamut mapping: hue in ICtCp and CIECAM16 by colour-science, and brightness along ramps, through the command."""

import json

import colour
import numpy as np
import OpenImageIO as oiio

import color
import tools
from runner import check, require
from tools import run, write_exr
from workspace import fresh

D65 = color.CHROMATICITIES["bt2020"][3]
SOURCES = {
    "BT.2020": color.CHROMATICITIES["bt2020"],
    "AP1": color.CHROMATICITIES["ap1"],
    "ProPhoto": color.CHROMATICITIES["prophoto"],
    "AP0": color.CHROMATICITIES["ap0"],
    "camera": ((0.8, 0.3), (0.13, 0.98), (0.09, -0.12), D65),
}
# Native primaries after white balance, by the color matrix for D65 of DNG files of the corpus.
CAMERAS = {
    "EOS 6D": ((0.7274, 0.2526), (0.0902, 1.3714), (0.1290, -0.1163), D65),
    "Pocket": ((0.7913, 0.2956), (0.3499, 1.5681), (0.0654, -0.0587), D65),
    "iPhone": ((0.7178, 0.2314), (0.3532, 1.2317), (0.1160, -0.0279), D65),
    "Fusion": ((0.8558, 0.1960), (0.3300, 0.8350), (-0.0202, -0.2344), D65),
}
TARGETS = {name: color.CHROMATICITIES[name] for name in ("bt709", "p3")}
# 99th percentile of the hue shift of real colors out of gamut, in degrees: ICtCp, CIECAM16. Decision 24 has the measured values,
# and explains why blues shift more than others.
LIMITS = {"BT.2020": (12, 12), "AP1": (12.5, 13), "ProPhoto": (12, 22), "AP0": (21, 20), "camera": (16, 27)}


def matrix(primaries):
    """Linear RGB to XYZ under D65, by Bradford's adaptation."""
    to_xyz = color.rgb_to_xyz(primaries)
    return color.bradford(primaries[3], D65) @ to_xyz if primaries[3] != D65 else to_xyz


def mapped(linear, source, target, headroom, is_tone_mapped=False):
    """Colors out of the gamut of a display, limited by the command."""
    shown = fresh(".exr")
    report = json.loads(run(
        tools.binaries / "hdrconvert", "render", write_exr(linear, (SOURCES | CAMERAS)[source]), "-o", shown, "--headroom", f"{headroom}x",
        "--transfer", "linear", "--primaries", target, "--json", "--quiet"))["results"][0]["rendering"]
    require((report["pixelCounts"]["toneMapped"] > 0) == is_tone_mapped, f"{report}")
    return np.asarray(oiio.ImageBuf(str(shown)).get_pixels(oiio.FLOAT), float)[..., :3]


def within_locus(xyz):
    """Whether a color is inside the polygon of the spectral locus."""
    locus = colour.XYZ_to_xy(colour.MSDS_CMFS["CIE 1931 2 Degree Standard Observer"].values)[10:340]
    xy = xyz[..., :2] / np.maximum(xyz.sum(-1, keepdims=True), 1e-9)
    first, second = locus, np.roll(locus, -1, axis=0)
    edge, offset = second - first, xy[..., None, :] - first
    cross = edge[:, 0] * offset[..., 1] - edge[:, 1] * offset[..., 0]
    return ((cross <= 1e-4).all(-1) | (cross >= -1e-4).all(-1)) & (xyz.min(-1) >= 0)


def ictcp(xyz):
    """Hue and chroma in ICtCp of colors whose white has 203 cd/m2."""
    rgb = colour.XYZ_to_RGB(xyz * color.WHITE, "ITU-R BT.2020", apply_cctf_encoding=False)
    _, ct, cp = np.moveaxis(colour.RGB_to_ICtCp(np.maximum(rgb, 0)), -1, 0)
    return np.degrees(np.arctan2(cp, ct)), np.hypot(ct, cp) > 0.02


def ciecam16(xyz):
    """Hue in CIECAM16 with reference white as white, and whether the color has chroma."""
    white = colour.xy_to_XYZ(np.array(D65)) * 100
    found = colour.XYZ_to_CIECAM16(
        np.maximum(xyz, 1e-9) * 100, white, L_A=64, Y_b=20, surround=colour.VIEWING_CONDITIONS_CIECAM16["Average"])
    return found.h, found.C > 5


def percentile(hue, before, after):
    (first, is_colored), (second, is_shown_colored) = hue(before), hue(after)
    shift = np.abs((first - second + 180) % 360 - 180)[is_colored & is_shown_colored]
    return np.nanpercentile(shift, 99)


def hue(source, target):
    """Hue of real colors out of gamut, on displays of 1 to 8 times reference white."""
    to_xyz, from_target = matrix(SOURCES[source]), matrix(TARGETS[target])
    random, found = np.random.default_rng(5), []
    for headroom in (1, 2, 4, 8):
        linear = random.random((40, 100, 3)) ** 3 * headroom / 2
        before = linear @ to_xyz.T
        inside = before @ np.linalg.inv(from_target).T
        outside = (inside.min(-1) < -0.01 * inside.max(-1)) | (inside.max(-1) > headroom)
        chosen = outside & within_locus(before)
        require(chosen.sum() > 400, f"{chosen.sum()} colors")
        after = mapped(linear, source, target, headroom) @ from_target.T
        shifts = [percentile(space, before[chosen], after[chosen]) for space in (ictcp, ciecam16)]
        require(all(shift < limit for shift, limit in zip(shifts, LIMITS[source])), f"{headroom}x: {shifts} degrees")
        found.append("{:.1f} and {:.1f}".format(*shifts))
    return "99th percentile " + ", ".join(found)


def ramps(source):
    """More of a component, added to gray, never makes the brightest component of an 8-bit image fall by more than 2 codes."""
    falls = []
    for headroom in (1, 4):
        linear = np.zeros((15, 161, 3))
        for row in range(15):
            base = (0, 0.02, 0.05, 0.2, 0.5)[row // 3] * headroom
            linear[row] = base
            linear[row, :, row % 3] = np.linspace(base, 1.2 * headroom, 161)
        brightest = mapped(linear, source, "bt709", headroom, is_tone_mapped=True).max(-1) / headroom
        codes = np.round(255 * color.srgb_signal(np.clip(brightest, 0, 1)))
        falls.append(int((np.maximum.accumulate(codes, 1) - codes).max()))
    require(max(falls) <= 2, f"falls by {falls} codes")
    return f"falls by at most {max(falls)} codes"


for source in SOURCES:
    for target in TARGETS:
        check(f"gamut: hue of {source} in {target}")(lambda source=source, target=target: hue(source, target))
for source in ("BT.2020", "AP1", "AP0", "ProPhoto", *CAMERAS):
    check(f"gamut: brightness of ramps in {source}")(lambda source=source: ramps(source))
