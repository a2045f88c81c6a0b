# SPDX-License-Identifier: Apache-2.0
"""Videos of motion photos with gain maps: kept where the file is edited, reported where it is re-encoded."""

import struct

import tools
from runner import check, require
from tools import REFERENCE, fresh, run


def box(kind, *content):
    content = b"".join(content)
    return struct.pack(">I", 8 + len(content)) + kind + content


def film(size=10_000):
    """Data with the structure of a video, with an offset relative to its own start."""
    head = box(b"ftyp", b"mp42", bytes(4), b"mp42")
    table = box(b"stco", bytes(4), struct.pack(">II", 1, len(head) + 8))
    for kind in (b"stbl", b"minf", b"mdia", b"trak", b"moov"):
        table = box(kind, table)
    return head + box(b"mdat", (bytes(range(256)) * (size // 256 + 1))[:size]) + table


def samsung(*blocks):
    """Samsung trailer: named blocks, then a directory with their distances."""
    data = [struct.pack("<HHI", 0, kind, len(name)) + name + content for kind, name, content in blocks]
    directory, distance = b"", 0
    for (kind, _, _), block in reversed(list(zip(blocks, data))):
        distance += len(block)
        directory = struct.pack("<HHII", 0, kind, distance, len(block)) + directory
    directory = b"SEFH" + struct.pack("<II", 107, len(blocks)) + directory
    return b"".join(data) + directory + struct.pack("<I", len(directory)) + b"SEFT"


def made(suffix, behind):
    path = fresh(suffix)
    run(tools.binaries / "hdrconvert", "gainmap", "create", REFERENCE / "photo.exr", "-o", path, "--quiet", "-s", "10")
    path.write_bytes(path.read_bytes() + behind)
    return path


def run_verb(source, suffix, *words):
    """Standard error of a verb, and its output."""
    target = fresh(suffix)
    status, told = tools.command(*words, source, "-o", target)
    require(status == 0, f"{words}: exit {status}: {told[-300:]}")
    return told, target


# These verbs edit the file: its metadata, or other images.
KEEPING = (("remux", "--flavors", "iso"), ("remux", "--rotate", "90"), ("gainmap", "flatten"), ("tag", "--strip", "gps"))
LOSING = (("gainmap", "swap", "--allow-reencode", "-s", "10"), ("convert", "--resize", "300", "-s", "10"))


def kept(suffix):
    """exiftool finds the original video."""
    moving = film()
    source = made(suffix, box(b"mpvd", moving))
    for words in KEEPING:
        _, target = run_verb(source, suffix, *words)
        found = run("exiftool", "-b", "-MotionPhotoVideo", target, binary=True)
        require(found == moving, f"{words}: exiftool finds {len(found)} bytes of the film's {len(moving)}")
        require(target.read_bytes().endswith(moving), f"{words}: the film is not at the end")
        run(tools.binaries / "hdrconvert", "validate", target, "--standard", "all")
    return f"{len(moving)} bytes after {len(KEEPING)} verbs"


def file_kept(suffix):
    """A video appended as a separate file is unchanged, with its own offsets."""
    moving = film()
    source = made(suffix, moving)
    for words in KEEPING:
        _, target = run_verb(source, suffix, *words)
        require(target.read_bytes().endswith(moving), f"{words}: the film changed")


def named(suffix, behind, words, other=".avif"):
    """Data that are not copied are reported."""
    source = made(suffix, behind)
    told = []
    for verb, target in [*((verb, suffix) for verb in LOSING if suffix != ".jpg" or verb[0] == "convert"),
                         (("convert",), other), (("gainmap", "create"), ".jpg")]:
        messages, _ = run_verb(source, target, *verb)
        lines = [line for line in messages.splitlines() if "(metadata/embedded-not-copied)" in line]
        require(len(lines) == 1 and all(word in lines[0] for word in words), f"{verb}: {messages}")
        told += lines
    return told[0]


for suffix in (".heic", ".avif"):
    check(f"motion: a video in {suffix} is kept", suffix)(kept)
    check(f"motion: a video appended to {suffix} is kept", suffix)(file_kept)
    check(f"motion: a video in {suffix} that is not copied is reported", suffix, box(b"mpvd", film()), ["video"])(named)
check("motion: a video appended to .jpg is kept", ".jpg")(file_kept)
check("motion: a video appended to .jpg that is not copied is reported", ".jpg", film(), ["video"])(named)
check("motion: a Samsung trailer that is not copied is reported", ".jpg",
      samsung((0x0A30, b"MotionPhoto_Data", film()), (0x0A01, b"Image_UTC_Data", b"1788746908069")),
      ["video (MotionPhoto_Data)", "Image_UTC_Data"])(named)


@check("motion: a Samsung trailer is a video only if it contains one")
def holds_film():
    for block, is_film in (((0x0A30, b"MotionPhoto_Data", film()), True),
                           ((0x0A01, b"Image_UTC_Data", b"1788746908069"), False)):
        messages, target = run_verb(made(".jpg", samsung(block)), ".jpg", "remux", "--rotate", "90")
        require(("(orientation/video-not-rotated)" in messages) == is_film, messages)
        require(block[1].decode() in run("exiftool", "-v3", target), "exiftool does not find the block")


@check("motion: a long video is not read if it is dropped, and is streamed if it is kept")
def long_film():
    """If dropped, at most one block is read to identify it; if kept, it is copied in blocks."""
    length, messages = 100 << 20, []
    sources = [made(".jpg", film(length)), made(".jpg", b"")]
    for words, suffix in ((("convert", "-s", "10"), ".avif"), (("remux", "--flavors", "iso"), ".jpg")):
        read, resident = (more - less for more, less in zip(*(
            tools.cost(tools.binaries / "hdrconvert", *words, source, "-o", fresh(suffix)) for source in sources)))
        require(words[0] == "remux" or read < tools.BLOCK, f"{words[0]}: {read} bytes more are read")
        require(resident < 4 * tools.BLOCK, f"{words[0]}: {resident} bytes more in memory")
        messages.append(f"{words[0]}: {read >> 10} KiB more read, {resident >> 10} KiB more in memory")
    return "; ".join(messages)
