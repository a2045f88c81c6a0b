# SPDX-License-Identifier: Apache-2.0
"""The command, C and Python make the same bytes of the same request."""

import ctypes
import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

import hdrconvert
from hdrconvert import _library


def command():
    """The command that HDRCONVERT names, else that in the folder of the library."""
    given = os.environ.get("HDRCONVERT")
    folder = pathlib.Path(os.environ.get("HDRCONVERT_LIBRARY", "")).parent
    path = pathlib.Path(given) if given else folder / "hdrconvert"
    if not path.is_file():
        pytest.skip(f"no command {path} (HDRCONVERT)")
    return path


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """Small files of each kind of content, by name."""
    folder = tmp_path_factory.mktemp("sources")
    ramp = np.empty((96, 128, 3), np.float32)
    ramp[:] = np.linspace(0, 4, 128, dtype=np.float32)[None, :, None]
    ramp[48:, :, 1] /= 2
    hdr = hdrconvert.from_array(ramp)
    sdr = hdr.render(1).decode(np.uint8, color=hdrconvert.SRGB)
    hdrconvert.from_array(sdr).save(folder / "sdr.jpg")
    hdrconvert.create_gainmap(sdr, hdr).save(folder / "gainmap.jpg")
    hdr.save(folder / "linear.exr")
    hdr.save(folder / "pq.png")
    return folder


CASES = {
    "sdr": ("sdr.jpg", "avif", {}),
    "gain-map-applied": ("gainmap.jpg", "avif", {}),
    "gain-map-kept": ("gainmap.jpg", "avif", {"gainMap": {"use": "keep"}}),
    "gain-map-resized": ("gainmap.jpg", "jpg", {"geometry": {"longSide": 64}}),
    "linear": ("linear.exr", "jpg", {}),
    "pq": ("pq.png", "avif", {}),
    "quality": ("pq.png", "avif", {"coding": {"quality": 60, "speed": 8}}),
    "geometry": (
        "sdr.jpg", "png",
        {"geometry": {
            "crop": {"x": 8, "y": 4, "width": 100, "height": 80}, "rotation": 90,
            "flip": "horizontal"}}),
    "display": ("gainmap.jpg", "avif", {"rendition": {"headroomStops": 1}}),
    "declared": ("sdr.jpg", "png", {"input": {"declared": {"primaries": "p3"}}}),
}


def by_command(source, request, output):
    """The bytes that the command writes."""
    described = output.with_suffix(".json")
    described.write_text(json.dumps(request))
    made = subprocess.run(
        [command(), "convert", "--quiet", "--request", described, source, "-o", output],
        capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return output.read_bytes()


def by_c(source, request):
    """The bytes that a C program gets."""
    library, text = _library.library, json.dumps(request).encode()
    image, file, error = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    assert library.hdr_image_open_file(
        os.fsencode(source), text, None, ctypes.byref(image), ctypes.byref(error)) == 0
    status = library.hdr_image_convert(
        image, text, None, None, ctypes.byref(file), ctypes.byref(error))
    assert status == 0, library.hdr_error_message(error)
    made = ctypes.string_at(library.hdr_bytes_data(file), library.hdr_bytes_size(file))
    library.hdr_bytes_destroy(file)
    library.hdr_image_destroy(image)
    return made


@pytest.mark.parametrize("name", CASES)
def test_same_bytes(sources, tmp_path, name):
    source, format, fields = CASES[name]
    request = {**fields, "coding": {**fields.get("coding", {}), "format": format}}
    expected = by_command(sources / source, request, tmp_path / f"out.{format}")
    assert by_c(sources / source, request) == expected
    with hdrconvert.open(sources / source) as image:
        assert image.convert(request) == expected
        assert image.save(tmp_path / f"again.{format}", fields) == expected


def test_rendition(sources, tmp_path):
    """A rendition and its conversion make the file that the command makes of both requests."""
    request = {"rendition": {"headroomStops": 1}, "coding": {"format": "avif", "quality": 70}}
    expected = by_command(sources / "gainmap.jpg", request, tmp_path / "out.avif")
    with hdrconvert.open(sources / "gainmap.jpg") as image:
        assert image.render(2).encode("avif", quality=70) == expected
