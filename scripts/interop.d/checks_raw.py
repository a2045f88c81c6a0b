# SPDX-License-Identifier: Apache-2.0
"""Raw files from other programs, developed by hdrconvert, compared with LibRaw and independent calculations."""

import json

import colour
import imagecodecs
import numpy as np
import OpenImageIO as oiio
import pillow_heif
import rawpy
import tifffile
from PIL import Image

import color
import tools
from dng import bayer, fractions, write_mosaic
from runner import check, require
from tools import REFERENCE, convert, corpus, peak_error, read_light, run
from workspace import fresh

# A Canon EOS 6D under illuminants A and D65.
MATRICES = np.array([
    [[0.7546, -0.1435, -0.0929], [-0.3846, 1.1488, 0.2692], [-0.0332, 0.1209, 0.637]],
    [[0.7034, -0.0804, -0.1014], [-0.442, 1.2564, 0.2058], [-0.0851, 0.1994, 0.5758]]])
TEMPERATURES = (2850, 6500)
# A Blackmagic Pocket Cinema Camera under illuminants A and D65, and the neutral color of a photo in the corpus.
POCKET_MATRICES = np.array([
    [[1.31197, -0.49679, 0.01156], [-0.41723, 1.44237, 0.04528], [0.06723, 0.2171, 0.72651]],
    [[1.00885, -0.27351, -0.08258], [-0.48997, 1.34441, 0.11174], [-0.06406, 0.32997, 0.53917]]])
POCKET_NEUTRAL = np.array([0.8722, 1, 0.5928])
D50 = np.array([0.3457, 0.3585])
BT2020_LUMINANCE = np.array([0.2627002, 0.6779981, 0.0593017])
P3_LUMINANCE = np.array([0.2289745, 0.6917385, 0.0792870])

# Side of a flat patch, in pixels.
PATCH = 108


def xyz(xy):
    return np.array([xy[0], xy[1], 1 - xy[0] - xy[1]]) / xy[1]


def mixed(matrices, xy):
    """The matrix for a white point, interpolated by reciprocal temperature."""
    uv = colour.models.xy_to_UCS_uv(xy)
    kelvin = colour.temperature.uv_to_CCT(uv, method="Robertson 1968")[0]
    warm, cold = TEMPERATURES
    weight = np.clip((1 / kelvin - 1 / cold) / (1 / warm - 1 / cold), 0, 1)
    return weight * matrices[0] + (1 - weight) * matrices[1]


def camera_to_bt2020(matrices, neutral):
    """White-balanced camera colors to linear BT.2020, from the text of the DNG specification."""
    white = D50
    for _ in range(30):
        seen = np.linalg.solve(mixed(matrices, white), neutral)
        white = seen[:2] / seen.sum()
    bradford = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])

    def adapted(source, target):
        return np.linalg.solve(bradford, np.diag(bradford @ xyz(target) / (bradford @ xyz(source))) @ bradford)

    from_d50 = mixed(matrices, white) @ adapted(D50, white)
    from_d50 = from_d50 / (from_d50 @ xyz(D50)).max()
    primaries = colour.RGB_COLOURSPACES["ITU-R BT.2020"]
    to_rgb = np.linalg.inv(colour.models.normalised_primary_matrix(primaries.primaries, primaries.whitepoint))
    return to_rgb @ adapted(D50, primaries.whitepoint) @ np.linalg.inv(from_d50) @ np.diag(neutral / neutral.max())


def write_bayer(pixels, neutral, orientation=1):
    """A Bayer DNG of linear values 0...1, whose green saturates at 1."""
    return bayer_file(bayer(np.clip(pixels, 0, 1)), neutral, orientation=orientation)


def bayer_file(mosaic, neutral, pattern=(0, 1, 1, 2), matrices=MATRICES, orientation=1, tags=()):
    path = fresh(".dng")
    write_mosaic(path, mosaic, neutral, matrices, pattern, orientation, tags)
    return path


# A Nikon D5300 under D65, and a Fujifilm filter pattern.
D5300 = np.array([[0.6988, -0.1384, -0.0714], [-0.5631, 1.3410, 0.2447], [-0.1485, 0.2204, 0.7318]])
X_TRANS = np.array([
    [1, 1, 0, 1, 1, 2], [1, 1, 2, 1, 1, 0], [2, 0, 1, 0, 2, 1], [1, 1, 2, 1, 1, 0], [1, 1, 0, 1, 1, 2], [0, 2, 1, 2, 0, 1]])


