# SPDX-License-Identifier: Apache-2.0
"""Files behind public reports, and siblings of them: what independent programs show, hdrconvert shows."""

import io
import json
import os
import pathlib
import shutil
import struct
import subprocess
import zlib

import imagecodecs
import numpy as np
import OpenImageIO as oiio
import pillow_heif
import tifffile
from PIL import Image

import tools
from runner import Skip, check, require
from tools import command
from workspace import fresh

CASES = pathlib.Path(os.environ.get("HDR_CASES") or tools.ROOT.parent / "shared" / "cases")


def case(name):
    """A file of the cases; the check is skipped if it is missing."""
    if not CASES.is_dir():
        raise Skip("no cases here (HDR_CASES)")
    return CASES / name


def converted(path, *options, suffix=".png"):
    """The pixels that hdrconvert makes, and its messages."""
    target = fresh(suffix)
    status, messages = command("convert", path, "-o", target, *options)
    require(status == 0, f"exit {status}: {messages}")
    return target, messages


def rgb(path):
    return np.asarray(Image.open(path).convert("RGB")).astype(int)


def largest(got, expected):
    require(got.shape == expected.shape, f"{got.shape}, not {expected.shape}")
    return int(np.abs(got - expected).max())


# MARK: HEVC without range


def without_brand(data, brand):
    """The file with another compatible brand; offsets of the only item follow."""
    size = int.from_bytes(data[:4], "big")
    data = bytearray(data[:size] + brand + data[size:])
    data[:4] = (size + 4).to_bytes(4, "big")
    place = data.find(b"iloc") + 4 + 4 + 2 + 2 + 2 + 2 + 2
    offset = int.from_bytes(data[place:place + 4], "big")
    data[place:place + 4] = (offset + 4).to_bytes(4, "big")
    return bytes(data)


@check("real files: HEVC without a range is limited, as in pillow-heif", "plain")
@check("real files: HEVC without a range in a MIAF file is limited, as in pillow-heif", "miaf")
def hevc_range(kind):
    data = case("hevc-without-vui.heic").read_bytes()
    if kind == "miaf":
        data = without_brand(data, b"miaf")
    path = fresh(".heic")
    path.write_bytes(data)
    expected = np.asarray(pillow_heif.open_heif(io.BytesIO(data)).to_pillow().convert("RGB")).astype(int)
    target, messages = converted(path, "--sdr")
    got = rgb(target)
    require("(color/range-inferred)" in messages, messages)
    require((got.min(), got.max()) == (0, 255), f"{got.min()}...{got.max()}")
    # Chroma is interpolated differently at edges.
    off = np.abs(got - expected).max(-1)
    require(np.median(off) <= 1 and (off > 3).mean() < 0.1, f"median {np.median(off)}")
    return f"median difference {np.median(off)}"


# MARK: Curves of ICC profiles


def tiff_with_curve(function, count, scale, name):
    """A 16-bit TIFF of a ramp with a profile whose curve is a sampled function, as programs write them."""
    source = case("pq-curve-in-icc.tif")
    with tifffile.TiffFile(source) as file:
        profile = bytearray(file.pages[0].tags["InterColorProfile"].value)
    tags = struct.unpack(">I", profile[128:132])[0]
    values = np.minimum(scale * function(np.arange(count) / (count - 1)), 1)
    curve = b"curv" + bytes(4) + struct.pack(">I", count)
    curve += np.round(values * 65535).astype(">u2").tobytes()
    curve += bytes(-len(curve) % 4)
    offset = len(profile)
    profile += curve
    for index in range(tags):
        place = 132 + 12 * index
        if profile[place:place + 4] in (b"rTRC", b"gTRC", b"bTRC"):
            profile[place + 4:place + 12] = struct.pack(">II", offset, len(curve))
    profile[:4] = struct.pack(">I", len(profile))
    ramp = np.repeat(np.linspace(0, 65535, 256).round().astype(np.uint16)[None, :, None], 3, 2)
    path = fresh(f"-{name}.tif")
    tifffile.imwrite(path, np.repeat(ramp, 16, 0), photometric="rgb", iccprofile=bytes(profile))
    return path, ramp[0, :, 0] / 65535


def pq(signal):
    power = signal ** (1 / 78.84375)
    return (np.maximum(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)) ** (1 / 0.1593017578125)


