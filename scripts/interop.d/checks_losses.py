# SPDX-License-Identifier: Apache-2.0
"""Metadata other than Exif, XMP and profile, and embedded images: kept, or reported as not copied."""

import io
import json
import struct

import numpy as np
import tifffile
from PIL import Image

import checks_motion
import tools
from checks_metadata import exiftool
from runner import check, require
from tools import CANNOT_CREATE, INPUT_OUTPUT, REFERENCE, avifdec_planes, command, corpus, fresh, run

CAPTION, COMMENT = "A caption", "a comment"


def segment(marker, content):
    return struct.pack(">BBH", 0xFF, marker, 2 + len(content)) + content


def credentials():
    """A C2PA manifest store with the header that identifies it."""
    kind = b"c2pa" + bytes.fromhex("00110010800000AA00389B71")
    described = struct.pack(">I", 8 + 17 + 5) + b"jumd" + kind + b"\x03c2pa\0"
    box = struct.pack(">I", 8 + len(described)) + b"jumb" + described
    return segment(0xEB, b"JP" + struct.pack(">HI", 1, 1) + box)


def preview(width, height, **options):
    """A JPEG image to be embedded in another."""
    data = io.BytesIO()
    Image.new("RGB", (width, height), **options).save(data, "JPEG")
    return data.getvalue()


def annotated():
    """A gain-map JPEG with IPTC and a comment by exiftool, and content credentials."""
    path = fresh(".jpg")
    run(tools.binaries / "hdrconvert", "gainmap", "create", REFERENCE / "photo.exr", "-o", path, "--quiet")
    run("exiftool", "-q", "-overwrite_original", f"-IPTC:Caption-Abstract={CAPTION}", "-IPTC:By-line=Nobody",
        f"-Comment={COMMENT}", path)
    data = path.read_bytes()
    path.write_bytes(data[:2] + credentials() + data[2:])
    return path


def run_verb(source, suffix, *words):
    """The losses that a verb reports, and its output."""
    messages, target = checks_motion.run_verb(source, suffix, *words)
    return tools.notices(messages, "dropped"), target


AGAIN = ((".avif", "convert"), (".heic", "convert", "--transfer", "hlg"), (".png", "convert"), (".exr", "convert"),
         (".tif", "convert"), (".jpg", "convert", "--gainmap", "keep", "--crop", "0,0,100,100"),
         (".jpg", "render", "--level", "standard"), (".png", "render", "--headroom", "2x"),
         (".heic", "remux", "--flavors", "iso", "--allow-reencode", "-s", "10"),
         (".avif", "gainmap", "swap", "--allow-reencode", "-s", "10"), (".jpg", "gainmap", "create"),
         (".avif", "gainmap", "create", "-s", "10"))


@check("losses: IPTC, comments and C2PA are kept, or reported when an image is re-encoded")
def auxiliary_metadata():
    source = annotated()
    for suffix, *words in AGAIN:
        dropped, target = run_verb(source, suffix, *words)
        found = exiftool(target, "IPTC:all", "XMP-dc:Description", "Comment", "JUMBF:all")
        for name, value, tags, messages in (("IPTC", CAPTION, ("Caption-Abstract", "Description"), "IPTC"),
                                            ("a comment", COMMENT, ("Comment",), "comment")):
            # ExifTool does not read XMP of OpenEXR.
            is_there = any(found.get(tag) == value for tag in tags) or (
                suffix == ".exr" and name == "IPTC" and value.encode() in target.read_bytes())
            is_named = any(messages in line for line in dropped)
            require(is_there != is_named, f"{words} to {suffix}: {name} there: {is_there}, named: {is_named}: {dropped}")
            require(is_there or suffix != ".jpg", f"{words} to {suffix} drops {name}")
        require(b"c2pa" not in target.read_bytes(), f"{words} to {suffix}: a signature of other samples")
        require(any("C2PA" in line for line in dropped), f"{words} to {suffix}: C2PA goes unsaid: {dropped}")
    return f"{len(AGAIN)} ways"


@check("losses: IPTC is copied from JPEG to TIFF and back")
def iptc():
    _, tiff = run_verb(annotated(), ".tif", "convert", "--transfer", "pq")
    for path in (tiff, run_verb(tiff, ".jpg", "render", "--level", "standard")[1]):
        found = exiftool(path, "IPTC:all", "Warning")
        require(found.get("Caption-Abstract") == CAPTION and found.get("By-line") == "Nobody", found)
        require("Warning" not in found, found)


