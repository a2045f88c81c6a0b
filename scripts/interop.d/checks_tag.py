# SPDX-License-Identifier: Apache-2.0
"""Metadata edits and extracted images: third-party programs read the new values and the same pixels."""

import hashlib
import json
import shutil
import struct

import imagecodecs
import numpy as np
import pillow_heif

import tools
from boxes import HEIFFile
from checks_walkers import BT2020, D65, P3, equal
from chunks import parse_chunk, walk
from runner import Skip, check, require
from tools import CORPUS, avifdec_planes, corpus, fresh, run

HEIF = ("heic-hdr", "heic-apple", "heic-apple-tmap", "heic-gainmap-other", "peer-made")
AVIF = ("avif-hdr", "avif-sdr-deep", "avif-gainmap")
PNG = ("png-hdr",)
JPEG = ("jpeg-uhdr", "jpeg-iso", "jpeg-apple")
SUFFIXES = (".heic", ".hif", ".avif", ".png", ".jpg")

LIGHT = ("--set", "clli=1000:203", "--set", "mdcv=p3:1000:0.005", "--set", "ndwt=100")
MORE_LIGHT = ("--set", "cclv=bt2020:0:1000:120", "--set", "reve=5:7", "--set", "amve=10")


def tag(source, *options):
    """Tags into a new file; the report must confirm that compressed data are unchanged."""
    target = fresh(source.suffix)
    report = json.loads(
        run(tools.binaries / "hdrconvert", "tag", source, "-o", target, "--json", *options))["results"][0]
    require(report["codedData"], "no payloads")
    for payload in report["codedData"]:
        require(payload["status"] == "unchanged", f"{payload} changed")
    return target, report


def warnings(path):
    (found,) = json.loads(run("exiftool", "-json", "-a", "-G1", "-warning", "-error", path,
                              accept=(0, 1)))
    return {str(value) for name, value in found.items() if name != "SourceFile"}


def exiftool(path, *options):
    (found,) = json.loads(run("exiftool", "-json", "-n", "-a", "-G1", *options, path))
    found.pop("SourceFile")
    return found


def pixels(path):
    """Digests of the images from a third-party decoder."""
    data = path.read_bytes()
    if data[4:8] == b"ftyp" and path.suffix == ".avif":
        try:
            images = [imagecodecs.avif_decode(data)]
        except imagecodecs.AvifError:
            # libavif does not convert constant luminance to RGB.
            images = avifdec_planes(path)[0]
    elif data[4:8] == b"ftyp":
        images = [np.asarray(p) for p in pillow_heif.open_heif(path, convert_hdr_to_8bit=False)]
    elif path.suffix == ".png":
        images = [imagecodecs.png_decode(data)]
    elif path.suffix == ".jxl":
        images = [imagecodecs.jpegxl_decode(data)]
    else:
        images = [imagecodecs.jpeg8_decode(data)]
        gain_map = run("exiftool", "-b", "-MPImage2", path, binary=True)
        # Directories in existing files, and those of exiftool, often point to a wrong offset.
        if gain_map.startswith(b"\xff\xd8"):
            images.append(imagecodecs.jpeg8_decode(gain_map))
    return [(p.shape, hashlib.sha256(np.ascontiguousarray(p)).hexdigest()) for p in images]


def require_pixels(path, source):
    """All images found in the source are found in the result and are equal."""
    expected = pixels(source)
    got = pixels(path)
    require(got[: len(expected)] == expected, f"other pixels than {source.name}")
    return f"{len(got)} images"


def require_light(path):
    if path.suffix == ".png":
        chunks = list(walk(path.read_bytes(), 8))
        for kind, value in (("cLLI", {"max": 1000, "average": 203}),
                            ("mDCV", {**P3, "white": D65, "max": 1000, "min": 0.005})):
            (body,) = [b for k, b in chunks if k == kind]
            require(equal(parse_chunk(kind, body), value), kind)
        require(any(k == "iTXt" and b'DiffuseWhite="100"' in b for k, b in chunks), "diffuse white")
    elif path.suffix == ".jpg":
        require(b'DiffuseWhite="100"' in path.read_bytes(), "diffuse white")
    else:
        primary = HEIFFile(path.read_bytes()).primary
        expected = {
            "clli": {"max": 1000, "average": 203}, "ndwt": {"luminance": 100},
            "mdcv": {**P3, "white": D65, "max": 1000, "min": 0.005},
            "reve": {"surround": 5, "surround_light": D65, "periphery": 7, "periphery_light": D65},
            "amve": {"illuminance": 10, "light": D65}}
        if primary.nclx and primary.nclx[1] == 16:
            expected["cclv"] = {**BT2020, "min": 0, "max": 1000, "average": 120}
        for kind, value in expected.items():
            require(equal(primary.get(kind), value), f"{kind} is {primary.get(kind)}")