def hlg(signal):
    high = (np.exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
    return np.where(signal <= 0.5, signal * signal / 3, high)


@check("real files: PQ in the curve of an ICC profile, of 64 samples", "pq", 64, 1)
@check("real files: PQ in the curve of an ICC profile, of 4096 samples clipped at white", "pq", 4096, 10000 / 203)
@check("real files: HLG in the curve of an ICC profile, of 1024 samples", "hlg", 1024, 1)
def curves(name, count, scale):
    path, signal = tiff_with_curve(pq if name == "pq" else hlg, count, scale, name)
    target, messages = converted(path, "--transfer", name, "--depth", "16")
    require("(color/transfer-recognized)" in messages, messages)
    got = np.asarray(oiio.ImageBuf(str(target)).get_pixels(oiio.FLOAT))[0, :, 0]
    off = np.abs(got - signal).max() * 65535
    require(off <= 8, f"signal differs by {off} of 65535")
    return f"signal differs by {off:.1f} of 65535"


@check("real files: the profile of djxl 0.7 is PQ")
def djxl_profile():
    path = case("pq-curve-in-icc.tif")
    target, messages = converted(path, "--depth", "16")
    got = np.asarray(oiio.ImageBuf(str(target)).get_pixels(oiio.FLOAT))[..., :3]
    expected = tifffile.imread(path) / 65535
    require(np.abs(got - expected).max() < 2e-4, f"{np.abs(got - expected).max()}")
    return f"brightest {pq(expected.max()) * 10000:.0f} cd/m²"


# MARK: Configuration that contradicts the bitstream


@check("real files: av1C of another chroma format than the bitstream, as avifdec")
def av1_configuration():
    if not shutil.which("avifdec"):
        raise Skip("no avifdec (libavif-bin)")
    path, raw, own = case("av1c-444-stream-422.avif"), fresh(".y4m"), fresh(".y4m")
    subprocess.run(["avifdec", path, raw], check=True, capture_output=True)
    tools.run(tools.binaries / "dump-planes", path, own)
    expected, got = (file.read_bytes().split(b"\n", 2)[2] for file in (raw, own))
    require(got == expected, f"{len(got)} bytes of samples differ from {len(expected)}")
    _, messages = converted(path, "--sdr")
    require("(bitstream/configuration-differs)" in messages, messages)
    return "samples equal those of libavif"


@check("real files: hvcC of another size of lengths than the bitstream, as libheif")
def hevc_length_size():
    encoded = io.BytesIO()
    ramp = np.tile(np.arange(64, dtype=np.uint8) * 4, (48, 1))
    pillow_heif.from_pillow(Image.fromarray(np.stack([ramp] * 3, -1))).save(encoded, quality=90)
    data = bytearray(encoded.getvalue())
    # lengthSizeMinusOne
    data[data.index(b"hvcC") + 25] &= 0xFC
    path = fresh(".heic")
    path.write_bytes(data)
    expected = np.asarray(pillow_heif.open_heif(path).to_pillow().convert("RGB")).astype(int)
    target, messages = converted(path, "--sdr")
    require("(bitstream/length-size-differs)" in messages, messages)
    off = largest(rgb(target), expected)
    require(off <= 2, f"differs by {off}")
    return f"differs by {off} from libheif"


# MARK: Files a little short


def jpeg_bytes(**options):
    x, y = np.meshgrid(np.arange(97), np.arange(61))
    pixels = np.stack([x * 2.5, y * 4, (x * y) % 256], -1).astype(np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "jpeg", quality=90, **options)
    return buffer.getvalue()


@check("real files: a JPEG without EOI is shown, as by libjpeg-turbo", {})
@check("real files: a progressive JPEG without EOI is shown, as by libjpeg-turbo", {"progressive": True})
@check("real files: a JPEG of 4:4:4 without EOI is shown, as by libjpeg-turbo", {"subsampling": 0})
def without_eoi(options):
    data = jpeg_bytes(**options)
    require(data[-2:] == b"\xff\xd9", "no EOI")
    whole, short, cut = fresh(".jpg"), fresh(".jpg"), fresh(".jpg")
    whole.write_bytes(data)
    short.write_bytes(data[:-2])
    cut.write_bytes(data[:len(data) * 3 // 4])
    others = [imagecodecs.jpeg8_decode(path.read_bytes()) for path in (whole, short)]
    require(np.array_equal(*others), "libjpeg-turbo does not show it")
    target, messages = converted(short, "--sdr")
    require("(jpeg/end-missing)" in messages, messages)
    expected, _ = converted(whole, "--sdr")
    require(largest(rgb(target), rgb(expected)) == 0, "samples differ")
    status, messages = command("convert", cut, "-o", fresh(".png"), "--sdr")
    require(status == tools.DATA_ERROR, f"exit {status} for a file that is cut: {messages}")


@check("real files: a last tile of a TIFF with only the rows of the image, as written by other programs")
def short_tile():
    pixels = (np.arange(60 * 100 * 3).reshape(60, 100, 3) * 7 % 65536).astype(np.uint16)
    path = fresh(".tif")
    tifffile.imwrite(path, pixels, photometric="rgb", tile=(64, 64))
    with tifffile.TiffFile(path) as file:
        tag = file.pages[0].tags["TileByteCounts"]
        counts = list(file.pages[0].databytecounts)
        end = file.pages[0].dataoffsets[-1] + counts[-1] // 64 * 60
    counts[-1] = counts[-1] // 64 * 60
    layout = f"<{len(counts)}{'H' if tag.dtype == 3 else 'I'}"
    data = bytearray(path.read_bytes()[:end])
    data[tag.valueoffset:tag.valueoffset + struct.calcsize(layout)] = struct.pack(layout, *counts)
    path.write_bytes(data)
    target, messages = converted(path, "--sdr", "--depth", "16")
    got = np.asarray(oiio.ImageBuf(str(target)).get_pixels(oiio.UINT16))
    require(largest(got.astype(int), pixels.astype(int)) <= 1, "samples differ")
    require("(library-warned)" in messages, messages)


@check("real files: a PNG with palette indices out of range, as Pillow shows it", [1, 2, 3, 32], "palette indices are out of range")
@check("real files: a PNG with too many rows, as Pillow shows it", [1, 2, 3, 4, 0, 1, 2, 3, 4], "library-warned")
def png_warnings(row, words):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    path = fresh(".png")
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 1, 8, 3, 0, 0, 0))
        + chunk(b"PLTE", bytes(range(48))) + chunk(b"IDAT", zlib.compress(bytes([0, *row]))) + chunk(b"IEND", b""))
    target, messages = converted(path, "--sdr")
    require(words in messages, messages)
    require(largest(rgb(target), rgb(path)) == 0, f"{rgb(target)}, not {rgb(path)}")


