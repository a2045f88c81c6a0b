# SPDX-License-Identifier: Apache-2.0
"""Files: opening, describing, encoding, errors."""

import contextlib
import copy
import errno
import io
import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import threading
import zlib

import numpy as np
import PIL.Image
import PIL.ImageCms
import pytest
from conftest import pq

import hdrconvert


@pytest.mark.parametrize("format", ["avif", "heic", "jxl", "png"])
def test_lossless(ramp, format):
    file = hdrconvert.from_array(ramp).encode(format, lossless=True)
    image = hdrconvert.open(file)
    assert (image.width, image.height) == (64, 48) and image.is_hdr and not image.has_gain_map
    assert image.color == hdrconvert.PQ_BT2020 or image.color.transfer == 16
    largest = 2**image.bits_per_sample - 1
    codes = np.round(image.decode().astype(np.float64) * largest / 65535)
    np.testing.assert_allclose(codes, largest * pq(203 * ramp), atol=1.01)
    assert image.light_levels[0] == pytest.approx(812, abs=2)


def test_input(ramp):
    file = hdrconvert.from_array(ramp).encode("png")
    assert hdrconvert.open(file, assume={"transfer": "hlg"}).color.transfer == 16  # The file declares PQ.
    assert hdrconvert.open(file, declare={"transfer": "hlg"}).color.transfer == 18
    with pytest.raises(hdrconvert.InvalidArgumentError):
        hdrconvert.open(file, assume={"transfer": "gamma"})


def test_exr(ramp):
    assert hdrconvert.from_array(ramp).format is None
    image = hdrconvert.open(hdrconvert.from_array(ramp).encode("exr", lossless=True))
    assert image.format == "exr" and image.is_floating_point
    np.testing.assert_array_equal(image.decode(), ramp)


def test_sources(ramp, tmp_path):
    image = hdrconvert.from_array(ramp)
    path = tmp_path / "ä.avif"
    file = image.save(path)
    assert path.read_bytes() == file and (path.stat().st_mode & 0o777) == 0o644
    assert list(tmp_path.iterdir()) == [path]
    for source in (
            path, str(path), bytes(file), bytearray(file), memoryview(file), io.BytesIO(file)):
        with hdrconvert.open(source) as opened:
            assert opened.format == "avif" and opened.width == 64
    with pytest.raises(ValueError):
        opened.decode()


def test_errors_of_targets(tmp_path):
    """Errors of writing name the file, and no byte is lost without one."""
    file = hdrconvert.EncodedFile(bytes(200_000))  # More than a pipe takes.
    with pytest.raises(OSError) as raised:
        file.save("/dev/full")
    assert raised.value.errno == errno.ENOSPC and raised.value.filename == "/dev/full"
    with pytest.raises(NotADirectoryError) as raised:
        (tmp_path / "a").write_bytes(b"")
        file.save(tmp_path / "a" / "b.png")
    assert raised.value.filename == str(tmp_path / "a" / "b.png")
    name = tmp_path / ("ä" * 125 + ".png")
    file.save(name)
    assert name.read_bytes() == file
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with os.fdopen(reading, "rb"), os.fdopen(writing, "wb", buffering=0) as pipe:
        with pytest.raises(BlockingIOError):
            file.save(pipe)


@pytest.mark.skipif(sys.platform == "darwin", reason="names are those of Linux")
def test_standard_output(ramp, tmp_path):
    """A link to a pipe is written to."""
    code = "import sys, hdrconvert; hdrconvert.open(sys.argv[1]).encode('png').save('/dev/stdout')"
    path = tmp_path / "a.png"
    hdrconvert.from_array(ramp).save(path)
    written = subprocess.run([sys.executable, "-c", code, path], capture_output=True, check=True).stdout
    np.testing.assert_array_equal(hdrconvert.open(written).decode(), hdrconvert.open(path).decode())


MESSAGES = """
import sys, hdrconvert
if sys.argv[1] == "receive":
    hdrconvert.receive_messages(lambda text: print("received", text))
if sys.argv[1] == "discard":
    hdrconvert.receive_messages(None)
try:
    hdrconvert.open(sys.argv[2]).decode()
except hdrconvert.HDRError:
    print("failed")
"""