@check("losses: the Photoshop thumbnail is dropped when an image is cropped")
def thumbnail():
    source, image = annotated(), fresh(".jpg")
    image.write_bytes(preview(16, 12, color=(255, 0, 0)))
    run("exiftool", "-q", "-overwrite_original", f"-Photoshop:PhotoshopThumbnail<={image}", source)
    require(exiftool(source, "PhotoshopThumbnail").get("PhotoshopThumbnail"), "exiftool wrote no thumbnail")
    dropped, target = run_verb(source, ".jpg", "convert", "--gainmap", "keep", "--crop", "0,0,100,100")
    found = exiftool(target, "PhotoshopThumbnail", "IPTC:all")
    require("PhotoshopThumbnail" not in found and found.get("Caption-Abstract") == CAPTION, found)
    require(any("(metadata/of-old-coding)" in line for line in dropped), dropped)


@check("losses: previews appended to a JPEG are reported when it is re-encoded")
def previews():
    source = annotated()
    source.write_bytes(source.read_bytes() + 2 * preview(160, 112))
    for suffix, *words in AGAIN:
        dropped, _ = run_verb(source, suffix, *words)
        named = [line for line in dropped if "2 further images" in line]
        require(len(named) == 1, f"{words} to {suffix}: {dropped}")


@check("losses: an Exif thumbnail that is not copied to TIFF is reported")
def exif_thumbnail():
    source, image = annotated(), fresh(".jpg")
    image.write_bytes(preview(16, 12))
    run("exiftool", "-q", "-overwrite_original", "-Make=None", f"-ThumbnailImage<={image}", source)
    for suffix in (".tif", ".png"):
        dropped, target = run_verb(source, suffix, "convert", "--verbose")
        is_there = "ThumbnailImage" in exiftool(target, "ThumbnailImage")
        is_named = any("thumbnail" in line for line in dropped)
        require(is_there != is_named, f"{suffix}: there: {is_there}, named: {is_named}")


@check("losses: colors that a gain in P3 cannot reproduce are reported, with a remedy")
def outside():
    source = fresh(".tif")
    light = np.zeros((64, 96, 3), np.float32)
    light[:, :48] = (0.02, 4, 0.02)
    light[:, 48:] = 0.5
    tifffile.imwrite(source, light, photometric="rgb")
    for flavors, expected in (("iso,xmp", True), ("iso", False)):
        _, messages = command("gainmap", "create", source, "--assume", "linear,bt2020", "-o", fresh(".jpg"),
                          "--flavors", flavors)
        clipped = tools.notices(messages, "clipped")
        require(bool(clipped) == expected, f"{flavors}: {messages}")
        if expected:
            require("50 %" in clipped[0] and "(create/colors-outside-base)" in clipped[0], clipped)
            require("  try: --flavors iso" in messages, messages)


@check("losses: an HDR base created from a 4:2:0 base has full chroma")
def chroma():
    source = corpus("jpeg-uhdr/uhdrapp-color01.jpg")
    for options, expected in (((), "444"), (("-y", "420"), "420")):
        _, target = run_verb(source, ".avif", "gainmap", "swap", "--allow-reencode", "-s", "10", *options)
        _, words = avifdec_planes(target)
        layout = next(word for word in words if word.startswith("C"))
        require(layout.startswith("C" + expected), f"avifdec writes {layout}, not {expected}")


@check("losses: map and metadata are extracted together, or neither")
def together():
    source, folder = annotated(), fresh("")
    folder.mkdir()
    (folder / "full").symlink_to("/dev/full")
    words = ("gainmap", "extract", source, "-o", folder / "m.png", "--metadata")
    status, messages = command(*words, folder / "full", "--force")
    require(status in (CANNOT_CREATE, INPUT_OUTPUT), f"exit {status}: {messages}")
    require(not (folder / "m.png").exists(), "the image is there without its numbers")
    run(tools.binaries / "hdrconvert", *words, folder / "m.json")
    require(json.loads((folder / "m.json").read_text()) and (folder / "m.png").exists(), "nothing came out")
