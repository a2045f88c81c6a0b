# SPDX-License-Identifier: Apache-2.0
"""Requested or measured metadata, read by third-party programs and by the walkers."""

import io
import json
import math
import struct

import numpy as np
import pillow_heif
import tifffile
from PIL import ImageCms

import color
import tools
from boxes import HEIFFile
from chunks import PNGFile
from checks_walkers import BT2020, D65, P3, equal
from runner import check, require
from tools import REFERENCE, convert, png_codes, read_light, run
from workspace import fresh

CHART, PHOTO = REFERENCE / "chart.exr", REFERENCE / "photo.exr"
ALPHA, ORIENTED = REFERENCE / "edges-alpha-61x43.png", REFERENCE / "edges-oriented-61x43.png"
DEFAULT_WHITE = 203

# Descriptive properties that every reader supports first, then those that rotate the image.
ORDER = ["hvcC", "av1C", "ispe", "colr", "pixi", "auxC", "clli", "mdcv", "cclv", "amve", "ndwt",
         "reve", "clap", "irot", "imir"]


def heif(path):
    return HEIFFile(path.read_bytes())


def png(path):
    return PNGFile(path.read_bytes())


def exiftool(path, *tags):
    (found,) = json.loads(run("exiftool", "-json", "-n", *(f"-{tag}" for tag in tags), path))
    return found


def expect(what, got, expected):
    require(equal(got, expected) if got is not None else expected is None,
            f"{what} is {got}, not {expected}")


def asked(suffix):
    path = convert(CHART, suffix, "--set", "clli=1000:203", "--set", "mdcv=p3:1000:0.005", "--set",
                   "cclv=bt2020:0:1000:120", "--set", "ndwt=100", "--set", "reve=5:7", "--set", "amve=10")
    primary = heif(path).primary
    expect("clli", primary.get("clli"), {"max": 1000, "average": 203})
    expect("mdcv", primary.get("mdcv"), {**P3, "white": D65, "max": 1000, "min": 0.005})
    expect("cclv", primary.get("cclv"), {**BT2020, "min": 0, "max": 1000, "average": 120})
    expect("ndwt", primary.get("ndwt"), {"luminance": 100})
    expect("reve", primary.get("reve"), {"surround": 5, "surround_light": D65,
                                         "periphery": 7, "periphery_light": D65})
    expect("amve", primary.get("amve"), {"illuminance": 10, "light": D65})
    order = [ORDER.index(kind) for kind in primary.order]
    require(order == sorted(order), f"properties in the order {primary.order}")
    if suffix == ".heic":
        level = pillow_heif.open_heif(path).info["content_light_level"]
        require(level == {"max_content_light_level": 1000, "max_pic_average_light_level": 203},
                f"libheif reads {level}")


def dropped(suffix):
    path = convert(CHART, suffix, "--set", "clli=none", "--set", "cclv=none", "--set", "ndwt=none")
    kinds = set(heif(path).primary.order)
    require(not kinds & {"clli", "mdcv", "cclv", "amve", "ndwt", "reve"}, f"properties {kinds}")


def measured(suffix, transfer):
    light, _ = read_light(PHOTO)
    if transfer == "hlg":
        # Stay below the shoulder of HLG.
        light = light / 16
    options = ["--exposure", "-4"] if transfer == "hlg" else []
    path = convert(PHOTO, suffix, "--transfer", transfer, *options)
    maximum, average = color.light_levels(light)
    luminance = light @ color.rgb_to_xyz(color.CHROMATICITIES["bt2020"])[1]
    if suffix == ".png":
        level = png(path).get("cLLI")
        for name, value in (("max", maximum), ("average", average)):
            require(value * (1 - 2e-4) <= level[name] <= value * (1 + 2e-4) + 1e-4,
                    f"cLLI {name} is {level[name]}, not {value}")
        return f"cLLI {level['max']:.4f}, {level['average']:.4f}"
    primary = heif(path).primary
    level, volume = primary.get("clli"), primary.get("cclv")
    expect("clli", level, {"max": math.ceil(maximum - 0.1), "average": math.ceil(average - 0.01)})
    expect("ndwt", primary.get("ndwt"), {"luminance": DEFAULT_WHITE})
    # HLG is relative to the peak of its scene-linear values; the luminance of 1.0 is left to the reader.
    if transfer == "pq":
        for name, value in (("min", luminance.min()), ("max", luminance.max()),
                            ("average", luminance.mean())):
            require(abs(volume[name] - value) <= 1e-3 * value + 0.001,
                    f"cclv {name} is {volume[name]}, not {value}")
    return f"clli {level['max']}, {level['average']}"


