# SPDX-License-Identifier: Apache-2.0
"""Raw files of the size of cameras: share and memory of gain maps, color noise."""

import json

import numpy as np
import OpenImageIO as oiio
import rawpy
import tifffile

import color
import tools
from checks_raw import fractions
from runner import check, require
from tools import REFERENCE, corpus, run
from workspace import fresh

MATRICES = (
    (1.31197, -0.49679, 0.01156, -0.41723, 1.44237, 0.04528, 0.06723, 0.2171, 0.72651),
    (1.00885, -0.27351, -0.08258, -0.48997, 1.34441, 0.11174, -0.06406, 0.32997, 0.53917))


def write_mosaic(mosaic, pattern, neutral, *tags):
    """A Bayer DNG of 16 bits without black level, with the colors of a Blackmagic Pocket Cinema Camera."""
    path = fresh(".dng")
    tifffile.imwrite(path, mosaic.astype(np.uint16), photometric=32803, metadata=None, extratags=[
        (50706, "B", 4, (1, 4, 0, 0)), (50708, "s", 0, "Test"), (33421, "H", 2, (2, 2)), (33422, "B", 4, pattern),
        (50717, "I", 1, 65535), (50721, "2i", 9, fractions(MATRICES[0])), (50722, "2i", 9, fractions(MATRICES[1])),
        (50778, "H", 1, 17), (50779, "H", 1, 21), (50728, "2I", 3, fractions(neutral)), *tags])
    return path


def twelve_megapixels():
    """The mosaic of a real photo, repeated: detail and noise of its photosites."""
    with rawpy.imread(str(corpus("dng/bmpcc-bayer12-ljpeg.dng"))) as raw:
        samples, black = raw.raw_image[16:1096, 16:1936].astype(np.float64), raw.black_level_per_channel[0]
        white = raw.white_level
    linear = np.clip((samples - black) / (white - black), 0, 1)
    return write_mosaic(np.tile(np.round(linear * 65535), (2, 3)), (1, 2, 0, 1), (0.8722, 1, 0.5928))


# Peak memory in MiB per megapixel. The encoders of HEVC and AV1 hold several whole frames, which no limit here bounds.
MEMORY = {".jpg": 14, ".heic": None, ".avif": None}


@check("raw: gain maps of 12 megapixels take at most a fifth of the file")
def gain_maps():
    path, found = twelve_megapixels(), []
    for suffix, most in MEMORY.items():
        target = fresh(suffix)
        command = (tools.binaries / "hdrconvert", "gainmap", "create", path, "-o", target, "--exposure", "4", "--force",
                   "--speed", "10")
        _, memory = tools.cost(*command)
        report = json.loads(run(*command, "--json"))["results"][0]
        share = report["gainMapImage"]["bytes"] / report["bytes"]
        megapixels = report["baselineImage"]["layout"]["width"] * report["baselineImage"]["layout"]["height"] / 1e6
        each = memory / 2 ** 20 / megapixels
        text = (f"{suffix[1:]} {100 * share:.0f} %, 99 % of pixels within {report['deltaEITP']['percentile99']:.1f},"
                f" {each:.1f} MiB per megapixel")
        require(share <= 0.2, text)
        require(most is None or each <= most, text)
        found.append(text)
    return "; ".join(found)


def developed(path, *options):
    target = fresh(".tif")
    run(tools.binaries / "hdrconvert", "convert", path, "-o", target, "--sdr", "--depth", "16", "--quiet", *options)
    return tifffile.imread(target) / 65535


def linear(path, *options):
    """Linear values of the SDR image."""
    target = fresh(".tif")
    run(tools.binaries / "hdrconvert", "convert", path, "-o", target, "--sdr", "--depth", "16", "--quiet", *options)
    return color.srgb_light(tifffile.imread(target) / 65535)


# Errors of the color of means of 8, 16 and 32 pixels that noise reduction may leave.
BLOTCHES = {800: (1, 1, 1.02), 6400: (0.95, 0.97, 1), 25600: (0.85, 0.9, 0.95)}


@check("raw: means of colors are closer to the scene than without noise reduction")
def blotches():
    scene = oiio.ImageBuf(str(REFERENCE / "photo.exr")).get_pixels(oiio.FLOAT)[..., :3]
    neutral = np.array([0.5, 1, 0.625])
    seen = np.clip(scene / np.percentile(scene, 99.5), 0, 1) * neutral
    sites = np.empty(seen.shape[:2])
    for y, x, plane in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)):
        sites[y::2, x::2] = seen[y::2, x::2, plane]
    # A sensor of 7000 electrons at ISO 800.
    found, generator = [], np.random.default_rng(7)
    quiet = ("--luminance-noise-reduction", "0", "--color-noise-reduction", "0")
    full = ("--luminance-noise-reduction", "0.7", "--color-noise-reduction", "1")
    for iso, most in BLOTCHES.items():
        slope = iso / 800 / 7000
        offset = (2 * slope) ** 2
        noisy = sites + generator.standard_normal(sites.shape) * np.sqrt(slope * sites + offset)
        tags = ((51041, "d", 2, (slope, offset)), (50714, "I", 1, 4096))

        def write(values):
            return write_mosaic(np.round(4096 + values * 61439).clip(0, 65535), (0, 1, 1, 2), neutral, *tags)

        clean, plain, reduced = (
            linear(write(sites), *quiet), linear(write(noisy), *quiet), linear(write(noisy), *full))

        def error(image, side):
            difference = (image - clean) @ np.array([[0.5, -0.1687], [-0.4187, -0.3313], [-0.0813, 0.5]])
            rows, columns = (size // side for size in difference.shape[:2])
            means = difference[: side * rows, : side * columns].reshape(rows, side, columns, side, 2).mean((1, 3))
            return np.abs(means).mean()

        shares = [error(reduced, side) / error(plain, side) for side in (8, 16, 32)]
        text = f"ISO {iso}: " + ", ".join(f"{share:.2f}" for share in shares)
        require(all(share <= limit for share, limit in zip(shares, most)), text + " of the errors are left")
        found.append(text)
    return "; ".join(found)
