# SPDX-License-Identifier: Apache-2.0
"""Arguments: numbers of NumPy, ranges, paths."""

import fractions
import math

import numpy as np
import pytest

import hdrconvert


def test_numbers(ramp):
    """Numbers of NumPy are those of Python in keywords and requests."""
    image = hdrconvert.from_array(ramp)
    expected = image.encode("avif", {"geometry": {"longSide": 32}}, quality=70)
    for number in (np.int64(70), np.uint8(70), np.float32(70), 70.0):
        request = {"geometry": {"longSide": np.int32(32), "isEnlarged": np.bool_(False)}}
        assert image.encode("avif", request, quality=number) == expected
    exposed = image.encode("avif", {"rendition": {"exposure": 0.5}})
    for number in (np.float32(0.5), np.float16(0.5), np.longdouble(0.5), fractions.Fraction(1, 2)):
        assert image.encode("avif", {"rendition": {"exposure": number}}) == exposed
    assert image.render(np.int64(2)).decode().max() <= 2.0001
    assert hdrconvert.Color(np.int64(9), np.uint8(16)) == hdrconvert.PQ_BT2020
    with hdrconvert.Execution(threads=np.int64(2), memory_limit=np.uint64(1 << 30)) as execution:
        image.decode(execution=execution)
    with pytest.raises(TypeError, match="a request cannot contain"):
        image.encode("avif", {"geometry": {"longSide": np.zeros(2)}})


@pytest.mark.parametrize("quality", [85.5, "high", True, float("inf"), 1j])
def test_quality(ramp, quality):
    image = hdrconvert.from_array(ramp)
    with pytest.raises(TypeError, match="quality is .*; an integer is required"):
        image.encode("avif", quality=quality)
    with pytest.raises(TypeError, match="quality is .*; an integer is required"):
        hdrconvert.create_gainmap(None, image, quality=quality)


@pytest.mark.parametrize("name", ["threads", "memory_limit", "pixel_limit"])
def test_execution(name):
    for value in (-1, 0, 2**64, 1 << 80):
        with pytest.raises(ValueError, match=f"{name} is {value}"):
            hdrconvert.Execution(**{name: value})
    for value in (1.5, "4", False):
        with pytest.raises(TypeError, match=f"{name} is"):
            hdrconvert.Execution(**{name: value})


def test_number_of_threads():
    with pytest.raises(ValueError, match="threads is 1099511627781; 1 to 2147483647"):
        hdrconvert.Execution(threads=2**40 + 5)


def test_closed_execution():
    """Cancelling it is an error, not a call with a handle that was released."""
    execution = hdrconvert.Execution()
    execution.close()
    with pytest.raises(ValueError, match="the execution is closed"):
        execution.cancel()


@pytest.mark.parametrize("value", [-1, 256, 65536 + 9])
def test_code_points(value):
    with pytest.raises(ValueError, match=f"primaries is {value}; 0 to 255"):
        hdrconvert.Color(value)
    with pytest.raises(ValueError, match=f"transfer is {value}; 0 to 255"):
        hdrconvert.Color(9, value)


def test_names_of_colors():
    with pytest.raises(ValueError, match="primaries is 'srgb'; known: bt709"):
        hdrconvert.Color("srgb")
    for value in (9.5, None, True):
        with pytest.raises(TypeError, match="transfer is"):
            hdrconvert.Color(9, value)


def test_reserved_code_points(ramp):
    """The library decides which code points it supports."""
    with pytest.raises(hdrconvert.InvalidArgumentError, match="transfer: code point 99"):
        hdrconvert.from_array(ramp, hdrconvert.Color(9, 99))


@pytest.mark.parametrize("headroom", [0, -1, 0.5, math.nan, math.inf])
def test_headroom(ramp, headroom):
    with pytest.raises(ValueError, match="headroom is"):
        hdrconvert.from_array(ramp).render(headroom)


def test_other_types(ramp):
    """Errors name the argument."""
    image = hdrconvert.from_array(ramp)
    for call in (
            lambda: hdrconvert.from_array(ramp, "p3"), lambda: image.decode(color="p3"),
            lambda: image.decode(execution=5), lambda: hdrconvert.Execution(progress=5),
            lambda: hdrconvert.Color("p3", "srgb", "x"), lambda: image.convert([]),
            lambda: image.decode(np.uint16, out=np.zeros((48, 64, 3), np.uint8))):
        with pytest.raises(TypeError, match="color|execution|progress|reference_white|request|out"):
            call()
    for request, field in (
            ({"rendition": {"exposure": math.nan}}, "rendition.exposure"),
            ({"raw": {"neutralLocation": [0.5, np.float32("inf")]}}, r"raw.neutralLocation\[1\]")):
        with pytest.raises(ValueError, match=field):
            image.encode("png", request)


def test_headroom_of_another_type(ramp):
    with pytest.raises(TypeError, match="headroom is '4'; a number is required"):
        hdrconvert.from_array(ramp).render("4")
    assert hdrconvert.from_array(ramp).render(np.float32(4)).width == 64


def test_null_bytes(ramp, tmp_path):
    """Paths with NUL do not stand for the part before it."""
    image = hdrconvert.from_array(ramp)
    path = tmp_path / "a.png"
    image.save(path)
    for source in (f"{path}\0.avif", tmp_path / "a.png\0"):
        with pytest.raises(ValueError, match="embedded null byte"):
            hdrconvert.open(source)
        with pytest.raises(ValueError, match="embedded null byte"):
            image.save(source, {"coding": {"format": "png"}})
    for request in (
            {"color": {"profile": "adobergb\0"}}, {"metadata": {"exif": {"file": f"{path}\0"}}},
            {"metadata": {"exif": f"{path}\\\0"}}, {"companions": {"standard": f"\0{path}"}},
            {"raw": {"profile": "adobe\0"}}, {"coding\0": {}}):
        with pytest.raises(ValueError, match="embedded null byte"):
            image.encode("png", request)
    with pytest.raises(ValueError, match="embedded null byte"):
        hdrconvert.open(path, image="1\0")
    with pytest.raises(FileNotFoundError):  # A backslash, not NUL.
        image.encode("png", {"metadata": {"exif": {"file": "/nonexistent/\\u0000"}}})


@pytest.mark.parametrize("white", [1e-320, 1e308, -1, float("nan"), float("inf")])
def test_reference_white(ramp, white):
    """No image is black or white since its scale is."""
    color = hdrconvert.Color("p3", "linear", reference_white=white)
    with pytest.raises(ValueError):
        hdrconvert.from_array(ramp, color)
    with pytest.raises(ValueError):
        hdrconvert.from_array(ramp).decode(color=color)