def edited(name):
    """All light metadata that the format can store are set, then dropped."""
    source = corpus(name)
    options = {".png": LIGHT, ".jpg": LIGHT[-2:]}.get(source.suffix, LIGHT + MORE_LIGHT)
    path, _ = tag(source, *options)
    require_light(path)
    new = warnings(path) - warnings(source)
    require(not new, f"exiftool warns: {new}")
    require_pixels(path, source)
    again, _ = tag(path, "--strip", "clli,mdcv,cclv,ndwt,reve,amve")
    found = require_pixels(again, source)
    if source.suffix in (".heic", ".hif", ".avif"):
        kinds = set(HEIFFile(again.read_bytes()).primary.order)
        require(not kinds & {"clli", "mdcv", "cclv", "amve", "ndwt", "reve"}, f"properties {kinds}")
    return found


def located(name):
    """All location data are removed, for exiftool and in the bytes; images are kept."""
    source = corpus(name)
    # Location written by exiftool in addition to that of the file: digits that do not occur elsewhere.
    marked = fresh(source.suffix)
    shutil.copyfile(source, marked)
    marked.chmod(0o644)
    iptc = ("-IPTC:City=Zzyzxville", "-IPTC:Country-PrimaryLocationName=Zzyzxland")
    run("exiftool", "-q", "-q", "-overwrite_original", "-GPSLatitude=48.12345678",
               "-GPSLatitudeRef=N", "-GPSLongitude=16.87654321", "-GPSLongitudeRef=E",
               "-GPSAltitude=1234.567", "-XMP:GPSLatitude=48.12345678", "-XMP:City=Zzyzxville",
               "-XMP-iptcExt:LocationCreatedCity=Zzyzxville", "-XMP-iptcCore:Location=Zzyzxville",
               *(iptc if source.suffix == ".jpg" else ()), marked, accept=(0, 1))
    places = exiftool(marked, "-Location:all")
    if len(places) < 5:
        raise Skip("exiftool does not write into this file")
    path, report = tag(marked, "--strip", "gps")
    require([c["name"] for c in report["changes"]][-1] == "location", f"{report['changes']}")
    left = exiftool(path, "-Location:all")
    # The country of the telephone network, in the trailer that only Samsung describes.
    left.pop("Samsung:MCCData", None)
    require(not left, f"exiftool finds {left}")
    data = path.read_bytes()
    exif = run("exiftool", "-b", "-Exif", marked, binary=True)
    require(b"Zzyzx" in marked.read_bytes() and b"Zzyzx" not in data, "the name of the place is left")
    for label in ("GPSLatitude", "GPSLongitude", "GPSAltitude"):
        for coordinate in rationals(exif, label):
            require(coordinate not in data, f"{label} is left")
    require_pixels(path, source)
    require(not warnings(path) - warnings(marked), "exiftool warns")
    return f"{len(places)} places"


def rationals(exif, label):
    """The bytes of the fractions that exiftool wrote for a coordinate, without whole numbers."""
    tags = {"GPSLatitude": 2, "GPSLongitude": 4, "GPSAltitude": 6}
    if not exif:
        return
    order = ">" if exif[:2] == b"MM" else "<"

    def entries(offset):
        (count,) = struct.unpack_from(order + "H", exif, offset)
        for i in range(count):
            yield struct.unpack_from(order + "HHII", exif, offset + 2 + 12 * i)

    for tag_id, _, _, gps in entries(struct.unpack_from(order + "I", exif, 4)[0]):
        if tag_id != 0x8825:
            continue
        for number, _, count, offset in entries(gps):
            if number == tags[label]:
                for part in range(count):
                    fraction = exif[offset + 8 * part : offset + 8 * part + 8]
                    if struct.unpack(order + "I", fraction[4:])[0] > 1:
                        yield fraction


