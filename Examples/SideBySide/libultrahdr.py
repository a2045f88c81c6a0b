# SPDX-License-Identifier: Apache-2.0
"""The jobs that libultrahdr can do, by imagecodecs."""

import imagecodecs
import numpy as np


def thumbnail(photo, jpeg):
    with open(photo, "rb") as file:
        linear = imagecodecs.ultrahdr_decode(file.read())
    step = -(-max(linear.shape) // 1024)
    height, width = (side // step // 2 * 2 for side in linear.shape[:2])
    blocks = linear[:height * step, :width * step].reshape(height, step, width, step, 4)
    small = blocks.mean((1, 3), dtype=np.float32).astype(np.float16)
    with open(jpeg, "wb") as file:
        file.write(imagecodecs.ultrahdr_encode(small, gamut=imagecodecs.ULTRAHDR.CG.DISPLAY_P3))


def pq_avif(photo, avif):
    pq = imagecodecs.ULTRAHDR.CT.PQ
    with open(photo, "rb") as file:
        codes = imagecodecs.ultrahdr_decode(file.read(), dtype="uint16", transfer=pq)
    with open(avif, "wb") as file:
        file.write(imagecodecs.avif_encode(
            codes[..., :3].copy(), 85, speed=9, bitspersample=10, primaries=12, transfer=16, matrix=6))


def linear(photo):
    with open(photo, "rb") as file:
        return imagecodecs.ultrahdr_decode(file.read())
