# SPDX-License-Identifier: Apache-2.0
"""Opens HDR images and files with gain maps in Pillow, as a display of a headroom shows them.

    import hdrconvert.pillow
    from PIL import Image

    hdrconvert.pillow.register()                 # SDR; register(headroom=4) for an HDR display
    image = Image.open("photo.heic")

For headroom 1, images are sRGB. For more, they are 8-bit PQ in BT.2020, since Pillow does not have color
images of more bits; ``image.info["headroom"]`` and ``image.info["cicp"]`` specify it. HEIF, AVIF,
JPEG XL, JPEG XR, OpenEXR, Radiance and raw files, DNG included, are always opened; JPEG, PNG and other TIFF
files only if they have a gain map, PQ or HLG.

Images are upright. They do not have Exif, whose orientation and sizes would not be theirs: ``getexif()`` is
empty. Processes that were forked after the package was used open files as without it.
They can be copied, pickled and passed to other processes, as the rendered samples. Images are saved by
Pillow and its other plugins, as without this package.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PIL import Image as PillowImage
from PIL import ImageFile

from ._library import is_inherited
from .color import PQ_BT2020, SRGB, Color
from .errors import HDRError
from .image import Image
from .image import open as open_image

FORMAT = "HDRCONVERT"
_TIFF = (b"II*\0", b"MM\0*")
_ORDINARY = (b"\xff\xd8\xff", b"\x89PNG") + _TIFF
_CAMERA_RAW = (b"FUJIFILMCCD-RAW ", b"IIRO", b"IIRS", b"MMOR", b"IIU\0", b"FOVb", b"\0MRM")
_SIGNATURES = (
    b"\x76\x2f\x31\x01", b"#?RADIANCE", b"#?RGBE", b"\xff\x0a", b"\0\0\0\x0cJXL ", b"II\xbc")
_headroom = 1.0


def _accepts(prefix: bytes) -> bool:
    return not is_inherited() and (
        prefix[4:8] == b"ftyp" or prefix[6:14] == b"HEAPCCDR"
        or prefix.startswith(_ORDINARY + _SIGNATURES + _CAMERA_RAW))


def _is_ordinary(content: bytes, image: Image) -> bool:
    """Whether Pillow opens the file itself: an SDR image in JPEG, PNG or TIFF, other than raw."""
    if image.is_hdr or not content.startswith(_ORDINARY):
        return False
    return not (content.startswith(_TIFF) and "raw" in image.info)


def _shown_color(headroom: float) -> Color:
    return SRGB if headroom == 1 else PQ_BT2020


def _properties(headroom: float) -> dict[str, Any]:
    color = _shown_color(headroom)
    return {"headroom": headroom, "cicp": (color.primaries, color.transfer, 0, 1)}


def shown(image: Image, headroom: float = 1.0) -> PillowImage.Image:
    """An image of Pillow: what a display of a headroom shows.

    Args:
        image: The image.
        headroom: Peak luminance of the display over reference white; 1 for sRGB, more for PQ.
    """
    array = image.render(headroom).decode(np.uint8, color=_shown_color(headroom))
    result = PillowImage.fromarray(array)
    result.info.update(_properties(headroom))
    return result


class HDRImageFile(ImageFile.ImageFile):
    """A file that this package opens for Pillow."""

    format = FORMAT
    format_description = "HDR image"
    _source: Image | None = None

    def _open(self) -> None:
        assert self.fp is not None
        content = self.fp.read()
        try:
            image = open_image(content)
            is_ordinary = _is_ordinary(content, image)
        except HDRError as error:
            raise SyntaxError(str(error)) from error
        if is_ordinary:
            raise SyntaxError("an SDR image, which Pillow opens itself")
        self._source, self._shown_headroom = image, _headroom
        self._size = image.width, image.height
        self._mode = "RGBA" if image.has_alpha else "RGB"
        self.info.update(_properties(_headroom))

    def load(self) -> Any:
        """Renders the image."""
        if self._source is not None:
            result = shown(self._source, self._shown_headroom)
            self._source.close()
            self._source = None
            # Samples, not a tile, which Pillow may map from the file.
            self.im, self.readonly, self.tile = result.im, result.readonly, []
            self._mode, self._size = result.mode, result.size
            if self._exclusive_fp and self.fp:
                self.fp.close()
            self.fp = None
        return super().load()


def register(headroom: float = 1.0) -> None:
    """Makes PIL.Image.open() open files by this package, before other plugins.

    Args:
        headroom: Peak luminance of the display over reference white.
    """
    global _headroom
    if not 1 <= headroom < math.inf:
        raise ValueError(f"headroom is {headroom}; at least 1 is required")
    _headroom = headroom
    if FORMAT in PillowImage.ID:
        return
    PillowImage.init()
    PillowImage.register_open(FORMAT, HDRImageFile, _accepts)
    PillowImage.ID.remove(FORMAT)
    PillowImage.ID.insert(0, FORMAT)
