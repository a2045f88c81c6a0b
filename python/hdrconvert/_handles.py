# SPDX-License-Identifier: Apache-2.0
"""Handles of the library."""

from __future__ import annotations

import ctypes
from types import TracebackType
from typing import NoReturn, TypeVar

from ._library import is_inherited, library, use

_Self = TypeVar("_Self", bound="Handle")


class Handle:
    """A handle of the library: a context manager, which releases it.

    Attributes:
        _destroy: Name of the function that releases the handle.
        _name: What the handle is, for errors.
    """

    _destroy: str
    _name: str
    _handle: ctypes.c_void_p

    def close(self) -> None:
        """Releases the handle, which no call may use."""
        handle, self._handle = self._handle, ctypes.c_void_p()
        # A forked process leaves the handle to its parent: to release it may wait for ever.
        if not is_inherited():
            getattr(library, self._destroy)(handle)

    def __reduce__(self) -> NoReturn:
        # Two objects with one handle would release it twice.
        raise TypeError(f"an {self._name} cannot be copied or pickled")

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()

    @property
    def _open(self) -> ctypes.c_void_p:
        use()
        if not self._handle:
            raise ValueError(f"the {self._name} is closed")
        return self._handle
