# SPDX-License-Identifier: Apache-2.0
"""IPTC and thumbnails that --strip names are gone, and everything else stays: exiftool and decoders of other projects."""

import json
import re

import imagecodecs
import numpy as np
import pillow_heif

import tools
from runner import check, require
from tools import REFERENCE, convert, corpus, fresh, run

IPTC = ("jpeg-uhdr/acr171-r8-24mp.jpg", "jpeg-uhdr/adobe-p3-02.jpg", "jpeg-uhdr/lrc14-1-xmp-iso.jpg",
        "jpeg-iso/uhdr-iso-lrc15-500.jpg", "jpeg-uhdr/instagram-ref-up3.jpg")
THUMBNAILS = IPTC[:4] + ("jpeg-uhdr/pixel6pro-xmp-sky.jpg", "heic-apple/iphone15pro-17-1-portrait.heic",
                         "heic-gainmap-other/samsung-s25ultra-tmap.heic", "heic-hdr/canon-hdrpq.hif",
                         "avif-gainmap/libavif-seine-sdr.avif", "gainmap-reference/libavif-seine-sdr.h1.png")
# Places, sizes and digests of the file, and what exiftool derives from other tags.
FOLLOWS = re.compile(r"^\[(System|ExifTool|Composite|File)\]|MPImageStart|MPImageLength|MediaData|CurrentIPTCDigest")
OF_IPTC = re.compile(r"^\[IPTC\]|IPTCDigest")
# Of the properties of a thumbnail item; those of other items stay.
OF_ITEM = re.compile(r"^\[QuickTime\] (ImageSpatialExtent|GeneralLevelIDC)")
OF_THUMBNAILS = re.compile(r"^\[IFD1\]|PhotoshopThumbnail|ThumbnailImage :|ThumbnailReference|PreviewImage :")


def tags(path):
    """Lines of exiftool: group, name and value, also of repeated and unknown tags."""
    text = run("exiftool", "-a", "-u", "-n", "-G1", "-s", path)
    return [re.sub(r"\s+", " ", line) for line in text.splitlines() if not FOLLOWS.search(line)]


def scans(data):
    """The bytes of each image of a JPEG file from its first scan on."""
    found, position = [], 0
    while (position := data.find(b"\xff\xd8\xff", position)) >= 0:
        position += 2
        while data[position + 1] != 0xDA:
            position += 2 + int.from_bytes(data[position + 2:position + 4])
        end = data.index(b"\xff\xd9", position)
        found.append(data[position:end])
        position = end
    return found


def samples(path):
    """What a decoder of another project makes of the image."""
    data = path.read_bytes()
    if path.suffix == ".jpg":
        return scans(data)
    if path.suffix == ".png":
        return [imagecodecs.png_decode(data)]
    if path.suffix == ".avif":
        return [imagecodecs.avif_decode(data)]
    return [np.asarray(pillow_heif.open_heif(path, convert_hdr_to_8bit=False))]


def stripped(source, part, meant):
    """Strips a part; exiftool finds nothing else that is missing or new."""
    target = fresh(source.suffix)
    run(tools.binaries / "hdrconvert", "tag", source, "-o", target, "--strip", part, "--quiet")
    before, after = tags(source), tags(target)
    removed = [line for line in before if line not in after]
    own = [line for line in removed if part != "thumbnail" or not OF_ITEM.search(line)]
    require(removed and all(meant.search(line) for line in own), f"removed: {removed}")
    require(not any(meant.search(line) for line in after), f"left: {[line for line in after if meant.search(line)]}")
    require(not [line for line in after if line not in before], f"new: {[line for line in after if line not in before]}")
    old, new = samples(source), samples(target)
    require(len(old) == len(new) and all(np.array_equal(a, b) for a, b in zip(old, new)), "the coded images differ")
    listed = run(tools.binaries / "hdrconvert", "convert", "-n", source, "-o", target, "--strip", part, "-f")
    require(part == "thumbnail" or re.search("IPTC.*as requested", listed), f"the plan: {listed}")
    return f"{len(removed)} tags, {source.stat().st_size - target.stat().st_size} bytes"


for name in IPTC:
    check(f"strip: IPTC of {name}", name)(lambda name: stripped(corpus(name), "iptc", OF_IPTC))
for name in THUMBNAILS:
    check(f"strip: thumbnails of {name}", name)(lambda name: stripped(corpus(name), "thumbnail", OF_THUMBNAILS))


@check("strip: a thumbnail item leaves HEIF")
def item():
    source = corpus("heic-apple/iphone15pro-17-1-portrait.heic")
    target = fresh(".heic")
    run(tools.binaries / "hdrconvert", "tag", source, "-o", target, "--strip", "thumbnail", "--quiet")
    counts = [len(pillow_heif.open_heif(path).info["thumbnails"]) for path in (source, target)]
    require(counts == [1, 0], f"libheif finds {counts}")
    return f"{source.stat().st_size - target.stat().st_size} bytes"


@check("strip: IPTC in other formats, and without XMP")
def portable():
    source = convert(REFERENCE / "edges-61x43.png", ".jpg")
    run("exiftool", "-overwrite_original", "-IPTC:Caption-Abstract=a caption", "-IPTC:Keywords=blue", "-Comment=a comment", source)
    command = tools.binaries / "hdrconvert"
    told = []
    for suffix, home in ((".avif", "XMP"), (".jpg", "IPTC"), (".tif", "IPTC"), (".png", "IPTC")):
        shown = {}
        for part in ("", "iptc", "xmp"):
            target = fresh(suffix)
            options = ("--strip", part) if part else ()
            # Another quality, so that the image is encoded again.
            report = json.loads(run(command, source, "-o", target, "--resize", "40", "--json", *options))
            codes = [notice.get("code") for notice in report["results"][0]["notices"]]
            shown[part] = run("exiftool", "-a", "-G0", "-s", target), codes
        require(f"[{home}]" in shown[""][0] and "a caption" in shown[""][0], f"{suffix}: {shown['']}")
        require("a caption" not in shown["iptc"][0] and "[IPTC]" not in shown["iptc"][0], f"{suffix}: {shown['iptc']}")
        is_lost = "metadata/not-copied-with-xmp" in shown["xmp"][1]
        require(is_lost == (home == "XMP"), f"{suffix}: {shown['xmp'][1]}")
        require(("a caption" in shown["xmp"][0]) != is_lost, f"{suffix}: {shown['xmp'][0]}")
        told.append(f"{suffix} {home}")
    return ", ".join(told)
