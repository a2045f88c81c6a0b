# SPDX-License-Identifier: Apache-2.0
"""Writers of the file formats, from their layouts alone: small headers with any counts and sizes."""

import struct
import zlib

RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'


# PNG


def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(chunks=(), data=None, width=16, height=16, bits=8, color=2, interlaced=False):
    """A PNG file; `data` are the contents of its IDAT chunks."""
    if data is None:
        row = 1 + width * {0: 1, 2: 3, 6: 4}[color] * bits // 8
        data = [zlib.compress(bytes(row * height))]
    header = struct.pack(">IIBBBBB", width, height, bits, color, 0, 0, 1 if interlaced else 0)
    return b"".join(
        [b"\x89PNG\r\n\x1a\n", png_chunk(b"IHDR", header), *chunks]
        + [png_chunk(b"IDAT", part) for part in data] + [png_chunk(b"IEND", b"")])


def zeros(count, prefix=b"", level=9):
    """A zlib stream of `count` zero bytes, made without that much memory."""
    coder = zlib.compressobj(level)
    parts = [coder.compress(prefix)]
    block = bytes(1 << 20)
    while count > 0:
        parts.append(coder.compress(block[:count]))
        count -= len(block)
    return b"".join(parts) + coder.flush()


def png_xmp(packet):
    """The chunk of an XMP packet."""
    return png_chunk(b"iTXt", b"XML:com.adobe.xmp\0" + bytes(4) + packet)


def png_profile(profile):
    """The chunk of an ICC profile."""
    return png_chunk(b"iCCP", b"profile\0\0" + zlib.compress(profile, 1))


def xmp(attributes="", elements=""):
    return (f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF {RDF}><rdf:Description rdf:about="" '
            f'xmlns:a="http://ns.example/a/"{attributes}>{elements}</rdf:Description></rdf:RDF>'
            "</x:xmpmeta>").encode()


def icc(tags):
    """An RGB display profile with `tags`: pairs of a signature and its data."""
    table, data = b"", b""
    start = 128 + 4 + 12 * len(tags)
    for signature, content in tags:
        table += struct.pack(">4sII", signature, start + len(data), len(content))
        data += content + bytes(-len(content) % 4)
    body = struct.pack(">I", len(tags)) + table + data
    header = struct.pack(">I4sI4s4s4s12x4s", 128 + len(body), b"test", 0x04400000, b"mntr", b"RGB ",
                         b"XYZ ", b"acsp")
    header += bytes(28) + struct.pack(">III", 0xF6D6, 0x10000, 0xD32D)
    return header.ljust(128, b"\0") + body


# TIFF

def ifd(entries, at, following=0):
    """A directory at an offset; `entries` are tag, type, count and bytes, in any order."""
    head = struct.pack("<H", len(entries))
    values = b""
    start = at + 2 + 12 * len(entries) + 4
    for tag, kind, count, content in sorted(entries, key=lambda entry: entry[0]):
        if len(content) <= 4:
            field = content.ljust(4, b"\0")
        else:
            field = struct.pack("<I", start + len(values))
            values += content + bytes(len(content) & 1)
        head += struct.pack("<HHI", tag, kind, count) + field
    return head + struct.pack("<I", following) + values


def short(tag, *values):
    return (tag, 3, len(values), struct.pack(f"<{len(values)}H", *values))


def long(tag, *values):
    return (tag, 4, len(values), struct.pack(f"<{len(values)}I", *values))


def fractions(tag, kind, *values):
    """Unsigned (5) or signed (10) rationals."""
    code = {5: "II", 10: "ii"}[kind]
    return (tag, kind, len(values), b"".join(
        struct.pack(f"<{code}", round(value * 10_000), 10_000) for value in values))


def tiff(entries, data=b""):
    """A TIFF file whose directory follows `data`, which begins at offset 8."""
    at = 8 + len(data) + (len(data) & 1)
    return (struct.pack("<2sHI", b"II", 42, at) + data + bytes(len(data) & 1) + ifd(entries, at))


def tiff_image(width, height, channels=3, bits=8, compression=1, extra=()):
    return [long(256, width), long(257, height), short(258, *[bits] * channels),
            short(259, compression), short(262, 2 if channels == 3 else 1), short(277, channels),
            *extra]


