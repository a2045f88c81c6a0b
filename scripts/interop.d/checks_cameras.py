# SPDX-License-Identifier: Apache-2.0
"""Synthetic raw files in the formats of other manufacturers, read alike by hdrconvert and by rawpy's LibRaw."""

import numpy as np
import rawpy

import camera_files
from checks_raw import PATCH, X_TRANS, camera_to_bt2020, ours, patches_as_libraw
from runner import check, require
from tools import convert, run


def neutral_and_matrix(path):
    """White and color matrix of a camera from rawpy's LibRaw, in the form of the report of hdrconvert."""
    with rawpy.imread(str(path)) as raw:
        gains = np.array(raw.camera_whitebalance[:3])
        if not (gains > 0).all():
            gains = np.array(raw.daylight_whitebalance[:3])
        matrix = np.array(raw.rgb_xyz_matrix)[:3]
    neutral = gains.min() / gains
    return neutral / neutral.max(), camera_to_bt2020(np.stack([matrix, matrix]), neutral / neutral.max())


@check("raw: samples of complete NEF, ARW and CR2 files equal those of rawpy")
def samples():
    generator = np.random.default_rng(6)
    height, width = 160, 600
    smooth = 6000 + 3000 * np.sin(np.arange(width) / 40)[None] + 2000 * np.cos(np.arange(height) / 30)[:, None]
    pixels = (smooth + generator.integers(-200, 200, (height, width))).astype(int)
    files = camera_files.nef(pixels), camera_files.arw(pixels, 512, (2100, 1024, 1500)), camera_files.cr2(
        pixels, [200, 200, 200])
    findings = []
    for path in files:
        name = path.suffix[1:].upper()
        with rawpy.imread(str(path)) as raw:
            stored, black, white = raw.raw_image.copy(), raw.black_level_per_channel[0], raw.white_level
            colors = raw.raw_colors.copy()
        require(np.array_equal(stored, pixels), f"{name}: rawpy reads other samples than were written")
        neutral, matrix = neutral_and_matrix(path)
        # At a photosite, the color of its own filter is exact.
        camera = ours(path, "--raw", "scene-linear", "--raw", "highlights=keep") @ np.linalg.inv(matrix).T * neutral
        own = np.take_along_axis(camera, np.where(colors == 3, 1, colors)[..., None], 2)[..., 0]
        error = np.abs(own * (white - black) + black - pixels)
        # The linked LibRaw may be another version: allow rounding of white by half a code value.
        require(error.max() < 0.5, f"{name}: samples differ by {error.max():.2f} codes")
        findings.append(f"{name} {error.max():.3f}")
    return "codes off: " + ", ".join(findings)


@check("raw: X-Trans of a complete RAF file equals LibRaw's interpolation, with its Exif")
def x_trans():
    generator = np.random.default_rng(7)
    light = generator.uniform(0.05, 0.8, (5, 6, 3)).repeat(PATCH, 0).repeat(PATCH, 1)
    height, width = light.shape[:2]
    filters = np.tile(X_TRANS, (height // 6, width // 6))
    gains = np.array([500, 302, 400])
    seen = np.take_along_axis(light * (302 / gains), filters[..., None], 2)[..., 0]
    path = camera_files.raf(np.round(seen * 65535).astype(int), X_TRANS, gains)
    neutral, matrix = neutral_and_matrix(path)
    _, worst = patches_as_libraw(path, neutral, matrix, "RAF")
    model = run("exiftool", "-s3", "-Model", convert(path, ".avif")).strip()
    require(model == "X-T2", f"Exif tells of '{model}'")
    return f"patches at most {100 * worst:.3f} %"
