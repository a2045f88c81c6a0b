# SPDX-License-Identifier: Apache-2.0
"""A small walker of HEIF and AVIF boxes, written from the layouts alone.

Independent of the project's Swift code; `checks_walkers.py` compares it with worked hex examples.
"""

import struct
from dataclasses import dataclass, field

CONTAINERS = {b"moov", b"iprp", b"ipco", b"dinf"}


class Malformed(Exception):
    pass


@dataclass
class Box:
    kind: str
    payload: bytes
    offset: int
    size: int


def walk(data, base=0):
    """Boxes of `data`, in order."""
    position = 0
    while position < len(data):
        if len(data) - position < 8:
            raise Malformed(f"{len(data) - position} stray bytes at {base + position}")
        size, kind = struct.unpack_from(">I4s", data, position)
        header = 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, position + 8)
            header = 16
        elif size == 0:
            size = len(data) - position
        if size < header or position + size > len(data):
            raise Malformed(f"box {kind!r} at {base + position} claims {size} bytes")
        yield Box(kind.decode("latin-1"), data[position + header : position + size], base + position, size)
        position += size


class Reader:
    """Reads big-endian fields in order."""

    def __init__(self, data):
        self.data = data
        self.position = 0

    def take(self, count):
        if self.position + count > len(self.data):
            raise Malformed(f"needs {count} bytes at {self.position}, has {len(self.data) - self.position}")
        self.position += count
        return self.data[self.position - count : self.position]

    def uint(self, size):
        return int.from_bytes(self.take(size), "big")

    def sint(self, size):
        return int.from_bytes(self.take(size), "big", signed=True)

    def string(self):
        end = self.data.index(b"\0", self.position)
        text = self.data[self.position : end].decode()
        self.position = end + 1
        return text

    @property
    def rest(self):
        return self.data[self.position :]

    def end(self):
        if self.rest:
            raise Malformed(f"{len(self.rest)} bytes too many")


def full_box(reader):
    version, flags = reader.uint(1), reader.uint(3)
    return version, flags


def xy(reader, unit, size=2, signed=False):
    one = reader.sint if signed else reader.uint
    return (one(size) * unit, one(size) * unit)


def parse_property(box):
    """A property as a dictionary, in the units of the standards: cd/m2, lux, chromaticities."""
    reader = Reader(box.payload)
    parser = PROPERTIES.get(box.kind)
    if parser is None:
        return {"bytes": box.payload}
    result = parser(reader)
    reader.end()
    return result


def parse_colr(r):
    kind = r.take(4).decode()
    if kind != "nclx":
        return {"type": kind, "icc": r.take(len(r.rest))}
    primaries, transfer, matrix, last = r.uint(2), r.uint(2), r.uint(2), r.uint(1)
    if last & 0x7F:
        raise Malformed("reserved bits of nclx are not 0")
    return {"type": kind, "cicp": (primaries, transfer, matrix, last >> 7)}


def parse_clli(r):
    return {"max": r.uint(2), "average": r.uint(2)}


def parse_mdcv(r):
    green, blue, red, white = (xy(r, 0.00002) for _ in range(4))
    return {"red": red, "green": green, "blue": blue, "white": white,
            "max": r.uint(4) * 0.0001, "min": r.uint(4) * 0.0001}


def parse_cclv(r):
    flags = r.uint(1)
    if flags & 0xC3 or not flags:
        raise Malformed(f"flags of cclv are {flags:#x}")
    result = {}
    if flags & 0x20:
        result["green"], result["blue"], result["red"] = (
            xy(r, 0.00002, 4, signed=True) for _ in range(3))
    # In units of 1e-7 of the PQ peak, 10 000 cd/m2.
    for bit, name in ((0x10, "min"), (0x08, "max"), (0x04, "average")):
        if flags & bit:
            result[name] = r.uint(4) * 0.001
    return result


def parse_amve(r):
    return {"illuminance": r.uint(4) * 0.0001, "light": xy(r, 0.00002)}


def version_zero(r):
    if full_box(r) != (0, 0):
        raise Malformed("version or flags are not 0")


def parse_reve(r):
    version_zero(r)
    return {"surround": r.uint(4) * 0.0001, "surround_light": xy(r, 0.0001),
            "periphery": r.uint(4) * 0.0001, "periphery_light": xy(r, 0.0001)}


