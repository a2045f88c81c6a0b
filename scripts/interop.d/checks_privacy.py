# SPDX-License-Identifier: Apache-2.0
"""Private data: a marker in each carrier is neither in the bytes of an output nor found by exiftool."""

import json
import os
import pathlib
import re
import shutil
import struct
import zlib

import imagecodecs
from PIL import Image, ImageCms

import tools
from checks_motion import box, samsung
from runner import Skip, check, require
from tools import REFERENCE, fresh, run

CASES = pathlib.Path(os.environ.get("HDR_CASES") or tools.ROOT.parent / "shared" / "cases")
MARKER = b"SECRETMARK"


def case(name):
    """A file of the cases; the check is skipped if it is missing."""
    if not CASES.is_dir():
        raise Skip("no cases here (HDR_CASES)")
    return CASES / name


# Blocks with the marker. Numbers of tags are those of Exif 3.0.

def directory(entries, place):
    """A directory of TIFF, big-endian, and its values."""
    head, values = struct.pack(">H", len(entries)), b""
    for tag, kind, count, value in entries:
        if len(value) > 4:
            place_of_value = place + 2 + 12 * len(entries) + 4 + len(values)
            values += value + bytes(len(value) % 2)
            value = struct.pack(">I", place_of_value)
        head += struct.pack(">HHI", tag, kind, count) + value.ljust(4, b"\0")
    return head + bytes(4) + values


def exif(tag, text=MARKER, gps=False):
    inner = [(tag, 7, len(text), text)] if gps else [(tag, 2, len(text), text)]
    if not gps:
        return b"MM\0*\0\0\0\x08" + directory(inner, 8)
    main = directory([(0x8825, 4, 1, struct.pack(">I", 26))], 8)
    return b"MM\0*\0\0\0\x08" + main + directory([(1, 2, 2, b"N\0")] + inner, 26)


# The name of an area, and an artist.
POSITION, ARTIST = exif(28, b"ASCII\0\0\0" + MARKER, gps=True), exif(315)


def strip_thumbnail():
    """Exif whose thumbnail, a JPEG image with a position, is where samples without compression would be."""
    image = b"\xff\xd8" + segment(0xE1, b"Exif\0\0" + POSITION) + b"\xff\xd9"
    numbers = [(259, 3, 1, 6), (273, 4, 1, 56), (279, 4, 1, len(image))]
    entries = b"".join(
        struct.pack(">HHI", tag, kind, count) + (struct.pack(">HH", value, 0) if kind == 3 else struct.pack(">I", value))
        for tag, kind, count, value in numbers)
    return b"MM\0*\0\0\0\x08" + struct.pack(">HI", 0, 14) + struct.pack(">H", 3) + entries + bytes(4) + image


def xmp(name, space):
    return (b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
            b'<rdf:Description rdf:about="" xmlns:n="%s"><n:%s>%s</n:%s></rdf:Description></rdf:RDF></x:xmpmeta>'
            % (space, name, MARKER, name))


CITY = xmp(b"City", b"http://ns.adobe.com/photoshop/1.0/")
PROVINCE = xmp(b"stateProvince", b"http://rs.tdwg.org/dwc/terms/")
TARGET = xmp(b"LRFTargetLat", b"http://www.dji.com/drone-dji/1.0/")
POINT = xmp(b"point", b"http://www.georss.org/georss")
CREATOR = xmp(b"CreatorTool", b"http://ns.adobe.com/xap/1.0/")
IPTC = b"\x1c\x02\x5a\0" + bytes([len(MARKER)]) + MARKER
RESOURCES = b"8BIM\x04\x04\0\0" + struct.pack(">I", len(IPTC)) + IPTC + bytes(len(IPTC) % 2)
XYZ = box(b"udta", box(b"\xa9xyz", struct.pack(">HH", len(MARKER), 0x15C7), MARKER))
XMP_UUID = bytes.fromhex("BE7ACFCB97A942E89C71999491E3AFAC")


def video(inside, behind=b""):
    return (box(b"ftyp", b"mp42\0\0\0\0mp42") + box(b"moov", box(b"mvhd", bytes(12), struct.pack(">I", 600), bytes(84)),
                                                     inside) + behind + box(b"mdat", bytes(2000)))


def keys():
    handler = box(b"hdlr", bytes(8), b"mdta", bytes(13))
    names = box(b"keys", struct.pack(">II", 0, 1), box(b"mdta", b"com.apple.quicktime.location.ISO6709"))
    return box(b"meta", handler, names, box(b"ilst", box(b"\0\0\0\1", box(b"data", struct.pack(">II", 1, 0), MARKER))))


