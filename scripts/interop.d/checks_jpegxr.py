# SPDX-License-Identifier: Apache-2.0
"""JPEG XR files of jxrlib's encoder and of imagecodecs in this program, and their luminance in its outputs."""

import itertools
import shutil
import struct

import imagecodecs
import numpy as np
import tifffile
from PIL import Image, ImageOps

import color
import tools
from runner import Skip, check, require
from tools import avif_codes, convert, corpus, run
from workspace import fresh

# Name of the pixel format, number of JxrEncApp, samples of its TIFF input, components, and alpha.
FORMATS = {
    "8bppGray": (2, np.uint8, 1, False), "16bppGray": (3, np.uint16, 1, False),
    "16bppGrayFixedPoint": (4, np.int16, 1, False), "16bppGrayHalf": (5, np.float16, 1, False),
    "32bppGrayFixedPoint": (7, np.int32, 1, False), "32bppGrayFloat": (8, np.float32, 1, False),
    "24bppRGB": (9, np.uint8, 3, False), "48bppRGB": (10, np.uint16, 3, False),
    "48bppRGBFixedPoint": (11, np.int16, 3, False), "48bppRGBHalf": (12, np.float16, 3, False),
    "96bppRGBFixedPoint": (14, np.int32, 3, False), "64bppRGBA": (23, np.uint16, 3, True),
    "64bppRGBAFixedPoint": (24, np.int16, 3, True), "64bppRGBAHalf": (25, np.float16, 3, True),
    "128bppRGBAFixedPoint": (27, np.int32, 3, True), "128bppRGBAFloat": (28, np.float32, 3, True),
}
SIZES = ((1, 1), (3, 17), (16, 16), (33, 70), (41, 67), (130, 161))
GUID = bytes.fromhex("24c3dd6f034efe4bb1853d77768dc9")
UNITS = {np.int16: 1 << 13, np.int32: 1 << 24}


def tool(name):
    """A program of jxrlib; the check is skipped if it is missing."""
    path = shutil.which(name)
    if path is None:
        raise Skip(f"{name} is not installed")
    return path


def samples(height, width, sample, channels, seed=1):
    """A ramp with noise; floating-point samples from -0.5 to 60, of which few are below 0."""
    noise = np.random.default_rng(seed).random((height, width, channels))
    y, x = np.mgrid[0:height, 0:width]
    ramp = ((x + 2 * y)[..., None] / (width + 2 * height) + noise * 0.05 + np.arange(channels) * 0.02) / 1.2
    if np.issubdtype(sample, np.floating):
        values = (ramp ** 3 * 60 - 0.5).astype(sample)
        values[..., 3:] = np.clip(ramp[..., 3:], 0, 1)
        return values
    if sample in UNITS:
        # jxrlib encodes 32-bit samples without the lowest bits.
        return ((ramp * 5 - 0.5) * 0.3 * UNITS[sample]).astype(sample)
    return (ramp * np.iinfo(sample).max).astype(sample)


def encoded(pixels, number, *options):
    """A file of JxrEncApp."""
    source, path = fresh(".tif"), fresh(".jxr")
    extra = {"extrasamples": ["unassalpha"]} if pixels.shape[2] == 4 else {}
    tifffile.imwrite(source, pixels[..., 0] if pixels.shape[2] == 1 else pixels,
                     photometric="minisblack" if pixels.shape[2] == 1 else "rgb", **extra)
    run(tool("JxrEncApp"), "-i", source, "-o", path, "-c", number, *options)
    return path


def reference(path, number, shape):
    """The samples that JxrDecApp decodes."""
    target = fresh(".tif")
    run(tool("JxrDecApp"), "-i", path, "-o", target, "-c", number)
    return tifffile.imread(target).reshape(shape)


def ours(path, shape, sample):
    """The samples of this program, in the type of the reference."""
    target = fresh(".raw")
    run(tools.binaries / "dump-planes", path, target)
    kind = np.uint16 if sample in (np.uint8, np.uint16) else np.float32
    planes = np.fromfile(target, kind).reshape(shape[2], shape[0], shape[1]).transpose(1, 2, 0)
    target.unlink()
    if sample in UNITS:
        # Integers of more than 24 bits are rounded.
        return planes.astype(np.float64) * UNITS[sample]
    return planes


