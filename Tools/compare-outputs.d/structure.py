# SPDX-License-Identifier: Apache-2.0
"""Names the parts of image files, so that a difference can be located."""

import hashlib
import struct

# Boxes of ISOBMFF that contain boxes, with the bytes before the first.
BOXES = {b"meta": 4, b"iprp": 0, b"ipco": 0, b"grpl": 0, b"dinf": 0, b"moov": 0, b"trak": 0}


def changed_parts(old, new):
    """Names of the parts that differ between two byte strings, [] if the format is unrecognized."""
    first, second = grouped(parts(old)), grouped(parts(new))
    if not first or not second:
        return []
    names = list(dict.fromkeys([*first, *second]))
    changed = []
    for name in names:
        before, after = first.get(name), second.get(name)
        if before != after:
            kind = "added" if before is None else "removed" if after is None else "changed"
            changed.append(f"{name} {kind}")
    return changed or ["order of parts"]


def grouped(named):
    groups = {}
    for name, content in named:
        groups.setdefault(name, []).append(hashlib.sha256(content).digest())
    return groups


def parts(data):
    """Pairs of a name and the bytes."""
    try:
        if data.startswith(b"\x89PNG"):
            return list(png_chunks(data))
        if data.startswith(b"\xff\xd8"):
            return list(jpeg_segments(data))
        if data[4:8] == b"ftyp":
            return list(boxes(data, 0, len(data), ""))
        if data.startswith(b"\x76\x2f\x31\x01"):
            return list(exr_attributes(data))
    except (struct.error, ValueError, IndexError):
        pass
    return []


def png_chunks(data):
    position = 8
    while position + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, position)
        yield name.decode("latin-1"), data[position + 8:position + 8 + length]
        position += 12 + length


def jpeg_segments(data):
    """Segments of each image up to its coded data; images follow each other in files with MPF."""
    position, index = 0, 0
    while data[position:position + 2] == b"\xff\xd8":
        prefix = f"image {index}: "
        position += 2
        while True:
            marker, length = struct.unpack_from(">xBH", data, position)
            if marker == 0xDA:
                break
            name = f"APP{marker - 0xE0}" if 0xE0 <= marker < 0xF0 else f"segment {marker:02X}"
            yield prefix + name, data[position + 4:position + 2 + length]
            position += 2 + length
        end = data.index(b"\xff\xd9", position) + 2
        yield f"{prefix}coded data", data[position:end]
        position, index = end, index + 1
    if position < len(data):
        yield "trailer", data[position:]


def boxes(data, position, end, prefix):
    while position + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, position)
        header = 8
        if size == 1:
            size, header = struct.unpack_from(">Q", data, position + 8)[0], 16
        size = size or end - position
        if size < header:
            raise ValueError("box smaller than its header")
        name = prefix + kind.decode("latin-1")
        content = position + header
        if kind in BOXES:
            yield from boxes(data, content + BOXES[kind], min(position + size, end), f"{name}/")
        else:
            yield name, data[content:position + size]
        position += size


def exr_attributes(data):
    position = 8
    while data[position]:
        texts = []
        for _ in range(2):
            stop = data.index(b"\0", position)
            texts.append(data[position:stop].decode("latin-1"))
            position = stop + 1
        length, = struct.unpack_from("<i", data, position)
        yield texts[0], data[position + 4:position + 4 + length]
        position += 4 + length
    yield "pixels", data[position:]
