# SPDX-License-Identifier: Apache-2.0
"""JPEG XL files of this program in libjxl's own tools and others, and files of those in this program."""

import json
import shutil
import struct

import imagecodecs
import numpy as np
import OpenImageIO as oiio
from PIL import Image

import boxes
import color
import tools
from runner import Skip, check, require
from tools import REFERENCE, ROOT, convert, corpus, png_codes, run
from workspace import fresh

WIDTH, HEIGHT = 67, 41
VECTORS = ROOT / "Tests/ImageCodecsTests/Vectors/JPEGXL"


def tool(name):
    """A program of libjxl; the check is skipped if it is missing."""
    path = shutil.which(name)
    if path is None:
        raise Skip(f"{name} is not installed")
    return path


def scene(bits, channels=3):
    """A gradient with noise, of integers."""
    noise = np.random.default_rng(7).integers(0, 1 << bits - 4, (HEIGHT, WIDTH, channels))
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    ramp = ((x + 2 * y)[..., None] + np.arange(channels) * 11) % 140 / 150 * (1 << bits)
    return np.clip(ramp + noise, 0, (1 << bits) - 1).astype(np.uint16 if bits > 8 else np.uint8)


def decoded(path):
    return imagecodecs.jpegxl_decode(path.read_bytes())


def largest(got, expected, what):
    require(got.shape == expected.shape, f"{what}: shape {got.shape}, not {expected.shape}")
    return int(np.abs(got.astype(np.int64) - expected.astype(np.int64)).max())


def cjxl(samples, *options):
    """A file of cjxl."""
    source, path = fresh(".png"), fresh(".jxl")
    source.write_bytes(imagecodecs.png_encode(samples))
    run(tool("cjxl"), source, path, *options)
    return path


@check("JPEG XL: lossless files of cjxl, every sample")
def lossless_input():
    for channels in (3, 4):
        path = cjxl(scene(16, channels), "-d", "0")
        got = png_codes(convert(path, ".png", "--sdr", "-d", "16"))
        expected = decoded(path).astype(np.uint16)
        require(largest(got[..., :3], expected[..., :3], "samples") == 0, "samples differ")
    path = cjxl(scene(16), "-d", "0", "-x", "color_space=RGB_D65_202_Rel_PeQ")
    got = png_codes(convert(path, ".png"))
    require(largest(got, decoded(path), "PQ") == 0, "PQ samples differ")


@check("JPEG XL: lossy files as djxl decodes them")
def lossy_input():
    path, out = cjxl(scene(16), "-d", "1", "-x", "color_space=RGB_D65_202_Rel_PeQ"), fresh(".png")
    run(tool("djxl"), path, out)
    error = largest(png_codes(convert(path, ".png")), png_codes(out), "PQ")
    require(error <= 1, f"{error} of 65535 off")
    return f"at most {error} of 65535 off"


@check("JPEG XL: lossless output, every sample, in imagecodecs and OpenImageIO")
def lossless_output():
    source = fresh(".png")
    source.write_bytes(imagecodecs.png_encode(scene(16)))
    worst = 0
    for bits in (10, 12, 16):
        # Samples of 16 bits that are rounded are not coded without loss.
        exact = source if bits == 16 else convert(
            source, ".avif", "--assume", "pq,bt2020", "--set", "cicp=9/16/0/full", "-q", "100", "-d", bits)
        assumed = ("--assume", "pq,bt2020") if bits == 16 else ()
        wanted = png_codes(convert(exact, ".png", *assumed, "-d", bits)) >> 16 - bits
        path = convert(exact, ".jxl", *assumed, "--lossless", "-d", bits)
        worst = max(worst, largest(decoded(path), wanted, f"{bits} bit"))
        pixels = oiio.ImageBuf(str(path)).get_pixels(oiio.FLOAT)
        levels = np.round(pixels * ((1 << bits) - 1)).astype(np.int64)
        require(largest(levels, wanted, "OpenImageIO") <= 1, "OpenImageIO reads other samples")
    require(worst <= 1, f"{worst} codes off")
    return f"at most {worst} codes off"


