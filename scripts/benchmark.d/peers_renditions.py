# SPDX-License-Identifier: Apache-2.0
"""PQ to SDR by ffmpeg's zscale and tonemap, and by OpenCV's tone maps.

ffmpeg reads raw frames and writes 8-bit sRGB, like hdrconvert; the time to read them is measured separately.
OpenCV does not support PQ or a target display: it starts from linear values in single precision, scales them by
their peak, and the steps before (PQ, primaries) and after (the sRGB curve, dither) are not included.
"""

import functools
import os
import pathlib
import subprocess
import tempfile

os.environ["OPENCV_LOG_LEVEL"] = "ERROR"
import cv2
import numpy as np

import table
from table import peer

WIDTH, HEIGHT = 4000, 3000
# SMPTE ST 2084.
M1, M2, C1, C2, C3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128
folder = tempfile.TemporaryDirectory()


@functools.cache
def codes():
    """Red, green, blue: 10 bits."""
    data = np.frombuffer(table.written("--write-renditions", "pq.raw"), "<u2")
    return data.reshape(3, HEIGHT, WIDTH)


@functools.cache
def frame():
    """A file with a frame in the plane order of ffmpeg: green, blue, red."""
    path = pathlib.Path(folder.name) / "frame.raw"
    path.write_bytes(codes()[[1, 2, 0]].tobytes())
    return path


@functools.cache
def light():
    """Linear values, 1.0 at 203 cd/m²; blue, green, red as in OpenCV."""
    root = (np.arange(1024) / 1023) ** (1 / M2)
    table_of_light = 10000 / 203 * (np.maximum(root - C1, 0) / (C2 - C3 * root)) ** (1 / M1)
    return np.ascontiguousarray(
        np.moveaxis(table_of_light.astype(np.float32)[codes()[::-1]], 0, -1))


def ffmpeg(filters):
    subprocess.run(
        ["ffmpeg", "-v", "error", "-nostdin", "-filter_threads", "2", "-f", "rawvideo",
         "-pix_fmt", "gbrp10le", "-s", f"{WIDTH}x{HEIGHT}", "-i", frame(), *filters,
         "-threads", "1", "-f", "null", "-"], check=True)


def chain(operator):
    return ["-vf", "zscale=tin=smpte2084:pin=bt2020:min=gbr:rin=full:t=linear:npl=203:p=bt709,"
            f"format=gbrpf32le,tonemap={operator}:desat=0,"
            "zscale=t=iec61966-2-1:m=gbr:r=full,format=gbrp"]


def opencv(name, operator):
    cv2.setNumThreads(2)
    return (f"OpenCV {name}, from light to 8 bits",
            lambda: cv2.convertScaleAbs(operator.process(light()), alpha=255), None)


@peer("PQ -> shoulder -> SDR", "--renditions")
def standard():
    for operator in ("mobius", "reinhard"):
        yield (f"ffmpeg zscale, tonemap={operator}", lambda operator=operator: ffmpeg(chain(operator)),
               lambda: ffmpeg([]))
    yield opencv("Reinhard", cv2.createTonemapReinhard(gamma=2.2))
    yield opencv("Drago", cv2.createTonemapDrago(gamma=2.2))
