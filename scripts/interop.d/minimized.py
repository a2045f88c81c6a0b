# SPDX-License-Identifier: Apache-2.0
"""Writes low-overhead files: ISO/IEC 23008-12, annex O, field by field.

Independent of the project's Swift code.
"""

import struct

LIGHT = ("clli", "mdcv", "cclv", "amve", "reve", "ndwt")


class Bits:
    def __init__(self):
        self.text = ""

    def put(self, count, value):
        self.text += format(int(value), f"0{count}b")

    def put_bytes(self, data):
        for byte in data:
            self.put(8, byte)

    def bytes(self):
        padded = self.text + "0" * (-len(self.text) % 8)
        return int(padded, 2).to_bytes(len(padded) // 8, "big")


def put_position(bits, chroma):
    bits.text += {0: "", 1: "00", 2: "0", 3: ""}[chroma]


def put_depth(bits, depth):
    bits.put(1, depth > 8)
    if depth > 8:
        bits.put(3, depth - 9)


def put_light(bits, light):
    for kind in LIGHT:
        bits.put(1, kind in light)
    for kind in LIGHT:
        bits.put_bytes(light.get(kind, b""))


def minimized(brand, size, chroma, depth, configuration, data, *, cicp=None, full=True, alpha=None, light=None,
              gain_map=None, icc=b"", exif=b"", xmp=b"", orientation=1):
    """A low-overhead file.

    `alpha` is (configuration, data); `light` contains the fields of boxes by type; `gain_map` is a dictionary
    with size, chroma, depth, configuration, data, metadata, cicp, and light metadata of the tone-mapped image.
    """
    has_light = light is not None or gain_map is not None
    wide = max(size) > 128
    side = 15 if wide else 7
    bits = Bits()
    bits.put(2, 0)
    for flag in (False, False, full, alpha, cicp, has_light, icc, exif, xmp):
        bits.put(1, bool(flag))
    bits.put(2, chroma)
    bits.put(3, orientation - 1)
    bits.put(1, wide)
    for length in size:
        bits.put(side, length - 1)
    put_position(bits, chroma)
    put_depth(bits, depth)
    if alpha:
        bits.put(1, 0)
    bits.put_bytes(cicp or ())
    if has_light:
        bits.put(1, bool(gain_map))
        if gain_map:
            bits.put(1, 0)
            for length in gain_map["size"]:
                bits.put(side, length - 1)
            bits.put(8, 6)
            bits.put(1, 1)
            bits.put(2, gain_map["chroma"])
            put_position(bits, gain_map["chroma"])
            bits.put(1, 0)
            put_depth(bits, gain_map["depth"])
            bits.put(2, 0b01)
            bits.put_bytes(gain_map["cicp"])
            bits.put(1, 1)
        put_light(bits, light or {})
        if gain_map:
            put_light(bits, gain_map.get("light", {}))
    if icc or exif or xmp or gain_map:
        bits.put(1, 1)
    bits.put(2, 0b11)
    if icc:
        bits.put(20, len(icc) - 1)
    if gain_map:
        bits.put(20, len(gain_map["metadata"]))
        bits.put(28, len(gain_map["data"]))
        bits.put(12, len(gain_map["configuration"]))
    bits.put(12, len(configuration))
    bits.put(28, len(data) - 1)
    if alpha:
        bits.put(28, len(alpha[1]))
        bits.put(12, len(alpha[0]))
    if exif or xmp:
        bits.put(1, 0)
    for chunk in (exif, xmp):
        if chunk:
            bits.put(20, len(chunk) - 1)
    a, g = alpha or (b"", b""), gain_map or {"configuration": b"", "metadata": b"", "data": b""}
    content = b"".join((bits.bytes(), configuration, a[0], g["configuration"], icc, g["metadata"], a[1], g["data"],
                        data, exif, xmp))
    return (struct.pack(">I4s4s4s", 16, b"ftyp", b"mif3", brand)
            + struct.pack(">I4s", 8 + len(content), b"mini") + content)
