# SPDX-License-Identifier: Apache-2.0
"""Images: opened files, samples in memory, and renditions of both."""

from __future__ import annotations

import ctypes
import errno
import io
import json
import math
import os
import pathlib
import stat
import tempfile
from typing import IO, Any, SupportsIndex, cast, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _arguments, _arrays, _library, _notebook
from ._arguments import request_text
from ._arrays import Alpha, Sample, SampleName, Samples
from ._handles import Handle
from ._library import library
from .color import LINEAR_BT2020, SRGB, Color
from .execution import Execution, call, handle
from .request import Format, Primaries, Request, RequestInputAssumed, RequestInputDeclared


class EncodedFile(bytes):
    """The bytes of a file, with the report of the call that made it.

    Attributes:
        report: ``notices``, and ``deltaEITP`` of files with a computed gain map: ``mean`` and
            ``percentile99`` of Delta E ITP between the alternate image as decoded and the original.
    """

    report: dict[str, Any]

    def __repr__(self) -> str:
        return f"<EncodedFile: {len(self)} bytes, {len(self.notices)} notices>"

    @property
    def notices(self) -> list[dict[str, Any]]:
        """Metadata and samples that were dropped, assumed or clipped, as in JSON reports."""
        return cast("list[dict[str, Any]]", self.report["notices"])

    def save(self, target: str | os.PathLike[str] | IO[bytes]) -> None:
        """Writes the file to a path or a binary file.

        The file at a path is replaced at once when all bytes are written, and keeps its permissions; a link
        stays, and a device or a pipe is written to.
        """
        if not isinstance(target, (str, os.PathLike)):
            _write(self, target)
            return
        target = pathlib.Path(os.fsdecode(_arguments.path(target)))
        try:
            self._replace(target)
        except OSError as error:
            error.filename = str(target)
            raise

    def _replace(self, target: pathlib.Path) -> None:
        if target.exists() and not target.is_file() and not target.is_dir():
            with target.open("wb", buffering=0) as device:
                _write(self, device)
            return
        if target.is_symlink():
            # The system refuses links of others in folders of all users.
            os.close(os.open(target, os.O_WRONLY | os.O_CREAT, 0o666))
            target = target.resolve()
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".hdrconvert.")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(self)
            os.chmod(name, _mode(target))
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise


def _write(data: bytes, target: IO[bytes] | io.RawIOBase) -> None:
    """Writes all bytes, also to files that take a part of them at a time."""
    rest = memoryview(data)
    while rest:
        count = target.write(rest)
        if count is None and isinstance(target, io.RawIOBase):
            raise BlockingIOError(errno.EAGAIN, "the file does not take more bytes now")
        if count == 0:
            raise OSError("the file does not take more bytes")
        rest = rest[count:] if count is not None else rest[:0]