def same(got, expected, what):
    if expected.dtype in (np.int16, np.int32):
        expected = expected.astype(np.float32).astype(np.float64)
    elif expected.dtype == np.float16:
        expected = expected.astype(np.float32)
    equal = np.array_equal(got, expected.astype(got.dtype), equal_nan=got.dtype.kind == "f")
    require(equal, f"{what}: {np.count_nonzero(got != expected)} of {expected.size} samples differ")


def variants(has_alpha):
    """Overlap, order of the bitstream, tiles, alpha and quality."""
    alphas = [("-a", "2"), ("-a", "3")] if has_alpha else [()]
    orders = [("-f",), ("-p",), ("-f", "-p")]
    for index, (overlap, alpha) in enumerate(itertools.product("012", alphas)):
        yield (*alpha, "-l", overlap, *orders[index % 3])
        yield (*alpha, "-l", overlap, *orders[(index + 1) % 3], "-q", "40")


def decoded_equally(name):
    number, sample, channels, has_alpha = FORMATS[name]
    count = 0
    sizes = itertools.cycle(SIZES)
    for options in [*variants(has_alpha), ("-U", "2", "3"), ("-f", "-V", "3", "4", "-H", "2", "5")]:
        height, width = (130, 161) if "-U" in options or "-V" in options else next(sizes)
        pixels = samples(height, width, sample, channels + has_alpha, count)
        path = encoded(pixels, number, *options)
        expected = reference(path, number, pixels.shape)
        same(ours(path, pixels.shape, sample), expected, f"{height}x{width} {' '.join(options)}")
        if "-q" not in options and sample in (np.uint8, np.uint16, np.int16, np.float16):
            require(np.array_equal(expected, pixels), f"{' '.join(options)} is not lossless")
        count += 1
    return f"{count} files"


for name in FORMATS:
    check(f"jpegxr: {name} of JxrEncApp, every sample", name)(decoded_equally)


def bitmap(path, pixels):
    """A BMP file of 32 bits per pixel, with rows from bottom to top."""
    height, width = pixels.shape[:2]
    path.write_bytes(struct.pack("<2sIHHI", b"BM", 54 + pixels.nbytes, 0, 0, 54) + struct.pack(
        "<IiiHHIIiiII", 40, width, height, 1, 32, 0, pixels.nbytes, 2835, 2835, 0, 0) + pixels[::-1].tobytes())


