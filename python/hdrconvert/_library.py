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

API_MAJOR = 2
API_MINOR = 2

Progress = CFUNCTYPE(c_bool, c_void_p, c_double)
Message = CFUNCTYPE(None, c_void_p, c_char_p)


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


class ImageInfo(Structure):
    _fields_ = [
        ("size", c_size_t), ("width", c_uint32), ("height", c_uint32), ("bits_per_sample", c_int32),
        ("is_floating_point", c_bool), ("has_alpha", c_bool), ("is_gray", c_bool),
        ("is_high_dynamic_range", c_bool), ("has_gain_map", c_bool), ("color", ColorStructure),
        ("max_content_light_level", c_double), ("max_frame_average_light_level", c_double)]


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
    "hdr_bytes_report": (c_char_p, [_HANDLE]),
    "hdr_bytes_destroy": (None, [_HANDLE]),
    "hdr_receive_messages": (None, [Message, c_void_p]),
    "hdr_execution_options_init": (None, [POINTER(ExecutionOptions)]),
    "hdr_execution_create": (c_int32, [POINTER(ExecutionOptions), _OUT, _OUT]),
    "hdr_execution_cancel": (None, [_HANDLE]),
    "hdr_execution_destroy": (None, [_HANDLE]),
    "hdr_image_open_file": (c_int32, [c_char_p, c_char_p, _HANDLE, _OUT, _OUT]),
    "hdr_image_open_memory": (c_int32, [c_void_p, c_size_t, c_char_p, _HANDLE, _OUT, _OUT]),
    "hdr_image_create": (
        c_int32, [POINTER(Pixels), POINTER(ColorStructure), _HANDLE, _OUT, _OUT]),
    "hdr_image_destroy": (None, [_HANDLE]),
    "hdr_image_get_info": (c_int32, [_HANDLE, POINTER(ImageInfo), _OUT]),
    "hdr_image_format": (c_char_p, [_HANDLE]),
    "hdr_image_describe": (c_int32, [_HANDLE, c_uint32, _HANDLE, _OUT, _OUT]),
    "hdr_image_get_metadata": (c_int32, [_HANDLE, c_int32, _HANDLE, _OUT, _OUT]),
    "hdr_image_get_gain_map": (c_int32, [_HANDLE, _HANDLE, _OUT, _OUT, _OUT]),
    "hdr_image_decode": (
        c_int32, [_HANDLE, POINTER(ColorStructure), POINTER(Pixels), _HANDLE, _OUT]),
    "hdr_validate_file": (c_int32, [c_char_p, _HANDLE, _OUT, _OUT]),
    "hdr_validate_memory": (c_int32, [c_void_p, c_size_t, _HANDLE, _OUT, _OUT]),
    "hdr_image_render": (c_int32, [_HANDLE, c_char_p, _HANDLE, _OUT, _OUT]),
    "hdr_image_convert": (c_int32, [_HANDLE, c_char_p, _HANDLE, _HANDLE, _OUT, _OUT]),
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

# Whether this process has used the library, and whether it inherited the library of a process that had.
_is_used = _is_inherited = False


def _after_fork() -> None:
    global _is_inherited
    _is_inherited = _is_used


os.register_at_fork(after_in_child=_after_fork)


def is_inherited() -> bool:
    """Whether the process was forked from one that had used the library, whose locks may never open."""
    return _is_inherited


def use() -> None:
    """Precedes calls of functions that need the threads and locks of the library.

    Raises:
        RuntimeError: The process was forked from one that had used the library.
    """
    global _is_used
    if _is_inherited:
        raise RuntimeError(
            "the library was used before fork; start workers with the 'spawn' or 'forkserver' method")
    _is_used = True