def rotated(name):
    """libheif shows the image rotated as specified by the Exif orientation."""
    def shown(path):
        return np.asarray(pillow_heif.open_heif(path, convert_hdr_to_8bit=False))

    upright = shown(tag(corpus(name), "--set", "orientation=none")[0])
    flip = upright[:, ::-1]
    expected = {2: flip, 3: np.rot90(upright, 2), 4: upright[::-1], 5: np.rot90(flip),
                6: np.rot90(upright, -1), 7: np.rot90(flip, -1), 8: np.rot90(upright)}
    for number, image in expected.items():
        got = shown(tag(corpus(name), "--set", f"orientation={number}")[0])
        require(np.array_equal(got, image), f"orientation {number}: {got.shape}")
    return f"{len(expected)} orientations"


def extract(source, suffix, *options):
    target = fresh(suffix)
    run(tools.binaries / "hdrconvert", "extract", source, "-o", target, *options)
    return target


def extracted(name):
    """One item of each type and purpose decodes separately with the size specified in the file."""
    source = corpus(name)
    file = HEIFFile(source.read_bytes())
    chosen = {}
    for identifier, item in file.items.items():
        if item.kind in ("hvc1", "av01", "grid"):
            purpose = next((k for k, s, t in file.references if s == identifier and k != "dimg"),
                           next((file.items[s].kind for k, s, t in file.references
                                 if k == "dimg" and identifier in t), ""))
            urn = item.get("auxC")["urn"] if "auxC" in item.order else ""
            chosen[item.kind, purpose, urn] = identifier
    for identifier in chosen.values():
        item = file.items[identifier]
        path = extract(source, source.suffix, "--item", identifier)
        alone = HEIFFile(path.read_bytes())
        require(alone.primary.get("ispe") == item.get("ispe") and not alone.primary.hidden, "size")
        require(alone.body(alone.primary_id) == file.body(identifier), "other coded data")
        size = (item.get("ispe")["width"], item.get("ispe")["height"])
        if source.suffix == ".avif":
            ((shape, _),) = pixels(path)[:1]
            require(shape[:2] == size[::-1], f"item {identifier}: {shape}, not {size}")
        else:
            shown = pillow_heif.open_heif(path).size
            turns = item.get("irot")["quarter_turns"] if "irot" in item.order else 0
            if "clap" not in item.order:
                require(shown == (size[::-1] if turns % 2 else size), f"item {identifier}: {shown}")
    # Extracted metadata equal those of the walker.
    if file.primary.icc:
        require(extract(source, ".icc", "--icc").read_bytes() == file.primary.icc, "ICC")
    xmp = file.metadata("mime", "application/rdf+xml")
    if xmp:
        require(extract(source, ".xmp", "--xmp").read_bytes() == xmp[1], "XMP")
    return f"items {sorted(chosen.values())}"


def gain_maps():
    """Sizes of gain maps in JPEG files, from the manifest."""
    files = json.loads((CORPUS / "MANIFEST.json").read_text())["files"]
    count = 0
    for entry in files:
        folder = entry["name"].split("/")[0]
        listed = entry.get("gain_map") or {}
        images = listed.get("images") if isinstance(listed, dict) else None
        if folder not in JPEG or not images or entry["expected"] == "reject":
            continue
        shapes = set()
        for number in range(1, 8):
            target = fresh(".jpg")
            done = run(tools.binaries / "hdrconvert", "extract", corpus(entry["name"]), "-o", target,
                       "--item", number, accept=(0, 64))
            if not target.exists():
                break
            shapes.add(imagecodecs.jpeg8_decode(target.read_bytes()).shape[:2])
        primary = imagecodecs.jpeg8_decode(corpus(entry["name"]).read_bytes()).shape[:2]
        sizes = {tuple(image["size"][::-1]) for image in images}
        # The manifest also lists thumbnails within the first image.
        require(shapes & sizes or primary in sizes, f"{entry['name']}: {shapes}, not {sizes}")
        count += 1
    return f"{count} files"


if CORPUS.is_dir():
    for folder in HEIF + AVIF + PNG + JPEG:
        for path in sorted((CORPUS / folder).iterdir()):
            if path.suffix in SUFFIXES:
                name = f"{folder}/{path.name}"
                check(f"tag: {name}", name)(edited)
                check(f"tag: location in {name}", name)(located)
                if path.suffix in (".heic", ".hif", ".avif"):
                    check(f"extract: {name}", name)(extracted)
    for name in ("heic-hdr/sdwebimage-pq10.heic", "heic-apple/iphone15pro-17-1-portrait.heic"):
        check(f"tag: orientation of {name}", name)(rotated)
    check("extract: gain maps of JPEG files")(gain_maps)