for suffix in (".avif", ".heic"):
    check(f"metadata: requested in {suffix}", suffix)(asked)
    check(f"metadata: omitted from {suffix}", suffix)(dropped)
for suffix in (".avif", ".heic", ".png"):
    for transfer in ("pq", "hlg"):
        check(f"metadata: measured in {suffix}, {transfer}", suffix, transfer)(measured)


@check("metadata: PNG chunks")
def png_chunks():
    path = convert(CHART, ".png", "--set", "clli=1000:203", "--set", "mdcv=bt2020:4000:0.0005", "-d", "10")
    file = png(path)
    expect("cICP", file.get("cICP"), (9, 16, 0, 1))
    expect("cLLI", file.get("cLLI"), {"max": 1000, "average": 203})
    expect("mDCV", file.get("mDCV"), {**BT2020, "white": D65, "max": 4000, "min": 0.0005})
    expect("sBIT", file.get("sBIT"), [10, 10, 10])
    require((file.depth, file.icc) == (16, None), f"{file.depth} bits, ICC {file.icc is not None}")
    peer = exiftool(path, "PNG-cICP:all")
    require([peer.get(k) for k in ("ColorPrimaries", "TransferCharacteristics",
                                   "MatrixCoefficients", "VideoFullRangeFlag")] == [9, 16, 0, 1],
            f"exiftool reads {peer}")


CODE_POINTS = [
    # options, suffix; nclx, bits per component
    ([], ".avif", (9, 16, 9, 1), 10),
    (["--transfer", "hlg", "-d", "12", "-y", "422"], ".avif", (9, 18, 9, 1), 12),
    (["--lossless"], ".avif", (9, 16, 0, 1), 10),
    (["--set", "range=limited"], ".avif", (9, 16, 9, 0), 10),
    (["--primaries", "p3"], ".avif", (12, 16, None, 1), 10),
    ([], ".heic", (9, 16, 9, 1), 10),
    (["--transfer", "hlg", "-d", "12", "-y", "422"], ".heic", (9, 18, 9, 1), 12),
    (["--lossless"], ".heic", (9, 16, 0, 1), 10),
    (["--set", "range=limited"], ".heic", (9, 16, 9, 0), 10),
    (["-y", "444", "-d", "12"], ".heic", (9, 16, 9, 1), 12),
    (["-y", "400"], ".heic", (9, 16, None, 1), 10),
]


def code_points(options, suffix, nclx, bits):
    path = convert(CHART, suffix, *options)
    file = heif(path)
    primary = file.primary
    require(len(primary.nclx) == 4 and all(e in (None, g) for g, e in zip(primary.nclx, nclx)),
            f"nclx {primary.nclx}, not {nclx}")
    require(primary.icc is None, "an ICC profile that was not requested")
    pixi, ispe = primary.get("pixi")["bits"], primary.get("ispe")
    require(set(pixi) == {bits} and len(pixi) == (1 if "400" in options else 3), f"pixi {pixi}")
    expect("ispe", ispe, {"width": 288, "height": 96})
    require({"mif1", "miaf"} <= set(file.brands), f"brands {file.brands}")
    if suffix == ".avif":
        config = primary.get("av1C")
        require((file.major, config["bits"]) == ("avif", bits), f"{file.major}, {config}")
        brand = {0: "MA1B", 1: "MA1A"}.get(config["profile"])
        require([b for b in file.brands if b.startswith("MA1")] == ([brand] if brand else []),
                f"profile {config['profile']}, brands {file.brands}")
        require(not config["obus"], "a sequence header in av1C")
    else:
        config = primary.get("hvcC")
        require(config["bits"] == (bits, bits) or "400" in options, f"hvcC {config['bits']}")
        require(file.major == "heix" and "heix" in file.brands, f"{file.major}, {file.brands}")
        # Hardware decodes 10-bit 4:2:0 only as Main 10: profile 2, with its own compatibility flag.
        if (config["chroma"], bits) == (1, 10):
            require(config["profile"] == 2 and config["compatibility"] >> 29 & 1,
                    f"profile {config['profile']}, compatibility {config['compatibility']:#x}")
        info = pillow_heif.open_heif(path).info["nclx_profile"]
        peer = tuple(info[k] for k in ("color_primaries", "transfer_characteristics",
                                       "matrix_coefficients", "full_range_flag"))
        require(peer == primary.nclx, f"libheif reads {peer}")
        require(f"{288}x{96}" in run("heif-info", path), "heif-info tells another size")


