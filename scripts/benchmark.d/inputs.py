# SPDX-License-Identifier: Apache-2.0
"""Inputs of scripts/benchmark --files and references of its errors; usage: inputs.py FUNCTION ARGUMENT...

Each runs in a process of its own: the memory of a parent would count for the programs that it starts.
"""

import pathlib
import sys

import imagecodecs
import numpy
import tifffile


def uncompressed_tiff(target, source):
    with tifffile.TiffFile(source) as file:
        profile = file.pages[0].tags["InterColorProfile"].value
        tifffile.imwrite(target, file.asarray(), photometric="rgb", rowsperstrip=64, iccprofile=profile)


def reduced_exr(target, source, side):
    """An image filtered in linear light, which thumbnails are compared with."""
    import OpenImageIO as oiio
    image = oiio.ImageBuf(source)
    width, height = image.spec().width, image.spec().height
    scale = int(side) / max(width, height)
    size = oiio.ROI(0, round(width * scale), 0, round(height * scale), 0, 1, 0, 3)
    oiio.ImageBufAlgo.resize(image, filtername="lanczos3", roi=size).write(target, "half")


def copies(folder, source, count):
    for index in range(int(count)):
        (pathlib.Path(folder) / f"{index:03}.jpg").write_bytes(pathlib.Path(source).read_bytes())


def bayer_dng(target, source, compression):
    """A raw photo of 24 megapixels and 14 bits, with noise of its photons, as of a camera with the primaries of the PQ image."""
    code = imagecodecs.png_decode(pathlib.Path(source).read_bytes()) / numpy.float32(65535)
    root = code ** numpy.float32(32 / 2523)
    linear = (numpy.maximum(root - 3424 / 4096, 0) / (2413 / 128 - 2392 / 128 * root)) ** numpy.float32(16384 / 2610)
    height, width = linear.shape[:2]
    rows, columns = numpy.pad(numpy.arange(height), (0, 4000 - height), "symmetric"), numpy.pad(
        numpy.arange(width), (0, 6000 - width), "symmetric")
    neutral, black, white = numpy.array([0.5, 1, 0.625]), 512, 16383
    mosaic = numpy.empty((4000, 6000), numpy.float32)
    for y, x, channel in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)):
        mosaic[y::2, x::2] = linear[rows[y::2, None], columns[None, x::2], channel] * neutral[channel]
    electrons = mosaic * (30000 / mosaic.max())
    noise = numpy.random.default_rng(1).standard_normal(mosaic.shape, numpy.float32) * numpy.sqrt(electrons + 9)
    samples = numpy.clip((electrons + noise) * ((white - black) / 30000) + black, 0, white).astype(numpy.uint16)
    # XYZ to BT.2020.
    matrix = neutral[:, None] * [[1.7166512, -0.3556708, -0.2533663], [-0.6666844, 1.6164812, 0.0157685],
                                 [0.0176399, -0.0427706, 0.9421031]]
    tags = [(50706, "B", 4, bytes([1, 4, 0, 0])), (50708, "s", 0, "Benchmark"), (33421, "H", 2, (2, 2)),
            (33422, "B", 4, bytes([0, 1, 1, 2])), (50714, "H", 1, black), (50717, "H", 1, white), (50778, "H", 1, 21),
            (50721, "2i", 9, [part for value in matrix.flat for part in (round(value * 10000), 10000)]),
            (50728, "2I", 3, [part for value in neutral for part in (round(value * 1000), 1000)])]
    form = {"photometric": 32803, "extratags": [(*tag, True) for tag in tags], "metadata": None, "subfiletype": 0}
    if compression == "none":
        tifffile.imwrite(target, samples, rowsperstrip=64, **form)
        return
    side = 512
    padded = numpy.pad(samples, [(0, -length % side) for length in samples.shape], "edge")
    tiles = (imagecodecs.ljpeg_encode(numpy.ascontiguousarray(padded[y:y + side, x:x + side]), bitspersample=14)
             for y in range(0, 4000, side) for x in range(0, 6000, side))
    tifffile.imwrite(target, tiles, shape=samples.shape, dtype="uint16", compression=7, tile=(side, side), **form)
    with tifffile.TiffFile(target, mode="r+") as file:
        file.pages[0].tags["BitsPerSample"].overwrite(14)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
