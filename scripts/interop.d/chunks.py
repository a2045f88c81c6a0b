# SPDX-License-Identifier: Apache-2.0
"""A small walker of PNG chunks, written from the layouts alone."""

import struct
import zlib

from boxes import Malformed, Reader, xy

SIGNATURE = b"\x89PNG\r\n\x1a\n"
ONCE_BEFORE_DATA = {"cICP", "mDCV", "cLLI", "sBIT", "iCCP", "eXIf", "gAMA", "cHRM", "sRGB"}


def walk(data, position=0):
    """Type and body of each chunk; its checksum must be correct."""
    while position < len(data):
        if len(data) - position < 12:
            raise Malformed(f"{len(data) - position} stray bytes at {position}")
        length, kind = struct.unpack_from(">I4s", data, position)
        body = data[position + 8 : position + 8 + length]
        end = position + 12 + length
        if end > len(data):
            raise Malformed(f"chunk {kind!r} claims {length} bytes")
        (checksum,) = struct.unpack_from(">I", data, end - 4)
        if checksum != zlib.crc32(kind + body):
            raise Malformed(f"checksum of {kind!r}")
        yield kind.decode("latin-1"), body
        position = end


def parse_chunk(kind, body):
    r = Reader(body)
    if kind == "cICP":
        result = tuple(r.uint(1) for _ in range(4))
    elif kind == "mDCV":
        red, green, blue, white = (xy(r, 0.00002) for _ in range(4))
        result = {"red": red, "green": green, "blue": blue, "white": white,
                  "max": r.uint(4) * 0.0001, "min": r.uint(4) * 0.0001}
    elif kind == "cLLI":
        result = {"max": r.uint(4) * 0.0001, "average": r.uint(4) * 0.0001}
    elif kind == "sBIT":
        result = list(r.take(len(body)))
    else:
        raise ValueError(kind)
    r.end()
    return result


class PNGFile:
    """The chunks of one PNG file."""

    def __init__(self, data):
        if data[:8] != SIGNATURE:
            raise Malformed("not a PNG")
        self.chunks = list(walk(data, 8))
        kinds = [kind for kind, _ in self.chunks]
        if kinds[0] != "IHDR" or kinds[-1] != "IEND":
            raise Malformed("IHDR or IEND is not in its place")
        first_data = kinds.index("IDAT")
        for kind in ONCE_BEFORE_DATA:
            if kinds.count(kind) > 1:
                raise Malformed(f"{kinds.count(kind)} chunks {kind}")
            if kind in kinds and kinds.index(kind) > first_data:
                raise Malformed(f"{kind} comes after IDAT")
        header = Reader(self.chunks[0][1])
        self.width, self.height, self.depth, self.color = (
            header.uint(4), header.uint(4), header.uint(1), header.uint(1))

    def body(self, kind):
        return next((body for k, body in self.chunks if k == kind), None)

    def get(self, kind):
        body = self.body(kind)
        return None if body is None else parse_chunk(kind, body)

    @property
    def xmp(self):
        prefix = b"XML:com.adobe.xmp\0"
        for kind, body in self.chunks:
            if kind == "iTXt" and body.startswith(prefix):
                is_compressed, rest = body[len(prefix)], body[len(prefix) + 2 :]
                text = rest.split(b"\0", 2)[2]
                return zlib.decompress(text) if is_compressed else text
        return None

    @property
    def icc(self):
        body = self.body("iCCP")
        return None if body is None else zlib.decompress(body[body.index(b"\0") + 2 :])
