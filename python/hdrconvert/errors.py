# SPDX-License-Identifier: Apache-2.0
"""Exceptions, one class for each category of errors."""

from __future__ import annotations

import ctypes
import os

from ._library import library


class HDRError(Exception):
    """An error of the library.

    Attributes:
        code: Stable identifier, such as ``png/crc-mismatch``; Documentation/Diagnostics.md lists all.
        message: One clause in English with the invalid values.
        file: Path of the file, or None.
        path: Names of the enclosing structures of the file, separated by ``/``, or None.
        offset: Byte offset from the start of the file, or None.
    """

    def __init__(
        self, message: str, code: str = "", file: str | None = None, path: str | None = None,
        offset: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.file = file
        self.path = path
        self.offset = offset

    def __str__(self) -> str:
        place = self.path or ""
        if self.offset is not None:
            place += f" @{self.offset}" if place else f"@{self.offset}"
        text = ": ".join(part for part in (self.file, place, self.message) if part)
        return f"{text} [{self.code}]"


class TruncatedError(HDRError, ValueError):
    """The bytes end before the structure does."""


class MalformedError(HDRError, ValueError):
    """The bytes contradict the format."""


class UnsupportedError(HDRError, ValueError):
    """The file requires a feature that no build of this version supports."""


class MissingCodecError(HDRError, RuntimeError):
    """The required codec is not part of the library."""


class LimitExceededError(HDRError, MemoryError):
    """A limit of memory, pixels or work would be exceeded."""


class CodecError(HDRError, RuntimeError):
    """A codec library rejected the data."""


class MissingInputError(HDRError, FileNotFoundError):
    """The input does not exist."""


class CannotCreateError(HDRError, OSError):
    """The output exists, or its folder cannot be written."""


class InputOutputError(HDRError, OSError):
    """Reading or writing failed."""


class InvalidArgumentError(HDRError, ValueError):
    """The arguments contradict each other or the format."""


class UnsuitableError(HDRError, ValueError):
    """The input is valid, but lacks a required property."""


class CancelledError(HDRError):
    """The operation was cancelled."""


_CLASSES: dict[int, type[HDRError]] = {
    1: TruncatedError, 2: MalformedError, 3: UnsupportedError, 4: MissingCodecError,
    5: LimitExceededError, 6: CodecError, 7: MissingInputError, 8: CannotCreateError,
    9: InputOutputError, 10: InvalidArgumentError, 11: UnsuitableError, 12: CancelledError}


def _text(value: bytes | None) -> str | None:
    return None if value is None else os.fsdecode(value)


def check(status: int, error: ctypes.c_void_p) -> None:
    """Raises the error of a call, which is destroyed."""
    if status == 0:
        return
    try:
        offset = library.hdr_error_offset(error)
        raised = _CLASSES.get(status, HDRError)(
            library.hdr_error_message(error).decode("utf-8", "replace"),
            library.hdr_error_code(error).decode("utf-8", "replace"),
            _text(library.hdr_error_file(error)), _text(library.hdr_error_path(error)),
            None if offset < 0 else offset)
    finally:
        library.hdr_error_destroy(error)
    raise raised
