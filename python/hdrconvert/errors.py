# SPDX-License-Identifier: Apache-2.0
"""Exceptions, one class for each category of errors."""

from __future__ import annotations

import ctypes
import errno
import os
from typing import Any

from ._library import library


class HDRError(Exception):
    """An error of the library.

    Attributes:
        code: Stable identifier from Documentation/Diagnostics.md, such as ``request/conflict``, or a category: ``malformed``.
        message: One clause in English.
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

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.code, self.file, self.path, self.offset)

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


class _FileError(HDRError, OSError):
    """An error of a file, whose ``errno``, ``strerror`` and ``filename`` are those of OSError."""

    _errno = errno.EIO

    def __init__(
        self, message: str, code: str = "", file: str | None = None, path: str | None = None,
        offset: int | None = None,
    ) -> None:
        super().__init__(message, code, file, path, offset)
        # The interface does not have numbers; messages end with the text of the operating system.
        detail = message.rpartition(": ")[2]
        named = (number for number in errno.errorcode if os.strerror(number) == detail)
        self.errno = errno.EISDIR if code == "input-is-folder" else next(named, self._errno)
        self.strerror, self.filename = message, file


class MissingInputError(_FileError, FileNotFoundError):
    """The input does not exist."""

    _errno = errno.ENOENT


class CannotCreateError(_FileError):
    """The output exists, or its folder cannot be written."""

    _errno = errno.EACCES


class InputOutputError(_FileError):
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