def dng(width, height, extra, compression=1):
    """A Bayer image of 16 bits; `extra` has its strips or tiles, whose data begin at offset 8."""
    return [
        *tiff_image(width, height, 1, 16, compression)[:4], short(262, 32803), short(277, 1),
        short(33421, 2, 2), (33422, 1, 4, bytes([0, 1, 1, 2])), (50706, 1, 4, bytes([1, 4, 0, 0])),
        (50708, 2, 5, b"test\0"), short(50778, 21), fractions(50728, 5, 0.5, 1, 0.6),
        fractions(50721, 10, 1, 0, 0, 0, 1, 0, 0, 0, 1), *extra]


def opcode_list(number, *opcodes):
    """The entry of OpcodeList1, 2 or 3; an opcode is its identifier and content."""
    content = struct.pack(">I", len(opcodes)) + b"".join(
        struct.pack(">IIII", code, 0x01030000, 1, len(data)) + data for code, data in opcodes)
    return ((51008, 51009, 51022)[number - 1], 7, len(content), content)


def large_dng(width, height):
    """A Bayer image of smooth rows, in strips that are compressed separately."""
    rows = 100
    strips = [zlib.compress(b"".join(
        struct.pack("<H", (start + row) & 4095) * width for row in range(rows)), 1)
        for start in range(0, height, rows)]
    starts = [8 + sum(map(len, strips[:index])) for index in range(len(strips))]
    return tiff(dng(width, height, [
        long(278, rows), long(273, *starts), long(279, *map(len, strips))], compression=8), b"".join(strips))


# JPEG XR

GUID = bytes.fromhex("24c3dd6f034efe4bb1853d77768dc9")


