# SPDX-License-Identifier: Apache-2.0
"""Files compressed in parallel blocks: the same samples for libpng, OpenImageIO and tifffile, and the same bytes for any threads."""

import imagecodecs
import numpy as np
import OpenImageIO as oiio
import tifffile

import tools
from runner import check, require
from tools import run
from workspace import fresh


def samples(width=1403, height=1109):
    """16-bit rows in which different filters are best: gradients along rows and columns, few values, noise."""
    random = np.random.default_rng(22)
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    noise = random.integers(0, 65536, (height, width))
    kinds = np.stack([x * 37, y * 53, (x + y) * 11 + noise % 4, x // 60 % 3 * 20000, noise])
    gray = np.take_along_axis(kinds, (y // 90 % 5)[None], 0)[0]
    return np.stack([gray, gray + 1000, gray * 3], -1).astype(np.uint16)


def written(suffix, *options):
    """A file that the command writes from the samples with three threads, after comparing it with that of one."""
    source, first, second = fresh(".png"), fresh(suffix), fresh(suffix)
    source.write_bytes(imagecodecs.png_encode(samples(), level=1))
    for target, threads in ((first, 1), (second, 3)):
        run(tools.binaries / "hdrconvert", "convert", source, "-o", target, "--quiet", "-j", threads, *options)
    require(first.read_bytes() == second.read_bytes(), "one and three threads write different bytes")
    return source, first


def image(path):
    return np.asarray(oiio.ImageBuf(str(path)).get_pixels(oiio.UINT16))


for speed in (0, 6, 10):
    @check(f"compression: PNG at speed {speed}")
    def png(speed=speed):
        _, target = written(".png", "--assume", "pq,bt2020", "--speed", speed)
        require(np.array_equal(imagecodecs.png_decode(target.read_bytes()), samples()), "libpng reads other samples")
        require(np.array_equal(image(target), samples()), "OpenImageIO reads other samples")
        peer = len(imagecodecs.png_encode(samples(), level=6))
        size = target.stat().st_size
        require(size <= peer or speed > 6, f"{size} bytes, libpng at level 6 {peer}")
        return f"{size} bytes, libpng at level 6 {peer}"


@check("compression: TIFF")
def tiff():
    _, target = written(".tif", "--assume", "pq,bt2020")
    require(np.array_equal(tifffile.imread(target), samples()), "tifffile reads other samples")
    require(np.array_equal(image(target), samples()), "OpenImageIO reads other samples")


@check("compression: OpenEXR")
def openexr():
    _, target = written(".exr", "--assume", "pq,bt2020")
    light = fresh(".exr")
    # A second file from the first one keeps every half.
    run(tools.binaries / "hdrconvert", "convert", target, "-o", light, "--quiet")
    first, second = (np.asarray(oiio.ImageBuf(str(path)).get_pixels(oiio.HALF)) for path in (target, light))
    require(first.shape == samples().shape, f"OpenImageIO reads {first.shape}")
    require(np.array_equal(first.view(np.uint16), second.view(np.uint16)), "halves are not kept")