def segment(marker, payload):
    return bytes([0xFF, marker]) + struct.pack(">H", len(payload) + 2) + payload


def jumbf(content):
    return segment(0xEB, b"JP\0\1\0\0\0\1" + box(b"jumb", box(b"jumd", b"c2pa"), box(b"json", content)))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def raw_profile(data):
    return b"\nexif\n%8d\n%s\n" % (len(data), data.hex().encode())


PLACE = b"GPSLatitude " + MARKER
# Of each carrier: name, bytes, and whether the marker is a location (None: in bytes that are not parsed).
SEGMENTS = [
    ("Exif position", segment(0xE1, b"Exif\0\0" + POSITION), True),
    ("Exif with another prefix", segment(0xE1, b"Exif\0\xff" + POSITION), True),
    ("Exif artist", segment(0xE1, b"Exif\0\0" + ARTIST), False),
    ("XMP in Exif", segment(0xE1, b"Exif\0\0" + exif(700, CITY)), True),
    ("XMP city", segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + CITY), True),
    ("XMP tool", segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + CREATOR), False),
    ("XMP province", segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + PROVINCE), True),
    ("XMP target of a drone", segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + TARGET), True),
    ("XMP point", segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + POINT), True),
    ("thumbnail in strips", segment(0xE1, b"Exif\0\0" + strip_thumbnail()), True),
    ("IPTC city", segment(0xED, b"Photoshop 3.0\0" + RESOURCES), True),
    ("comment", segment(0xFE, MARKER), False),
    ("comment with a position", segment(0xFE, b"+48.8577+002.2950/ " + MARKER), True),
    ("credentials with a place", jumbf(PLACE), True),
    ("credentials", jumbf(MARKER), False),
    ("APP3", segment(0xE3, b"Meta\0\0" + POSITION), True),
    ("APP4", segment(0xE4, MARKER), None),
    ("APP5", segment(0xE5, b"RMETA\0" + MARKER), None),
    ("APP12", segment(0xEC, b"Ducky" + MARKER), None),
    ("JFXX", segment(0xE0, b"JFXX\0\x13" + MARKER), None),
]
TRAILERS = [
    ("bytes", b"\x01\x02" + MARKER, None),
    ("a place", PLACE, True),
    ("xyz of a video", video(XYZ), True),
    ("loci of a video", video(box(b"udta", box(b"loci", bytes(4), MARKER))), True),
    ("keys of a video", video(keys()), True),
    ("XMP of a video", video(b"", box(b"uuid", XMP_UUID, CITY)), True),
    ("author of a video", video(box(b"udta", box(b"auth", bytes(4), MARKER))), False),
    ("free box of a video", video(b"", box(b"free", MARKER)), False),
    ("Samsung's video", samsung((0x0A30, b"MotionPhoto_Data", video(XYZ))), True),
    ("Samsung's country", samsung((0x0AA1, b"MCC_Data", MARKER)), True),
    ("Samsung's data", samsung((0x0A01, b"Other_Data", MARKER)), None),
]
CHUNKS = [
    ("eXIf", chunk(b"eXIf", POSITION), True),
    ("zxIf", chunk(b"zxIf", b"\0" + struct.pack(">I", len(POSITION)) + zlib.compress(POSITION)), True),
    ("tEXt position", chunk(b"tEXt", b"exif:GPSLatitude\0" + MARKER), True),
    ("tEXt city", chunk(b"tEXt", b"photoshop:City\0" + MARKER), True),
    ("tEXt", chunk(b"tEXt", b"Author\0" + MARKER), False),
    ("zTXt", chunk(b"zTXt", b"Comment\0\0" + zlib.compress(MARKER)), False),
    ("zTXt Exif", chunk(b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(raw_profile(b"Exif\0\0" + POSITION))), True),
    ("iTXt XMP", chunk(b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + zlib.compress(CITY)), True),
    ("caBX", chunk(b"caBX", box(b"jumb", MARKER)), True),
    ("unknown chunk", chunk(b"prVt", MARKER), None),
]
BOXES = [
    ("mpvd", box(b"mpvd", video(XYZ)), True),
    ("video", video(keys()), True),
    ("uuid XMP", box(b"uuid", XMP_UUID, CITY), True),
    ("uuid", box(b"uuid", bytes(16), MARKER), None),
    ("sefd", box(b"sefd", MARKER), None),
    ("free", box(b"free", MARKER), False),
    ("bytes", b"\0\0\0\3" + MARKER, None),
]
JXL_BOXES = [
    ("Exif", box(b"Exif", bytes(4), POSITION), True),
    ("compressed Exif", box(b"brob", b"Exif", imagecodecs.brotli_encode(bytes(4) + POSITION)), True),
    ("compressed XMP", box(b"brob", b"xml ", imagecodecs.brotli_encode(CITY)), True),
    ("jumb", box(b"jumb", MARKER), True),
    ("compressed JUMBF", box(b"brob", b"jumb", imagecodecs.brotli_encode(MARKER)), True),
    ("unknown box", box(b"abcd", MARKER), None),
]

