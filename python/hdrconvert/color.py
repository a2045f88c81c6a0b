# SPDX-License-Identifier: Apache-2.0
"""Color encodings by code points of ITU-T H.273 (CICP)."""

from __future__ import annotations

import dataclasses
from typing import Literal, SupportsIndex

from . import _arguments
from ._library import ColorStructure

#: Names of primaries.
PRIMARIES = {"bt709": 1, "bt2020": 9, "p3": 12}
#: Names of transfer functions.
TRANSFERS = {"linear": 8, "srgb": 13, "pq": 16, "hlg": 18}


def code_point(field: str, value: str | SupportsIndex, names: dict[str, int]) -> int:
    """A code point by its name or its number, 0...255."""
    if not isinstance(value, str):
        return _arguments.integer(field, value, 0, 255)
    if value not in names:
        raise ValueError(f"{field} is {value!r}; known: {', '.join(names)}")
    return names[value]


@dataclasses.dataclass(frozen=True, init=False)
class Color:
    """Color encoding of RGB samples.

    Attributes:
        primaries: Code point of the primaries.
        transfer: Code point of the transfer function. Linear 1.0 is reference white.
        reference_white: Luminance of linear 1.0, in cd/m²; 0 for 203, or for that of the image.
    """

    primaries: int
    transfer: int
    reference_white: float

    def __init__(
        self, primaries: Literal["bt709", "bt2020", "p3"] | SupportsIndex = "bt2020",
        transfer: Literal["linear", "srgb", "pq", "hlg"] | SupportsIndex = "linear",
        reference_white: float = 0.0,
    ) -> None:
        """Makes a color encoding of names or code points.

        Raises:
            TypeError: A code point is not an integer, or the reference white not a number.
            ValueError: A name is unknown, or a code point is not in 0...255.
        """
        object.__setattr__(self, "primaries", code_point("primaries", primaries, PRIMARIES))
        object.__setattr__(self, "transfer", code_point("transfer", transfer, TRANSFERS))
        object.__setattr__(self, "reference_white", _arguments.real("reference_white", reference_white))

    def structure(self) -> ColorStructure:
        """The encoding for the C library."""
        return ColorStructure(self.primaries, self.transfer, 0, True, self.reference_white)

    @classmethod
    def of(cls, structure: ColorStructure) -> Color:
        """The encoding of the C library."""
        return cls(structure.primaries, structure.transfer, structure.reference_white)


#: Linear values in BT.2020.
LINEAR_BT2020 = Color("bt2020", "linear")
#: Luminance in cd/m² (nits) in BT.2020.
LUMINANCE_BT2020 = Color("bt2020", "linear", 1.0)
#: PQ in BT.2020.
PQ_BT2020 = Color("bt2020", "pq")
#: sRGB.
SRGB = Color("bt709", "srgb")
#: Display P3.
DISPLAY_P3 = Color("p3", "srgb")