def parse_ndwt(r):
    version_zero(r)
    return {"luminance": r.uint(4) * 0.0001}


def parse_ispe(r):
    version_zero(r)
    return {"width": r.uint(4), "height": r.uint(4)}


def parse_pixi(r):
    version_zero(r)
    return {"bits": [r.uint(1) for _ in range(r.uint(1))]}


def parse_irot(r):
    return {"quarter_turns": r.uint(1) & 3}


def parse_imir(r):
    return {"axis": r.uint(1) & 1}


def parse_auxc(r):
    version_zero(r)
    return {"urn": r.string(), "subtype": r.take(len(r.rest))}


def parse_clap(r):
    return {"fields": [r.sint(4) for _ in range(8)]}


def parse_hvcc(r):
    """The fixed part of the HEVC configuration and the types of its parameter sets."""
    if r.uint(1) != 1:
        raise Malformed("version of hvcC is not 1")
    profile = r.uint(1)
    compatibility, constraints, level = r.uint(4), r.uint(6), r.uint(1)
    r.take(3)
    chroma, luma_bits, chroma_bits = r.uint(1) & 3, (r.uint(1) & 7) + 8, (r.uint(1) & 7) + 8
    r.take(3)
    units = []
    for _ in range(r.uint(1)):
        kind = r.uint(1) & 0x3F
        for _ in range(r.uint(2)):
            units.append((kind, r.take(r.uint(2))))
    return {"profile": profile & 31, "compatibility": compatibility, "constraints": constraints,
            "level": level, "chroma": chroma, "bits": (luma_bits, chroma_bits), "units": units}


def parse_av1c(r):
    if r.uint(1) != 0x81:
        raise Malformed("marker or version of av1C is wrong")
    profile_level, flags, delay = r.uint(1), r.uint(1), r.uint(1)
    bits = 8 if not flags & 0x40 else 12 if flags & 0x20 else 10
    return {"profile": profile_level >> 5, "level": profile_level & 31, "bits": bits,
            "mono": flags >> 4 & 1, "subsampling": (flags >> 3 & 1, flags >> 2 & 1),
            "delay": delay, "obus": r.take(len(r.rest))}


PROPERTIES = {
    "colr": parse_colr, "clli": parse_clli, "mdcv": parse_mdcv, "cclv": parse_cclv,
    "amve": parse_amve, "reve": parse_reve, "ndwt": parse_ndwt, "ispe": parse_ispe,
    "pixi": parse_pixi, "irot": parse_irot, "imir": parse_imir, "auxC": parse_auxc,
    "clap": parse_clap, "hvcC": parse_hvcc, "av1C": parse_av1c,
}


@dataclass
class Item:
    kind: str
    hidden: bool
    content_type: str = ""
    construction: int = 0
    extents: list = field(default_factory=list)
    # (box, parsed property, essential), in the order of association.
    properties: list = field(default_factory=list)

    def get(self, kind):
        """The parsed property of this type; must be unique."""
        found = [parsed for box, parsed, _ in self.properties if box.kind == kind]
        if len(found) > 1:
            raise Malformed(f"{len(found)} properties {kind}")
        return found[0] if found else None

    @property
    def order(self):
        return [box.kind for box, _, _ in self.properties]

    @property
    def nclx(self):
        found = [p["cicp"] for b, p, _ in self.properties if b.kind == "colr" and p["type"] == "nclx"]
        if len(found) > 1:
            raise Malformed("two nclx")
        return found[0] if found else None

    @property
    def icc(self):
        found = [p["icc"] for b, p, _ in self.properties if b.kind == "colr" and p["type"] != "nclx"]
        if len(found) > 1:
            raise Malformed("two ICC profiles")
        return found[0] if found else None