def test_messages(ramp, tmp_path):
    """What libjxl prints about damaged files, if it was built so, is received instead."""
    file = bytearray(hdrconvert.from_array(ramp).encode("jxl", lossless=True))
    file[len(file) // 2:len(file) // 2 + 40] = bytes(40)
    path = tmp_path / "damaged.jxl"
    path.write_bytes(file)
    results = {}
    for mode in ("print", "receive", "discard"):
        results[mode] = subprocess.run(
            [sys.executable, "-c", MESSAGES, mode, path], capture_output=True, text=True, check=True)
    printed = [line for line in results["print"].stderr.splitlines() if line]
    assert results["receive"].stderr == results["discard"].stderr == ""
    received = [line for line in results["receive"].stdout.splitlines() if line.startswith("received ")]
    assert received == [f"received {line}" for line in printed]
    assert "failed" in results["print"].stdout and "failed" in results["receive"].stdout


@pytest.mark.skipif(sys.platform == "darwin", reason="names of files are UTF-8")
def test_names_of_other_encodings(ramp, tmp_path):
    """Names of files are bytes."""
    path = os.path.join(os.fsencode(tmp_path), b"caf\xe9.png")
    name = os.fsdecode(path)
    hdrconvert.from_array(ramp).save(name)
    with hdrconvert.open(name) as opened:
        assert opened.format == "png"
    assert hdrconvert.validate(name)["format"] == "png"
    os.unlink(path)
    with pytest.raises(FileNotFoundError):
        hdrconvert.open(name)


def test_targets(ramp, tmp_path):
    """Files are written to binary files as to paths."""
    image = hdrconvert.from_array(ramp)
    expected = image.encode("avif")
    for options in ({"format": "avif"}, {"request": {"coding": {"format": "avif"}}}):
        buffer = io.BytesIO(b"before, ")
        buffer.seek(8)
        assert image.save(buffer, **options) == expected
        assert buffer.getvalue() == b"before, " + expected
    with open(tmp_path / "a.avif", "wb") as file:
        image.save(file)
    assert (tmp_path / "a.avif").read_bytes() == expected
    image.save(tmp_path / "a.png", format="avif")
    assert (tmp_path / "a.png").read_bytes() == expected
    with tempfile.TemporaryFile() as unnamed:
        for target in (unnamed, io.BytesIO(), tmp_path / "a"):
            with pytest.raises(ValueError, match="does not have a suffix; format is required"):
                image.save(target)
    buffer = io.BytesIO()
    expected.save(buffer)
    assert buffer.getvalue() == expected
    with pytest.raises(TypeError):
        image.save(io.StringIO(), format="avif")


class Slow(io.RawIOBase):
    """A file that takes ten bytes at a time."""

    def __init__(self):
        self.content = b""

    def writable(self):
        return True

    def write(self, data):
        self.content += data[:10]
        return len(data[:10])


def test_odd_targets(ramp, tmp_path):
    """Links and permissions stay, pipes are written to, and no byte is left out."""
    file = hdrconvert.from_array(ramp).encode("avif")
    assert repr(file) == f"<EncodedFile: {len(file)} bytes, {len(file.notices)} notices>"
    slow = Slow()
    file.save(slow)
    assert slow.content == file
    target, link, pipe = tmp_path / "target", tmp_path / "link.avif", tmp_path / "pipe"
    target.write_bytes(b"old")
    target.chmod(0o600)
    link.symlink_to(target)
    file.save(link)
    assert link.is_symlink() and target.read_bytes() == file and target.stat().st_mode & 0o777 == 0o600
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    file.save(pipe)
    reader.join()
    assert received == [file] and pipe.is_fifo()


def test_info(ramp, tmp_path):
    path = tmp_path / "a.avif"
    hdrconvert.from_array(ramp).save(path)
    image = hdrconvert.open(path)
    assert image.info["format"] == "avif" and image.info["input"] == str(path)
    assert "structure" not in image.info and "lightLevels" not in image.info
    described = image.describe(light_levels=True, structure=True)
    assert described["lightLevels"]["maxCLLNits"] == pytest.approx(812, rel=0.01)
    assert described["structure"]["children"]
    json.dumps(described)
    assert hdrconvert.from_array(ramp).info["isHighDynamicRange"]


def test_validate(ramp, tmp_path):
    path = tmp_path / "a.avif"
    file = hdrconvert.from_array(ramp).save(path)
    report = hdrconvert.validate(path)
    assert report["input"] == str(path) and report["format"] == "avif"
    assert report["counts"]["broken"] == 0 and "22028-5" in report["standards"]
    for source in (str(path), bytes(file), bytearray(file), memoryview(file), io.BytesIO(file)):
        assert hdrconvert.validate(source)["rules"] == report["rules"]
    with hdrconvert.Execution() as execution:
        execution.cancel()
        with pytest.raises(hdrconvert.CancelledError):
            hdrconvert.validate(file, execution=execution)
    with pytest.raises(hdrconvert.UnsuitableError) as raised:
        hdrconvert.validate(hdrconvert.from_array(ramp).encode("exr"))
    assert raised.value.code == "validate/no-rules"
    with pytest.raises(FileNotFoundError):
        hdrconvert.validate(tmp_path / "b.avif")
    with pytest.raises(hdrconvert.MalformedError):
        hdrconvert.validate(b"not an image")


def test_validate_finds_violations(ramp):
    """A declared light level far below that of the samples; a file that cannot be opened."""
    file = bytearray(hdrconvert.from_array(ramp).encode("png"))
    chunk = file.index(b"cLLI")
    file[chunk + 4 : chunk + 8] = (1).to_bytes(4, "big")  # MaxCLL of 0.0001 cd/m².
    file[chunk + 12 : chunk + 16] = zlib.crc32(file[chunk : chunk + 12]).to_bytes(4, "big")
    report = hdrconvert.validate(file)
    assert report["input"] == "-" and report["verdict"] in ("broken", "deviates")
    findings = [finding for rule in report["rules"] for finding in rule["findings"]]
    assert any("0.0001" in finding.get("declared", "") for finding in findings)
    file[30] ^= 1  # In the checksum of IHDR.
    with pytest.raises(hdrconvert.MalformedError):
        hdrconvert.open(file)
    assert hdrconvert.validate(file)["verdict"] == "broken"


@pytest.mark.skipif(not os.environ.get("HDRCONVERT"), reason="HDRCONVERT is not set")
@pytest.mark.parametrize("folder", ["containers", "faults"])
def test_validate_is_the_command(folder):
    """The reports of reference files, of which many are broken, are those of the command without remedies."""
    reports = {}
    for path in sorted((REFERENCE / folder).iterdir()):
        if path.suffix in (".md", ".json"):
            continue
        with contextlib.suppress(hdrconvert.HDRError):
            reports[str(path)] = hdrconvert.validate(path)
    assert len(reports) > 10
    command = [os.environ["HDRCONVERT"], "validate", "--json", *reports]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout
    results = json.loads(output)["results"]
    for finding in (finding for file in results for rule in file["rules"] for finding in rule["findings"]):
        finding.pop("remedy", None)
    assert {result["input"]: result for result in results} == reports


def test_metadata(ramp):
    """Metadata as Pillow wrote them, and of files without them."""
    pillow_image = PIL.Image.new("RGB", (8, 8), (90, 120, 30))
    exif = PIL.Image.Exif()
    exif[0x010F] = "Maker"
    profile = PIL.ImageCms.ImageCmsProfile(PIL.ImageCms.createProfile("sRGB")).tobytes()
    packet = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"></x:xmpmeta>'
    for format in ("JPEG", "PNG"):
        buffer = io.BytesIO()
        options = {"xmp": packet} if format == "JPEG" else {}
        pillow_image.save(buffer, format, exif=exif, icc_profile=profile, **options)
        image = hdrconvert.open(buffer.getvalue())
        assert image.exif == exif.tobytes().removeprefix(b"Exif\0\0")
        assert image.icc == profile and image.xmp == options.get("xmp")
        buffer = io.BytesIO()
        pillow_image.save(buffer, format)
        image = hdrconvert.open(buffer.getvalue())
        assert image.exif is None and image.xmp is None and image.icc is None
    for name in ("exif", "xmp", "icc"):
        with pytest.raises(hdrconvert.InvalidArgumentError):
            getattr(hdrconvert.from_array(ramp), name)


def test_errors(ramp):
    with pytest.raises(FileNotFoundError) as raised:
        hdrconvert.open("/nonexistent.avif")
    assert isinstance(raised.value, hdrconvert.MissingInputError)
    assert raised.value.file == "/nonexistent.avif" and raised.value.code
    with pytest.raises(hdrconvert.HDRError) as raised:
        hdrconvert.open(b"not an image")
    assert isinstance(raised.value, ValueError)
    with pytest.raises(hdrconvert.HDRError):
        hdrconvert.open(b"")
    file = hdrconvert.from_array(ramp).encode("png")
    with pytest.raises(hdrconvert.HDRError):
        hdrconvert.open(file[: len(file) // 2]).decode()
    image = hdrconvert.from_array(ramp)
    for request in (
            {"coding": {"quality": 200}}, {"coding": {"chroma": "411"}}, {"coding": {"speed": 11}},
            {"coding": {"depth": 7}}, {"color": {"primaries": "none such"}},
            {"color": {"transfer": "gamma"}}, {"rendition": {"exposure": 33}},
            {"gainMap": {"use": "perhaps"}}, {"gainMap": {"use": "keep"}}, {"colour": {"transfer": "pq"}}):
        with pytest.raises(hdrconvert.InvalidArgumentError):
            image.encode("avif", request)
    with pytest.raises(hdrconvert.InvalidArgumentError, match="coding.quality"):
        image.encode("avif", quality=200)
    for call in (lambda: image.encode("gif"), image.convert):  # An image in memory needs a format.
        with pytest.raises(hdrconvert.InvalidArgumentError):
            call()
    with pytest.raises(ValueError):
        image.encode("avif", {"rendition": {"exposure": float("nan")}})


def test_errors_of_files(tmp_path):
    """They have the properties of OSError, also after they were pickled."""
    (tmp_path / "a.avif").write_bytes(b"")
    (tmp_path / "loop.avif").symlink_to("loop.avif")
    for path, number in (
            (tmp_path / "b.avif", errno.ENOENT), (tmp_path / "a.avif" / "b.avif", errno.ENOTDIR),
            (tmp_path, errno.EISDIR), (tmp_path / "loop.avif", errno.ELOOP)):
        with pytest.raises(OSError) as raised:
            hdrconvert.open(path)
        for error in (raised.value, pickle.loads(pickle.dumps(raised.value))):
            assert isinstance(error, hdrconvert.HDRError)
            assert error.errno == number and error.filename == error.file == str(path)
            assert error.strerror == error.message and str(error) == str(raised.value)
    assert hdrconvert.InputOutputError("an unknown reason").errno == errno.EIO
    assert hdrconvert.CannotCreateError("an unknown reason").errno == errno.EACCES
    with pytest.raises(hdrconvert.MalformedError) as raised:
        hdrconvert.open(b"not an image")
    copied = pickle.loads(pickle.dumps(raised.value))
    assert (copied.code, copied.offset) == (raised.value.code, raised.value.offset)


def test_limits(ramp):
    file = hdrconvert.from_array(ramp).encode("png")
    with hdrconvert.Execution(pixel_limit=1000) as execution, pytest.raises(MemoryError):
        hdrconvert.open(file, execution=execution)
    with hdrconvert.Execution(memory_limit=5000) as execution:
        with pytest.raises(hdrconvert.LimitExceededError):
            hdrconvert.from_array(ramp).encode("png", execution=execution)
    with pytest.raises(ValueError):
        hdrconvert.open(file, execution=execution)  # Closed.


def test_progress(ramp):
    image = hdrconvert.from_array(np.tile(ramp, (8, 8, 1)))
    shares = []
    with hdrconvert.Execution(progress=shares.append) as execution:
        image.encode("avif", execution=execution)
    assert shares and all(0 <= share <= 1 for share in shares)
    with hdrconvert.Execution(progress=lambda share: False) as execution:
        with pytest.raises(hdrconvert.CancelledError):
            image.encode("avif", execution=execution)
    with hdrconvert.Execution(progress=lambda share: np.float64(share) > 2) as execution:
        with pytest.raises(hdrconvert.CancelledError):
            image.encode("avif", execution=execution)
    # The last report can cancel as well.
    with hdrconvert.Execution(progress=lambda share: share < 1) as execution:
        with pytest.raises(hdrconvert.CancelledError):
            image.encode("avif", execution=execution)

    def failing(share):
        raise KeyboardInterrupt

    with hdrconvert.Execution(progress=failing) as execution, pytest.raises(KeyboardInterrupt):
        image.encode("avif", execution=execution)
    # One operation, although alpha is read and the image is rendered before it is decoded.
    alpha = hdrconvert.from_array(np.concatenate([3 * ramp, ramp[:, :, :1]], axis=2).astype(np.float32))
    for decode in (alpha.decode, alpha.render(2).decode):
        shares.clear()
        with hdrconvert.Execution(progress=shares.append) as execution:
            decode(execution=execution)
        assert shares[0] == 0 and shares[-1] == 1 and shares == sorted(set(shares))
    with hdrconvert.Execution() as execution:
        execution.cancel()
        with pytest.raises(hdrconvert.CancelledError):
            image.decode(execution=execution)


def test_value_of_field(ramp):
    """The error for a value that a field does not have names the value, without types of Swift."""
    with pytest.raises(hdrconvert.HDRError, match=r"metadata\.strip\[0\].*'location' is not one of its values") as raised:
        hdrconvert.from_array(ramp).encode("png", {"metadata": {"strip": ["location"]}})
    assert raised.value.code == "request/invalid" and "Cannot initialize" not in str(raised.value)


def test_missing_folder(ramp, tmp_path):
    """The error for an output in a missing folder names the output."""
    output = tmp_path / "missing" / "a.png"
    with pytest.raises(FileNotFoundError) as raised:
        hdrconvert.from_array(ramp).save(output)
    assert raised.value.filename == str(output)


def test_execution_of_image(ramp):
    """An image keeps the execution it was opened with, and images that are made of it do so too."""
    file = hdrconvert.from_array(np.tile(ramp, (8, 8, 1))).encode("avif")
    shares = []
    with hdrconvert.Execution(progress=shares.append) as execution:
        image = hdrconvert.open(file, execution=execution)
        part = {"geometry": {"crop": {"x": 0, "y": 0, "width": 8, "height": 8}}}
        rendered, cropped = image.render(2), image.render(request=part)
        assert not shares  # As documented.
        rendered.decode()
        assert shares and image.info["format"] == "avif"
        execution.cancel()
        for made in (image, rendered, cropped):
            with pytest.raises(hdrconvert.CancelledError):
                made.decode()
        with hdrconvert.Execution() as other:
            assert image.decode(execution=other).shape == (384, 512, 3)
            assert image.render(2, execution=other).width == 512
    for call in (image.decode, image.render, rendered.decode, image.describe, lambda: image.encode("png")):
        with pytest.raises(ValueError, match="the execution is closed"):
            call()


def test_limit_of_opened_file(ramp):
    """The limits of the execution of open() hold for later calls."""
    file = hdrconvert.from_array(np.tile(ramp, (8, 8, 1))).encode("png")
    with hdrconvert.Execution(memory_limit=1_500_000) as execution:
        image = hdrconvert.open(file, execution=execution)
        for call in (
                lambda: image.render().decode(), lambda: image.encode("jxl"),
                lambda: image.render(request={"geometry": {"longSide": 400}}).decode(),
                lambda: hdrconvert.create_gainmap(None, image)):
            with pytest.raises(hdrconvert.LimitExceededError):
                call()
    assert hdrconvert.open(file).decode().shape == (384, 512, 3)


def test_handles_are_not_copied(ramp):
    image = hdrconvert.from_array(ramp)
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            copied(image)


def test_threads(ramp):
    """One image on several threads; the GIL is released during calls."""
    image = hdrconvert.open(hdrconvert.from_array(np.tile(ramp, (8, 8, 1))).encode("avif"))
    expected = image.render(2).decode()
    results = [None] * 4

    def work(index):
        results[index] = image.render(2).decode()

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        np.testing.assert_array_equal(result, expected)


def test_notices(ramp):
    rgba = np.concatenate([ramp, np.full((48, 64, 1), 0.5, np.float32)], axis=2)
    notices = hdrconvert.from_array(rgba).encode("jpg", {"content": "sdr"}).notices
    assert all({"code", "severity", "message"} <= notice.keys() for notice in notices)


REFERENCE = pathlib.Path(__file__).parents[2] / "reference-images"


@pytest.mark.parametrize("path", sorted(REFERENCE.glob("*.*")), ids=lambda path: path.name)
def test_reference_images(path):
    if path.suffix == ".md":
        pytest.skip("not an image")
    with hdrconvert.open(path) as image:
        array = image.decode()
        assert array.shape[:2] == (image.height, image.width)
        assert image.info["images"][0]["displayedWidth"] == image.width


def test_damaged_file_is_described(ramp):
    file = bytearray(hdrconvert.from_array(ramp).encode("jpg", {"content": "sdr"}))
    table = file.index(b"\xff\xc4") + 5  # Numbers of Huffman codes, of which too many are invalid.
    file[table : table + 16] = b"\xff" * 16
    image = hdrconvert.open(file)
    assert image.info["format"] == "jpeg" and image.width == 64
    with pytest.raises(hdrconvert.HDRError):
        image.decode()
