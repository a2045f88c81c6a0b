# SPDX-License-Identifier: Apache-2.0
"""The C library: its structures and functions, as declared in hdrconvert.h."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import pathlib
import sys
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_size_t,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
)

API_MAJOR = 1
API_MINOR = 1

Progress = CFUNCTYPE(c_bool, c_void_p, c_double)


class ExecutionOptions(Structure):
    _fields_ = [
        ("size", c_size_t), ("memory_limit", c_uint64), ("pixel_limit", c_uint64),
        ("thread_count", c_int32), ("progress", Progress), ("progress_context", c_void_p)]


class ColorStructure(Structure):
    _fields_ = [
        ("primaries", c_uint16), ("transfer", c_uint16), ("matrix", c_uint16),
        ("is_full_range", c_bool), ("reference_white", c_double)]


class Plane(Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t), ("stride", c_size_t)]


class Pixels(Structure):
    _fields_ = [
        ("packing", c_int32), ("alpha", c_int32), ("width", c_uint32), ("height", c_uint32),
        ("planes", Plane * 2)]


class OpenOptions(Structure):
    _fields_ = [
        ("size", c_size_t), ("assumed_transfer", c_uint16), ("assumed_primaries", c_uint16),
        ("assumed_reference_white", c_double)]


class ImageInfo(Structure):
    _fields_ = [
        ("size", c_size_t), ("width", c_uint32), ("height", c_uint32), ("bits_per_sample", c_int32),
        ("is_floating_point", c_bool), ("has_alpha", c_bool), ("is_gray", c_bool),
        ("is_high_dynamic_range", c_bool), ("has_gain_map", c_bool), ("color", ColorStructure),
        ("max_content_light_level", c_double), ("max_frame_average_light_level", c_double)]


class RenderOptions(Structure):
    _fields_ = [
        ("size", c_size_t), ("headroom", c_double), ("primaries", c_uint16), ("tone_map", c_char_p)]


class TransformOptions(Structure):
    _fields_ = [
        ("size", c_size_t), ("crop_x", c_uint32), ("crop_y", c_uint32), ("crop_width", c_uint32),
        ("crop_height", c_uint32), ("width", c_uint32), ("height", c_uint32),
        ("long_side", c_uint32), ("rotation", c_int32)]


class EncodeOptions(Structure):
    _fields_ = [
        ("size", c_size_t), ("format", c_char_p), ("quality", c_int32), ("speed", c_int32),
        ("is_lossless", c_bool), ("bits_per_sample", c_int32), ("chroma", c_int32),
        ("transfer", c_uint16), ("primaries", c_uint16), ("gain_map", c_int32),
        ("exposure", c_double)]


class GainMapOptions(Structure):
    _fields_ = [
        ("size", c_size_t), ("format", c_char_p), ("flavors", c_char_p), ("quality", c_int32),
        ("speed", c_int32), ("map_quality", c_int32), ("map_scale", c_int32),
        ("map_component_count", c_int32), ("is_base_hdr", c_bool), ("primaries", c_uint16),
        ("target_error", c_double), ("chroma", c_int32)]


class GainMapResult(Structure):
    _fields_ = [
        ("size", c_size_t), ("mean_error", c_double), ("percentile_error", c_double),
        ("base_byte_count", c_uint64), ("map_byte_count", c_uint64)]


class TranscodeOptions(Structure):
    _fields_ = [
        ("size", c_size_t), ("format", c_char_p), ("flavors", c_char_p), ("quality", c_int32),
        ("map_quality", c_int32), ("speed", c_int32), ("is_exact", c_bool)]


# Result and parameters of each function. Handles are void pointers.
_HANDLE = c_void_p
_OUT = POINTER(c_void_p)
_PROTOTYPES = {
    "hdr_api_version": (c_uint32, []),
    "hdr_version": (c_char_p, []),
    "hdr_error_status": (c_int32, [_HANDLE]),
    "hdr_error_code": (c_char_p, [_HANDLE]),
    "hdr_error_message": (c_char_p, [_HANDLE]),
    "hdr_error_file": (c_char_p, [_HANDLE]),
    "hdr_error_path": (c_char_p, [_HANDLE]),
    "hdr_error_offset": (c_int64, [_HANDLE]),
    "hdr_error_destroy": (None, [_HANDLE]),
    "hdr_bytes_data": (c_void_p, [_HANDLE]),
    "hdr_bytes_size": (c_size_t, [_HANDLE]),
    "hdr_bytes_notices": (c_char_p, [_HANDLE]),
    "hdr_bytes_destroy": (None, [_HANDLE]),
    "hdr_execution_options_init": (None, [POINTER(ExecutionOptions)]),
    "hdr_execution_create": (c_int32, [POINTER(ExecutionOptions), _OUT, _OUT]),
    "hdr_execution_cancel": (None, [_HANDLE]),
    "hdr_execution_destroy": (None, [_HANDLE]),
    "hdr_open_options_init": (None, [POINTER(OpenOptions)]),
    "hdr_image_open_file": (c_int32, [c_char_p, POINTER(OpenOptions), _HANDLE, _OUT, _OUT]),
    "hdr_image_open_memory": (
        c_int32, [c_void_p, c_size_t, POINTER(OpenOptions), _HANDLE, _OUT, _OUT]),
    "hdr_image_create": (
        c_int32, [POINTER(Pixels), POINTER(ColorStructure), _HANDLE, _OUT, _OUT]),
    "hdr_image_destroy": (None, [_HANDLE]),
    "hdr_image_get_info": (c_int32, [_HANDLE, POINTER(ImageInfo), _OUT]),
    "hdr_image_format": (c_char_p, [_HANDLE]),
    "hdr_image_describe": (c_int32, [_HANDLE, c_uint32, _HANDLE, _OUT, _OUT]),
    "hdr_image_decode": (
        c_int32, [_HANDLE, POINTER(ColorStructure), POINTER(Pixels), _HANDLE, _OUT]),
    "hdr_render_options_init": (None, [POINTER(RenderOptions)]),
    "hdr_image_render": (c_int32, [_HANDLE, POINTER(RenderOptions), _HANDLE, _OUT, _OUT]),
    "hdr_transform_options_init": (None, [POINTER(TransformOptions)]),
    "hdr_image_transform": (c_int32, [_HANDLE, POINTER(TransformOptions), _HANDLE, _OUT, _OUT]),
    "hdr_encode_options_init": (None, [POINTER(EncodeOptions)]),
    "hdr_image_encode": (c_int32, [_HANDLE, POINTER(EncodeOptions), _HANDLE, _OUT, _OUT]),
    "hdr_gain_map_options_init": (None, [POINTER(GainMapOptions)]),
    "hdr_gain_map_create": (
        c_int32,
        [_HANDLE, _HANDLE, POINTER(GainMapOptions), _HANDLE, _OUT, POINTER(GainMapResult), _OUT]),
    "hdr_transcode_options_init": (None, [POINTER(TranscodeOptions)]),
    "hdr_gain_map_transcode": (
        c_int32, [_HANDLE, POINTER(TranscodeOptions), _HANDLE, _OUT, _OUT]),
}


def _path() -> str:
    """The library that HDRCONVERT_LIBRARY names, that of the wheel, or that of the system."""
    given = os.environ.get("HDRCONVERT_LIBRARY")
    if given:
        return given
    name = (
        f"libhdrconvert.{API_MAJOR}.dylib" if sys.platform == "darwin"
        else f"libhdrconvert.so.{API_MAJOR}")
    packaged = pathlib.Path(__file__).with_name(name)
    if packaged.exists():
        return str(packaged)
    return ctypes.util.find_library("hdrconvert") or name


def _load() -> ctypes.CDLL:
    library = ctypes.CDLL(_path())
    library.hdr_api_version.restype = c_uint32
    version = library.hdr_api_version()
    if version >> 16 != API_MAJOR or version & 0xFFFF < API_MINOR:
        raise ImportError(
            f"{_path()} has interface {version >> 16}.{version & 0xFFFF}; "
            f"this package requires {API_MAJOR}.{API_MINOR}")
    for name, (result, parameters) in _PROTOTYPES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, parameters
    return library


library = _load()


def options(structure: type[Structure], function: str, **values: object) -> Structure:
    """Options with their defaults, except for values that are not None."""
    result = structure()
    getattr(library, function)(ctypes.byref(result))
    for name, value in values.items():
        if value is not None:
            setattr(result, name, value)
    return result