class HEIFFile:
    """The item graph of one HEIF or AVIF file."""

    def __init__(self, data):
        self.data = data
        top = list(walk(data))
        if top[0].kind != "ftyp":
            raise Malformed("the first box is not ftyp")
        brands = top[0].payload
        self.major = brands[:4].decode()
        self.brands = [brands[i : i + 4].decode() for i in range(8, len(brands), 4)]
        (meta,) = [box for box in top if box.kind == "meta"]
        reader = Reader(meta.payload)
        version_zero(reader)
        children = {}
        for box in walk(reader.rest, meta.offset + 12):
            if box.kind in children:
                raise Malformed(f"two boxes {box.kind} in meta")
            children[box.kind] = box
        self.idat = children["idat"].payload if "idat" in children else b""
        self.items = {}
        self._item_info(Reader(children["iinf"].payload))
        self._locations(Reader(children["iloc"].payload))
        self._properties(children["iprp"].payload)
        self.references = list(self._references(children.get("iref")))
        r = Reader(children["pitm"].payload)
        version, _ = full_box(r)
        self.primary_id = r.uint(2 if version == 0 else 4)
        self.primary = self.items[self.primary_id]

    def _item_info(self, r):
        version, _ = full_box(r)
        count = r.uint(2 if version == 0 else 4)
        entries = list(walk(r.rest))
        if len(entries) != count:
            raise Malformed(f"iinf counts {count} entries, has {len(entries)}")
        for box in entries:
            e = Reader(box.payload)
            version, flags = full_box(e)
            identifier = e.uint(2 if version == 2 else 4)
            e.uint(2)
            kind = e.take(4).decode()
            e.string()
            content = e.string() if kind == "mime" else ""
            self.items[identifier] = Item(kind, bool(flags & 1), content)

    def _locations(self, r):
        version, _ = full_box(r)
        sizes, more = r.uint(1), r.uint(1)
        offset_size, length_size, base_size = sizes >> 4, sizes & 15, more >> 4
        index_size = more & 15 if version else 0
        for _ in range(r.uint(2 if version < 2 else 4)):
            item = self.items[r.uint(2 if version < 2 else 4)]
            item.construction = r.uint(2) & 15 if version else 0
            r.uint(2)
            base = r.uint(base_size)
            for _ in range(r.uint(2)):
                r.uint(index_size)
                offset, length = base + r.uint(offset_size), r.uint(length_size)
                item.extents.append((offset, length))
        r.end()

    def _properties(self, payload):
        boxes = {box.kind: box for box in walk(payload)}
        properties = list(walk(boxes["ipco"].payload))
        parsed = [parse_property(box) for box in properties]
        r = Reader(boxes["ipma"].payload)
        version, flags = full_box(r)
        for _ in range(r.uint(4)):
            item = self.items[r.uint(2 if version == 0 else 4)]
            for _ in range(r.uint(1)):
                entry = r.uint(2) if flags & 1 else r.uint(1)
                essential, index = divmod(entry, 0x8000 if flags & 1 else 0x80)
                if not 1 <= index <= len(properties):
                    raise Malformed(f"property {index} of {len(properties)}")
                item.properties.append((properties[index - 1], parsed[index - 1], bool(essential)))
        r.end()

    def _references(self, box):
        if box is None:
            return
        r = Reader(box.payload)
        version, _ = full_box(r)
        size = 2 if version == 0 else 4
        for child in walk(r.rest):
            c = Reader(child.payload)
            source = c.uint(size)
            yield child.kind, source, [c.uint(size) for _ in range(c.uint(2))]
            c.end()

    def targets(self, kind, source):
        return [t for k, s, targets in self.references if (k, s) == (kind, source) for t in targets]

    def sources(self, kind, target):
        return [s for k, s, targets in self.references if k == kind and target in targets]

    def body(self, identifier):
        item = self.items[identifier]
        place = {0: self.data, 1: self.idat}[item.construction]
        parts = [place[offset : offset + length] for offset, length in item.extents]
        if any(len(part) != length for part, (_, length) in zip(parts, item.extents)):
            raise Malformed(f"item {identifier} reaches past the end")
        return b"".join(parts)

    def metadata(self, kind, content_type=""):
        """Body of the Exif or XMP item that describes the primary image."""
        for identifier in self.sources("cdsc", self.primary_id):
            item = self.items[identifier]
            if item.kind == kind and item.content_type == content_type:
                return item.construction, self.body(identifier)
        return None

    @property
    def alpha_id(self):
        for identifier in self.sources("auxl", self.primary_id):
            if "alpha" in self.items[identifier].get("auxC")["urn"] or \
                    self.items[identifier].get("auxC")["urn"].endswith("auxid:1"):
                return identifier
        return None
