# SPDX-License-Identifier: Apache-2.0
"""Renditions: crop, resize and rotation, and files that are made of them."""

import numpy as np
import pytest

import hdrconvert


def geometry(**fields):
    return {"geometry": fields}


@pytest.mark.parametrize("turns", range(-1, 5))
def test_crop_and_rotation(ramp, turns):
    """A rotation clockwise by 90 degrees is that of NumPy with -1; samples are not changed."""
    part = {"x": 10, "y": 20, "width": 30, "height": 8}
    image = hdrconvert.from_array(ramp).render(request=geometry(crop=part, rotation=90 * turns))
    np.testing.assert_array_equal(image.decode(), np.rot90(ramp[20:28, 10:40], -turns))


def test_sizes(ramp):
    image = hdrconvert.from_array(ramp)
    small = image.render(request=geometry(longSide=16))
    assert (small.width, small.height) == (16, 12) and small.is_hdr
    # The means of a ramp, apart from its borders.
    means = ramp.reshape(12, 4, 16, 4, 3).mean(axis=(1, 3))
    np.testing.assert_allclose(small.decode()[:, 3:13, 0], means[:, 3:13, 0], atol=2e-3)
    part = {"x": 0, "y": 0, "width": 32, "height": 48}
    exact = image.render(request=geometry(crop=part, width=100, height=20, rotation=90))
    assert (exact.width, exact.height) == (20, 100)
    same = image.render(request=geometry(longSide=1000))
    np.testing.assert_array_equal(same.decode(), ramp)
    alpha = hdrconvert.from_array(np.concatenate([ramp, np.full((48, 64, 1), 0.5, np.float32)], axis=2))
    assert alpha.render(request=geometry(longSide=16)).decode().shape == (12, 16, 4)


def test_thumbnail(ramp, tmp_path):
    """A JPEG thumbnail of an HDR image has a gain map; an SDR image stays one."""
    photo = hdrconvert.open(hdrconvert.create_gainmap(None, ramp, quality=95))
    means = ramp.reshape(24, 2, 32, 2, 3).mean(axis=(1, 3))
    half = geometry(longSide=32)
    photo.save(tmp_path / "kept.jpg", half)
    photo.render(request=half).save(tmp_path / "computed.jpg")
    for name in ("kept.jpg", "computed.jpg"):
        thumbnail = hdrconvert.open(tmp_path / name)
        assert thumbnail.has_gain_map and (thumbnail.width, thumbnail.height) == (32, 24)
        assert np.abs(thumbnail.render().decode() - means).mean() < 0.1
    photo.render(1).render(request=half).save(tmp_path / "sdr.jpg")
    assert not hdrconvert.open(tmp_path / "sdr.jpg").is_hdr


def test_sdr_stays_sdr(ramp, tmp_path):
    """Files and renditions of an SDR image are SDR in any format."""
    array = np.clip(64 * ramp, 0, 255).astype(np.uint8)
    image = hdrconvert.open(hdrconvert.from_array(array).encode("png"))
    assert not image.is_hdr and not image.render().is_hdr
    for format in ("jpg", "avif", "png", "jxl"):
        for source in (image, image.render(), image.render(4)):
            assert not hdrconvert.open(source.encode(format)).has_gain_map
        assert not hdrconvert.open(image.encode(format)).is_hdr
        assert not hdrconvert.open(image.render().encode(format)).is_hdr


@pytest.mark.parametrize("rendition, conversion, both", [
    ({"rendition": {"headroomStops": 1}}, {}, {"rendition": {"headroomStops": 1}}),
    ({"rendition": {"headroomStops": 0}}, {}, {"rendition": {"headroomStops": 0}}),
    (
        {"gainMap": {"use": "apply"}}, {"color": {"transfer": "hlg"}},
        {"gainMap": {"use": "apply"}, "color": {"transfer": "hlg"}})])
def test_one_request(ramp, rendition, conversion, both):
    """A rendition and its conversion make the file of one request with both."""
    photo = hdrconvert.open(hdrconvert.create_gainmap(None, ramp))
    assert photo.render(request=rendition).encode("avif", conversion) == photo.encode("avif", both)


def test_rendition_in_other_range(ramp):
    """An SDR file and a gain map are made of the samples of a rendition for an HDR display."""
    shown = hdrconvert.from_array(ramp).render(2)
    standard = hdrconvert.open(shown.encode("avif", {"content": "sdr"}))
    assert not standard.is_hdr
    both = hdrconvert.open(shown.encode("jpg"))
    assert both.has_gain_map and 1.2 < both.render().decode().max() < 2.2


@pytest.mark.parametrize("request_of_fields", [
    geometry(crop={"x": 0, "y": 0, "width": 65, "height": 10}),
    geometry(crop={"x": -1, "y": 0, "width": 10, "height": 10}),
    geometry(crop={"x": 0, "y": 0, "width": 0, "height": 0}), geometry(longSide=0),
    geometry(width=10), geometry(rotation=45), {"coding": {"quality": 90}}])
def test_arguments(ramp, request_of_fields):
    with pytest.raises(ValueError):
        hdrconvert.from_array(ramp).render(request=request_of_fields)
