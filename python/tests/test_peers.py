# SPDX-License-Identifier: Apache-2.0
"""Other programs decode the same samples."""

import io

import numpy as np
import pytest
from conftest import pq

import hdrconvert

imagecodecs = pytest.importorskip("imagecodecs")


def test_png(ramp):
    file = hdrconvert.from_array(ramp).encode("png")
    np.testing.assert_array_equal(imagecodecs.png_decode(file), hdrconvert.open(file).decode())


def test_png_of_peer():
    array = np.random.default_rng(3).integers(0, 65535, (20, 30, 3), np.uint16)
    decoded = hdrconvert.open(imagecodecs.png_encode(array)).decode()
    np.testing.assert_array_equal(decoded, array)


def test_avif(ramp):
    file = hdrconvert.from_array(ramp).encode("avif", lossless=True)
    image = hdrconvert.open(file)
    found = imagecodecs.avif_decode(file)
    codes = np.round(image.decode() / 65535 * (2**image.bits_per_sample - 1))
    np.testing.assert_array_equal(found, codes)


def test_tiff(ramp):
    file = hdrconvert.from_array(ramp).encode("tiff")
    tifffile = pytest.importorskip("tifffile")
    found = tifffile.imread(io.BytesIO(file))
    np.testing.assert_array_equal(found, hdrconvert.open(file).decode(found.dtype))


def test_heif(ramp):
    pillow_heif = pytest.importorskip("pillow_heif")
    file = hdrconvert.from_array(ramp).encode("heic", lossless=True)
    heif = pillow_heif.open_heif(io.BytesIO(file), convert_hdr_to_8bit=False)
    found = np.asarray(heif).astype(np.float64) / 65535
    np.testing.assert_allclose(found, pq(203 * ramp), atol=2 / 1023)


def test_ultra_hdr(ramp):
    """libultrahdr applies the gain map to the same linear values."""
    if not getattr(imagecodecs, "ULTRAHDR", None) or not imagecodecs.ULTRAHDR.available:
        pytest.skip("imagecodecs without libultrahdr")
    file = hdrconvert.create_gainmap(None, ramp, quality=95)  # In Display P3.
    found = np.asarray(imagecodecs.ultrahdr_decode(file), np.float32)[..., :3]
    expected = hdrconvert.open(file).render(primaries="p3").decode()
    np.testing.assert_allclose(found, expected, atol=0.06)


def test_ultra_hdr_of_peer(ramp):
    if not getattr(imagecodecs, "ULTRAHDR", None) or not imagecodecs.ULTRAHDR.available:
        pytest.skip("imagecodecs without libultrahdr")
    rgba = np.ones((48, 64, 4), np.float16)
    rgba[..., :3] = ramp
    image = hdrconvert.open(imagecodecs.ultrahdr_encode(rgba))
    assert image.has_gain_map and image.is_hdr
    assert image.render().decode().shape == ramp.shape
