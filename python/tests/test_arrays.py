# SPDX-License-Identifier: Apache-2.0
"""NumPy arrays in and out, against the formulas of the standards."""

import numpy as np
import pytest
from conftest import pq, srgb

import hdrconvert


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float16, np.float32])
@pytest.mark.parametrize("components", [3, 4])
def test_types(dtype, components):
    rng = np.random.default_rng(1)
    shape = (17, 23, components)
    if np.dtype(dtype).kind == "u":
        array = rng.integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)
    else:
        array = rng.random(shape).astype(dtype)
    image = hdrconvert.from_array(array, hdrconvert.PQ_BT2020)
    decoded = image.decode(dtype)
    assert decoded.shape == shape and decoded.dtype == dtype
    np.testing.assert_array_equal(decoded, array)


def test_layouts(ramp):
    expected = hdrconvert.from_array(ramp).decode()
    np.testing.assert_array_equal(expected, ramp)
    flipped = hdrconvert.from_array(ramp[::-1, ::-1]).decode()
    np.testing.assert_array_equal(flipped, ramp[::-1, ::-1])
    part = hdrconvert.from_array(ramp[5:20, 10:30])  # Rows with gaps, read in place.
    np.testing.assert_array_equal(part.decode(), ramp[5:20, 10:30])
    gray = hdrconvert.from_array(ramp[:, :, 0]).decode()
    np.testing.assert_array_equal(gray, np.repeat(ramp[:, :, :1], 3, axis=2))
    double = hdrconvert.from_array(ramp.astype(np.float64)).decode()
    np.testing.assert_array_equal(double, ramp)
    big_endian = hdrconvert.from_array(ramp.astype(">f4")).decode()
    np.testing.assert_array_equal(big_endian, ramp)


def test_out(ramp):
    image = hdrconvert.from_array(ramp)
    large = np.full((48, 100, 3), -1, np.float32)
    part = large[:, 20:84]
    assert image.decode(out=part) is part
    np.testing.assert_array_equal(part, ramp)
    assert (large[:, :20] == -1).all() and (large[:, 84:] == -1).all()
    with pytest.raises(hdrconvert.InvalidArgumentError):
        image.decode(out=np.empty((48, 63, 3), np.float32))
    with pytest.raises(ValueError):
        image.decode(out=np.empty((3, 48, 64), np.float32).transpose(1, 2, 0))
    read_only = np.empty((48, 64, 3), np.float32)
    read_only.flags.writeable = False
    with pytest.raises(ValueError):
        image.decode(out=read_only)


@pytest.mark.parametrize(
    "array", [np.zeros((2, 2, 2), np.uint8), np.zeros((0, 2, 3), np.uint8), np.zeros(3)])
def test_shapes(array):
    with pytest.raises(ValueError):
        hdrconvert.from_array(array)


def test_unsupported_type():
    with pytest.raises(TypeError):
        hdrconvert.from_array(np.zeros((2, 2, 3), np.int32))
    with pytest.raises(TypeError):
        hdrconvert.from_array(np.zeros((2, 2, 3), np.uint8)).decode(np.int64)


def test_pq(ramp):
    signal = hdrconvert.from_array(ramp).decode(np.float32, color=hdrconvert.PQ_BT2020)
    np.testing.assert_allclose(signal, pq(203 * ramp), atol=2e-5)
    codes = hdrconvert.from_array(ramp).decode(np.uint16, color=hdrconvert.PQ_BT2020)
    np.testing.assert_allclose(codes, 65535 * pq(203 * ramp), atol=2)


def test_luminance(ramp):
    """Values in cd/m², out and in: linear 1.0 is 203 cd/m²."""
    file = hdrconvert.from_array(ramp).encode("exr", lossless=True)
    luminance = hdrconvert.open(file).render().decode(color=hdrconvert.LUMINANCE_BT2020)
    assert luminance.dtype == np.float32
    np.testing.assert_allclose(luminance, 203 * ramp, rtol=1e-6)
    image = hdrconvert.from_array(luminance, hdrconvert.LUMINANCE_BT2020)
    np.testing.assert_allclose(image.render().decode(), ramp, rtol=1e-6)
    signal = image.decode(color=hdrconvert.PQ_BT2020)
    np.testing.assert_allclose(signal, pq(203 * ramp), atol=2e-5)


def test_srgb(ramp):
    gray = np.clip(ramp[:24] / 4, 0, 1)  # Neutral: primaries do not matter.
    signal = hdrconvert.from_array(gray).decode(np.float32, color=hdrconvert.SRGB)
    np.testing.assert_allclose(signal, srgb(gray), atol=2e-5)


def test_primaries():
    """Display P3 to BT.2020 by the matrices of the chromaticities."""
    def to_xyz(primaries):
        columns = np.array([[x / y, 1, (1 - x - y) / y] for x, y in primaries]).T
        white = np.array([0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290])
        return columns * np.linalg.solve(columns, white)

    p3 = to_xyz([(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)])
    bt2020 = to_xyz([(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)])
    array = np.random.default_rng(2).random((8, 8, 3)).astype(np.float32)
    image = hdrconvert.from_array(array, hdrconvert.Color("p3", "linear"))
    decoded = image.decode(color=hdrconvert.LINEAR_BT2020)
    np.testing.assert_allclose(decoded, array @ np.linalg.solve(bt2020, p3).T, atol=1e-5)


def test_numpy_protocol(ramp):
    image = hdrconvert.from_array(ramp)
    np.testing.assert_array_equal(np.asarray(image), ramp)
    assert np.asarray(image, np.float64).dtype == np.float64
