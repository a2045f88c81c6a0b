# SPDX-License-Identifier: Apache-2.0
"""Complete raw files in camera formats, uncompressed or in lossless JPEG, with synthetic pixels.

Writes the structures of each manufacturer that LibRaw requires: directories, levels, white, slices, mosaics.
"""

import io
import struct

import numpy as np
from PIL import Image

from workspace import fresh


def shorts(*values):
    return 3, len(values), struct.pack(f"<{len(values)}H", *values)


def longs(*values):
    return 4, len(values), struct.pack(f"<{len(values)}I", *values)


def signed(*values):
    return 8, len(values), struct.pack(f"<{len(values)}h", *values)


def numbers(*values):
    return 1, len(values), bytes(values)


def text(value):
    return 2, len(value) + 1, value.encode() + b"\0"


def directory(tags, place, following=0):
    """A TIFF directory at an offset in the file, followed by its values."""
    head, values = struct.pack("<H", len(tags)), b""
    start = place + 2 + 12 * len(tags) + 4
    for tag, (kind, count, data) in sorted(tags.items()):
        if len(data) > 4:
            values += b"\0" * (len(values) % 2)
            data, values = struct.pack("<I", start + len(values)), values + data
        head += struct.pack("<HHI", tag, kind, count) + data.ljust(4, b"\0")
    return head + struct.pack("<I", following) + values


def saved(suffix, data):
    path = fresh(suffix)
    path.write_bytes(data)
    return path


def below(suffix, first, raw, strip):
    """A first directory, the raw image's subdirectory, and the image data after both."""
    place = 8 + len(directory(first | {330: longs(0)}, 8))
    place += place % 2
    raw = raw | {273: longs(0), 279: longs(len(strip))}
    data = place + len(directory(raw, place))
    head = b"II*\0" + struct.pack("<I", 8) + directory(first | {330: longs(place)}, 8)
    return saved(suffix, head.ljust(place, b"\0") + directory(raw | {273: longs(data)}, place) + strip)


def mosaic(pixels, pattern):
    height, width = pixels.shape
    return {
        254: longs(0), 256: longs(width), 257: longs(height), 258: shorts(14), 259: shorts(1), 262: shorts(32803),
        277: shorts(1), 278: longs(height), 33421: shorts(*pattern.shape), 33422: numbers(*pattern.ravel())}


def nef(pixels):
    """Nikon: 14 bits in 16, green and red in the first row."""
    first = {254: longs(1), 271: text("NIKON CORPORATION"), 272: text("NIKON D5300"), 274: shorts(1)}
    return below(".nef", first, mosaic(pixels, np.array([[1, 0], [2, 1]])), pixels.astype("<u2").tobytes())


def arw(pixels, black, gains):
    """Sony: black levels and white are tags of the raw image's directory."""
    first = {254: longs(1), 271: text("SONY"), 272: text("ILCE-7M3"), 274: shorts(1)}
    raw = mosaic(pixels, np.array([[0, 1], [1, 2]])) | {
        0x7310: shorts(*[black] * 4), 0x7313: signed(gains[0], gains[1], gains[1], gains[2])}
    return below(".arw", first, raw, pixels.astype("<u2").tobytes())


