# SPDX-License-Identifier: Apache-2.0
"""A mosaic developed by LibRaw, called by rawpy, to 16-bit linear values with AHD."""

import functools
import io

import rawpy

import table
from table import peer


@functools.cache
def coded():
    """A file written by `Benchmarks`: 14 bits in tiles of lossless JPEG."""
    return table.written("--write-raw-file", "bayer.dng")


def unpack():
    with rawpy.imread(io.BytesIO(coded())) as raw:
        return raw.raw_image.shape


def develop(algorithm):
    with rawpy.imread(io.BytesIO(coded())) as raw:
        return raw.postprocess(
            output_bps=16, gamma=(1, 1), no_auto_bright=True, use_camera_wb=True, demosaic_algorithm=algorithm,
            output_color=rawpy.ColorSpace.Wide, adjust_maximum_thr=0, highlight_mode=rawpy.HighlightMode.Ignore)


@peer("raw lossless JPEG tiles -> samples", group="--raw", size=2)
def samples():
    return [("LibRaw (rawpy.imread, raw_image)", unpack, None)]


@peer("raw Bayer DNG -> linear light", group="--raw")
def light():
    return [
        (f"LibRaw (rawpy.postprocess, {name}), to 16 bits", functools.partial(develop, algorithm), None)
        for name, algorithm in (("AHD", rawpy.DemosaicAlgorithm.AHD), ("bilinear", rawpy.DemosaicAlgorithm.LINEAR))]