BASES = {}


def base(suffix):
    """Bytes of a file with a gain map, or of an SDR image in PNG."""
    if suffix not in BASES:
        path = fresh(suffix)
        if suffix == ".png":
            run(tools.binaries / "hdrconvert", "convert", REFERENCE / "photo.exr", "-o", path, "--sdr", "--resize", "64",
                "--quiet")
        elif suffix == ".jxl":
            jpeg = fresh(".jpg")
            jpeg.write_bytes(base(".jpg"))
            run(tools.binaries / "hdrconvert", "convert", jpeg, "-o", path, "--sdr", "-s", "10", "--quiet")
        else:
            small = fresh(".exr")
            run(tools.binaries / "hdrconvert", "convert", REFERENCE / "photo.exr", "-o", small, "--resize", "128", "--quiet")
            run(tools.binaries / "hdrconvert", "gainmap", "create", small, "-o", path, "--quiet", "-s", "10")
        data = path.read_bytes()
        if data.startswith(b"\xff\x0a"):
            # A bare codestream, in boxes.
            data = b"\0\0\0\x0cJXL \r\n\x87\n" + box(b"ftyp", b"jxl \0\0\0\0jxl ") + box(b"jxlc", data)
        BASES[suffix] = data
    return BASES[suffix]


def made(suffix, place, extra):
    """The base file with extra bytes at a place."""
    data = base(suffix)
    if place == "segment":
        # In both images: the gain map begins at the second SOI with a marker after it.
        second = data.index(b"\xff\xd8\xff", 3)
        front = data[:2] + extra + data[2:second]
        data = front + data[second:second + 2] + extra + data[second + 2:]
    elif place == "chunk":
        data = data[:33] + extra + data[33:]
    elif place == "box":
        data = data[:32] + extra + data[32:] if suffix == ".jxl" else data + extra
    else:
        data += extra
    path = fresh(suffix)
    path.write_bytes(data)
    return path


def contents(data):
    """All bytes, and those of zlib and Brotli streams in them."""
    yield data
    start = data.find(b"\x78")
    while start >= 0:
        try:
            yield zlib.decompressobj().decompress(data[start:])
        except zlib.error:
            pass
        start = data.find(b"\x78", start + 1)
    start = data.find(b"brob")
    while start >= 0:
        length = struct.unpack(">I", data[start - 4:start])[0]
        try:
            yield imagecodecs.brotli_decode(data[start + 8:start - 4 + length])
        except imagecodecs.BrotliError:
            pass
        start = data.find(b"brob", start + 1)


def marked(path):
    if any(MARKER in part or MARKER.hex().encode() in part for part in contents(path.read_bytes())):
        return True
    return MARKER.decode() in run("exiftool", "-ee3", "-a", "-u", "-G1", path, accept=(0, 1))


def verbs(suffix):
    """Commands that write the same format, which all act on the same data."""
    yield ("tag",)
    if suffix == ".png":
        yield ("convert", "--sdr", "--resize", "32")
    elif suffix == ".jxl":
        yield ("convert", "--sdr", "--resize", "32", "-s", "10")
    else:
        yield ("remux", "--rotate", "90")
        yield ("gainmap", "flatten")
        yield ("convert", "--resize", "64", "-s", "10")
        yield ("extract", "--item", "0" if suffix == ".jpg" else "1")
        yield ("gainmap", "extract")


