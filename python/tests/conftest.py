# SPDX-License-Identifier: Apache-2.0
"""Images that several tests use."""

import os
import pathlib

import numpy as np
import pytest

# Camera and encoder files, which are not part of the repository.
CORPUS = pathlib.Path(
    os.environ.get("HDR_CORPUS") or pathlib.Path(__file__).parents[3] / "shared" / "corpus")


def pq(luminance):
    """PQ signal of a luminance in cd/m² (SMPTE ST 2084)."""
    y = np.power(np.asarray(luminance, np.float64) / 10000, 2610 / 16384)
    return np.power((3424 / 4096 + 2413 / 128 * y) / (1 + 2392 / 128 * y), 2523 / 32)


def srgb(linear):
    """sRGB signal of linear values (IEC 61966-2-1)."""
    linear = np.asarray(linear, np.float64)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.power(linear, 1 / 2.4) - 0.055)


@pytest.fixture
def ramp():
    """Linear RGB in BT.2020, up to 4 times reference white; green is halved in the lower half."""
    array = np.empty((48, 64, 3), np.float32)
    array[:] = np.linspace(0, 4, 64, dtype=np.float32)[None, :, None]
    array[24:, :, 1] /= 2
    return array