def _mode(path: pathlib.Path) -> int:
    """Permissions of a file, or those of a new one."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask


def _taken(bytes_handle: ctypes.c_void_p) -> EncodedFile:
    """The content of bytes of the library, which are destroyed."""
    try:
        size = library.hdr_bytes_size(bytes_handle)
        file = EncodedFile(ctypes.string_at(library.hdr_bytes_data(bytes_handle), size))
        file.report = json.loads(library.hdr_bytes_report(bytes_handle))
        return file
    finally:
        library.hdr_bytes_destroy(bytes_handle)


def _format(target: str | os.PathLike[str] | IO[bytes]) -> Format:
    """The format that the suffix of a path, or of the name of a binary file, stands for."""
    name = target if isinstance(target, (str, os.PathLike)) else getattr(target, "name", None)
    # Files without a path may have the number of a descriptor as their name.
    suffix = pathlib.Path(name).suffix if isinstance(name, (str, os.PathLike)) else ""
    if not suffix:
        raise ValueError(f"{target!r} does not have a suffix; format is required")
    return cast(Format, suffix[1:])  # The library refuses others.


def _with(request: Request | None, **parts: dict[str, Any]) -> Request:
    """A request, with fields that replace its own unless they are None."""
    whole: dict[str, Any] = dict(request or {})
    for part, fields in parts.items():
        given = {name: value for name, value in fields.items() if value is not None}
        if given:
            whole[part] = {**whole.get(part, {}), **given}
    return cast(Request, whole)


def _coding(format: Format, quality: SupportsIndex | None, lossless: bool | None) -> dict[str, Any]:
    """The part ``coding`` of a request."""
    if quality is not None:
        quality = _arguments.integer("quality", quality)
    return {"format": format, "quality": quality, "isLossless": lossless}


class Image(Handle):
    """An image, immutable; open(), from_array() and Image.render() make one.

    An image may be used by several threads. It is a context manager, which closes it.

    The execution that open() or from_array() was given is the default of the calls of the image, and of
    those of the images that render() makes of it. After the execution is cancelled or closed, these calls
    fail unless another one is given.
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

    def _preview(self, headroom: float | None, long_side: int) -> EncodedFile:
        """A PNG for a display of a headroom, not larger than the image."""
        shown = self.render(headroom, {"geometry": {"longSide": long_side}})
        # 10 bits of PQ take half the bytes of 16.
        return shown.encode("png", {"coding": {"depth": 10}} if shown.is_hdr else None)

    def _repr_png_(self) -> bytes:
        """The SDR rendition, of at most 1024 x 1024 pixels, for notebooks."""
        return self._preview(1, 1024)

    def _repr_html_(self) -> str | None:
        """Renditions for headrooms that a slider chooses, for notebooks; None for an SDR image."""
        if not self.is_hdr:
            return None
        return _notebook.slider([
            (name, self._preview(headroom, 512))
            for name, headroom in (("1", 1), ("2", 2), ("4", 4), ("full", None))])

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
        """MaxCLL and MaxFALL that the file declares, in cd/m²; None if MaxCLL is unknown."""
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

    def _metadata(self, number: int) -> bytes | None:
        """Metadata of the file, by the number of the C library."""
        found = ctypes.c_void_p()
        call(
            library.hdr_image_get_metadata, self._open, number, handle(self._execution),
            ctypes.byref(found), execution=self._execution)
        return bytes(_taken(found)) if found else None

    @property
    def exif(self) -> bytes | None:
        """Exif of the file, from its TIFF header on; None if it does not contain any.

        It is made of the tags of TIFF, OpenEXR and JPEG XR, which store them elsewhere. An image in memory,
        and a camera raw file that is not a TIFF file, such as CR3, raise an error, as for other metadata.
        """
        return self._metadata(0)

    @property
    def xmp(self) -> bytes | None:
        """The XMP packet of the file, in UTF-8; None if it does not contain one."""
        return self._metadata(1)

    @property
    def icc(self) -> bytes | None:
        """The ICC profile of the file; None if it does not contain one."""
        return self._metadata(2)

    def decode_gain_map(
        self, *, execution: Execution | None = None,
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Decodes the gain map of the file: its samples, and its metadata.

        The samples are an array of the gain map's own height x width, or height x width x 3 for one of three
        components, upright: uint8 as stored; uint16 for more bits, in the full range of the type; or
        float32, 0 to 1. The metadata are those of ``hdrconvert gainmap extract --metadata``
        (Documentation/schemas/gainmap-metadata.json), with the fractions of the file; ``map`` describes the
        samples as stored, before the orientation is applied.

        Args:
            execution: Threads, limits and cancellation; None for that of the image.

        Raises:
            InvalidArgumentError: The image was not opened from a file.
            UnsuitableError: The file does not have a gain map that can be applied.
        """
        execution = self._chosen(execution)
        found, text = ctypes.c_void_p(), ctypes.c_void_p()
        call(
            library.hdr_image_get_gain_map, self._open, handle(execution), ctypes.byref(found),
            ctypes.byref(text), execution=execution)
        metadata: dict[str, Any] = json.loads(_taken(text))
        with Image(found, is_file=False, execution=execution) as gain_map:
            samples = gain_map.decode()
            return (samples[:, :, 0].copy() if gain_map._info.is_gray else samples), metadata

    @overload
    def decode(
        self, dtype: type[Sample] | np.dtype[Sample], *, color: Color | None = None,
        alpha: bool | None = None, execution: Execution | None = None,
    ) -> NDArray[Sample]: ...

    @overload
    def decode(
        self, *, color: Color | None = None, out: NDArray[Sample],
        execution: Execution | None = None,
    ) -> NDArray[Sample]: ...

    @overload
    def decode(
        self, dtype: SampleName | None = None, *, color: Color | None = None,
        alpha: bool | None = None, execution: Execution | None = None,
    ) -> NDArray[Any]: ...

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
        elif dtype is not None or alpha is not None:
            raise TypeError("out determines dtype and alpha")
        elif not (out.ndim == 3 and out.flags.writeable and _arrays.has_packed_rows(out)):
            raise ValueError("out needs three dimensions, contiguous rows and write access")
        if (out.dtype, out.shape[2]) not in _arrays._PACKINGS:
            raise TypeError(f"{out.dtype}; uint8, uint16, float16 or float32 is required")
        structure = None if color is None else _structure(color)
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
        self, headroom: float | None = None, request: Request | None = None, *,
        primaries: Primaries | None = None, execution: Execution | None = None,
    ) -> Image:
        """Renders the image: linear values in single precision, upright; 1.0 is reference white.

        The samples are made when they are read. convert() makes a file of the original image by the
        requests of both calls, as of one.

        Args:
            headroom: Peak luminance of the display over reference white, 1 for SDR
                (``rendition.headroomStops`` is its base-2 logarithm); None for all headroom of the image,
                a gain map being applied in full (``gainMap.use`` is ``apply``).
            request: The parts ``content``, ``gainMap``, ``rendition``, ``geometry``, ``color`` and
                ``raw`` of a request.
            primaries: ``color.primaries``: p3, bt709 and others; None for BT.2020.
            execution: Threads, limits and cancellation; None for that of the image.
        """
        stops = None
        if headroom is not None:
            headroom = _arguments.real("headroom", headroom)
            if not 1 <= headroom < math.inf:
                raise ValueError(f"headroom is {headroom}; at least 1 is required")
            stops = math.log2(headroom)
        whole = _with(
            request, rendition={"headroomStops": stops}, color={"primaries": primaries})
        if self.has_gain_map and "rendition" not in whole and "gainMap" not in whole:
            whole["gainMap"] = {"use": "apply"}
        execution = self._chosen(execution)
        rendered = ctypes.c_void_p()
        call(
            library.hdr_image_render, self._open, request_text(whole), handle(execution),
            ctypes.byref(rendered), execution=execution)
        return Image(rendered, is_file=False, execution=self._execution)

    def convert(
        self, request: Request | None = None, *, sdr: Image | Samples | None = None,
        execution: Execution | None = None,
    ) -> EncodedFile:
        """Makes the file that a request describes, as the command and Swift make it of the same request.

        Args:
            request: What is to be made; Documentation/schemas/request.json lists all fields. Fields that
                are left out are decided by what the image contains and what the format can store.
            sdr: The SDR image, of the same size, that a gain map is computed from; None to make it of the
                HDR image.
            execution: Threads, limits, progress and cancellation; None for that of the image.
        """
        execution = self._chosen(execution)
        standard = (
            sdr if sdr is None or isinstance(sdr, Image) else from_array(sdr, execution=execution))
        file = ctypes.c_void_p()
        call(
            library.hdr_image_convert, self._open, request_text({} if request is None else request),
            standard._open if standard else None, handle(execution), ctypes.byref(file),
            execution=execution)
        return _taken(file)

    def encode(
        self, format: Format, request: Request | None = None, *, quality: SupportsIndex | None = None,
        lossless: bool | None = None, execution: Execution | None = None,
    ) -> EncodedFile:
        """Makes a file of a format in memory, as convert().

        Args:
            format: ``coding.format``: heic, avif, jxl, png, jpg, tiff, exr.
            request: Other fields.
            quality: ``coding.quality``: 0 to 100.
            lossless: ``coding.isLossless``: whether decoding yields the same code values.
            execution: Threads, limits, progress and cancellation; None for that of the image.
        """
        coding = _coding(format, quality, lossless)
        return self.convert(_with(request, coding=coding), execution=execution)

    def save(
        self, target: str | os.PathLike[str] | IO[bytes], request: Request | None = None, *,
        format: Format | None = None, quality: SupportsIndex | None = None, lossless: bool | None = None,
        execution: Execution | None = None,
    ) -> EncodedFile:
        """Makes a file and writes it, as encode().

        Args:
            target: A path, whose file is replaced at once when all bytes are written; or a binary file.
            request: Other fields.
            format: ``coding.format``; None for that of the request, else for the suffix of the path or of
                the name of the binary file.
            quality: ``coding.quality``: 0 to 100.
            lossless: ``coding.isLossless``: whether decoding yields the same code values.
            execution: Threads, limits, progress and cancellation; None for that of the image.

        Raises:
            ValueError: The format is not given, and there is not a suffix.
        """
        coding: Any = request.get("coding", {}) if request else {}
        file = self.encode(
            format or coding.get("format") or _format(target), request, quality=quality,
            lossless=lossless, execution=execution)
        file.save(target)
        return file


def _structure(color: Color) -> _library.ColorStructure:
    """A color for the C library."""
    if not isinstance(color, Color):
        raise TypeError(f"color is {color!r}; a Color is required")
    return color.structure()


def _content(source: bytes | bytearray | memoryview | IO[bytes]) -> NDArray[np.uint8]:
    """The bytes of a file in memory, or of a binary file."""
    return np.frombuffer(source.read() if hasattr(source, "read") else source, np.uint8)


def open(  # noqa: A001
    source: str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes], *,
    image: str | SupportsIndex | None = None, assume: RequestInputAssumed | None = None,
    declare: RequestInputDeclared | None = None, execution: Execution | None = None,
) -> Image:
    """Opens a file: HEIF, AVIF, JPEG, PNG, TIFF, OpenEXR, Radiance HDR, JPEG XL, JPEG XR, DNG, camera raw.

    Args:
        source: A path, the bytes of a file, or a binary file.
        image: ``input.image``: name or number of the image of a file with several; None for the primary
            image.
        assume: ``input.assumed``: color of a file that does not declare it.
        declare: ``input.declared``: color of a file that declares it wrongly.
        execution: Threads, limits and cancellation, also the default of the calls of the image, which
            report progress.
    """
    request = request_text(_with(None, input={
        "image": None if image is None else str(image), "assumed": assume, "declared": declare}))
    opened = ctypes.c_void_p()
    if isinstance(source, (str, os.PathLike)):
        call(
            library.hdr_image_open_file, _arguments.path(source), request, handle(execution),
            ctypes.byref(opened), execution=execution)
    else:
        data = _content(source)
        call(
            library.hdr_image_open_memory, data.ctypes.data, data.size, request,
            handle(execution), ctypes.byref(opened), execution=execution)
    return Image(opened, is_file=True, execution=execution)


def validate(
    source: str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes], *,
    execution: Execution | None = None,
) -> dict[str, Any]:
    """Checks a file against ISO 22028-5, ISO 21496-1 and the rules of its format.

    A file that violates rules is a result, also if it cannot be opened as an image. Images are decoded for
    rules about light levels.

    Args:
        source: A path, the bytes of a file, or a binary file.
        execution: Threads, limits and cancellation.

    Returns:
        The verdicts, as ``hdrconvert validate --json`` reports them, without ``remedy``, which is a command:
        ``verdict`` is ``broken``, ``deviates``, ``advice`` or ``pass``, and ``rules`` lists each rule with
        its findings.

    Raises:
        UnsuitableError: Files of the format do not have rules.
        HDRError: The file leaves nothing to check.
    """
    text = ctypes.c_void_p()
    if isinstance(source, (str, os.PathLike)):
        call(
            library.hdr_validate_file, _arguments.path(source), handle(execution),
            ctypes.byref(text), execution=execution)
    else:
        data = _content(source)
        call(
            library.hdr_validate_memory, data.ctypes.data, data.size, handle(execution),
            ctypes.byref(text), execution=execution)
    results: list[dict[str, Any]] = json.loads(_taken(text))["results"]
    return results[0]


def from_array(
    array: Samples, color: Color | None = None, *, alpha: Alpha = "straight",
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
        ctypes.byref(_structure(color)), handle(execution), ctypes.byref(image),
        execution=execution)
    return Image(image, is_file=False, execution=execution)


def create_gainmap(
    sdr: Image | Samples | None, hdr: Image | Samples, format: Format = "jpg",
    request: Request | None = None, *, quality: SupportsIndex | None = None,
    execution: Execution | None = None,
) -> EncodedFile:
    """Encodes an SDR and an HDR image of the same size as a baseline image with a gain map.

    This is convert() of the HDR image with ``content`` of ``gainMap``.

    Args:
        sdr: The SDR image, or an array as in from_array(); None to tone map the HDR image.
        hdr: The HDR image, or an array as in from_array().
        format: ``coding.format``: jpg, heic, avif or jxl.
        request: Other fields, such as those of ``gainMap``.
        quality: ``coding.quality``: that of the baseline image, 0 to 100.
        execution: Threads, limits, progress and cancellation; None for that of the HDR image, else that
            of the SDR image.
    """
    for given in (hdr, sdr):
        if isinstance(given, Image):
            execution = given._chosen(execution)
    high = hdr if isinstance(hdr, Image) else from_array(hdr, execution=execution)
    whole = _with(request, coding=_coding(format, quality, None))
    whole["content"] = "gainMap"
    return high.convert(whole, sdr=sdr, execution=execution)
