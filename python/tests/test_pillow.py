# SPDX-License-Identifier: Apache-2.0
"""The plugin for Pillow."""

import concurrent.futures
import copy
import io
import multiprocessing
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from conftest import CORPUS, pq

import hdrconvert

PillowImage = pytest.importorskip("PIL.Image")


@pytest.fixture
def register():
    import hdrconvert.pillow

    yield hdrconvert.pillow.register
    if hdrconvert.pillow.FORMAT in PillowImage.ID:
        PillowImage.ID.remove(hdrconvert.pillow.FORMAT)


@pytest.mark.parametrize("format", ["avif", "heic", "png", "exr", "jpg"])
def test_standard(ramp, register, format, tmp_path):
    path = tmp_path / f"a.{format}"
    hdrconvert.from_array(ramp).save(path)
    register()
    with PillowImage.open(path) as image:
        assert image.format == "HDRCONVERT" and image.size == (64, 48) and image.mode == "RGB"
        expected = hdrconvert.open(path).render(1).decode(np.uint8, color=hdrconvert.SRGB)
        np.testing.assert_array_equal(np.asarray(image), expected)
        assert image.info["headroom"] == 1 and image.info["cicp"] == (1, 13, 0, 1)
        image.resize((10, 10)).convert("L")


def test_forked_process(register, tmp_path):
    """Pillow opens ordinary files in processes that were forked after the package was used."""
    register()
    path = tmp_path / "a.png"
    PillowImage.new("RGB", (5, 4), (10, 20, 30)).save(path)
    hdrconvert.open(path).close()
    process = os.fork()
    if process == 0:
        try:
            with PillowImage.open(path) as image:
                os._exit(0 if image.format == "PNG" and image.getpixel((0, 0)) == (10, 20, 30) else 1)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0


def test_headroom(ramp, register):
    file = hdrconvert.create_gainmap(None, ramp, quality=95)
    register(headroom=4)
    image = PillowImage.open(io.BytesIO(file))
    image.load()
    assert image.info["cicp"] == (9, 16, 0, 1)
    signal = np.asarray(image)[:24] / 255
    np.testing.assert_allclose(signal[:, 1:], pq(203 * ramp[:24, 1:]), atol=0.02)
    # Black next to a third of the signal: JPEG leaves less than 0.1 nits.
    assert signal[:, 0].max() < pq(0.1)
    register(headroom=2)
    assert np.asarray(PillowImage.open(io.BytesIO(file))).max() <= np.ceil(255 * pq(406))


def test_ordinary_files(register):
    register()
    buffer = io.BytesIO()
    PillowImage.new("RGB", (5, 4), (10, 20, 30)).save(buffer, "JPEG")
    assert PillowImage.open(buffer).format == "JPEG"
    buffer = io.BytesIO()
    PillowImage.new("RGBA", (5, 4)).save(buffer, "PNG")
    assert PillowImage.open(buffer).format == "PNG"
    with pytest.raises(PillowImage.UnidentifiedImageError):
        PillowImage.open(io.BytesIO(b"\0\0\0\x10ftypavif"))


def test_alpha(ramp, register):
    rgba = np.concatenate([ramp / 4, np.full((48, 64, 1), 0.5, np.float32)], axis=2)
    file = hdrconvert.from_array(rgba).encode("png")
    register()
    image = PillowImage.open(io.BytesIO(file))
    assert image.mode == "RGBA" and abs(image.getpixel((30, 10))[3] - 128) <= 1


def test_alpha_of_large_file(ramp, register, tmp_path):
    """Samples are those of the image also where the file has as many bytes as the samples."""
    rgba = np.concatenate([ramp / 4, np.full((48, 64, 1), 0.5, np.float32)], axis=2)
    path = tmp_path / "a.exr"
    hdrconvert.from_array(rgba).save(path)
    path.write_bytes(path.read_bytes() + bytes(4 * 64 * 48))
    register()
    with PillowImage.open(path) as image:
        expected = hdrconvert.open(path).render(1).decode(np.uint8, color=hdrconvert.SRGB)
        np.testing.assert_array_equal(np.asarray(image), expected)


@pytest.mark.skipif(not CORPUS.exists(), reason="no corpus here (HDR_CORPUS)")
def test_raw_files(register):
    path = CORPUS / "dng" / "oiio-valid-32x32.dng"
    expected = hdrconvert.open(path).render(1).decode(np.uint8, color=hdrconvert.SRGB)
    register()
    for source in (path, io.BytesIO(path.read_bytes())):
        image = PillowImage.open(source)
        assert image.format == "HDRCONVERT" and image.size == (32, 32)
        np.testing.assert_array_equal(np.asarray(image), expected)
    register(headroom=4)
    with PillowImage.open(path) as image:
        assert image.info["headroom"] == 4


@pytest.mark.parametrize("mode", ["RGB", "L", "I;16"])
def test_ordinary_tiff(register, mode):
    register()
    buffer = io.BytesIO()
    PillowImage.new(mode, (5, 4)).save(buffer, "TIFF")
    assert PillowImage.open(buffer).format == "TIFF"


def test_copies(ramp, register, tmp_path):
    path = tmp_path / "a.avif"
    hdrconvert.from_array(ramp).save(path)
    register(headroom=2)
    expected = np.asarray(PillowImage.open(path))
    for copied in (
            copy.copy, copy.deepcopy, lambda image: pickle.loads(pickle.dumps(image)),
            lambda image: copy.deepcopy(copy.deepcopy(image))):
        image = copied(PillowImage.open(path))
        assert image.info == {"headroom": 2, "cicp": (9, 16, 0, 1)} and not image.getexif()
        np.testing.assert_array_equal(np.asarray(image), expected)
        image.putpixel((0, 0), (1, 2, 3))
        assert image.getpixel((0, 0)) == (1, 2, 3)
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        samples = pool.submit(np.asarray, PillowImage.open(path)).result()
    np.testing.assert_array_equal(samples, expected)


SAVING = """
import sys
from PIL import Image, features
import hdrconvert.pillow
import pillow_heif
heif, ours = pillow_heif.register_heif_opener, hdrconvert.pillow.register
for function in (heif, ours) if sys.argv[2] == "after" else (ours, heif):
    function()
for suffix in ("png", "jpg", "heic") + (("avif",) if features.check("avif") else ()):
    path = f"{sys.argv[1]}/a.{suffix}"
    Image.new("RGB", (32, 16), (200, 100, 50)).save(path)
    with Image.open(path) as image:
        assert image.size == (32, 16), suffix
try:
    Image.new("RGB", (32, 16)).save(f"{sys.argv[1]}/a.jxl")
except ValueError as error:
    assert "unknown file extension" in str(error)
else:
    raise AssertionError("saved a file of a format that no plugin saves")
"""


@pytest.mark.parametrize("order", ["before", "after"])
def test_saving(order, tmp_path):
    """Files are saved by Pillow and pillow-heif, whichever is registered first."""
    pytest.importorskip("pillow_heif")
    subprocess.run([sys.executable, "-c", SAVING, tmp_path, order], check=True, timeout=120)


def test_arguments(register):
    for headroom in (0.5, float("nan")):
        with pytest.raises(ValueError):
            register(headroom=headroom)