def lossless_jpeg(samples, bits):
    """Lossless JPEG of height x width x components, predicted from the left.

    Source: ITU-T T.81, annex H.
    """
    height, width, components = samples.shape
    # Categories up to 16, each with a 5-bit code.
    out = b"\xff\xd8\xff\xc4" + struct.pack(">HB", 36, 0) + bytes([0, 0, 0, 0, 17] + [0] * 11) + bytes(range(17))
    out += b"\xff\xc3" + struct.pack(">HBHHB", 8 + 3 * components, bits, height, width, components)
    out += b"".join(bytes([index + 1, 0x11, 0]) for index in range(components))
    out += b"\xff\xda" + struct.pack(">HB", 6 + 2 * components, components)
    out += b"".join(bytes([index + 1, 0]) for index in range(components)) + bytes([1, 0, 0])
    before = np.concatenate([np.roll(samples[:, :1], 1, 0), samples[:, :-1]], 1).astype(int)
    before[0, 0] = 1 << (bits - 1)
    coded = []
    for difference in (samples.astype(int) - before).ravel().tolist():
        size = abs(difference).bit_length()
        coded.append(f"{size:05b}")
        if size:
            coded.append(f"{difference if difference > 0 else difference + (1 << size) - 1:0{size}b}")
    coded = "".join(coded)
    coded += "1" * (-len(coded) % 8)
    data = int(coded, 2).to_bytes(len(coded) // 8, "big")
    return out + data.replace(b"\xff", b"\xff\0") + b"\xff\xd9"


def cr2(pixels, slices):
    """Canon: consecutive slices of columns in lossless JPEG of two components."""
    height, width = pixels.shape
    starts = np.cumsum([0, *slices])
    stream = np.concatenate([pixels[:, a:b].ravel() for a, b in zip(starts, starts[1:])])
    coded = lossless_jpeg(stream.reshape(height, width // 2, 2), 14)
    first = {
        256: shorts(160), 257: shorts(120), 258: shorts(8, 8, 8), 259: shorts(6), 271: text("Canon"),
        272: text("Canon EOS 5D Mark II"), 274: shorts(1)}
    raw = {
        259: shorts(6), 273: longs(0), 279: longs(len(coded)), 0xC5D8: longs(1), 0xC5E0: longs(1),
        0xC640: shorts(len(slices) - 1, slices[0], slices[-1])}
    place = 16 + len(directory(first, 16))
    place += place % 2
    data = place + len(directory(raw, place))
    head = b"II*\0" + struct.pack("<I", 16) + b"CR\2\0" + struct.pack("<I", place) + directory(first, 16, place)
    return saved(".cr2", head.ljust(place, b"\0") + directory(raw | {273: longs(data)}, place) + coded)


def raf(pixels, pattern, gains):
    """Fujifilm: a preview with Exif, a leading table of tags, and a structure around the mosaic."""
    height, width = pixels.shape
    exif = b"Exif\0\0II*\0" + struct.pack("<I", 8) + directory(
        {271: text("FUJIFILM"), 272: text("X-T2"), 274: shorts(1)}, 8)
    preview = io.BytesIO()
    Image.new("RGB", (16, 16)).save(preview, "JPEG")
    # Exif replaces the 18 bytes of JFIF, because cameras write it first.
    preview = b"\xff\xd8\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + preview.getvalue()[20:]

    def entry(tag, data):
        return struct.pack(">2H", tag, len(data)) + data

    size = struct.pack(">2H", height, width)
    entries = [
        entry(0x100, size), entry(0x110, bytes(4)), entry(0x111, size), entry(0x121, size),
        entry(0x131, bytes(pattern.ravel()[::-1].tolist())),
        entry(0x2FF0, struct.pack(">4H", gains[1], gains[0], gains[1], gains[2]))]
    tags = struct.pack(">I", len(entries)) + b"".join(entries)
    start = 0x94 + len(preview) + len(tags)
    start += -start % 16
    # A directory that points to one with Fujifilm's private tags.
    data = 2048
    inner = directory({
        0xF001: longs(width), 0xF002: longs(height), 0xF003: longs(16), 0xF007: longs(data),
        0xF008: longs(2 * pixels.size), 0xF00A: longs(0), 0xF00E: longs(gains[1], gains[0], gains[2])}, 26)
    outer = b"II*\0" + struct.pack("<I", 8) + directory({0xF000: (13, 1, struct.pack("<I", 26))}, 8)
    mosaic = (outer.ljust(26, b"\0") + inner).ljust(data, b"\0") + pixels.astype("<u2").tobytes()
    head = b"FUJIFILMCCD-RAW 0201FF383501X-T2".ljust(0x3C, b"\0") + b"0100"
    head = head.ljust(0x54, b"\0") + struct.pack(
        ">6I", 0x94, len(preview), 0x94 + len(preview), len(tags), start, len(mosaic))
    return saved(".raf", (head.ljust(0x94, b"\0") + preview + tags).ljust(start, b"\0") + mosaic)
