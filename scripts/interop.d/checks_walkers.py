# SPDX-License-Identifier: Apache-2.0
"""Compares the walkers with boxes and chunks that were computed by hand."""

from boxes import parse_property, walk
from chunks import parse_chunk
from chunks import walk as walk_chunks
from runner import check, require

D65 = (0.3127, 0.3290)
BT2020 = {"red": (0.708, 0.292), "green": (0.17, 0.797), "blue": (0.131, 0.046)}
P3 = {"red": (0.68, 0.32), "green": (0.265, 0.69), "blue": (0.15, 0.06)}

# Values are in cd/m2, lux and chromaticity coordinates; the hex is that of the format sheets.
BOXES = [
    ("00000013 636F6C72 6E636C78 0009 0010 0009 80", {"type": "nclx", "cicp": (9, 16, 9, 1)}),
    ("00000013 636F6C72 6E636C78 0009 0012 0009 80", {"type": "nclx", "cicp": (9, 18, 9, 1)}),
    ("00000013 636F6C72 6E636C78 0009 0010 0000 80", {"type": "nclx", "cicp": (9, 16, 0, 1)}),
    ("00000013 636F6C72 6E636C78 0009 0010 000E 80", {"type": "nclx", "cicp": (9, 16, 14, 1)}),
    ("00000013 636F6C72 6E636C78 0009 0010 0009 00", {"type": "nclx", "cicp": (9, 16, 9, 0)}),
    ("0000000C 636C6C69 03E8 00CB", {"max": 1000, "average": 203}),
    ("00000020 6D646376 2134 9BAA 1996 08FC 8A48 3908 3D13 4042 00989680 00000005",
     {**BT2020, "white": D65, "max": 1000, "min": 0.0005}),
    ("00000020 6D646376 33C2 86C4 1D4C 0BB8 84D0 3E80 3D13 4042 00989680 00000005",
     {**P3, "white": D65, "max": 1000, "min": 0.0005}),
    ("0000002D 63636C76 3C 00002134 00009BAA 00001996 000008FC 00008A48 00003908"
     "00000000 000F4240 000318F8", {**BT2020, "min": 0, "max": 1000, "average": 203}),
    ("00000025 63636C76 28 000033C2 000086C4 00001D4C 00000BB8 000084D0 00003E80 000F4240",
     {**P3, "max": 1000}),
    ("00000010 616D7665 000186A0 3D13 4042", {"illuminance": 10, "light": D65}),
    ("0000001C 72657665 00000000 0000C350 0C37 0CDA 0000C350 0C37 0CDA",
     {"surround": 5, "surround_light": D65, "periphery": 5, "periphery_light": D65}),
    ("00000010 6E647774 00000000 001EF9B0", {"luminance": 203}),
    ("00000010 6E647774 00000000 000F4240", {"luminance": 100}),
    ("00000010 6E647774 00000000 00000000", {"luminance": 0}),
]

CHUNKS = [
    ("00000004 63494350 09100001 4D2323FE", (9, 16, 0, 1)),
    ("00000004 63494350 09120001 4EA7F790", (9, 18, 0, 1)),
    ("00000004 63494350 0C100001 7AFDD3CC", (12, 16, 0, 1)),
    ("00000018 6D444356 8A483908 21349BAA 199608FC 3D134042 00989680 00000005 9831A5C7",
     {**BT2020, "white": D65, "max": 1000, "min": 0.0005}),
    ("00000018 6D444356 8A483908 21349BAA 199608FC 3D134042 00989680 00000032 208C00C8",
     {**BT2020, "white": D65, "max": 1000, "min": 0.005}),
    ("00000018 6D444356 8A483908 21349BAA 199608FC 3D134042 02625A00 00000005 CDD6A970",
     {**BT2020, "white": D65, "max": 4000, "min": 0.0005}),
    ("00000018 6D444356 84D03E80 33C286C4 1D4C0BB8 3D134042 00989680 00000005 4A71FEFF",
     {**P3, "white": D65, "max": 1000, "min": 0.0005}),
    ("00000008 634C4C49 00989680 002625A0 AAE79507", {"max": 1000, "average": 250}),
    ("00000008 634C4C49 00989680 001EF9B0 B0A5BB58", {"max": 1000, "average": 203}),
    ("00000003 73424954 0A0A0A 045D9820", [10, 10, 10]),
    ("00000003 73424954 0C0C0C BFE9E621", [12, 12, 12]),
    ("00000003 73424954 101010 58A3BD27", [16, 16, 16]),
    ("00000004 73424954 0A0A0A10 F4DF82B9", [10, 10, 10, 16]),
]


def equal(a, b):
    """Equal to nine digits, recursively in dictionaries and tuples."""
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(equal, a, b))
    return a == b if isinstance(a, str) else abs(a - b) < 1e-9


@check("walkers: worked boxes")
def worked_boxes():
    for text, expected in BOXES:
        (box,) = walk(bytes.fromhex(text))
        parsed = parse_property(box)
        require(equal(parsed, expected), f"{text} reads as {parsed}, not {expected}")
    return f"{len(BOXES)} boxes"


@check("walkers: worked chunks")
def worked_chunks():
    for text, expected in CHUNKS:
        ((kind, body),) = walk_chunks(bytes.fromhex(text))
        parsed = parse_chunk(kind, body)
        require(equal(parsed, expected), f"{text} reads as {parsed}, not {expected}")
    return f"{len(CHUNKS)} chunks"