def write_camera_raw(light, neutral, pattern, *tags):
    """Linear red, green and blue, 0...1, as a TIFF/EP file that LibRaw identifies as one of a Nikon D5300."""
    rows, columns = light.shape[:2]
    filters = np.tile(pattern, (rows // len(pattern) + 1, columns // len(pattern) + 1))[:rows, :columns]
    seen = np.take_along_axis(light * neutral, filters[..., None], 2)[..., 0]
    path = fresh(".tif")
    tifffile.imwrite(
        path, np.round(400 + seen * 15000).astype(np.uint16), photometric=32803, metadata=None, software=None, extratags=[
            (271, "s", 0, "NIKON CORPORATION"), (272, "s", 0, "NIKON D5300"), (274, "H", 1, 1), (33421, "H", 2, pattern.shape),
            (33422, "B", pattern.size, tuple(pattern.ravel())), (50714, "H", 1, 400), (50717, "H", 1, 15400),
            (50728, "2I", 3, fractions(neutral)), *tags])
    return path


def libraw(path, neutral):
    """LibRaw's AHD: white-balanced camera colors, 1 at the saturation of the first channel to saturate."""
    gains = neutral.max() / neutral
    with rawpy.imread(str(path)) as raw:
        image = raw.postprocess(
            output_bps=16, gamma=(1, 1), no_auto_bright=True, output_color=rawpy.ColorSpace.raw,
            user_wb=[gains[0], gains[1], gains[2], gains[1]], demosaic_algorithm=rawpy.DemosaicAlgorithm.AHD,
            adjust_maximum_thr=0, highlight_mode=rawpy.HighlightMode.Ignore, user_flip=0)
    return image / 65535 * gains.max()


def ours(path, *options):
    light, _ = read_light(convert(path, ".exr", "--depth", "32", *options))
    return light / color.WHITE


def patches_as_libraw(path, neutral, matrix, name):
    """Result for 5 rows of 6 flat patches, and the largest difference of LibRaw's colors in their centers."""
    expected = libraw(path, neutral) @ matrix.T
    got = ours(path, "--raw", "scene-linear", "--raw", "highlights=keep")
    require(got.shape == expected.shape, f"{name}: {got.shape}, not {expected.shape}")
    centers = np.arange(PATCH // 2, 6 * PATCH, PATCH)
    at = np.ix_(centers[:5], centers)
    worst = (np.abs(got[at] - expected[at]).max(-1) / expected[at].max(-1)).max()
    require(worst < 0.005, f"{name}: patches differ by {100 * worst:.2f} %")
    return got, worst


@check("raw: colors of flat patches as by LibRaw and the specification")
def patches():
    neutral = np.array([0.52, 1, 0.61])
    generator = np.random.default_rng(1)
    values = generator.uniform(0.02, 0.9, (4, 6, 3)) * neutral
    values[0, 0] = 0.4 * neutral
    path = write_bayer(values.repeat(32, 0).repeat(32, 1), neutral)
    expected = libraw(path, neutral) @ camera_to_bt2020(MATRICES, neutral).T
    got = ours(path, "--raw", "scene-linear", "--raw", "highlights=keep")
    worst = 0
    for y in range(4):
        for x in range(6):
            inner = np.s_[32 * y + 12 : 32 * y + 20, 32 * x + 12 : 32 * x + 20]
            a, b = got[inner].mean((0, 1)), expected[inner].mean((0, 1))
            worst = max(worst, np.abs(a - b).max() / b.max())
    require(worst < 0.005, f"patches differ by {100 * worst:.2f} %")
    gray = got[16, 16]
    require(gray.max() / gray.min() < 1.0005, f"the neutral patch is {gray}")
    return f"at most {100 * worst:.3f} %"


@check("raw: areas of a real mosaic as by LibRaw")
def real_areas():
    path = corpus("dng/bmpcc-bayer12-ljpeg.dng")
    # LibRaw returns the whole active area, hdrconvert the default crop.
    theirs = libraw(path, POCKET_NEUTRAL)[16:-16, 16:-16] @ camera_to_bt2020(POCKET_MATRICES, POCKET_NEUTRAL).T
    got = ours(path, "--raw", "scene-linear", "--raw", "highlights=keep")
    require(got.shape == (1080, 1920, 3), f"the crop is {got.shape}")
    theirs = theirs[: got.shape[0], : got.shape[1]]

    def areas(image):
        return image.reshape(27, 40, 48, 40, 3).swapaxes(1, 2).reshape(27, 48, -1, 3)

    a, b = areas(got).mean(2), areas(theirs).mean(2)
    # Edges differ by method, and LibRaw clips noise below black.
    flat = ((areas(theirs).std(2) / b).max(-1) < 0.15) & (b.max(-1) > 0.01)
    difference = (np.abs(a - b).max(-1) / b.max(-1))[flat]
    require(len(difference) > 50, f"{len(difference)} flat areas of 40x40 pixels")
    require(difference.max() < 0.005, f"flat areas differ by {100 * difference.max():.2f} %")
    return f"{len(difference)} flat areas, at most {100 * difference.max():.3f} %"


@check("raw: camera raw files, Bayer and X-Trans, as by LibRaw")
def camera_raw():
    neutral = np.array([0.52, 1, 0.61])
    generator = np.random.default_rng(2)
    light = generator.uniform(0.05, 0.9, (5, 6, 3))
    light[0, 0] = 0.4
    light = light.repeat(PATCH, 0).repeat(PATCH, 1)
    matrix = camera_to_bt2020(np.stack([D5300, D5300]), neutral)
    # X-Trans without Fujifilm's container: LibRaw 0.20 reads its pattern in DNG only.
    dng = [
        (50706, "B", 4, (1, 4, 0, 0)), (50708, "s", 0, "Test"), (50721, "2i", 9, fractions(D5300)), (50778, "H", 1, 21)]
    findings = []
    for name, pattern, tags in (("Bayer", np.array([[1, 0], [2, 1]]), []), ("X-Trans", X_TRANS, dng)):
        path = write_camera_raw(light, neutral, pattern, *tags)
        with rawpy.imread(str(path)) as raw:
            require(raw.camera_whitebalance[0] > 1.9, "LibRaw does not know the white")
        got, worst = patches_as_libraw(path, neutral, matrix, name)
        gray = got[54, 54]
        require(gray.max() / gray.min() < 1.0005, f"{name}: the neutral patch is {gray}")
        findings.append(f"{name} at most {100 * worst:.3f} %")
    return ", ".join(findings)


@check("raw: JPEG XL tiles by tifffile, as uncompressed")
def jpeg_xl_tiles():
    generator = np.random.default_rng(3)
    pixels = generator.integers(0, 65536, (96, 160, 3)).astype(np.uint16)
    tags = [
        (50706, "B", 4, (1, 7, 1, 0)), (50708, "s", 0, "Test"), (50721, "2i", 9, fractions(MATRICES[1])), (50778, "H", 1, 21),
        (50728, "2I", 3, fractions(np.array([0.5, 1, 0.6])))]
    plain, coded = fresh(".dng"), fresh(".dng")
    tifffile.imwrite(plain, pixels, photometric=34892, metadata=None, extratags=tags)
    tifffile.imwrite(
        coded, pixels, photometric=34892, metadata=None, extratags=tags, tile=(48, 64), compression=52546,
        compressionargs={"lossless": True})
    a, b = ours(plain, "--raw", "highlights=keep"), ours(coded, "--raw", "highlights=keep")
    require(np.array_equal(a, b), f"light differs by {np.abs(a - b).max()}")
    return f"{coded.stat().st_size} bytes"


@check("raw: lossless JPEG whose frames have more bits than samples, as by rawpy")
def frame_precision():
    pixels = np.random.default_rng(4).integers(0, 4096, (64, 96)).astype(np.uint16)
    tags = [
        (50706, "B", 4, (1, 4, 0, 0)), (50708, "s", 0, "Test"), (33421, "H", 2, (2, 2)), (33422, "B", 4, (0, 1, 1, 2)),
        (50717, "H", 1, 4095), (50721, "2i", 9, fractions(MATRICES[1])), (50778, "H", 1, 21),
        (50728, "2I", 3, fractions(np.array([0.5, 1, 0.6])))]
    plain = fresh(".dng")
    tifffile.imwrite(plain, pixels, photometric=32803, metadata=None, extratags=tags)
    expected = ours(plain, "--raw", "scene-linear", "--raw", "highlights=keep")
    for precision in (12, 13, 14, 16):
        coded = imagecodecs.ljpeg_encode(pixels, bitspersample=precision)
        path = fresh(".dng")
        tifffile.imwrite(
            path, iter([coded]), shape=pixels.shape, dtype=np.uint16, bitspersample=12, tile=pixels.shape, compression=7,
            photometric=32803, metadata=None, extratags=tags)
        with rawpy.imread(str(path)) as raw:
            require(np.array_equal(raw.raw_image, pixels), f"rawpy reads frames of {precision} bits otherwise")
        got = ours(path, "--raw", "scene-linear", "--raw", "highlights=keep")
        require(np.array_equal(got, expected), f"{precision} bits: light differs by {np.abs(got - expected).max()}")
    return "frames of 12, 13, 14 and 16 bits"


@check("raw: planes that begin with blue equal those of rawpy, with the same linear values")
def blue_first():
    neutral = np.array([0.5, 1, 0.6])
    light = np.random.default_rng(5).uniform(0.05, 0.9, (4, 6, 3)).repeat(16, 0).repeat(16, 1) * neutral
    mosaic = np.empty(light.shape[:2])
    for y, x, plane in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)):
        mosaic[y::2, x::2] = light[y::2, x::2, plane]
    found = []
    for order in ([0, 1, 2], [2, 1, 0]):
        path = fresh(".dng")
        tifffile.imwrite(path, np.round(mosaic * 65535).astype(np.uint16), photometric=32803, metadata=None, extratags=[
            (50706, "B", 4, (1, 4, 0, 0)), (50708, "s", 0, "Test"), (33421, "H", 2, (2, 2)), (33422, "B", 4, (0, 1, 1, 2)),
            (50710, "B", 3, tuple(order)), (50717, "H", 1, 65535), (50721, "2i", 9, fractions(MATRICES[1][order])),
            (50778, "H", 1, 21), (50728, "2I", 3, fractions(neutral[order]))])
        with rawpy.imread(str(path)) as raw:
            planes = raw.raw_colors[:2, :2]
            require((planes[0, 0], planes[1, 1]) == (order[0], order[2]), f"rawpy sees the planes {planes.tolist()}")
        found.append(ours(path, "--raw", "scene-linear", "--raw", "highlights=keep"))
    error = np.abs(found[0] - found[1]).max()
    # Matrices are inverted in double precision; linear values are in single precision.
    require(error < 2e-6, f"light differs by {error}")
    return f"at most {error:.1e}"


@check("raw: the preview equals the one extracted by exiftool")
def preview():
    path = corpus("dng-derived/bmpcc-bayer12-ljpeg.sdk.dng")
    target = fresh(".jpg")
    run(tools.binaries / "hdrconvert", "extract", path, "-o", target, "--preview")
    theirs = run("exiftool", "-b", "-PreviewImage", path, binary=True)
    require(target.read_bytes() == theirs, f"{target.stat().st_size} bytes, exiftool's {len(theirs)}")
    return f"{len(theirs)} bytes"


@check("raw: mattes are written to HEIF, AVIF and PNG")
def mattes():
    path = tools.ROOT / "Fuzz/Seeds/dng/attachments.dng"
    urn = "urn:com:apple:photo:2019:aux:semanticskinmatte"
    png = fresh(".png")
    run(tools.binaries / "hdrconvert", "extract", path, "-o", png, "--matte", "skin")
    stored = imagecodecs.png_decode(png.read_bytes())
    require(stored.shape == (6, 8) and stored.max() > 0, f"a matte of {stored.shape}")
    heic = convert(path, ".heic", "--lossless")
    image = pillow_heif.open_heif(heic)
    ids = image.info["aux"].get(urn, [])
    require(len(ids) == 1, f"pillow-heif sees {image.info['aux']}")
    got = np.asarray(image.get_aux_image(ids[0]))
    error = np.abs(got[..., 0].astype(int) - stored // 257).max() if got.ndim == 3 else np.abs(got.astype(int) - stored // 257).max()
    require(error == 0, f"the matte differs by {error}")
    avif = convert(path, ".avif", "--lossless")
    require(urn.encode() in avif.read_bytes(), "no auxiliary image in AVIF")
    require(run("avifdec", "--info", avif), "avifdec does not read the file")
    return f"{got.shape[1]}x{got.shape[0]}"


@check("raw: demosaic compared with LibRaw's AHD")
def quality():
    scene = oiio.ImageBuf(str(REFERENCE / "photo.exr")).get_pixels(oiio.FLOAT)[..., :3]
    pixels = np.clip(scene / np.percentile(scene, 99.5), 0, 1)
    pixels = pixels[: pixels.shape[0] // 2 * 2, : pixels.shape[1] // 2 * 2]
    neutral = np.array([1.0, 1, 1])
    path = write_bayer(pixels, neutral)
    matrix = camera_to_bt2020(MATRICES, neutral)
    got = ours(path, "--raw", "scene-linear", "--raw", "highlights=keep") @ np.linalg.inv(matrix).T

    def psnr(image):
        inner = np.s_[12:-12, 12:-12]
        return -10 * np.log10(np.mean((np.clip(image[inner], 0, 1) - pixels[inner]) ** 2))

    own, ahd = psnr(got), psnr(libraw(path, neutral))
    require(own > ahd - 0.5, f"{own:.2f} dB, AHD {ahd:.2f} dB")
    return f"{own:.2f} dB, AHD {ahd:.2f} dB"


@check("raw: orientation and Exif are written to every output")
def orientation():
    path = write_bayer(np.full((64, 96, 3), 0.3), np.array([0.5, 1, 0.6]), orientation=6)
    for suffix, options in ((".avif", []), (".heic", []), (".png", []), (".tif", [])):
        messages = run("exiftool", "-n", "-s3", "-Orientation", "-Rotation", convert(path, suffix, *options)).split()
        require(messages and messages[0] in ("6", "90", "270"), f"{suffix}: {messages}")
    return "avif, heic, png, tif"


def write_linear(pixels, neutral, *tags, masks=()):
    """A linear DNG of values 0...1, whose green saturates at 1, with 8-bit masks and their names."""
    path = fresh(".dng")
    file = tifffile.TiffWriter(path)
    file.write(np.round(pixels * neutral * 65535).astype(np.uint16), photometric=34892, metadata=None, subifds=len(masks), extratags=[
        (50706, "B", 4, (1, 7, 1, 0)), (50708, "s", 0, "Test"), (50721, "2i", 9, fractions(MATRICES[1])), (50778, "H", 1, 21),
        (50728, "2I", 3, fractions(neutral)), *tags])
    for name, mask in masks:
        file.write(mask, photometric=52527, subfiletype=1, metadata=None, extratags=[(52526, "s", 0, name)])
    file.close()
    with tifffile.TiffFile(path, mode="r+b") as written:
        for page in written.pages[0].pages if masks else ():
            # A subfile type that tifffile does not define and interprets as flags.
            page.tags[254].overwrite(65540)
    return path


def smooth(height, width, seed):
    """Colors without edges, at which filters would ring."""
    y, x = np.mgrid[:height, :width]
    generator = np.random.default_rng(seed)
    field = np.zeros((height, width, 3))
    for plane in range(3):
        for _ in range(6):
            fx, fy, phase = generator.uniform(-0.06, 0.06), generator.uniform(-0.06, 0.06), generator.uniform(0, 6.3)
            field[..., plane] += np.sin(2 * np.pi * (fx * x + fy * y) + phase)
    return 0.45 + 0.06 * field


@check("raw: a smaller image equals Pillow's reduction of linear values")
def scale_factor():
    neutral = np.array([0.5, 1, 0.6])
    # Monotonic colors: at local maxima, unlike Pillow, the filter limits results to the range of the samples.
    y, x = np.mgrid[:120, :180] / [[[120]], [[180]]]
    path = write_linear(np.dstack([0.05 + 0.4 * x ** power + 0.4 * y ** (3 - power) for power in (1.2, 1.6, 2)]), neutral)
    whole = ours(path, "--raw", "scene-linear")
    worst = 0
    for factor in ("0.5", "0.3"):
        small = ours(path, "--raw", "scene-linear", "--raw", f"scale={factor}")
        height, width = (round(side * float(factor)) for side in whole.shape[:2])
        require(small.shape[:2] == (height, width), f"{factor}: {small.shape}")
        theirs = np.dstack([
            np.asarray(Image.fromarray(whole[..., plane].astype(np.float32)).resize((width, height), Image.LANCZOS))
            for plane in range(3)])
        # Pillow does not repeat pixels at the edges either, but truncates its weights elsewhere.
        inner = np.s_[4:-4, 4:-4]
        worst = max(worst, np.abs(small - theirs)[inner].max() / theirs.max())
    require(worst < 1e-3, f"light differs by {worst:.1e} of the largest")
    same = ours(path, "--raw", "scene-linear", "--raw", "scale=1")
    require(np.array_equal(same, whole), "a factor of 1 changes something")
    return f"at most {worst:.1e} of the largest"


def extreme_white(kelvin, tint):
    """Linear camera colors to linear BT.2020 under a white from colour-science, with the limits of Adobe's SDK."""
    matrix = MATRICES[1]
    white = colour.models.UCS_uv_to_xy(
        colour.temperature.CCT_to_uv([kelvin, tint / 3000], method="Robertson 1968"))
    bradford = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])

    def adapted(source, target):
        ratio = np.clip(bradford @ xyz(target) / (bradford @ xyz(source)), 0.1, 10)
        return np.linalg.solve(bradford, np.diag(ratio) @ bradford)

    from_d50 = matrix @ adapted(D50, white)
    from_d50 = from_d50 / (from_d50 @ xyz(D50)).max()
    primaries = colour.RGB_COLOURSPACES["ITU-R BT.2020"]
    to_rgb = np.linalg.inv(colour.models.normalised_primary_matrix(primaries.primaries, primaries.whitepoint))
    return to_rgb @ adapted(D50, primaries.whitepoint) @ np.linalg.inv(from_d50)


@check("raw: white points outside real illuminants do not invert colors")
def extreme_whites():
    neutral = np.array([0.52, 1, 0.61])
    light = np.random.default_rng(5).uniform(0.02, 0.9, (16, 24, 3))
    path = write_linear(light, neutral)
    seen = np.round(light * neutral * 65535) / 65535
    worst = 0
    for kelvin, tint in [(2000, tint) for tint in range(-150, 151, 25)] + [(1667, 150), (3226, 100), (100_000, 150)]:
        got = ours(path, "--raw", "scene-linear", "--raw", "highlights=keep", "--raw", f"temperature={kelvin}", "--raw", f"tint={tint}")
        expected = seen @ extreme_white(kelvin, tint).T
        # Single-precision error, which a gain of a thousand in one channel may multiply by a thousand.
        error = np.abs(got - expected).max() / np.abs(expected).max()
        require(error < 1e-4, f"{kelvin} K, tint {tint}: {error:.1e} of the largest")
        worst = max(worst, error)
        require(got[..., 2].mean() > 0, f"{kelvin} K, tint {tint}: blue is {got[..., 2].mean():.3f}")
    return f"at most {worst:.1e} of the largest"


@check("raw: a color table is applied as by colour-science")
def color_table():
    neutral = np.array([0.5, 1, 0.6])
    pixels = smooth(60, 90, 5)
    size = 9
    grid = np.stack(np.meshgrid(*[np.linspace(0, 1, size)] * 3, indexing="ij"), -1)
    table = np.clip(grid[..., [1, 2, 0]] * [0.9, 0.8, 0.7] + 0.1 * np.sin(5 * grid), 0, 1)
    coded = np.round(table * 65535).astype(np.uint16)
    # One table for the whole image: 16 bits, sRGB transfer function and primaries, clipped.
    value = np.array([1, 0], "<u4").tobytes() + bytes([0, 0, size, 1, 1, 0, 0]) + coded.astype("<u2").tobytes()
    options = "--raw", "extended-dynamic-range=0", "--raw", "gamut-mapping=off"
    plain = ours(write_linear(pixels, neutral), *options)
    got = ours(write_linear(pixels, neutral, (52543, "B", len(value), value)), *options)
    to_xyz = [
        colour.models.normalised_primary_matrix(space.primaries, space.whitepoint)
        for space in (colour.RGB_COLOURSPACES[name] for name in ("ITU-R BT.2020", "sRGB"))]
    to_srgb = np.linalg.inv(to_xyz[1]) @ to_xyz[0]
    encoded = colour.models.eotf_inverse_sRGB(np.clip(plain @ to_srgb.T, 0, 1))
    found = colour.algebra.table_interpolation_tetrahedral(encoded.reshape(-1, 3), coded / 65535).reshape(encoded.shape)
    expected = colour.models.eotf_sRGB(found) @ np.linalg.inv(to_srgb).T
    require(np.abs(expected - plain).max() > 0.1, "the table changes hardly anything")
    # A step of a 16-bit table is 1.5e-5; its slopes and those of the curve amplify single-precision errors.
    worst = np.abs(got - expected).max()
    require(worst < 1e-3, f"light differs by {worst:.1e}")
    return f"at most {worst:.1e}"


@check("raw: looks of profiles as rendered by Adobe's SDK")
def looks():
    path = corpus("dng/adobe-14-hdr-sdr-profiles.dng")
    worst = 0
    for profile, name in (("HDR Linear", "hdr-linear"), ("HDR Tone Map", "hdr-tone-map")):
        reference = tifffile.imread(corpus(f"dng-reference/adobe-14.profile-{name}.render2020-f32.tif"))
        got = ours(path, "--raw", f"profile={profile}")
        require(got.shape == reference.shape, f"{got.shape}")
        worst = max(worst, np.abs(got - reference).max())
    require(worst < 2e-4, f"renders differ by {worst:.1e}")
    return f"at most {worst:.1e}"


@check("raw: SDR images keep the color of highlights, and those with Adobe's curve are another look")
def standard_looks():
    path, binary = corpus("dng/bmpcc-bayer12-ljpeg.dng"), tools.binaries / "hdrconvert"
    images = []
    for arguments in ((), ("--raw", "profile=adobe"), ("--raw", "extended-dynamic-range=0")):
        made = fresh(".tif")
        run(binary, "convert", path, "-o", made, "--sdr", "--exposure", "4", "--quiet", *arguments)
        images.append(tifffile.imread(made).astype(np.float64))
    mapped, adobe, plain = images
    require(np.array_equal(adobe, plain), "--profile adobe is not the look without headroom")
    bright = adobe.max(-1) > 0.98 * adobe.max()
    require(bright.any(), "highlights are missing in the image")
    spread = [np.mean(image.max(-1) - image.min(-1), where=bright) / image.max() for image in (mapped, adobe)]
    require(spread[0] > spread[1], f"highlights have {spread[0]:.3f} of color, Adobe's {spread[1]:.3f}")
    return f"highlights have {spread[0]:.3f} of color, Adobe's {spread[1]:.3f}"


@check("raw: a gain map of both looks is applied alike by libultrahdr")
def gain_map():
    path = corpus("dng/adobe-lossy-linear-eos6d.dng")
    made = fresh(".jpg")
    run(tools.binaries / "hdrconvert", "gainmap", "create", path, "-o", made, "--quality", "98", "--exposure", "1.5",
        "--quiet")
    decoded = np.asarray(imagecodecs.ultrahdr_decode(made.read_bytes()), np.float64)[..., :3]
    wanted = ours(path, "--exposure", "1.5")
    require(decoded.shape == wanted.shape, f"{decoded.shape}, not {wanted.shape}")
    require(wanted.max() > 1.3, f"light ends at {wanted.max():.2f}")
    # The photo is dark and noisy, and its purples are outside P3: means of 8x8 pixels.
    a, b = (image.reshape(102, 8, 153, 8, 3).mean((1, 3)) @ weights
            for image, weights in ((decoded, P3_LUMINANCE), (wanted, BT2020_LUMINANCE)))
    difference = np.abs(a / np.clip(b, 1e-3, None) - 1)[b > 0.05]
    median, tail = np.median(difference), np.percentile(difference, 99)
    require(median < 0.005 and tail < 0.1, f"luminance differs by {median:.3f} (median), {tail:.3f} (99 %)")
    return f"luminance {100 * median:.2f} % (median), {100 * tail:.1f} % (99 %), up to {wanted.max():.2f}"


# Peak memory in MiB per megapixel (Decision 36). Encoders of HEVC and AV1 hold several frames.
MEMORY = {".jpg": 14, ".heic": None, ".avif": None}


@check("raw: gain maps of 12 megapixels take at most a fifth of the file")
def gain_map_shares():
    # The photosites of a photo, with their detail and noise, repeated.
    with rawpy.imread(str(corpus("dng/bmpcc-bayer12-ljpeg.dng"))) as raw:
        samples, black = raw.raw_image[16:1096, 16:1936].astype(np.float64), raw.black_level_per_channel[0]
        white = raw.white_level
    linear = np.clip((samples - black) / (white - black), 0, 1)
    path, found = bayer_file(np.tile(linear, (2, 3)), POCKET_NEUTRAL, (1, 2, 0, 1), POCKET_MATRICES), []
    for suffix, most in MEMORY.items():
        command = (tools.binaries / "hdrconvert", "gainmap", "create", path, "-o", fresh(suffix), "--exposure", "4",
                   "--force", "--speed", "10")
        _, memory = tools.cost(*command)
        report = json.loads(run(*command, "--json"))["results"][0]
        size = report["baselineImage"]["layout"]
        require((size["width"], size["height"]) == (5760, 2160), f"{suffix[1:]}: {size}")
        share = report["gainMapImage"]["bytes"] / report["bytes"]
        each = memory / 2 ** 20 / (5760 * 2160 / 1e6)
        text = (f"{suffix[1:]} {100 * share:.0f} %, 99 % of pixels within {report['deltaEITP']['percentile99']:.1f},"
                f" {each:.1f} MiB per megapixel")
        require(share <= 0.2 and (most is None or each <= most), text)
        found.append(text)
    return "; ".join(found)


def linear_values(path, *options):
    """Linear values of the SDR image."""
    target = fresh(".tif")
    run(tools.binaries / "hdrconvert", "convert", path, "-o", target, "--sdr", "--depth", "16", "--quiet", *options)
    return color.srgb_light(tifffile.imread(target) / 65535)


# Color noise reduction of a simulated sensor of 7000 electrons at ISO 800.
QUIET = ("--raw", "luminance-noise=0", "--raw", "color-noise=0")
REDUCED = ("--raw", "luminance-noise=0.7", "--raw", "color-noise=1")
SIDES = 8, 16, 32


def blotch_shares(scene, iso, generator):
    """Errors of the color of means of 8, 16 and 32 pixels, as shares of those without noise reduction."""
    neutral = np.array([0.5, 1, 0.625])
    sites = bayer(scene * neutral)
    slope = iso / 800 / 7000
    offset = (2 * slope) ** 2
    noisy = sites + generator.standard_normal(sites.shape) * np.sqrt(slope * sites + offset)
    tags = ((51041, "d", 2, (slope, offset)), (50714, "I", 1, 4096))

    def developed(values, options):
        mosaic = ((4096 + values * 61439) / 65535).clip(0, 1)
        return linear_values(bayer_file(mosaic, neutral, matrices=POCKET_MATRICES, tags=tags), *options)

    clean, plain, reduced = developed(sites, QUIET), developed(noisy, QUIET), developed(noisy, REDUCED)

    def error(image, side):
        difference = (image - clean) @ np.array([[0.5, -0.1687], [-0.4187, -0.3313], [-0.0813, 0.5]])
        rows, columns = (size // side for size in difference.shape[:2])
        means = difference[: side * rows, : side * columns].reshape(rows, side, columns, side, 2).mean((1, 3))
        return np.abs(means).mean()

    return [error(reduced, side) / error(plain, side) for side in SIDES]


# For the reference photo, whose color changes everywhere, with 0.3 of its saturation: the mapping of colors out of gamut changes
# the errors with and without noise reduction alike. The numbers are those that were measured before it kept the largest component.
BLOTCHES = {800: (0.85, 0.89, 0.94), 6400: (0.74, 0.82, 0.9), 25600: (0.63, 0.75, 0.86)}


@check("raw: noise reduction keeps means of colors near the scene")
def blotches():
    scene = oiio.ImageBuf(str(REFERENCE / "photo.exr")).get_pixels(oiio.FLOAT)[..., :3]
    scene = np.clip(scene / np.percentile(scene, 99.5), 0, 1)
    muted = 0.3 * scene + 0.7 * scene.mean(-1, keepdims=True)
    found, generator = [], np.random.default_rng(7)
    for iso, most in BLOTCHES.items():
        shares = blotch_shares(muted, iso, generator)
        text = f"ISO {iso}: " + ", ".join(f"{share:.2f}" for share in shares)
        require(all(share <= limit for share, limit in zip(shares, most)), text + " of the errors are left")
        found.append(text)
    return "; ".join(found)


@check("raw: noise reduction leaves less than a third of the color blotches of a uniform area")
def uniform_areas():
    found, generator = [], np.random.default_rng(8)
    for iso in (6400, 25600):
        shares = blotch_shares(np.full((768, 768, 3), 0.25) * [1, 0.9, 0.75], iso, generator)
        text = f"ISO {iso}: " + ", ".join(f"{share:.2f}" for share in shares)
        require(all(share < 1 / 3 for share in shares), text + " of the errors are left")
        found.append(text)
    return "; ".join(found)


@check("raw: an image for a display without headroom is the SDR image")
def standard_displays():
    worst = 0
    for name in ("adobe-lossy-linear-eos6d", "bmpcc-bayer12-ljpeg"):
        images = []
        for verb, *options in (("render", "--headroom", "1x"), ("convert", "--sdr")):
            target = fresh(".png")
            run(tools.binaries / "hdrconvert", verb, corpus(f"dng/{name}.dng"), "-o", target, *options, "--quiet")
            images.append(imagecodecs.png_decode(target.read_bytes()))
        worst = max(worst, peak_error(*images))
    require(worst <= 1, f"8-bit codes differ by up to {worst}")
    return f"at most {worst} of 255"


def saturation_and_hue(image):
    """Saturation, and hue in degrees, of linear colors."""
    hsv = colour.RGB_to_HSV(np.clip(image, 1e-9, None) / np.clip(image, 1e-9, None).max(-1, keepdims=True))
    return hsv[..., 1], hsv[..., 0] * 360


@check("raw: highlights two stops above white have hue and saturation of the scene")
def highlight_colors():
    neutral = np.array([0.5, 1, 0.6])
    levels = np.linspace(0.05, 1, 60)[None, :, None]
    colors = np.array([[1, 0.45, 0.12], [0.5, 0.7, 1], [1, 0.9, 0.7], [0.6, 1, 0.55], [0.97, 0.98, 1]])[:, None]
    pixels = (levels * colors).repeat(6, 0)
    path = write_linear(pixels, neutral, (50730, "2i", 1, fractions([2])))
    scene = pixels @ camera_to_bt2020(np.stack([MATRICES[1]] * 2), neutral).T
    got = ours(path)
    above = got.max(-1) > 1.2
    require(above.sum() > 300 and got.max() > 3, f"{above.sum()} pixels above 1.2, up to {got.max():.2f}")
    (found, hue), (expected, true) = saturation_and_hue(got[above]), saturation_and_hue(scene[above])
    vivid = expected > 0.05
    error = np.abs(found / expected - 1)[vivid].max()
    shift = np.abs((hue - true + 180) % 360 - 180)[vivid].max()
    require(error < 0.1 and shift < 5, f"saturation differs by {100 * error:.1f} %, hue by {shift:.1f} degrees")
    require((found[~vivid] < 0.08).all(), f"grays have saturations up to {found[~vivid].max():.3f}")
    sdr = ours(path, "--raw", "extended-dynamic-range=0")
    require(sdr.max() < 1.001, f"the SDR look ends at {sdr.max():.3f}")
    return f"saturation within {100 * error:.1f} %, hue within {shift:.1f} degrees, up to {got.max():.2f}"


@check("raw: reconstructed highlights of a photo are nearer to the scene than clipped or kept ones")
def reconstruction():
    neutral = np.array([0.5, 1, 0.625])
    scene = oiio.ImageBuf(str(REFERENCE / "photo.exr")).get_pixels(oiio.FLOAT)[..., :3]
    scene = np.clip(scene / np.percentile(scene.max(-1), 97), 0, None)
    path = write_linear(np.minimum(scene, 1 / neutral), neutral)
    matrix = np.linalg.inv(camera_to_bt2020(np.stack([MATRICES[1]] * 2), neutral)).T
    saturated = scene > 1 / neutral
    some = saturated.any(-1) & ~saturated.all(-1)
    errors = {}
    for mode in ("clip", "keep", "reconstruct"):
        got = ours(path, "--raw", "scene-linear", "--raw", f"highlights={mode}") @ matrix
        errors[mode] = np.sqrt(np.mean(np.log2(np.clip(got, 1e-3, None) / np.clip(scene, 1e-3, None))[some] ** 2))
    text = ", ".join(f"{mode} {error:.3f}" for mode, error in errors.items())
    require(errors["reconstruct"] < 0.5 * min(errors["clip"], errors["keep"]), f"errors in stops: {text}")
    return f"errors in stops: {text}"