for options, suffix, nclx, bits in CODE_POINTS:
    check(f"metadata: code points of {' '.join(options) or 'the default'} in {suffix}",
          options, suffix, nclx, bits)(code_points)


def survives(suffix):
    """Exif, XMP and alpha of a PNG, through `suffix` and back."""
    path = convert(ALPHA, suffix, "--quality", "100")
    for stage in (path, convert(path, ".png")):
        found = exiftool(stage, "ImageDescription", "Artist", "ExposureTime", "Title")
        expected = {"ImageDescription": "Edges for codecs", "Artist": "reference-scenes",
                    "ExposureTime": 1 / 60, "Title": "Edges für Codecs"}
        if suffix == ".exr" and stage is path:
            continue
        for name, value in expected.items():
            got = found.get(name)
            same = got == value if isinstance(value, str) else got and abs(got - value) < 1e-6
            require(same, f"{stage.suffix}: exiftool reads {name} as {got!r}")
    if suffix in (".avif", ".heic"):
        file = heif(path)
        for kind, content in (("Exif", ""), ("mime", "application/rdf+xml")):
            construction, _ = file.metadata(kind, content)
            require(construction == 0, f"{kind} is constructed by method {construction}")
        require(file.alpha_id is not None, "no alpha item")
    before, after = png_codes(ALPHA)[..., 3], png_codes(convert(path, ".png"))[..., 3]
    # Alpha has the depth of the image, 10 bits, in formats with less than 16.
    step = 65535 / 1023 / 2 + 1 if suffix in (".avif", ".heic") else 32 if suffix == ".exr" else 0
    error = np.abs(before.astype(int) - after).max()
    require(error <= step, f"alpha is {error} off")
    return f"alpha at most {error} of 65535 off"


for suffix in (".avif", ".heic", ".png", ".tif", ".exr"):
    check(f"metadata: Exif, XMP and alpha through {suffix}", suffix)(survives)


def oriented(suffix):
    """An image with an orientation: third-party programs show the same as an image with rotated samples."""
    upright = png_codes(convert(ORIENTED, ".png", "--set", "orientation=bake"))
    require(upright.shape == (61, 43, 3), f"rotated to {upright.shape}")
    require(np.array_equal(np.rot90(png_codes(ORIENTED), -1), upright), "rotated the wrong way")
    rgb = ("--set", "cicp=9/16/0/full") if suffix in (".heic", ".avif") else ()
    path = convert(ORIENTED, suffix, "--quality", "100", "-d", "10", *rgb)
    if suffix == ".heic":
        shown = np.asarray(pillow_heif.open_heif(path, convert_hdr_to_8bit=False)) >> 6
        require(np.array_equal(shown, (upright / 65535 * 1023 + 0.5).astype(int)),
                "libheif shows another image")
    if suffix in (".heic", ".avif"):
        expect("irot", heif(path).primary.get("irot"), {"quarter_turns": 3})
        require(heif(path).primary.get("imir") is None, "imir and irot")
    found = exiftool(path, "IFD0:Orientation").get("Orientation")
    # A reader that applies irot must not rotate again for Exif; without irot, Exif applies.
    require(found in ((None, 1, 6) if suffix in (".heic", ".avif") else (6,)), f"Exif contains {found}")
    back = png_codes(convert(path, ".png", "--set", "orientation=bake"))
    require(np.abs(back.astype(int) - upright).max() <= 65535 / 1023 / 2 + 1, "not the same back")


for suffix in (".avif", ".heic", ".png", ".tif"):
    check(f"metadata: orientation in {suffix}", suffix)(oriented)


def tags_of(icc):
    """Version and tags of an ICC profile."""
    require(icc[36:40] == b"acsp" and struct.unpack(">I", icc[:4])[0] == len(icc), "no ICC profile")
    (count,) = struct.unpack_from(">I", icc, 128)
    entries = [struct.unpack_from(">4sII", icc, 132 + 12 * i) for i in range(count)]
    return icc[8:10], {kind.decode(): icc[start : start + size] for kind, start, size in entries}