@check("JPEG XL: enumerated color and metadata in jxlinfo and exiftool")
def description():
    information = tool("jxlinfo")
    for transfer, name in (("pq", "PQ transfer"), ("hlg", "HLG transfer")):
        path = convert(REFERENCE / "photo.exr", ".jxl", "--transfer", transfer)
        text = run(information, path)
        require("Rec.2100 primaries" in text and name in text, text)
        require("DiffuseWhite" in run("exiftool", "-a", "-G1", path).replace(" ", ""), "no diffuse white")


@check("JPEG XL: size at equal distance within 2 % of cjxl")
def size():
    source = convert(REFERENCE / "photo.exr", ".png")
    ours = convert(source, ".jxl", "-d", "16", "--quality", "90", "--speed", "5")
    theirs = fresh(".jxl")
    # cjxl 0.7 does not read cICP.
    run(tool("cjxl"), source, theirs, "-d", "1", "-e", "7", "-x", "color_space=RGB_D65_202_Rel_PeQ")
    ratio = ours.stat().st_size / theirs.stat().st_size
    require(ratio <= 1.02, f"{100 * ratio:.1f} % of cjxl")
    return f"{100 * ratio:.1f} % of cjxl"


@check("JPEG XL: JPEG is transcoded without loss, and reconstructed by djxl and by this program")
def transcoding():
    source, back, theirs = corpus("jpeg-uhdr/lrc14-1-xmp-iso.jpg"), fresh(".jpg"), fresh(".jpg")
    path = fresh(".jxl")
    run(tools.binaries / "hdrconvert", "remux", source, "-o", path, "--exact")
    run(tools.binaries / "hdrconvert", "remux", path, "-o", back)
    require(back.read_bytes() == source.read_bytes(), "another file")
    run(tool("djxl"), path, theirs)
    require(theirs.read_bytes() == source.read_bytes(), "djxl reconstructs another file")
    report = json.loads(run(tools.binaries / "hdrconvert", "inspect", "--json", path))
    require("jhgm" in json.dumps(report), "no gain map")
    return f"{100 * path.stat().st_size / source.stat().st_size:.0f} % of the JPEG file"


@check("JPEG XL: the gain map of a JPEG file is stored once, and both images are restored")
def once():
    source, back = corpus("jpeg-uhdr/lrc14-1-xmp-iso.jpg"), fresh(".jpg")
    path = fresh(".jxl")
    run(tools.binaries / "hdrconvert", "remux", source, "-o", path)
    run(tools.binaries / "hdrconvert", "remux", path, "-o", back)
    require(back.read_bytes() == source.read_bytes(), "another file")
    run(tool("djxl"), path, fresh(".png"))
    share = path.stat().st_size / source.stat().st_size
    require(share < 1, f"{100 * share:.0f} % of the JPEG file")
    return f"{100 * share:.0f} % of the JPEG file"


@check("JPEG XL: convert to JPEG starts from the file that was transcoded")
def original():
    source, transcoded, target = corpus("jpeg-uhdr/pixel6pro-xmp-sky.jpg"), fresh(".jxl"), fresh(".jpg")
    run(tools.binaries / "hdrconvert", "remux", source, "-o", transcoded)
    run(tools.binaries / "hdrconvert", "convert", transcoded, "-o", target)
    direct = convert(source, ".jpg")
    require(target.read_bytes() == direct.read_bytes(), "another file than from the JPEG file")
    resized = fresh(".jpg")
    messages = run(tools.binaries / "hdrconvert", "convert", transcoded, "-o", resized, "--resize", "600", "--json")
    require("xmp/extended" not in messages, messages)
    require(run("exiftool", "-s3", "-XMP-hdrgm:Version", resized).strip() == "1.0", "no gain map")
    return "same bytes as from the JPEG file"


@check("JPEG XL: PQ and HLG of the corpus, every sample as libjxl decodes it")
def corpus_samples():
    worst = 0
    for name in ("sdwebimage-pq2100", "jxlrs-hlg10"):
        path = corpus(f"jxl-hdr/{name}.jxl")
        got = png_codes(convert(path, ".png", "--transfer", "hlg" if "hlg" in name else "pq", "-d", "16"))
        expected = decoded(path).astype(np.int64)
        if expected.max() < 1024:
            expected = (expected * 65535 + 511) // 1023
        worst = max(worst, largest(got[..., :3], expected[..., :3], name))
    # libjxl 0.7 and that of imagecodecs round differently.
    require(worst <= 16, f"{worst} of 65535 off")
    return f"at most {worst} of 65535 off"