def bits(*fields):
    """Values with their numbers of bits, padded to a byte."""
    value, count = 0, 0
    for field, length in fields:
        value, count = value << length | field, count + length
    return (value << -count % 8).to_bytes((count + 7) // 8, "big")


def jxr_header(width, height, color=False, tiles=None):
    """A codestream of 8-bit samples with DC coefficients alone, up to its index table; tiles have one macroblock each."""
    header = bits(
        (0x11, 8), (bool(tiles), 1), (0, 4), (bool(tiles), 1), (0, 2), (0x80, 8),
        (0x71 if color else 1, 8), (width - 1, 16), (height - 1, 16),
        *([(tiles[0] - 1, 12), (tiles[1] - 1, 12)] + [(1, 8)] * (sum(tiles) - 2) if tiles else []))
    # Internal color format, bands, and a quantizer of 1.
    plane = bits((3 if color else 0, 3), (0, 1), (3, 4), *([(0, 8), (1, 1), (0, 2)] if color else [(1, 1)]), (1, 8))
    index = b"\0\1" + bytes(2 * tiles[0] * tiles[1]) if tiles else b""
    # Profile and level, then the start code of a tile.
    return b"WMPHOTO\0" + header + plane + index + bytes.fromhex("00046fff000100000100")


def jxr(width, height, data, color=False, tiles=None):
    """A JPEG XR file; `data` are the bytes after the start of the first tile."""
    codestream = jxr_header(width, height, color, tiles) + data
    at = 8 + len(codestream) + (len(codestream) & 1)
    return (struct.pack("<2sHI", b"II", 0x1BC, at) + codestream + bytes(len(codestream) & 1) + ifd([
        (0xBC01, 1, 16, GUID + bytes([0x0D if color else 0x08])), long(0xBC80, width), long(0xBC81, height),
        long(0xBCC0, 8), long(0xBCC1, len(codestream))], at))


def jxr_directories(count, size):
    """Images that share their codestream and an unknown value of `size` bytes."""
    codestream = jxr_header(16, 16) + bytes(64)
    start = 8 + len(codestream)
    head = struct.pack("<2sHI", b"II", 0x1BC, start + size) + codestream + bytes(size)
    entries = [(0x9000, 7, size, struct.pack("<I", start)), (0xBC01, 1, 16, None), long(0xBC80, 16), long(0xBC81, 16),
               long(0xBCC0, 8), long(0xBCC1, len(codestream))]
    length = 2 + 12 * len(entries) + 4
    at = len(head)
    guid = at + count * length
    parts = []
    for index in range(count):
        table = struct.pack("<H", len(entries))
        for tag, kind, number, value in entries:
            table += struct.pack("<HHI", tag, kind, number) + (struct.pack("<I", guid) if value is None else value)
        parts.append(table + struct.pack("<I", 0 if index == count - 1 else at + (index + 1) * length))
    return head + b"".join(parts) + GUID + bytes([0x08])


# Radiance


def large_radiance(width, height):
    """Rows of one color each, in runs."""
    def row(y):
        parts = [struct.pack(">BBH", 2, 2, width)]
        for value in (y & 255, y >> 4 & 255, 128, 128):
            parts += [bytes([128 + min(127, width - x), value]) for x in range(0, width, 127)]
        return b"".join(parts)

    head = f"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n".encode()
    return head + b"".join(row(y) for y in range(height))


# EXR


def exr(attributes=b"", width=16, height=16):
    """An image of one 32-bit component without compression."""
    def attribute(name, kind, content):
        return name + b"\0" + kind + b"\0" + struct.pack("<I", len(content)) + content

    window = struct.pack("<4i", 0, 0, width - 1, height - 1)
    head = b"".join([
        struct.pack("<II", 20000630, 2),
        attribute(b"channels", b"chlist", b"Y\0" + struct.pack("<IIII", 2, 0, 1, 1) + b"\0"),
        attribute(b"compression", b"compression", b"\0"), attribute(b"dataWindow", b"box2i", window),
        attribute(b"displayWindow", b"box2i", window), attribute(b"lineOrder", b"lineOrder", b"\0"),
        attribute(b"pixelAspectRatio", b"float", struct.pack("<f", 1)),
        attribute(b"screenWindowCenter", b"v2f", bytes(8)),
        attribute(b"screenWindowWidth", b"float", struct.pack("<f", 1)), attributes, b"\0"])
    row = 8 + 4 * width
    start = len(head) + 8 * height
    table = struct.pack(f"<{height}Q", *(start + row * y for y in range(height)))
    return head + table + b"".join(
        struct.pack("<ii", y, 4 * width) + bytes(4 * width) for y in range(height))


# JPEG


def segment(marker, content):
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content


def huffman(kind, number, codes):
    """A table from the number of codes of each length and their symbols: {length: [symbol]}."""
    counts = bytes(len(codes.get(length, ())) for length in range(1, 17))
    symbols = bytes(symbol for length in sorted(codes) for symbol in codes[length])
    return segment(0xC4, bytes([kind << 4 | number]) + counts + symbols)


def jpeg_head(width, height, frame=0xC0, components=1, sampling=0x11):
    fields = b"".join(
        bytes([index + 1, sampling if index == 0 else 0x11, 0]) for index in range(components))
    return (segment(0xDB, bytes(1) + b"\1" * 64)
            + segment(frame, struct.pack(">BHHB", 8, height, width, components) + fields)
            + huffman(0, 0, {1: [0]}) + huffman(1, 0, {1: [0]}))


def scan(components=1, first=0, last=63, high=0, low=0):
    fields = b"".join(bytes([index + 1, 0]) for index in range(components))
    return segment(0xDA, bytes([components]) + fields + bytes([first, last, high << 4 | low]))


def jpeg(segments=b"", width=16, height=16):
    """A gray baseline image of zero coefficients: two bits for each block."""
    blocks = (width + 7) // 8 * ((height + 7) // 8)
    data = bytes(2 * blocks // 8) + (b"\x0f" if 2 * blocks % 8 else b"")
    return b"\xff\xd8" + segments + jpeg_head(width, height) + scan() + data + b"\xff\xd9"


# HEIF


def box(kind, *parts):
    content = b"".join(parts)
    return struct.pack(">I4s", 8 + len(content), kind) + content


def full_box(kind, version, flags, *parts):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def boxes(data):
    """Type and content of the boxes in `data`."""
    position = 0
    while position + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, position)
        yield kind, data[position + 8:position + size]
        position += size


class CodedTile:
    """Configuration and coded bytes of the primary item of an AVIF or HEIC file."""

    def __init__(self, path):
        data = path.read_bytes()
        meta = dict(boxes(data))[b"meta"]
        inside = dict(boxes(meta[4:]))
        properties = dict(boxes(dict(boxes(inside[b"iprp"]))[b"ipco"]))
        configuration = b"av1C" if b"av1C" in properties else b"hvcC"
        self.kind, self.brand = {b"av1C": (b"av01", b"avif"), b"hvcC": (b"hvc1", b"heic")}[configuration]
        self.properties = [box(kind, properties[kind]) for kind in (b"ispe", configuration, b"pixi")]
        self.size = struct.unpack_from(">II", properties[b"ispe"], 4)
        (self.coded,) = (content for kind, content in boxes(data) if kind == b"mdat")


class HEIF:
    """An AVIF or HEIC file with any items, whose data are in `idat`."""

    def __init__(self, tile):
        self.tile = tile
        self.items, self.references, self.groups = [], [], b""
        # Items whose extents are parts of the data of other items.
        self.derived = set()
        self.properties = list(tile.properties)
        self.data = b""
        self.primary = 1
        self.add(tile.kind, [1, 2, 3], tile.coded)

    def add(self, kind, properties=(), content=b"", extents=None, hidden=False):
        """Adds an item and returns its identifier; `extents` are ranges of the data so far."""
        if extents is None:
            extents = [(len(self.data), len(content))] if content else []
            self.data += content
        self.items.append((kind, list(properties), extents, hidden))
        return len(self.items)

    def pad(self, count):
        """Gives the coded image a unit of `count` bytes of padding after its sequence header."""
        coded, start = self.tile.coded, 0
        # After the temporal delimiter, if there is one.
        while coded[start] >> 3 & 15 != 1:
            start += 2 + coded[start + 1]
        start += 2 + coded[start + 1]
        size = bytes(count >> shift & 127 | 128 for shift in (0, 7, 14, 21)) + bytes([count >> 28])
        unit = bytes([15 << 3 | 2]) + size + bytes(count)
        self.items[0][2][:] = [(len(self.data), len(unit) + len(coded))]
        self.data = b"".join([self.data, coded[:start], unit, coded[start:]])

    def property(self, content):
        self.properties.append(content)
        return len(self.properties)

    def bytes(self):
        entries, locations, associations = [], [], []
        for number, (kind, properties, extents, hidden) in enumerate(self.items, 1):
            name = b"\0" + (b"application/rdf+xml\0" if kind == b"mime" else b"")
            entries.append(full_box(
                b"infe", 2, 1 if hidden else 0, struct.pack(">HH4s", number, 0, kind), name))
            if extents:
                locations.append(
                    struct.pack(">HHHH", number, 2 if number in self.derived else 1, 0, len(extents))
                    + b"".join(struct.pack(">II", *extent) for extent in extents))
            if properties:
                associations.append(
                    struct.pack(">HB", number, len(properties))
                    + b"".join(struct.pack(">H", 0x8000 | index) for index in properties))
        references = b"".join(
            box(kind, struct.pack(f">HH{len(to)}H", source, len(to), *to))
            for kind, source, to in self.references)
        meta = full_box(
            b"meta", 0, 0,
            full_box(b"hdlr", 0, 0, bytes(4), b"pict", bytes(13)),
            full_box(b"pitm", 0, 0, struct.pack(">H", self.primary)),
            full_box(b"iloc", 1, 0, b"\x44\0", struct.pack(">H", len(locations)), *locations),
            full_box(b"iinf", 0, 0, struct.pack(">H", len(entries)), *entries),
            full_box(b"iref", 0, 0, references) if references else b"",
            box(b"iprp", box(b"ipco", *self.properties),
                full_box(b"ipma", 0, 1, struct.pack(">I", len(associations)), *associations)),
            box(b"grpl", self.groups) if self.groups else b"",
            box(b"idat", self.data))
        brand = self.tile.brand
        return box(b"ftyp", brand, bytes(4), b"mif1", brand, b"miaf") + meta