def check_profile(icc, transfer, primaries=9):
    version, tags = tags_of(icc)
    require(version >= b"\x04\x40", f"version {version.hex()}")
    require(tags["cicp"] == b"cicp\0\0\0\0" + bytes([primaries, transfer, 0, 1]),
            f"cicp tag {tags.get('cicp', b'').hex()}")
    profile = ImageCms.ImageCmsProfile(io.BytesIO(icc))
    require(profile.profile.xcolor_space == "RGB ", "Little CMS reads something else")
    return tags


@check("metadata: ICC profiles of TIFF")
def tiff_profile():
    for transfer, code in (("pq", 16), ("hlg", 18)):
        with tifffile.TiffFile(convert(CHART, ".tif", "--transfer", transfer)) as file:
            check_profile(file.pages[0].tags[34675].value, code)


@check("metadata: ICC profiles on request")
def requested_profile():
    for suffix, read in ((".png", lambda p: png(p).icc), (".avif", lambda p: heif(p).primary.icc),
                         (".heic", lambda p: heif(p).primary.icc)):
        check_profile(read(convert(CHART, suffix, "--set", "color-tags=both")), 16)
    path = convert(CHART, ".png", "--set", "color-tags=both")
    expect("cICP", png(path).get("cICP"), (9, 16, 0, 1))


@check("metadata: mDCV only with cICP")
def lone_mastering_display():
    path = convert(CHART, ".png", "--set", "color-tags=icc", "--set", "mdcv=p3:1000:0.005")
    require(png(path).get("cICP") is None and png(path).get("mDCV") is None, "mDCV without cICP")
    path = convert(CHART, ".png", "--set", "color-tags=both", "--set", "mdcv=p3:1000:0.005")
    expect("mDCV", png(path).get("mDCV"), {**P3, "white": D65, "max": 1000, "min": 0.005})


@check("metadata: given ICC profiles")
def given_profile():
    hlg, pq = fresh(".icc"), fresh(".icc")
    for path, transfer in ((hlg, "hlg"), (pq, "pq")):
        path.write_bytes(png(convert(CHART, ".png", "--set", "color-tags=both", "--transfer", transfer)).icc)
    for suffix in (".png", ".avif", ".tif"):
        convert(CHART, suffix, "--set", f"icc={pq}")
        for wrong, status in ((hlg, 64), (CHART, 65)):
            run(tools.binaries / "hdrconvert", CHART, "-o", fresh(suffix), "--set", f"icc={wrong}", accept=(status,))
    run(tools.binaries / "hdrconvert", CHART, "-o", fresh(".tif"), "--set", "icc=drop", accept=(64,))


@check("metadata: orientation in XMP")
def xmp_orientation():
    packet = fresh(".xmp")
    packet.write_text("""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/></rdf:RDF></x:xmpmeta>""")
    rotated = convert(ORIENTED, ".png", "--set", f"xmp={packet}")
    for suffix in (".png", ".tif", ".avif", ".heic"):
        for policy, expected in (("keep", 6), ("bake", 1)):
            path = convert(rotated, suffix, "--set", f"orientation={policy}")
            found = exiftool(path, "XMP-tiff:Orientation").get("Orientation")
            require(found == expected, f"{suffix}, {policy}: XMP contains {found}")


@check("metadata: scene-referred HLG")
def scene_state():
    path = convert(CHART, ".avif", "--transfer", "hlg", "--set", "image-state=scene")
    tags = check_profile(heif(path).primary.icc, 18)
    require(tags["ciis"][8:12] == b"scoe", f"ciis tag {tags.get('ciis')}")
    shown = json.loads(run(tools.binaries / "hdrconvert", "inspect", "--json", path))
    require(shown["results"][0]["images"][0]["lightMetadata"].get("imageState") == "scene", "inspect does not show the image state")


@check("metadata: diffuse white through PNG and TIFF")
def diffuse_white():
    for suffix in (".png", ".tif"):
        path = convert(CHART, suffix, "--set", "ndwt=100")
        back = heif(convert(path, ".avif")).primary.get("ndwt")
        expect(f"ndwt through {suffix}", back, {"luminance": 100})
