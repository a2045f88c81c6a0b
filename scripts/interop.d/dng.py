# SPDX-License-Identifier: Apache-2.0
"""Raw files in DNG, as tifffile writes them."""

import numpy as np
import tifffile


def fractions(values):
    return tuple(int(n) for value in np.ravel(values) for n in (round(value * 10000), 10000))


def write_mosaic(path, mosaic, neutral, matrices, pattern=(0, 1, 1, 2), orientation=1, tags=()):
    """Writes a Bayer DNG of the linear values 0...1 of a mosaic; the matrices are those of illuminants A and D65."""
    tifffile.imwrite(path, np.round(mosaic * 65535).astype(np.uint16), photometric=32803, metadata=None, extratags=[
        (274, "H", 1, orientation), (50706, "B", 4, (1, 4, 0, 0)), (50707, "B", 4, (1, 1, 0, 0)), (50708, "s", 0, "Test"),
        (33421, "H", 2, (2, 2)), (33422, "B", 4, pattern), (50717, "H", 1, 65535),
        (50721, "2i", 9, fractions(matrices[0])), (50722, "2i", 9, fractions(matrices[1])), (50778, "H", 1, 17),
        (50779, "H", 1, 21), (50728, "2I", 3, fractions(neutral)), *tags])


def bayer(pixels):
    """One component of each pixel, in rows of red and green, and of green and blue."""
    mosaic = np.empty(pixels.shape[:2])
    for y, x, plane in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)):
        mosaic[y::2, x::2] = pixels[y::2, x::2, plane]
    return mosaic