@check("jpegxr: BGRA and RGBE of JxrEncApp, every sample")
def bytes_of_pixels():
    random = np.random.default_rng(5)
    height, width = 37, 51
    source, path = fresh(".bmp"), fresh(".jxr")
    blue = random.integers(0, 256, (height, width, 4)).astype(np.uint8)
    bitmap(source, blue)
    run(tool("JxrEncApp"), "-i", source, "-o", path, "-c", "22")
    same(ours(path, blue.shape, np.uint8), blue[..., [2, 1, 0, 3]], "32bppBGRA")
    mantissas = random.integers(128, 256, (height, width, 4)).astype(np.uint8)
    mantissas[..., 3] = random.integers(120, 136, (height, width))
    source = fresh(".hdr")
    source.write_bytes(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n" % (height, width) + mantissas.tobytes())
    run(tool("JxrEncApp"), "-i", source, "-o", path, "-c", "16")
    expected = mantissas[..., :3] * np.exp2(mantissas[..., 3:].astype(np.float32) - 136)
    same(ours(path, expected.shape, np.float32), expected.astype(np.float32), "RGBE")


@check("jpegxr: integers and floats of imagecodecs, every sample")
def wheels():
    count = 0
    for sample, channels, (height, width) in itertools.product(
            (np.uint8, np.uint16, np.float16, np.float32), (1, 3, 4), SIZES):
        if sample == np.uint8 and channels == 4:
            continue
        pixels = samples(height, width, sample, channels)
        if channels == 1:
            pixels = pixels[..., 0]
        path = fresh(".jxr")
        path.write_bytes(imagecodecs.jpegxr_encode(pixels, level=[None, 0.7][count % 2]))
        expected = imagecodecs.jpegxr_decode(path.read_bytes())
        shape = expected.shape if expected.ndim == 3 else (*expected.shape, 1)
        same(ours(path, shape, sample), expected.reshape(shape), f"{np.dtype(sample)} {shape}")
        count += 1
    return f"{count} files"


@check("jpegxr: the corpus, every sample")
def real_files():
    folder = corpus("jxr")
    if not folder.is_dir():
        raise Skip("no folder jxr in the corpus")
    files = sorted(path for path in folder.glob("*.jxr") if "orientation" not in path.name)
    for path in files:
        expected = imagecodecs.jpegxr_decode(path.read_bytes())
        shape = expected.shape if expected.ndim == 3 else (*expected.shape, 1)
        same(ours(path, shape, expected.dtype.type), expected.reshape(shape), path.name)
    return f"{len(files)} files"


def container(path, changes):
    """The bytes of a file of JxrEncApp with other values of 32 bits in its first directory."""
    data = bytearray(path.read_bytes())
    start = struct.unpack_from("<I", data, 4)[0]
    for index in range(struct.unpack_from("<H", data, start)[0]):
        entry = start + 2 + 12 * index
        tag = struct.unpack_from("<H", data, entry)[0]
        if tag in changes:
            struct.pack_into("<I", data, entry + 8, changes[tag])
    return bytes(data)


@check("jpegxr: orientations of the container")
def orientations():
    pixels = samples(20, 33, np.uint8, 3)
    path = encoded(pixels, 9)
    # A quarter turn clockwise, then flips from left to right and from top to bottom.
    for value in range(8):
        rotated = fresh(".jxr")
        rotated.write_bytes(container(path, {0xBC02: value}))
        expected = np.rot90(pixels, -1) if value & 4 else pixels
        expected = expected[:, ::-1] if value & 2 else expected
        expected = expected[::-1] if value & 1 else expected
        shown = ImageOps.exif_transpose(Image.open(convert(rotated, ".png")))
        require(np.array_equal(np.asarray(shown), expected), f"value {value}")
    return "8 values"


NITS = (80, 203, 1000, 4000)


def screenshot(sample=np.float16):
    """Patches of scRGB, whose 1.0 is 80 cd/m2, and one of a color outside BT.709."""
    pixels = np.zeros((64, 320, 4), sample)
    pixels[..., 3] = 1
    for index, luminance in enumerate(NITS):
        pixels[:, 64 * index:64 * index + 64, :3] = luminance / 80
    # BT.2020 green of 100 cd/m2 in components of BT.709.
    pixels[:, 256:, :3] = np.array([-0.5876, 1.1329, -0.1006]) * 100 / 80
    return pixels


@check("jpegxr: luminance of a screenshot in a PQ AVIF, within one code of 10 bits")
def luminance():
    path = encoded(screenshot(), 25)
    worst = 0
    for options in ((), ("--reference-white", "100"), ("--reference-white", "480")):
        codes = avif_codes(convert(path, ".avif", "--lossless", *options))
        expected = color.pq_signal(np.array(NITS, np.float64)) * 1023
        for index, signal in enumerate(expected):
            patch = codes[8:56, 64 * index + 8:64 * index + 56].astype(np.float64)
            worst = max(worst, np.abs(patch - signal).max())
        green = codes[32, 288]
        require(green[1] > 480 and green[0] < 120 and green[2] < 120, f"BT.2020 green is {green}")
    require(worst <= 1, f"{worst:.2f} codes")
    return f"at most {worst:.2f} codes"


def with_color_info(path, *values):
    """The bytes of a file of JxrEncApp with PTM_COLOR_INFO in its first directory, in place of WIDTH_RESOLUTION."""
    data = bytearray(path.read_bytes())
    start = struct.unpack_from("<I", data, 4)[0]
    count = struct.unpack_from("<H", data, start)[0]
    entries = [bytes(data[start + 2 + 12 * index:][:12]) for index in range(count)]
    entries = [entry for entry in entries if entry[:2] != b"\x82\xbc"]
    entries.append(struct.pack("<HHI4B", 0xBC05, 1, 4, *values))
    data[start + 2:start + 2 + 12 * count] = b"".join(sorted(entries, key=lambda entry: struct.unpack_from("<H", entry)))
    return bytes(data)


@check("jpegxr: limited range of PTM_COLOR_INFO is applied, a matrix reported")
def color_info():
    pixels = np.zeros((16, 48, 3), np.uint8)
    pixels[:, 16:32] = 235
    pixels[:, :16] = 16
    path = encoded(pixels, 9)
    path.write_bytes(with_color_info(path, 1, 13, 9, 0))
    target = fresh(".png")
    status, text = tools.command(path, "-o", target, "--sdr")
    require(status == 0 and "jpegxr/matrix-ignored" in text, text)
    shown = np.asarray(Image.open(target))[8, [8, 24, 40], 0].tolist()
    require(shown == [0, 255, 0], f"16, 235 and 0 are {shown}")
    half = encoded(samples(16, 16, np.float16, 3), 12)
    half.write_bytes(with_color_info(half, 1, 8, 0, 0))
    status, text = tools.command(half, "-o", fresh(".png"))
    require(status == 0 and "jpegxr/range-ignored" in text, text)


@check("jpegxr: Exif, XMP and ICC profile are extracted as ExifTool finds them")
def extracted():
    path = corpus("jxr") / "kimageformats-metadata.jxr"
    if not path.is_file():
        raise Skip("no folder jxr in the corpus")
    hdrconvert = tools.binaries / "hdrconvert"
    for part, tag in (("--xmp", "-XMP"), ("--icc", "-ICC_Profile")):
        expected = run("exiftool", "-b", tag, path, binary=True)
        require(run(hdrconvert, "extract", path, "-o", "-", part, binary=True) == expected, part)
    target = fresh(".tif")
    run(hdrconvert, "extract", path, "-o", target, "--exif", "--quiet")
    tags = ["-Make", "-Model", "-DateTimeOriginal", "-LensModel", "-GPSLatitude", "-n", "-s"]
    require(run("exiftool", *tags, target) == run("exiftool", *tags, path), "Exif differs")
    status, text = tools.command("extract", path, "-o", fresh(".jpg"), "--preview")
    require(status != 0 and "--image 2" in text, text)


def stored(path):
    """The codestreams of the first image."""
    data = path.read_bytes()
    fields = {}
    start = struct.unpack_from("<I", data, 4)[0]
    for index in range(struct.unpack_from("<H", data, start)[0]):
        tag, _, _, value = struct.unpack_from("<HHII", data, start + 2 + 12 * index)
        fields[tag] = value
    return [data[fields[tag]:][:fields[tag + 1]] for tag in (0xBCC0, 0xBCC2) if tag in fields]


def warnings(path):
    """What ExifTool finds wrong."""
    return set(run("exiftool", "-a", "-s3", "-validate", "-warning", path).splitlines()[1:])


@check("jpegxr: tag leaves the codestreams unchanged, and ExifTool reads the metadata")
def tagged():
    path = corpus("jxr") / "kimageformats-metadata.jxr"
    if not path.is_file():
        raise Skip("no folder jxr in the corpus")

    def tag(*options):
        target = fresh(".jxr")
        status, text = tools.command("tag", path, "-o", target, *options)
        require(status == 0, text)
        require(stored(target) == stored(path), f"{options}: codestreams differ")
        require(not warnings(target) - warnings(path), f"{options}: {warnings(target)}")
        return target

    def tags(file, *names):
        return run("exiftool", "-n", "-s", *names, file)

    names = ["-Make", "-Model", "-DateTimeOriginal", "-LensModel", "-WidthResolution", "-HeightResolution", "-XMP:Title"]
    require(tags(path, "-GPSLatitude"), "the file of the corpus has a position")
    stripped = tag("--strip", "gps")
    require(not tags(stripped, "-GPS*", "-XMP:GPS*"), tags(stripped, "-GPS*", "-XMP:GPS*"))
    require(tags(stripped, *names) == tags(path, *names), tags(stripped, *names))
    rotated = tag("--set", "orientation=6")
    require(tags(rotated, *names, "-GPS*") == tags(path, *names, "-GPS*"), "metadata after a rotation")
    shown = [ImageOps.exif_transpose(Image.open(convert(file, ".png", "--sdr"))).size for file in (path, rotated)]
    require(shown[0] == shown[1][::-1], f"{shown}")
    bare = tag("--strip", "all")
    require(not tags(bare, "-Make", "-GPS*", "-XMP:all", "-Exif:DateTimeOriginal"), tags(bare, "-a"))
    # Names of devices are dropped, colors and the description are not.
    colors = [f"-ICC_Profile:{name}" for name in (
        "ProfileDescription", "MediaWhitePoint", "RedMatrixColumn", "GreenMatrixColumn", "BlueMatrixColumn", "RedTRC",
        "GreenTRC", "BlueTRC")]
    require(tags(path, "-ICC_Profile:RedMatrixColumn"), "the file of the corpus has a profile")
    require(tags(bare, "-b", *colors) == tags(path, "-b", *colors), "the profile differs")
    again = tag("--strip", "xmp")
    require(not tags(again, "-XMP:all") and tags(again, "-Make"), "XMP alone is removed")


def written(pixels, *options):
    """The JPEG XR file of linear BT.709 values, whose 1.0 is 203 cd/m2 unless an option chooses another white."""
    source = fresh(".tif")
    extra = {"extrasamples": ["unassalpha"]} if pixels.shape[2] == 4 else {}
    tifffile.imwrite(source, pixels[..., 0] if pixels.shape[2] == 1 else pixels,
                     photometric="minisblack" if pixels.shape[2] == 1 else "rgb", **extra)
    return convert(source, ".jxr", "--declare", "linear,bt709", *options)


@check("jpegxr: written without loss, every sample by JxrDecApp and imagecodecs")
def written_exactly():
    count = 0
    for (channels, number), (height, width) in itertools.product(((1, 5), (3, 12), (4, 25)), SIZES):
        pixels = samples(height, width, np.float32, channels, count)
        path = written(pixels, "--quality", "100", "--reference-white", "80")
        expected = pixels.astype(np.float16)
        same(reference(path, number, pixels.shape).astype(np.float32), expected, f"{channels} of {height}x{width}")
        decoded = imagecodecs.jpegxr_decode(path.read_bytes()).reshape(pixels.shape)
        same(decoded.astype(np.float32), expected, f"imagecodecs, {channels} of {height}x{width}")
        same(ours(path, pixels.shape, np.float16), expected, f"read back, {channels} of {height}x{width}")
        count += 1
    # A copy is exact as well.
    source = encoded(samples(41, 67, np.float16, 4), 25)
    copy = convert(source, ".jxr", "--lossless")
    same(ours(copy, (41, 67, 4), np.float16), reference(source, 25, (41, 67, 4)), "copy")
    return f"{count} files"


@check("jpegxr: luminance of written files")
def written_luminance():
    nits = np.array([0.05, 1, 80, 203, 1000, 4000, 10000])
    codes = np.repeat(np.round(color.pq_signal(nits) * 65535), 32).astype(np.uint16)
    source = fresh(".png")
    pixels = np.broadcast_to(codes[None, :, None], (32, codes.size, 3))
    source.write_bytes(imagecodecs.png_encode(np.ascontiguousarray(pixels)))
    expected = color.pq_luminance(codes / 65535) / 80
    for options, limit in ((("--lossless",), 0.0006), (("--quality", "90"), 0.03)):
        path = convert(source, ".jxr", "--declare", "pq,bt2020", *options)
        decoded = reference(path, 12, (*pixels.shape,)).astype(np.float64)
        error = np.abs(decoded / expected[None, :, None] - 1)[:, 24::32].max()
        require(error <= limit, f"{' '.join(options)}: {error:.4f}")
        back = avif_codes(convert(path, ".avif", "--lossless"))
    require(np.abs(back[:, 8::32] - np.round(codes[8::32] / 65535 * 1023)[None, :, None]).max() <= 3, "PQ AVIF")
    white = fresh(".png")
    Image.new("RGB", (32, 32), (255, 255, 255)).save(white)
    for options, expected in (((), 203 / 80), (("--reference-white", "480"), 6)):
        decoded = reference(convert(white, ".jxr", "--lossless", *options), 12, (32, 32, 3))
        require(np.abs(decoded.astype(np.float64) - expected).max() < 0.002 * expected, f"white is {decoded[0, 0]}")


@check("jpegxr: metadata and orientation of written files, by ExifTool")
def written_metadata():
    source = corpus("jxr") / "kimageformats-metadata.jxr"
    if not source.is_file():
        raise Skip("no folder jxr in the corpus")
    tags = ["-Make", "-Model", "-DateTimeOriginal", "-LensModel", "-GPSLatitude", "-XMP:all", "-n", "-s"]
    expected = run("exiftool", *tags, source)
    require("Make" in expected, expected)
    big = convert(source, ".jpg", "--sdr")
    run("exiftool", "-q", "-overwrite_original", "-all=", "-ExifByteOrder=MM", "-TagsFromFile", source, "-all:all", "-unsafe",
        "-XResolution=300", "-YResolution=300", "-ResolutionUnit=inches", big)
    for path in (source, big):
        copy = convert(path, ".jxr")
        found = run("exiftool", *tags, copy)
        missing = set(run("exiftool", *tags, path).splitlines()) - set(found.splitlines())
        require(not {line for line in missing if "XMPToolkit" not in line}, missing)
        require(not warnings(copy) - warnings(path), warnings(copy))
    require(run("exiftool", "-s3", "-n", "-WidthResolution", copy).strip() == "300", "WIDTH_RESOLUTION")
    pixels = samples(20, 33, np.uint8, 3)
    rotated = fresh(".png")
    for value in range(1, 9):
        Image.fromarray(pixels).save(rotated)
        run("exiftool", "-q", "-overwrite_original", "-n", f"-Orientation={value}", rotated)
        shown = ImageOps.exif_transpose(Image.open(rotated))
        back = Image.open(convert(convert(rotated, ".jxr", "--lossless"), ".png", "--sdr"))
        back = ImageOps.exif_transpose(back)
        require(back.size == shown.size, f"{value}: {back.size}")
        difference = np.abs(np.asarray(back, int)[..., :3] - np.asarray(shown, int)).max()
        require(difference <= 1, f"{value}: {difference}")


@check("jpegxr: CMYK, Y'CbCr and n-channel images are refused by name")
def refused():
    path = encoded(samples(16, 16, np.uint8, 3), 9)
    data = path.read_bytes()
    for number, name in ((0x1C, "32bppCMYK"), (0x20, "24bpp3Channels"), (0x48, "24bppYCC444")):
        # The last byte of the GUID of the pixel format.
        path.write_bytes(data.replace(GUID + b"\x0d", GUID + bytes([number])))
        status, text = tools.command(path, "-o", fresh(".png"))
        require(status == tools.DATA_ERROR and name in text, text)


@check("jpegxr: mutated files end with one error each, or an image")
def mutated():
    seeds = [encoded(samples(41, 67, np.float16, 4), 25, "-a", "2"),
             encoded(samples(70, 67, np.uint8, 3), 9, "-U", "2", "2"),
             encoded(samples(33, 40, np.uint16, 4), 23, "-a", "3", "-q", "20")]
    random = np.random.default_rng(11)
    crashes, done = [], 0
    for index in range(60):
        data = bytearray(seeds[index % 3].read_bytes())
        for _ in range(random.integers(1, 6)):
            # Half of the changes are in headers.
            limit = len(data) if random.random() < 0.5 else min(len(data), 500)
            data[random.integers(8, limit)] = random.integers(256)
        if index % 5 == 0:
            del data[random.integers(100, len(data)):]
        path = fresh(".jxr")
        path.write_bytes(data)
        status, text = tools.command(path, "-o", fresh(".png"))
        require(status in (0, tools.DATA_ERROR, 75), f"status {status}: {text}")
        require(status == 0 or text.count("error:") == 1, text)
        if "crashed" in text or "ended" in text:
            crashes.append(text)
        done += status == 0
    return f"{done} decoded, {60 - done} refused, {len(crashes)} by the end of the confined process"