# MARK: What belongs to the old file

# Properties of the old samples, and those that only JPEG requires.
SAMPLES = {
    "ExifImageWidth", "ExifImageHeight", "ColorSpace", "ComponentsConfiguration", "YCbCrPositioning", "ExifVersion"}


def exif(path):
    """The tags of the main and the Exif directory, and the names of Google's in XMP, as exiftool reads them."""
    done = subprocess.run(
        ["exiftool", "-j", "-G1", "-a", "-b", "-x", "MPImage2", path], capture_output=True, check=True)
    groups = [(tag.partition(":"), value) for tag, value in json.loads(done.stdout)[0].items()]
    require(not any(group == "ExifTool" and name in ("Warning", "Error") and "[minor]" not in str(value)
                    for (group, _, name), value in groups), f"exiftool warns: {done.stdout[:500]}")
    camera = {name: value for (group, _, name), value in groups if group in ("IFD0", "ExifIFD") and name not in SAMPLES}
    return camera, {name for (group, _, name), _ in groups if group == "XMP-GCamera"}


@check("real files: XMP of a Pixel photo that is encoded again, in exiftool")
def maker_notes_in_xmp():
    source = tools.corpus("jpeg-uhdr/pixel6pro-xmp-sky.jpg")
    camera, google = exif(source)
    require("HdrPlusMakernote" in google, f"{google}")
    for suffix in (".jpg", ".heic", ".png", ".tif"):
        target, messages = converted(source, "--resize", "200", suffix=suffix)
        require("maker-notes-dropped" in messages, messages)
        found, names = exif(target)
        require("HdrPlusMakernote" not in names, f"{suffix}: {names}")
        require(camera.items() <= found.items(), f"{suffix}: {camera.items() - found.items()}")
        kept, _ = converted(source, "--resize", "200", "--set", "makernotes=keep", suffix=suffix)
        require("HdrPlusMakernote" in exif(kept)[1], f"{suffix}: dropped")
        require(kept.stat().st_size > target.stat().st_size + 40_000, f"{suffix}: the same size")