def strips(suffix, place, extra, is_location):
    source = made(suffix, place, extra)
    require(marked(source), "the marker is not found in the input")
    count = 0
    for words in verbs(suffix):
        for how in ("all", "gps"):
            target = fresh(suffix)
            status, told = tools.command(*words, source, "-o", target, "--strip", how)
            require(status == 0, f"{words} {how}: exit {status}: {told[-300:]}")
            count += 1
            if how == "all" or is_location:
                require(not marked(target), f"{words} --strip {how}: the marker is in the output")
            elif is_location is None and words == ("tag",):
                require("(location/parts-not-read)" in told or not marked(target), f"{words}: {told}")
            require("does not contain" not in told, told)
    return f"{count} outputs"


for suffix, place, carriers in ((".jpg", "segment", SEGMENTS), (".jpg", "trailer", TRAILERS), (".png", "chunk", CHUNKS),
                                (".png", "trailer", TRAILERS[:2]), (".heic", "box", BOXES), (".avif", "box", BOXES[:3]),
                                (".jxl", "box", JXL_BOXES)):
    for name, extra, is_location in carriers:
        check(f"privacy: {name} of {suffix}", suffix, place, extra, is_location)(strips)


def playable():
    """A video with a location, as ffmpeg writes it for QuickTime and with keys."""
    if not shutil.which("ffmpeg"):
        raise Skip("no ffmpeg")
    for suffix, words in ((".mp4", ()), (".mov", ("-movflags", "use_metadata_tags"))):
        path = fresh(suffix)
        run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=duration=1:size=64x48:rate=10", "-metadata",
            "location=+48.8577+002.2950/", "-metadata", "artist=Jane", *words, path)
        yield path.read_bytes()


def packets(path):
    """Digests of the packets of all streams."""
    return run("ffprobe", "-v", "error", "-show_packets", "-show_data_hash", "md5", "-show_entries",
               "packet=pts,data_hash", "-of", "csv", path)


@check("privacy: a stripped video plays as before")
def plays():
    count = 0
    for moving in playable():
        before = fresh(".mp4")
        before.write_bytes(moving)
        for suffix, extra in ((".jpg", moving), (".jpg", samsung((0x0A30, b"MotionPhoto_Data", moving))),
                              (".heic", box(b"mpvd", moving)), (".heic", moving)):
            source = made(suffix, "trailer", extra)
            for how in ("gps", "all"):
                target, after = fresh(suffix), fresh(".mp4")
                run(tools.binaries / "hdrconvert", "tag", source, "-o", target, "--strip", how)
                require(b"48.85" not in target.read_bytes(), "the location is in the output")
                run(tools.binaries / "hdrconvert", "extract", target, "-o", after, "--video")
                require(packets(after) == packets(before), f"{suffix} {how}: the packets differ")
                require((b"Jane" in after.read_bytes()) == (how == "gps"), f"{how}: the artist")
                count += 1
            target = fresh(suffix)
            run(tools.binaries / "hdrconvert", "tag", source, "-o", target, "--strip", "video")
            require(b"moov" not in target.read_bytes(), "the video is in the output")
    return f"{count} videos"


@check("privacy: a position in a profile is reported")
def profile():
    """A profile is kept as it is, since readers need it."""
    text = b"+48.8577+002.2950/"
    data = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    place = data.index(b"cprt") + 4
    start, size = struct.unpack_from(">II", data, place)
    require(size >= 12 + len(text), "a short copyright")
    data[start + size - len(text):start + size] = text
    source, target = fresh(".jpg"), fresh(".jpg")
    Image.new("RGB", (16, 16)).save(source, icc_profile=bytes(data))
    status, told = tools.command("tag", source, "-o", target, "--strip", "gps")
    require(status == 0 and "(location/parts-not-read)" in told, told)
    require(text in profile_of(target), "the profile was edited")


def profile_of(path):
    with Image.open(path) as opened:
        return opened.info["icc_profile"]


HEADROOM = (("tag", "--strip", "all"), ("tag", "--strip", "exif"), ("remux", "--rotate", "90", "--strip", "all"),
            ("remux", "--flavors", "apple", "--strip", "all"), ("convert", "--resize", "64", "--strip", "all"),
            ("convert", "--resize", "64"), ("tag", "--strip", "gps"))


