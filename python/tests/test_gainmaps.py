# SPDX-License-Identifier: Apache-2.0
"""Gain maps: created, applied by the formula of ISO 21496-1, transcoded."""

import fractions

import numpy as np
import pytest

import hdrconvert


@pytest.fixture
def pair(ramp):
    """HDR values, and SDR values in 8-bit sRGB that are lower in the highlights."""
    sdr = hdrconvert.from_array(ramp).render(1, {"rendition": {"highlightDesaturation": 0}})
    return sdr.decode(np.uint8, color=hdrconvert.SRGB), ramp


@pytest.mark.parametrize("format, chroma", [("jpg", None), ("avif", None), ("heic", "444")])
def test_create(pair, format, chroma):
    request = {"coding": {"chroma": chroma}} if chroma else None
    file = hdrconvert.create_gainmap(*pair, format, request, quality=95)
    error = file.report["deltaEITP"]
    assert 0 < error["mean"] < 2 and error["percentile99"] < 20
    image = hdrconvert.open(file)
    assert image.has_gain_map and image.is_hdr
    full = image.render().decode()
    np.testing.assert_allclose(full, pair[1], atol=0.12)
    standard = image.render(1).decode(np.uint8, color=hdrconvert.SRGB)
    assert np.abs(standard.astype(int) - pair[0]).mean() < 2


def test_without_sdr(ramp):
    file = hdrconvert.create_gainmap(None, ramp)
    assert hdrconvert.open(file).render(1).decode().max() <= 1.0001


def test_headrooms(pair):
    """At headroom h, log2 of the values is interpolated by the weight log2(h) / log2(H)."""
    request = {"gainMap": {"scale": 1, "componentCount": 3}}
    file = hdrconvert.create_gainmap(*pair, request=request, quality=100)
    image = hdrconvert.open(file)
    carrier = image.info["gainMaps"][0]["gainMapCarriers"][0]
    channels = carrier["channels"] * (3 // len(carrier["channels"]))
    k_base = np.array([channel["baselineOffset"] for channel in channels])
    k_alternate = np.array([channel["alternateOffset"] for channel in channels])
    # The space of the gain map is that of the baseline image unless it states otherwise.
    primaries = "p3" if carrier["usesBaselineColorSpace"] else "bt2020"
    base = image.render(1, primaries=primaries).decode().astype(np.float64)
    full = image.render(primaries=primaries).decode().astype(np.float64)
    stops = carrier["alternateHeadroomStops"]
    gain = np.log2(np.maximum(full + k_alternate, 1e-9) / (base + k_base))
    for headroom in (1.5, 2.0, 3.0):
        weight = np.log2(headroom) / stops
        expected = (base + k_base) * np.exp2(weight * gain) - k_alternate
        found = image.render(headroom, primaries=primaries).decode()
        # Colors above the peak of the display are mapped, all components together.
        inside = (expected > 0.01) & (expected.max(axis=2) < headroom * 0.98)[..., None]
        error = np.abs(found[inside] / expected[inside] - 1)
        assert inside.mean() > 0.3 and np.percentile(error, 99) < 0.01 and error.max() < 0.03


#: Parameters of a component in ISO 21496-1.
PARAMETERS = ("gain_map_min", "gain_map_max", "gain_map_gamma", "base_offset", "alternate_offset")


def fractions_of(metadata, name):
    """A number of each component of gain map metadata; those of one component apply to all."""
    values = [float(fractions.Fraction(channel[name])) for channel in metadata["iso21496"]["channels"]]
    return np.array(values * (3 // len(values)))


@pytest.mark.parametrize("components", [1, 3])
@pytest.mark.parametrize("format", ["jpg", "avif", "heic", "jxl"])
def test_samples(pair, format, components):
    """The formula of ISO 21496-1 makes the alternate image of the samples, the metadata and the baseline."""
    request = {"gainMap": {"scale": 1, "componentCount": components}}
    image = hdrconvert.open(
        hdrconvert.create_gainmap(*pair, format, request=request, quality=100))
    samples, metadata = image.decode_gain_map()
    assert samples.dtype == np.uint8
    assert samples.shape == ((48, 64) if components == 1 else (48, 64, 3))
    assert metadata["schema"] == "hdrconvert/gainmap-metadata/1"
    low, high, gamma, k_base, k_alternate = (fractions_of(metadata, name) for name in PARAMETERS)
    primaries = "p3" if metadata["iso21496"]["use_base_colour_space"] else "bt2020"
    base = image.render(1, primaries=primaries).decode().astype(np.float64)
    full = image.render(primaries=primaries).decode()
    codes = samples.reshape(48, 64, components) / 255.0
    gain = low + (high - low) * codes ** (1 / gamma)
    expected = (base + k_base) * np.exp2(gain) - k_alternate
    # RGB that is coded as Y'CbCr is rounded to codes, half a step of 2.4 stops / 255.
    is_rounded = components == 3 and format != "jxl"
    np.testing.assert_allclose(
        full, np.maximum(expected, 0), atol=2e-3, rtol=4e-3 if is_rounded else 0)


def test_without_gain_map(ramp):
    with pytest.raises(hdrconvert.UnsuitableError):
        hdrconvert.open(hdrconvert.from_array(ramp).encode("avif")).decode_gain_map()
    with pytest.raises(hdrconvert.InvalidArgumentError):
        hdrconvert.from_array(ramp).decode_gain_map()


@pytest.mark.parametrize("format", ["jpg", "avif", "heic", "jxl"])
@pytest.mark.parametrize("source", ["jpg", "avif", "jxl"])
def test_transcode(pair, source, format):
    image = hdrconvert.open(hdrconvert.create_gainmap(*pair, source))
    request = {"gainMap": {"use": "keep", "flavors": ["iso"]}, "copying": "preferred"}
    other = hdrconvert.open(image.encode(format, request, quality=95))
    assert other.has_gain_map and other.info["gainMaps"][0]["flavors"] == ["iso"]
    assert np.abs(other.render().decode() - image.render().decode()).mean() < 0.05


def test_save_keeps_gain_map(pair, tmp_path):
    image = hdrconvert.open(hdrconvert.create_gainmap(*pair, "avif"))
    image.save(tmp_path / "a.jpg")
    assert hdrconvert.open(tmp_path / "a.jpg").has_gain_map
    image.save(tmp_path / "b.jpg", {"gainMap": {"use": "drop"}})
    assert not hdrconvert.open(tmp_path / "b.jpg").has_gain_map
    image.save(tmp_path / "c.avif")
    assert not hdrconvert.open(tmp_path / "c.avif").has_gain_map
    image.save(tmp_path / "d.avif", {"gainMap": {"use": "keep"}})
    assert hdrconvert.open(tmp_path / "d.avif").has_gain_map


def test_sizes_differ(pair):
    with pytest.raises(hdrconvert.InvalidArgumentError):
        hdrconvert.create_gainmap(pair[0][:20], pair[1])
