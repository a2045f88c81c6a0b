# SPDX-License-Identifier: Apache-2.0
"""HDR still images: decode, render for a display, encode, and create gain maps.

    import hdrconvert

    with hdrconvert.open("photo.heic") as image:
        linear = image.render().decode()         # float32, BT.2020, 1.0 is reference white
        nits = image.render().decode(color=hdrconvert.LUMINANCE_BT2020)  # in cd/m²
        image.render(headroom=4).save("laptop.avif")
        image.save("web.jpg", {"geometry": {"longSide": 2048}}, quality=85)
"""

from ._library import library as _c
from .color import DISPLAY_P3, LINEAR_BT2020, LUMINANCE_BT2020, PQ_BT2020, SRGB, Color
from .errors import (
    CancelledError,
    CannotCreateError,
    CodecError,
    HDRError,
    InputOutputError,
    InvalidArgumentError,
    LimitExceededError,
    MalformedError,
    MissingCodecError,
    MissingInputError,
    TruncatedError,
    UnsuitableError,
    UnsupportedError,
)
from .execution import Execution, receive_messages
from .image import EncodedFile, Image, create_gainmap, from_array, open, validate
from .request import Request

__version__: str = _c.hdr_version().decode()

__all__ = [
    "DISPLAY_P3", "LINEAR_BT2020", "LUMINANCE_BT2020", "PQ_BT2020", "SRGB", "CancelledError",
    "CannotCreateError", "CodecError", "Color", "EncodedFile", "Execution", "HDRError", "Image",
    "InputOutputError", "InvalidArgumentError", "LimitExceededError", "MalformedError",
    "MissingCodecError", "MissingInputError", "Request", "TruncatedError", "UnsuitableError",
    "UnsupportedError", "create_gainmap", "from_array", "open", "receive_messages", "validate"]