def srgb(samples):
    """Linear values of sRGB, extended to negative values."""
    return np.sign(samples) * color.srgb_light(np.abs(samples))


# Files of the corpus that are neither PQ nor HLG: primaries, transfer function, luminance of 1.0, and whether the
# samples are coded with loss. The ICC profile of the test card is that of sRGB.
OTHERS = (("codeccorpus-it1000", "bt709", srgb, 1000, True),
          ("conformance-lossless-pfm-fp32", "bt709", srgb, color.WHITE, False),
          ("immich-p3-16b", "p3", srgb, color.WHITE, True),
          ("jxlrs-candle-fp16-linear", "bt709", np.asarray, color.WHITE, True),
          ("kde-testcard-fp16", "bt709", srgb, color.WHITE, False),
          ("oiio-fp32-linear-seed", "bt709", np.asarray, color.WHITE, False))


def corpus_light(name, primaries, transfer, white, is_lossy):
    """Linear values of the middle of the image, as 12-bit PQ."""
    path = corpus(f"jxl-hdr/{name}.jxl")
    samples = decoded(path)
    height, width = samples.shape[:2]
    size = min(width, height, 500)
    left, top = (width - size) // 2, (height - size) // 2
    # The candle is premultiplied, as OpenEXR is.
    got, _ = tools.read_light(convert(
        path, ".exr", "-d", "32", "--primaries", "bt2020", "--crop", f"{left},{top},{size},{size}"))
    samples = samples[top:top + size, left:left + size]
    scale = np.iinfo(samples.dtype).max if samples.dtype.kind == "u" else 1
    samples = samples.astype(np.float64) / scale
    expected = color.convert(transfer(samples[..., :3]), color.CHROMATICITIES[primaries],
                             color.CHROMATICITIES["bt2020"]) * white
    # Below, codes are closer than the rounding of components that cancel each other.
    floor = np.maximum(1e-4 * expected.max(axis=2, keepdims=True), 1e-3)
    codes = [color.pq_signal(np.clip(light, floor, 10_000)) * 4095 for light in (got, expected)]
    difference = np.abs(codes[0] - codes[1])
    noise = 20 * np.log10(4095 / max(np.sqrt((difference ** 2).mean()), 1e-6))
    found = f"at most {difference.max():.3f} codes of 12 bits off, PSNR {noise:.0f} dB"
    # Lossy files are decoded by another version of libjxl, whose samples are rounded.
    require(difference.max() < 1 or is_lossy and noise > 60, found)
    return found


for entry in OTHERS:
    check(f"JPEG XL: {entry[0]} of the corpus, as libjxl decodes it", *entry)(corpus_light)


@check("JPEG XL: a rendition of XYB is that of the image which djxl decodes")
def rendition():
    path, png = cjxl(scene(16), "-d", "1", "-x", "color_space=RGB_D65_202_Rel_PeQ"), fresh(".png")
    run(tool("djxl"), path, png)
    for headroom in ("1x", "2.5x"):
        ours, theirs = fresh(".png"), fresh(".png")
        for source, rendered, options in ((path, ours, []), (png, theirs, ["--assume", "pq,bt2020"])):
            run(tools.binaries / "hdrconvert", "render", source, "-o", rendered, "--headroom", headroom, *options)
        error = largest(png_codes(ours), png_codes(theirs), headroom)
        require(error <= 1, f"{error} codes off at {headroom}")


@check("JPEG XL: mattes and depth of HEIF become extra channels, and images again")
def extra_channels():
    source = corpus("heic-apple/iphone13pro-16-2-landscape.heic")
    path = convert(source, ".jxl", "--sdr", "--speed", "9")
    text = run(tool("jxlinfo"), "-v", path)
    back = convert(path, ".heic", "--sdr", "--speed", "9")

    def roles(file):
        report = json.loads(run(tools.binaries / "hdrconvert", "inspect", "--json", file))
        return sorted(image["role"] for image in report["results"][0]["images"] if image["role"] in ("depth", "matte"))

    wanted = roles(source)
    require(wanted, "the source does not have auxiliary images")
    require(roles(path) == wanted and roles(back) == wanted, f"{roles(path)} and {roles(back)}, not {wanted}")
    require("depth" in text.lower() or "depth" not in wanted, text)
    channel = fresh(".jxl")
    run(tools.binaries / "hdrconvert", "extract", path, "-o", channel, "--depth-map")
    require(decoded(channel).shape[:2] == decoded(path).shape[:2], "the channel has another size")
    return f"{len(wanted)} auxiliary images"


