# SPDX-License-Identifier: Apache-2.0
"""Crop, resize and rotation."""

import numpy as np
import pytest

import hdrconvert


@pytest.mark.parametrize("turns", range(-1, 5))
def test_crop_and_rotation(ramp, turns):
    """A rotation clockwise by 90 degrees is that of NumPy with -1; samples are not changed."""
    image = hdrconvert.from_array(ramp).transform(crop=(10, 20, 30, 8), rotation=90 * turns)
    np.testing.assert_array_equal(image.decode(), np.rot90(ramp[20:28, 10:40], -turns))


def test_sizes(ramp):
    image = hdrconvert.from_array(ramp)
    small = image.transform(size=16)
    assert (small.width, small.height) == (16, 12) and small.is_hdr
    # The means of a ramp, apart from its borders.
    means = ramp.reshape(12, 4, 16, 4, 3).mean(axis=(1, 3))
    np.testing.assert_allclose(small.decode()[:, 3:13, 0], means[:, 3:13, 0], atol=2e-3)
    exact = image.transform(crop=(0, 0, 32, 48), size=(100, 20), rotation=90)
    assert (exact.width, exact.height) == (20, 100)
    same = image.transform(size=1000)
    np.testing.assert_array_equal(same.decode(), ramp)
    alpha = hdrconvert.from_array(np.concatenate([ramp, np.full((48, 64, 1), 0.5, np.float32)], axis=2))
    assert alpha.transform(size=16).decode().shape == (12, 16, 4)


def test_thumbnail(ramp, tmp_path):
    """A gain map is applied, and a JPEG thumbnail gets one of its own; an SDR image stays one."""
    photo = hdrconvert.open(hdrconvert.create_gainmap(None, ramp, quality=95))
    photo.transform(size=32).save(tmp_path / "hdr.jpg")
    thumbnail = hdrconvert.open(tmp_path / "hdr.jpg")
    assert thumbnail.has_gain_map and (thumbnail.width, thumbnail.height) == (32, 24)
    means = ramp.reshape(24, 2, 32, 2, 3).mean(axis=(1, 3))
    assert np.abs(thumbnail.render().decode() - means).mean() < 0.1
    photo.render(1).transform(size=32).save(tmp_path / "sdr.jpg")
    assert not hdrconvert.open(tmp_path / "sdr.jpg").is_hdr


@pytest.mark.parametrize("arguments", [
    {"crop": (0, 0, 65, 10)}, {"crop": (-1, 0, 10, 10)}, {"crop": (0, 0, 0, 0)}, {"size": 0},
    {"size": (10, -1)}, {"rotation": 45}])
def test_arguments(ramp, arguments):
    with pytest.raises(ValueError):
        hdrconvert.from_array(ramp).transform(**arguments)
