# SPDX-License-Identifier: Apache-2.0
"""Images: opened files, and samples in memory."""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
import tempfile
from collections.abc import Sequence
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _arrays, _library
from ._handles import Handle
from ._library import library
from .color import LINEAR_BT2020, PRIMARIES, SRGB, TRANSFERS, Color, code_point
from .execution import Execution, call, handle

GAIN_MAP_POLICIES = {"automatic": 0, "apply": 1, "keep": 2, "create": 3, "drop": 4}


class EncodedFile(bytes):
    """The bytes of a file, with the notices of the call that made it.

    Attributes:
        notices: Metadata and samples that were dropped, assumed or clipped, as in JSON reports.
        mean_error: Of files with a computed gain map: mean of Delta E ITP between the alternate image
            as decoded and the original; else None.
        percentile_error: The 99th percentile; else None.
    """

    notices: list[dict[str, Any]]
    mean_error: float | None = None
    percentile_error: float | None = None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file; an existing file is replaced at once when all bytes are written."""
        target = pathlib.Path(path)
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(self)
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(name, 0o666 & ~umask)
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise


def _taken(bytes_handle: ctypes.c_void_p) -> EncodedFile:
    """The content of bytes of the library, which are destroyed."""
    try:
        size = library.hdr_bytes_size(bytes_handle)
        file = EncodedFile(ctypes.string_at(library.hdr_bytes_data(bytes_handle), size))
        file.notices = json.loads(library.hdr_bytes_notices(bytes_handle))
        return file
    finally:
        library.hdr_bytes_destroy(bytes_handle)


class Image(Handle):
    """An image, immutable; open(), from_array(), Image.render() and Image.transform() make one.

    An image may be used by several threads. It is a context manager, which closes it.

    The execution that open() or from_array() was given is the default of the calls of the image, and of
    those of the images that render() and transform() make of it. After the execution is cancelled or
    closed, these calls fail unless another one is given.
    """

    _destroy = "hdr_image_destroy"
    _name = "image"

    def __init__(
        self, image_handle: ctypes.c_void_p, *, is_file: bool, execution: Execution | None = None,
    ) -> None:
        self._handle = image_handle
        self._is_file = is_file
        self._execution = execution
        self._info = _library.ImageInfo(ctypes.sizeof(_library.ImageInfo))
        call(library.hdr_image_get_info, self._handle, ctypes.byref(self._info))

    def __repr__(self) -> str:
        kind = "HDR" if self.is_hdr else "SDR"
        return f"<hdrconvert.Image {self.width}x{self.height} {self.bits_per_sample} bits {kind}>"

    def _chosen(self, execution: Execution | None) -> Execution | None:
        """The execution of a call: the one it is given, else that of the image."""
        return self._execution if execution is None else execution

    @property
    def width(self) -> int:
        """Columns of the upright image."""
        return int(self._info.width)

    @property
    def height(self) -> int:
        """Rows of the upright image."""
        return int(self._info.height)

    @property
    def bits_per_sample(self) -> int:
        """Bits of a sample as stored; 16 and 32 for floating point."""
        return int(self._info.bits_per_sample)

    @property
    def is_floating_point(self) -> bool:
        """Whether samples are floating-point numbers."""
        return bool(self._info.is_floating_point)

    @property
    def has_alpha(self) -> bool:
        """Whether the image has alpha."""
        return bool(self._info.has_alpha)

    @property
    def is_hdr(self) -> bool:
        """Whether the image, with its gain map, extends above reference white."""
        return bool(self._info.is_high_dynamic_range)

    @property
    def has_gain_map(self) -> bool:
        """Whether the file has a gain map that can be applied."""
        return bool(self._info.has_gain_map)

    @property
    def color(self) -> Color:
        """Color of the decoded samples, without the gain map; 2 if a property does not have a code point."""
        return Color.of(self._info.color)

    @property
    def light_levels(self) -> tuple[float, float] | None:
        """MaxCLL and MaxFALL that the file declares, in cd/m²; None if it does not."""
        level = self._info.max_content_light_level
        return (level, self._info.max_frame_average_light_level) if level > 0 else None

    @property
    def format(self) -> str | None:
        """Format of the file, such as ``heif``; None for samples in memory."""
        return str(library.hdr_image_format(self._open).decode()) or None

    @property
    def info(self) -> dict[str, Any]:
        """What the file contains, as ``hdrconvert inspect --json`` reports it.

        Images in memory have the properties of this class only.
        """
        if self._is_file:
            return self.describe()
        return {
            "format": self.format, "width": self.width, "height": self.height,
            "isHighDynamicRange": self.is_hdr, "bitsPerSample": self.bits_per_sample}

    def describe(
        self, *, light_levels: bool = False, structure: bool = False,
        execution: Execution | None = None,
    ) -> dict[str, Any]:
        """Describes the file.

        Args:
            light_levels: Whether light levels are measured, for which the image is decoded.
            structure: Whether boxes, segments, chunks or directories are included.
            execution: Threads, limits, progress and cancellation; None for that of the image.
        """
        execution = self._chosen(execution)
        text = ctypes.c_void_p()
        call(
            library.hdr_image_describe, self._open, light_levels | structure << 1,
            handle(execution), ctypes.byref(text), execution=execution)
        results: list[dict[str, Any]] = json.loads(_taken(text))["results"]
        return results[0]

    def decode(
        self, dtype: DTypeLike | None = None, *, color: Color | None = None,
        alpha: bool | None = None, out: NDArray[Any] | None = None,
        execution: Execution | None = None,
    ) -> NDArray[Any]:
        """Decodes the image, upright and without its gain map: height x width x 3, or 4 with alpha.

        Args:
            dtype: uint8, uint16, float16 or float32; None for the type that holds the samples. Integers
                use the full range of their type.
            color: Color of the samples; None keeps primaries and transfer function of the image. Values
                out of range are clipped.
            alpha: Whether the array has straight alpha; None if the image has.
            out: The array to write, with contiguous rows; None for a new one.
            execution: Threads, limits, progress and cancellation; None for that of the image.
        """
        if out is None:
            components = 4 if (self.has_alpha if alpha is None else alpha) else 3
            out = np.empty((self.height, self.width, components), dtype or self._dtype)
        elif not (out.ndim == 3 and out.flags.writeable and _arrays.has_packed_rows(out)):
            raise ValueError("out needs three dimensions, contiguous rows and write access")
        if (out.dtype, out.shape[2]) not in _arrays._PACKINGS:
            raise TypeError(f"{out.dtype}; uint8, uint16, float16 or float32 is required")
        structure = color.structure() if color else None
        execution = self._chosen(execution)
        call(
            library.hdr_image_decode, self._open, structure and ctypes.byref(structure),
            ctypes.byref(_arrays.pixels(out)), handle(execution), execution=execution)
        return out

    @property
    def _dtype(self) -> type:
        if self.is_floating_point:
            return np.float32
        return np.uint8 if self.bits_per_sample <= 8 else np.uint16

    def __array__(
        self, dtype: DTypeLike | None = None, copy: bool | None = None
    ) -> NDArray[Any]:
        if copy is False:
            raise ValueError("decoding makes a new array")
        array = self.decode()
        return array if dtype is None else array.astype(dtype, copy=False)

    def render(
        self, headroom: float | None = None, *, primaries: str | int = "bt2020",
        tone_map: str | None = None, execution: Execution | None = None,
    ) -> Image:
        """Renders the image for a display: linear values in single precision, upright.

        Args:
            headroom: Peak luminance of the display over reference white, 1 for SDR; None for all
                headroom of the image, a gain map being applied in full.
            primaries: Primaries of the result, by name or code point.
            tone_map: Operator by name; None for the gain map of the file, else its metadata, else
                adaptive.
            execution: Threads, limits and cancellation; None for that of the image.
        """
        options = _library.options(
            _library.RenderOptions, "hdr_render_options_init", headroom=headroom,
            primaries=code_point(primaries, PRIMARIES), tone_map=_encoded(tone_map))
        execution = self._chosen(execution)
        rendered = ctypes.c_void_p()
        call(
            library.hdr_image_render, self._open, ctypes.byref(options), handle(execution),
            ctypes.byref(rendered), execution=execution)
        return Image(rendered, is_file=False, execution=self._execution)

    def transform(
        self, *, crop: tuple[int, int, int, int] | None = None,
        size: int | tuple[int, int] | None = None, rotation: int = 0,
        execution: Execution | None = None,
    ) -> Image:
        """Crops, resizes and rotates the image, in this order: linear values in single precision in BT.2020.

        A gain map is applied in full. For a display, render() the image first.

        Args:
            crop: Left column, top row, width and height of the part to keep; None for the whole image.
            size: Width and height, or the length of the longer side, which never enlarges; None to keep
                the size.
            rotation: Clockwise, in degrees, a multiple of 90.
            execution: Threads, limits and cancellation; None for that of the image.
        """
        part = crop or (0, 0, 0, 0)
        sides = () if size is None else (size,) if isinstance(size, int) else size
        if crop is not None and (min(part) < 0 or min(part[2:]) < 1):
            raise ValueError(f"crop is {crop}; x, y >= 0 and width, height >= 1 are required")
        if sides and min(sides) < 1:
            raise ValueError(f"size is {size}; at least 1 is required")
        options = _library.options(
            _library.TransformOptions, "hdr_transform_options_init", crop_x=part[0], crop_y=part[1],
            crop_width=part[2], crop_height=part[3], rotation=rotation)
        if len(sides) == 1:
            options.long_side = sides[0]
        elif sides:
            options.width, options.height = sides
        execution = self._chosen(execution)
        transformed = ctypes.c_void_p()
        call(
            library.hdr_image_transform, self._open, ctypes.byref(options), handle(execution),
            ctypes.byref(transformed), execution=execution)
        return Image(transformed, is_file=False, execution=self._execution)

    def encode(
        self, format: str, *, quality: int | None = None, lossless: bool = False,
        speed: int | None = None, bits_per_sample: int | None = None, chroma: int | None = None,
        transfer: str | int | None = None, primaries: str | int | None = None,
        gain_map: str = "automatic", exposure: float = 0.0, execution: Execution | None = None,
    ) -> EncodedFile:
        """Encodes the image to a file in memory.

        Args:
            format: Format by suffix: heic, avif, jxl, png, jpg, tiff, exr.
            quality: 0 to 100; None for the default of the format.
            lossless: Whether decoding yields the same code values.
            speed: 0 to 10; None for the default of the format.
            bits_per_sample: Bits per sample; None for the default of the format.
            chroma: Subsampling: 444, 422, 420 or 400; None for the default of the format.
            transfer: pq, hlg, or srgb, for which the image is rendered for SDR; None for PQ, sRGB for
                JPEG, linear for OpenEXR.
            primaries: Primaries by name or code point; None for BT.2020, BT.709 for SDR.
            gain_map: automatic (JPEG keeps or gets a gain map, others apply it), apply, keep, create or
                drop.
            exposure: In stops.
            execution: Threads, limits, progress and cancellation; None for that of the image.
        """
        if gain_map not in GAIN_MAP_POLICIES:
            raise ValueError(f"gain_map is {gain_map!r}; known: {', '.join(GAIN_MAP_POLICIES)}")
        options = _library.options(
            _library.EncodeOptions, "hdr_encode_options_init", format=_encoded(format),
            quality=quality, speed=speed, is_lossless=lossless, bits_per_sample=bits_per_sample,
            chroma=chroma,
            transfer=None if transfer is None else code_point(transfer, TRANSFERS),
            primaries=None if primaries is None else code_point(primaries, PRIMARIES),
            gain_map=GAIN_MAP_POLICIES[gain_map], exposure=exposure)
        execution = self._chosen(execution)
        file = ctypes.c_void_p()
        call(
            library.hdr_image_encode, self._open, ctypes.byref(options), handle(execution),
            ctypes.byref(file), execution=execution)
        return _taken(file)

    def save(
        self, path: str | os.PathLike[str], format: str | None = None, **options: Any
    ) -> EncodedFile:
        """Encodes the image and writes the file, as encode(); the suffix of the path is the format."""
        file = self.encode(format or pathlib.Path(path).suffix[1:], **options)
        file.save(path)
        return file

    def transcode(
        self, format: str, *, flavors: Sequence[str] | None = None, quality: int | None = None,
        map_quality: int | None = None, speed: int | None = None, exact: bool = False,
        execution: Execution | None = None,
    ) -> EncodedFile:
        """Writes the image with its gain map in another format or with other flavors of metadata.

        Args:
            format: Format by suffix: jpg, heic, avif or jxl.
            flavors: iso, xmp, apple; None for those that suit gain map and format.
            quality: Quality of a baseline image that is re-encoded.
            map_quality: Quality of a gain map that is re-encoded.
            speed: 0 to 10; None for the default of the format.
            exact: Whether the gain map is requantized if a flavor cannot represent its metadata.
            execution: Threads, limits, progress and cancellation; None for that of the image.
        """
        options = _library.options(
            _library.TranscodeOptions, "hdr_transcode_options_init", format=_encoded(format),
            flavors=_encoded(",".join(flavors) if flavors is not None else None),
            quality=quality, map_quality=map_quality, speed=speed, is_exact=exact)
        execution = self._chosen(execution)
        file = ctypes.c_void_p()
        call(
            library.hdr_gain_map_transcode, self._open, ctypes.byref(options), handle(execution),
            ctypes.byref(file), execution=execution)
        return _taken(file)


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def open(  # noqa: A001
    source: str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO, *,
    assume_transfer: str | int | None = None, assume_primaries: str | int | None = None,
    assume_reference_white: float | None = None, execution: Execution | None = None,
) -> Image:
    """Opens a file: HEIF, AVIF, JPEG, PNG, TIFF, OpenEXR, Radiance HDR, JPEG XL, DNG, camera raw.

    Args:
        source: A path, the bytes of a file, or a binary file.
        assume_transfer: Transfer function of a file that does not specify one.
        assume_primaries: Primaries of a file that does not specify them.
        assume_reference_white: Luminance of linear 1.0 of a file that does not specify it, in cd/m².
        execution: Threads, limits and cancellation, also the default of the calls of the image, which
            report progress.
    """
    options = _library.options(
        _library.OpenOptions, "hdr_open_options_init",
        assumed_transfer=None if assume_transfer is None else code_point(
            assume_transfer, TRANSFERS),
        assumed_primaries=None if assume_primaries is None else code_point(
            assume_primaries, PRIMARIES),
        assumed_reference_white=assume_reference_white)
    image = ctypes.c_void_p()
    if isinstance(source, (str, os.PathLike)):
        call(
            library.hdr_image_open_file, os.fsencode(source), ctypes.byref(options),
            handle(execution), ctypes.byref(image), execution=execution)
    else:
        content = source.read() if hasattr(source, "read") else source
        data = np.frombuffer(content, np.uint8)
        call(
            library.hdr_image_open_memory, data.ctypes.data, data.size, ctypes.byref(options),
            handle(execution), ctypes.byref(image), execution=execution)
    return Image(image, is_file=True, execution=execution)


def from_array(
    array: NDArray[Any], color: Color | None = None, *, alpha: str = "straight",
    execution: Execution | None = None,
) -> Image:
    """Makes an image of an array: height x width, or height x width x 3 or 4.

    Args:
        array: uint8, uint16, float16 or float32; rows that are contiguous are read in place.
        color: Color of the samples; None for sRGB of integers and linear BT.2020 of floating point.
        alpha: straight, premultiplied or opaque.
        execution: Threads, limits and cancellation, also the default of the calls of the image.
    """
    array = _arrays.packable(array)
    if color is None:
        color = LINEAR_BT2020 if array.dtype.kind == "f" else SRGB
    image = ctypes.c_void_p()
    call(
        library.hdr_image_create, ctypes.byref(_arrays.pixels(array, alpha)),
        ctypes.byref(color.structure()), handle(execution), ctypes.byref(image),
        execution=execution)
    return Image(image, is_file=False, execution=execution)


def create_gainmap(
    sdr: Image | NDArray[Any] | None, hdr: Image | NDArray[Any], format: str = "jpg", *,
    sdr_color: Color | None = None, hdr_color: Color | None = None,
    flavors: Sequence[str] | None = None, quality: int | None = None,
    map_quality: int | None = None, map_scale: int | None = None,
    map_components: int | None = None, base_is_hdr: bool = False,
    primaries: str | int = "p3", speed: int | None = None, chroma: int | None = None,
    target_error: float | None = None, execution: Execution | None = None,
) -> EncodedFile:
    """Encodes an SDR and an HDR image of the same size as a baseline image with a gain map.

    Args:
        sdr: The SDR image, or an array in `sdr_color`; None to tone map the HDR image.
        hdr: The HDR image, or an array in `hdr_color`.
        format: Format by suffix: jpg, heic, avif or jxl.
        sdr_color: Color of an array; None as in from_array().
        hdr_color: Color of an array; None as in from_array().
        flavors: iso, xmp, apple; None for those of the format.
        quality: Quality of the baseline image, 0 to 100.
        map_quality: Quality of the gain map, 0 to 100.
        map_scale: Pixels of the baseline image per sample of the gain map: 1, 2 or 4.
        map_components: Components of the gain map, 1 or 3.
        base_is_hdr: Whether the HDR image is the baseline image.
        primaries: Primaries of the SDR image in the file.
        speed: 0 to 10.
        chroma: Subsampling of the baseline image: 444, 422, 420 or 400; None for that of the format.
        target_error: Limit of the 99th percentile of Delta E ITP, which determines the qualities.
        execution: Threads, limits, progress and cancellation; None for that of the HDR image, else that
            of the SDR image.
    """
    for given in (hdr, sdr):
        if isinstance(given, Image):
            execution = given._chosen(execution)
    standard = (
        sdr if sdr is None or isinstance(sdr, Image)
        else from_array(sdr, sdr_color, execution=execution))
    high = hdr if isinstance(hdr, Image) else from_array(hdr, hdr_color, execution=execution)
    options = _library.options(
        _library.GainMapOptions, "hdr_gain_map_options_init", format=_encoded(format),
        flavors=_encoded(",".join(flavors) if flavors is not None else None), quality=quality,
        speed=speed, map_quality=map_quality, map_scale=map_scale,
        map_component_count=map_components, is_base_hdr=base_is_hdr,
        primaries=code_point(primaries, PRIMARIES), chroma=chroma, target_error=target_error)
    file = ctypes.c_void_p()
    result = _library.GainMapResult(ctypes.sizeof(_library.GainMapResult))
    call(
        library.hdr_gain_map_create, standard._open if standard else None, high._open,
        ctypes.byref(options), handle(execution), ctypes.byref(file), ctypes.byref(result),
        execution=execution)
    encoded = _taken(file)
    encoded.mean_error, encoded.percentile_error = result.mean_error, result.percentile_error
    return encoded
