# SPDX-License-Identifier: Apache-2.0
"""The command, C and Python make the same bytes and notices of the same request."""

import ctypes
import json
import os
import pathlib
import subprocess

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


ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGES = ROOT / "reference-images"
# The Swift tests make the same files of these requests.
CASES = {case["name"]: case for case in json.loads((ROOT / "Tests/doors.json").read_text())}


def by_command(source, request, output):
    """The bytes that the command writes, and the notices of its report."""
    described = output.with_suffix(".json")
    described.write_text(json.dumps(request))
    made = subprocess.run(
        [command(), "convert", "--json", "--request", described, source, "-o", output],
        capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return output.read_bytes(), without_files(json.loads(made.stdout)["results"][0]["notices"])


def without_files(notices):
    """Notices without names of files, and without options of the command."""
    return [
        {key: notice[key] for key in notice if key not in ("location", "remedy")}
        for notice in notices]


def by_c(source, request):
    """The bytes and the notices that a C program gets."""
    library, text = _library.library, json.dumps(request).encode()
    image, file, error = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    assert library.hdr_image_open_file(
        os.fsencode(source), text, None, ctypes.byref(image), ctypes.byref(error)) == 0
    status = library.hdr_image_convert(
        image, text, None, None, ctypes.byref(file), ctypes.byref(error))
    assert status == 0, library.hdr_error_message(error)
    made = ctypes.string_at(library.hdr_bytes_data(file), library.hdr_bytes_size(file))
    report = json.loads(library.hdr_bytes_report(file))
    library.hdr_bytes_destroy(file)
    library.hdr_image_destroy(image)
    return made, without_files(report["notices"])


@pytest.mark.parametrize("name", CASES)
def test_same_bytes(tmp_path, name):
    source, request = IMAGES / CASES[name]["file"], CASES[name]["request"]
    format = request.get("coding", {}).get("format", source.suffix[1:])
    expected, notices = by_command(source, request, tmp_path / f"out.{format}")
    assert by_c(source, request) == (expected, notices)
    with hdrconvert.open(source) as image:
        assert image.convert(request) == expected
        assert image.save(tmp_path / f"again.{format}", request) == expected


def test_rendition(tmp_path):
    """A rendition and its conversion make the file that the command makes of both requests."""
    request = {"rendition": {"headroomStops": 1}, "coding": {"format": "avif", "quality": 70}}
    source = IMAGES / "containers/gain-map-iso-xmp.jpg"
    expected, _ = by_command(source, request, tmp_path / "out.avif")
    with hdrconvert.open(source) as image:
        assert image.render(2).encode("avif", quality=70) == expected