@check("JPEG XL: a truncated file is shown as far as it arrived, with a notice, and not edited")
def truncated():
    whole = cjxl(np.kron(scene(16), np.ones((16, 16, 1), np.uint16)), "-d", "1", "--container=1",
                 "-x", "color_space=RGB_D65_202_Rel_PeQ")
    data = whole.read_bytes()
    path, ours = fresh(".jxl"), fresh(".png")
    path.write_bytes(data[:len(data) * 9 // 10])
    status, errors = tools.command("convert", path, "-o", ours, "-d", "16", "--verbose")
    require(status == 0 and "(jpegxl/truncated)" in errors, f"exit {status}: {errors}")
    difference = np.abs(png_codes(ours).astype(np.int64) - decoded(whole).astype(np.int64)).mean(-1)
    share = float((difference <= 1).mean())
    require(share >= 0.3, f"{100 * share:.0f} % of the pixels are complete")
    status, errors = tools.command("tag", path, "-o", fresh(".jxl"), "--set", "ndwt=203")
    require(status == tools.DATA_ERROR, f"exit {status}: {errors}")
    return f"{100 * share:.0f} % of the pixels are complete"


@check("JPEG XL: a progressive file of which 60 % arrived is shown in full with lower resolution")
def progressive():
    whole = cjxl(np.kron(scene(16), np.ones((16, 16, 1), np.uint16)), "-d", "1", "--progressive_dc=1",
                 "--container=1", "-x", "color_space=RGB_D65_202_Rel_PeQ")
    data = whole.read_bytes()
    path, png = fresh(".jxl"), fresh(".png")
    path.write_bytes(data[:len(data) * 6 // 10])
    run(tool("djxl"), "--allow_partial_files", path, png)
    shown, full = png_codes(convert(path, ".png", "-d", "16")), decoded(whole).astype(np.int64)
    error = largest(shown, png_codes(png), "samples")
    require(error <= 1, f"{error} of 65535 off from djxl")
    black = float(((shown.max(-1) == 0) & (full.max(-1) > 0)).mean())
    require(black < 0.01, f"{100 * black:.0f} % of the pixels are missing")
    return f"{100 * float((np.abs(shown - full).max(-1) <= 1).mean()):.0f} % of the pixels are complete"


def bare(data):
    """The codestream, without a container."""
    if data[:2] == b"\xff\x0a":
        return data
    parts = [box.payload[4 * (box.kind == "jxlp"):] for box in boxes.walk(data) if box.kind in ("jxlc", "jxlp")]
    return b"".join(parts)


@check("JPEG XL: a bare codestream that ends early is shown as djxl shows it, with a notice, or refused as there")
def truncated_codestream():
    color_space = ("-x", "color_space=RGB_D65_202_Rel_PeQ")
    shown = []
    for name, options in (("progressive", ("-d", "1", "--progressive_dc=1", "--qprogressive_ac")),
                          ("lossy", ("-d", "1")), ("lossless", ("-d", "0", "-e", "3"))):
        whole = cjxl(np.kron(scene(16), np.ones((16, 16, 1), np.uint16)), *options, *color_space)
        data = bare(whole.read_bytes())
        for percent in (25, 50, 75, 95):
            path, ours, theirs = fresh(".jxl"), fresh(".png"), fresh(".png")
            path.write_bytes(data[:len(data) * percent // 100])
            run(tool("djxl"), "--allow_partial_files", path, theirs, accept=(0, 1))
            status, errors = tools.command("convert", path, "-o", ours, "-d", "16", "--verbose")
            case = f"{name}, {percent} %"
            require(status == (0 if theirs.exists() else tools.DATA_ERROR), f"{case}: exit {status}: {errors}")
            if status == 0:
                require("(jpegxl/frame-truncated)" in errors, f"{case}: {errors}")
                error = largest(png_codes(ours), png_codes(theirs), case)
                require(error <= 1, f"{case}: {error} of 65535 off from djxl")
                shown.append(case)
            status, errors = tools.command("tag", path, "-o", fresh(".jxl"), "--set", "ndwt=203")
            require(status == tools.DATA_ERROR, f"{case}: tag exits {status}: {errors}")
            status, _ = tools.command("validate", path)
            require(status == 1, f"{case}: validate exits {status}")
        status, errors = tools.command("convert", whole, "-o", fresh(".png"), "-d", "16", "--verbose")
        require("truncated" not in errors, errors)
    return f"shown: {'; '.join(shown)}"


@check("JPEG XL: ICC profiles that cjxl coded are decoded to the same bytes")
def coded_profiles():
    sizes = []
    for name in ("png-hdr/ktx-icc-2100pq-full.png", "jpeg-uhdr/google-galleria-rgbmap.jpg", "jpeg-uhdr/adobe-p3-08.jpg",
                 "jpeg-uhdr/pixel6pro-xmp-sky.jpg"):
        profile = Image.open(corpus(name)).info["icc_profile"]
        source, coded, target = fresh(".png"), fresh(".jxl"), fresh(".icc")
        Image.new("RGB", (64, 48), (90, 120, 40)).save(source, icc_profile=profile)
        run(tool("cjxl"), source, coded, "-d", "0")
        run(tools.binaries / "hdrconvert", "extract", coded, "--icc", "-o", target)
        require(target.read_bytes() == profile, f"{name}: another profile")
        sizes.append(str(len(profile)))
    return f"{', '.join(sizes)} bytes"


@check("JPEG XL: MaxCLL and MaxFALL are in XMP, for exiftool, and in cLLI of PNG again")
def light_levels():
    def levels(file):
        return [float(run("exiftool", "-s3", f"-XMP:{name}", file)) for name in ("MaxCLL", "MaxFALL")]

    path, edited = convert(REFERENCE / "photo.exr", ".jxl"), fresh(".jxl")
    measured = levels(path)
    require(0 < measured[1] < measured[0] <= 10_000, f"measured {measured}")
    run(tools.binaries / "hdrconvert", "tag", path, "-o", edited, "--set", "clli=1234.5:67")
    require(levels(edited) == [1234.5, 67], f"exiftool finds {levels(edited)}")
    kept = convert(edited, ".jxl", "--set", "clli=keep")
    require(levels(kept) == [1234.5, 67], f"exiftool finds {levels(kept)} in a copy")
    png = convert(edited, ".png", "--set", "clli=keep").read_bytes()
    require(b"cLLI" + struct.pack(">II", 12_345_000, 670_000) in png, "another cLLI")
    require(b"MaxCLL" not in png, "XMP of the PNG contains light levels")


@check("JPEG XL: a transcoded Ultra HDR JPEG with its gain map applied is the same image")
def transcoded_gain_map():
    for name in ("lrc14-1-xmp-iso", "pixel8pro-srgb-crop"):
        source, path = corpus(f"jpeg-uhdr/{name}.jpg"), fresh(".jxl")
        run(tools.binaries / "hdrconvert", "remux", source, "-o", path)
        run(tools.binaries / "hdrconvert", "compare", source, path, "--fail-above", "0.5")


@check("JPEG XL: lossless files in pyvips, every sample")
def vips():
    import pyvips  # Its loaders depend on the build.
    if not pyvips.type_find("VipsForeignLoad", "jxlload"):
        raise Skip("this libvips does not read JPEG XL")
    source = fresh(".png")
    source.write_bytes(imagecodecs.png_encode(scene(16)))
    path = convert(source, ".jxl", "--assume", "pq,bt2020", "--lossless", "-d", "16")
    got = pyvips.Image.new_from_file(str(path)).numpy()
    wanted = png_codes(convert(source, ".png", "--assume", "pq,bt2020", "-d", "16"))
    require(largest(got, wanted, "pyvips") == 0, "samples differ")


def oriented(samples, orientation):
    """The upright image of one that is stored with an Exif orientation."""
    if orientation in (5, 6, 7, 8):
        samples = samples.swapaxes(0, 1)
    rows, columns = orientation in (3, 4, 7, 8), orientation in (2, 3, 6, 7)
    return samples[::-1 if rows else 1, ::-1 if columns else 1]


@check("JPEG XL: a new orientation rotates the image in djxl, and its frames are the same bytes")
def orientation():
    boxed = cjxl(scene(16), "-d", "1", "--container=1", "-x", "color_space=RGB_D65_202_Rel_PeQ")
    sources = [cjxl(scene(16), "-d", "0"), cjxl(scene(8), "-d", "1"), boxed, VECTORS / "adobergb-lossy.jxl"]
    for source in sources:
        upright, path, png = fresh(".png"), fresh(".jxl"), fresh(".png")
        # djxl 0.11 dithers samples of 8 bits, by their position in the output; 0.7 does not, nor does it widen them.
        widened = [] if "v0.7" in run(tool("djxl"), "--version") else ["--bits_per_sample=16"]
        djxl = (tool("djxl"), *widened)
        run(*djxl, source, upright)
        for number in range(1, 9):
            run(tools.binaries / "hdrconvert", "tag", source, "-o", path, "--set", f"orientation={number}", "-f")
            run(*djxl, path, png)
            expected = oriented(png_codes(upright), number)
            require(largest(png_codes(png), expected, f"{source.name}, {number}") == 0, "samples differ")
            # Headers and boxes are shorter.
            require(path.read_bytes().endswith(source.read_bytes()[128:]), "the frames differ")


@check("JPEG XL: new code points in jxlinfo, of the same samples; refused for XYB and ICC profiles")
def code_points():
    source, path = cjxl(scene(16), "-d", "0"), fresh(".jxl")
    run(tools.binaries / "hdrconvert", "tag", source, "-o", path, "--set", "cicp=9/16/0")
    text = run(tool("jxlinfo"), path)
    require("Rec.2100 primaries" in text and "PQ transfer" in text, text)
    require(largest(decoded(path), decoded(source), "samples") == 0, "samples differ")
    for refused in (cjxl(scene(16), "-d", "1"), VECTORS / "adobergb-lossy.jxl"):
        status, errors = tools.command("tag", refused, "-o", fresh(".jxl"), "--set", "cicp=9/16/0")
        require(status == 64 and "XYB" in errors, f"exit {status}: {errors}")


@check("JPEG XL: a rotated transcoded JPEG is still reconstructed by djxl; its gain map is rotated")
def rotated_transcoding():
    source, path, rotated, back = corpus("jpeg-uhdr/lrc14-1-xmp-iso.jpg"), fresh(".jxl"), fresh(".jxl"), fresh(".jpg")
    run(tools.binaries / "hdrconvert", "remux", source, "-o", path, "--exact")
    run(tools.binaries / "hdrconvert", "remux", path, "-o", rotated, "--rotate", "90")
    run(tool("djxl"), rotated, back)
    require(back.read_bytes() == source.read_bytes(), "djxl reconstructs another file")

    def gain_map(file):
        """The gain map, as djxl decodes its codestream."""
        data, codestream, png = file.read_bytes(), fresh(".jxl"), fresh(".png")
        box = data[data.index(b"jhgm") + 4:]
        metadata = int.from_bytes(box[1:3], "big")
        color = box[3 + metadata]
        profile = int.from_bytes(box[4 + metadata + color:8 + metadata + color], "big")
        codestream.write_bytes(box[8 + metadata + color + profile:])
        run(tool("djxl"), codestream, png)
        return imagecodecs.png_decode(png.read_bytes())

    require(largest(gain_map(rotated), oriented(gain_map(path), 6), "gain map") == 0, "another gain map")
    run(tools.binaries / "hdrconvert", "validate", rotated)


@check("JPEG XL: the preview frame, every sample")
def preview():
    source, path = VECTORS / "preview.jxl", fresh(".jxl")
    run(tools.binaries / "hdrconvert", "extract", source, "-o", path, "--preview")
    y, x = np.mgrid[0:8, 0:12]
    expected = (x * 257 + y * 1019)[..., None] + np.arange(3) * 4001
    require(largest(decoded(path), oriented(expected, 6), "preview") == 0, "samples differ")


@check("JPEG XL: malformed files end with an error or an image")
def malformed():
    for path in sorted(corpus("malformed-jxl").iterdir()):
        status, errors = tools.command("convert", path, "-o", fresh(".png"), timeout=60)
        require(status in (0, tools.DATA_ERROR), f"{path.name}: exit {status}, {errors}")