@check("real files: a large maker note in Exif of an image that is encoded again, in exiftool")
def maker_note_in_exif():
    note = bytes(range(256)) * 160
    block = Image.Exif()
    block[0x10F], block[0x110], block[0x8298] = "Maker", "Camera", "Owner"
    block.get_ifd(0x8769).update({0x9003: "2024:01:02 03:04:05", 0x927C: note, 0xA434: "Lens"})
    source = fresh(".jpg")
    Image.new("RGB", (64, 48), (90, 120, 60)).save(source, exif=block.tobytes())
    camera, _ = exif(source)
    for suffix in (".jpg", ".avif", ".png", ".tif"):
        target, messages = converted(source, "--sdr", "--resize", "32", suffix=suffix)
        require("maker-notes-dropped" in messages, messages)
        found, _ = exif(target)
        require({"Make", "Model", "Copyright", "DateTimeOriginal", "LensModel"} <= found.keys(), f"{suffix}: {found}")
        require(not any("MakerNote" in name for name in found), f"{suffix}: {found.keys()}")
        kept, _ = converted(source, "--sdr", "--resize", "32", "--set", "makernotes=keep", suffix=suffix)
        require(camera.items() <= exif(kept)[0].items(), f"{suffix}: {camera.items() - exif(kept)[0].items()}")


# MARK: Pages, layers and parts


@check("real files: pages of TIFF by number and name")
def pages():
    path = fresh(".tif")
    with tifffile.TiffWriter(path) as writer:
        for level in (50, 120, 200):
            writer.write(np.full((8, 16, 3), level, np.uint8), photometric="rgb")
    for option, level in (("1", 50), ("2", 120), ("IFD 2", 200)):
        target, _ = converted(path, "--sdr", "--image", option)
        require(largest(rgb(target), np.full((8, 16, 3), level)) <= 1, f"--image {option}")
    status, messages = command("convert", path, "-o", fresh(".png"), "--sdr", "--image", "4")
    require(status == tools.USAGE and "(image/unknown)" in messages, f"exit {status}: {messages}")


@check("real files: layers and parts of OpenEXR as OpenImageIO writes them")
def parts():
    path = fresh(".exr")
    names = ["AO", "beauty", "specular"]
    specs = []
    for name in names:
        spec = oiio.ImageSpec(16, 8, 3, oiio.HALF)
        spec.attribute("name", name)
        specs.append(spec)
    out = oiio.ImageOutput.create(str(path))
    require(out.open(str(path), specs), out.geterror())
    for index, level in enumerate((0.1, 0.5, 0.25)):
        if index:
            require(out.open(str(path), specs[index], "AppendSubimage"), out.geterror())
        out.write_image(np.full((8, 16, 3), level, np.float32))
    out.close()
    for options, level in (((), 0.5), (("--image", "AO"), 0.1), (("--image", "3"), 0.25)):
        target, _ = converted(path, *options, suffix=".exr")
        got = np.asarray(oiio.ImageBuf(str(target)).get_pixels(oiio.FLOAT))[..., :3]
        require(np.abs(got - level).max() < 1e-3, f"{options}: {got.max()}")


@check("real files: images of HEIF by item number")
def items():
    file = pillow_heif.HeifFile()
    for level in (40, 160):
        file.add_from_pillow(Image.new("RGB", (64, 48), (level, level, level)))
    path = fresh(".heic")
    file.save(path, quality=-1)
    status, text = 0, tools.run(tools.binaries / "hdrconvert", "inspect", "--json", path)
    images = json.loads(text)["results"][0]["images"]
    numbers = sorted(image["number"] for image in images)
    require(len(numbers) == 2, f"{numbers}")
    for number, level in zip(numbers, (40, 160)):
        target, _ = converted(path, "--sdr", "--image", str(number))
        require(largest(rgb(target), np.full((48, 64, 3), level)) <= 2, f"--image {number}")
