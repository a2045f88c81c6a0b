# SPDX-License-Identifier: Apache-2.0
"""Gain maps applied and computed by libultrahdr, called by imagecodecs and by libvips.

Both read and write compressed images, so encoding or decoding of the same images is timed separately, and
the difference is also printed. libultrahdr also tone-maps the HDR rendition when it computes a map.
"""

import functools

import imagecodecs
import numpy as np
import pyvips

import table
from table import peer

QUALITY = 90


@functools.cache
def coded(name):
    """A file written by `Benchmarks`: a 4:2:0 base with a map."""
    return table.written("--write-gain-maps", name)


@functools.cache
def parts(name):
    """Base and map, as separate JPEG files."""
    data = coded(name)
    second = data.index(b"\xff\xd8\xff", 2)
    return data[:second], data[second:]


def decode_parts(name):
    """Decodes to Y'CbCr, as libultrahdr does."""
    base, map_image = parts(name)
    imagecodecs.jpeg8_decode(base, outcolorspace="YCBCR")
    imagecodecs.jpeg8_decode(map_image, outcolorspace="YCBCR" if name == "color.jpg" else None)


def ultrahdr(name, dtype, transfer):
    return ("libultrahdr (imagecodecs.ultrahdr_decode)",
            lambda: imagecodecs.ultrahdr_decode(coded(name), dtype=dtype, transfer=transfer),
            lambda: decode_parts(name))


def vips(name):
    """libvips applies maps in single precision."""

    def load():
        return pyvips.Image.uhdrload_buffer(coded(name))

    return ("libvips (pyvips uhdr2scRGB), to float", lambda: load().uhdr2scRGB().write_to_memory(),
            lambda: load().write_to_memory())


for map_kind, file in (("gray map, 1/4", "gray.jpg"), ("RGB map, 1:1", "color.jpg")):

    @peer(f"apply 4:2:0 + {map_kind} -> linear half")
    def half(file=file):
        return [ultrahdr(file, "float16", None), vips(file)]

    @peer(f"apply 4:2:0 + {map_kind} -> PQ 10 bit")
    def signal(file=file):
        return [ultrahdr(file, "uint32", imagecodecs.ULTRAHDR.CT.PQ)]


@functools.cache
def light():
    """Linear values of the file, RGBA in half precision."""
    return imagecodecs.ultrahdr_decode(coded("color.jpg"), dtype="float16")


def encode_parts(scale, gray):
    base = np.ascontiguousarray(imagecodecs.jpeg8_decode(parts("color.jpg")[0]))
    small = np.ascontiguousarray(base[::scale, ::scale, 0] if gray else base[::scale, ::scale])

    def encode():
        for image in (base, small):
            imagecodecs.jpeg8_encode(image, level=QUALITY)

    return encode


for map_kind, scale in (("gray map, 1/4", 4), ("RGB map, 1:1", 1)):

    @peer(f"compute 4:2:0 -> {map_kind}")
    def compute(scale=scale):
        colorspace = imagecodecs.ULTRAHDR.CG.DISPLAY_P3
        linear = imagecodecs.ULTRAHDR.CT.LINEAR
        yield ("libultrahdr (imagecodecs.ultrahdr_encode), RGB map",
               lambda: imagecodecs.ultrahdr_encode(
                   light(), level=QUALITY, scale=scale, gamut=colorspace, transfer=linear),
               encode_parts(scale, gray=False))
        image = pyvips.Image.new_from_array(light()[..., :3].astype(np.float32), interpretation="scrgb")
        yield ("libvips (pyvips uhdrsave)",
               lambda: image.uhdrsave_buffer(Q=QUALITY, gainmap_scale_factor=scale),
               encode_parts(scale, gray=False))