@check("privacy: the headroom of an Apple gain map is kept")
def headroom():
    """From its MANIFEST: 8x; exiftool finds it in XMP, or the numbers in the maker note."""
    source = case("apple-headroom-in-maker-note.jpg")
    for words in HEADROOM:
        target = fresh(".jpg")
        run(tools.binaries / "hdrconvert", *words, source, "-o", target)
        report = json.loads(run(tools.binaries / "hdrconvert", "inspect", target, "--json"))["results"][0]
        require(report["isHighDynamicRange"], f"{words}: the output is SDR")
        # The gain map is the second image.
        found = run("exiftool", "-a", "-ee3", "-s3", "-HDRGainMapHeadroom", target).split()
        found += run("exiftool", "-b", "-MPImage2", target, binary=True).split(b"HDRGainMapHeadroom>")[1:2]
        note = run("exiftool", "-s3", "-Apple:HDRHeadroom", target)
        # Images that are encoded again have metadata of Ultra HDR: 3 stops.
        ultra = re.search(rb'HDRCapacityMax="([0-9.]+)"', run("exiftool", "-b", "-MPImage2", target, binary=True))
        is_same = ultra and abs(float(ultra[1]) - 3) < 1e-3
        require(found or note.strip() or is_same, f"{words}: exiftool finds no headroom")
    return f"{len(HEADROOM)} commands"


# Of each case of the manifest: what must not be in the output.
FILES = (("exif-of-second-image.jpg", "all", b"SECRET"), ("c2pa-app11.jpg", "all", b"SECRET"),
         ("motion-photo-location.jpg", "gps", b"48.85"), ("motion-photo-location.jpg", "all", b"48.85"),
         ("exif-second-prefix.jpg", "gps", b"SECRET"), ("exif-compressed-chunk.png", "gps", b"SECRET"),
         ("exif-in-thumbnail.jpg", "gps", b"SECRET"), ("xmp-place-names.jpg", "gps", b"SECRET"))

for name, how, text in FILES:
    @check(f"privacy: {name} --strip {how}", name, how, text)
    def cases(name, how, text):
        source = case(name)
        target = fresh(source.suffix)
        run(tools.binaries / "hdrconvert", "tag", source, "-o", target, "--strip", how)
        require(not any(text in part for part in contents(target.read_bytes())), "the text is in the output")
        tags = run("exiftool", "-ee3", "-a", "-u", "-G1", target, accept=(0, 1))
        require("[GPS]" not in tags and text.decode() not in tags, tags)


# AV1: metadata of ITU-T T.35 of an unknown provider, a reserved unit and a temporal delimiter with a payload.
# HEVC: a suffix SEI message of unregistered user data, units of reserved types and an access unit delimiter.
T35 = bytes([4, 0x26, 0, 99]) + MARKER + b"\x80"
USER_DATA = {
    ".avif": b"".join(bytes([kind << 3 | 2, len(payload)]) + payload for kind, payload in (
        (5, T35), (9, MARKER), (2, MARKER))),
    ".heic": b"".join(struct.pack(">I", 2 + len(payload)) + bytes([kind << 1, 1]) + payload for kind, payload in (
        (40, bytes([5, 16 + len(MARKER)]) + bytes(range(1, 17)) + MARKER + b"\x80"),
        (41, MARKER), (22, MARKER), (35, MARKER)))}


def with_units(data, units):
    """A file with one image whose coded data are copied behind the last box, with units at their end."""
    start = data.index(b"iloc") + 4
    require(data[start:start + 8] == bytes.fromhex("0000000044000001"), "another form of iloc")
    offset, length = struct.unpack(">II", data[start + 14:start + 22])
    coded = data[offset:offset + length] + units
    place = struct.pack(">II", len(data) + 8, len(coded))
    return data[:start + 14] + place + data[start + 22:] + box(b"mdat", coded)


@check("privacy: user data leave bitstreams, of which libavif and libheif decode the same samples")
def user_data():
    told = []
    for suffix, units in USER_DATA.items():
        source = REFERENCE / "containers" / f"iso22028-5-pq{suffix}"
        image, target = fresh(suffix), fresh(suffix)
        image.write_bytes(with_units(source.read_bytes(), units))
        run(tools.binaries / "hdrconvert", "tag", image, "-o", target, "--strip", "all", "--quiet")
        require(MARKER in image.read_bytes() and MARKER not in target.read_bytes(), f"{suffix}: the marker is kept")
        old, new = ((tools.avif_codes(p) if suffix == ".avif" else tools.heif_codes(p, 10)) for p in (image, target))
        require((old == new).all(), f"{suffix}: other samples")
        run(tools.binaries / "hdrconvert", "validate", target)
        told.append(f"{suffix} {image.stat().st_size} -> {target.stat().st_size} bytes")
    return "; ".join(told)
