# SPDX-License-Identifier: Apache-2.0
"""Threads, limits, progress and cancellation of a job."""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable
from typing import Any, SupportsIndex

import numpy as np

from . import _arguments, _library
from ._handles import Handle
from ._library import library, use
from .errors import CancelledError, check


class Execution(Handle):
    """Conditions of a job, which is one call or several.

    One can serve for any number of files, whose memory is returned with them; a cancelled execution stays
    cancelled. Images that are opened with it use it by default, so that its limits hold for decoding and
    encoding as well.

    Args:
        threads: Number of threads, at least 1; None for one on each core.
        memory_limit: Bytes for all calls together, at least 1; None for half of the memory of the process.
        pixel_limit: Largest number of pixels of one image, at least 1; None for 2**29.
        progress: Receives the completed share of calls that decode, convert, validate or measure: 0,
            shares that never fall, and 1 at the end; open() and render() do not report progress.
            If it returns False, the call raises CancelledError; if it raises, the call raises the same.
            It must not use the image of the call.

    Raises:
        TypeError: A number is not an integer.
        ValueError: A number is out of range.
    """

    _destroy = "hdr_execution_destroy"
    _name = "execution"

    def __init__(
        self, *, threads: SupportsIndex | None = None,
        memory_limit: SupportsIndex | None = None, pixel_limit: SupportsIndex | None = None,
        progress: Callable[[float], bool | None] | None = None,
    ) -> None:
        if progress is not None and not callable(progress):
            raise TypeError(f"progress is {progress!r}; a function is required")
        self._handle = ctypes.c_void_p()
        self._raised: BaseException | None = None
        self._progress = progress
        # The library calls this object, which must live as long as the handle.
        self._receiver = _library.Progress(self._receive) if progress else _library.Progress()
        use()
        options = _library.ExecutionOptions()
        library.hdr_execution_options_init(ctypes.byref(options))
        options.progress = self._receiver
        for field, name, value, largest in (
                ("thread_count", "threads", threads, 2**31 - 1),
                ("memory_limit", "memory_limit", memory_limit, 2**64 - 1),
                ("pixel_limit", "pixel_limit", pixel_limit, 2**64 - 1)):
            if value is not None:
                setattr(options, field, _arguments.integer(name, value, 1, largest))
        call(library.hdr_execution_create, ctypes.byref(options), ctypes.byref(self._handle))

    def _receive(self, _context: int | None, share: float) -> bool:
        try:
            answer = None if self._progress is None else self._progress(share)
            return not isinstance(answer, (bool, np.bool_)) or bool(answer)
        except BaseException as raised:  # Raised again by `call`.
            self._raised = raised
            return False

    def cancel(self) -> None:
        """Cancels all calls that use this execution, now and in future; callable on any thread."""
        library.hdr_execution_cancel(self._open)


def receive_messages(receive: Callable[[str], object] | None) -> None:
    """Receives the debug messages that codec libraries print on standard error, from now on.

    The errors that they are about are raised as well. It concerns the whole process: call it before the
    process has threads. ``receive_messages(logging.getLogger("codecs").debug)`` logs them.

    Args:
        receive: Called with each message, on any thread; None discards them.
    """
    if receive is None:
        library.hdr_receive_messages(_library.Message(), None)
        return
    if not callable(receive):
        raise TypeError(f"receive is {receive!r}; a function is required")
    receiver = _library.Message(lambda _context, text: receive(text.decode("utf-8", "replace")))
    library.hdr_receive_messages(receiver, None)
    if not _receivers:
        # Threads of the library may go on when the interpreter ends.
        atexit.register(receive_messages, None)
    _receivers.append(receiver)


# The library calls these objects; other threads may be about to call an earlier one.
_receivers: list[Any] = []


def handle(execution: Execution | None) -> ctypes.c_void_p:
    """The handle of an execution; NULL for defaults.

    Raises:
        TypeError: It is something else.
    """
    if execution is None:
        return ctypes.c_void_p()
    if not isinstance(execution, Execution):
        raise TypeError(f"execution is {execution!r}; an Execution is required")
    return execution._open


def call(function: Any, *arguments: Any, execution: Execution | None = None) -> None:
    """Calls a function whose last parameter receives the error, which is raised.

    Raises:
        RuntimeError: The process was forked from one that had used the library.
    """
    use()
    error = ctypes.c_void_p()
    status = function(*arguments, ctypes.byref(error))
    try:
        check(status, error)
    except CancelledError:
        if execution is None or execution._raised is None:
            raise
        raised, execution._raised = execution._raised, None
        raise raised from None
