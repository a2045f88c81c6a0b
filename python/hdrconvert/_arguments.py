# SPDX-License-Identifier: Apache-2.0
"""Arguments of functions, checked before the C library receives them."""

from __future__ import annotations

import json
import math
import numbers
import operator
import os
import re
from collections.abc import Mapping
from typing import Any

import numpy as np


def integer(name: str, value: Any, smallest: int | None = None, largest: int | None = None) -> int:
    """The integer of an argument; floating-point numbers with an integral value are accepted.

    Raises:
        TypeError: The value is not an integer.
        ValueError: It is out of range.
    """
    if isinstance(value, (float, np.floating)) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is {value!r}; an integer is required")
    number = operator.index(value)
    if smallest is not None and number < smallest or largest is not None and number > largest:
        raise ValueError(f"{name} is {number}; {smallest} to {largest} is required")
    return number


def real(name: str, value: Any) -> float:
    """The number of an argument.

    Raises:
        TypeError: The value is not a number.
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} is {value!r}; a number is required")
    return float(value)


def path(value: str | os.PathLike[str]) -> bytes:
    """The path of a file in C, where it ends at the first NUL."""
    encoded = os.fsencode(value)
    if b"\0" in encoded:
        raise ValueError("embedded null byte")
    return encoded


def _number(value: object) -> bool | int | float:
    """A number of NumPy or of another module as one of Python."""
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    raise TypeError(f"a request cannot contain {value!r}")


def _check_numbers(value: Any, field: str) -> None:
    """Refuses infinity and NaN, which JSON does not represent."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            _check_numbers(part, f"{field}.{name}" if field else str(name))
    elif isinstance(value, (list, tuple)):
        for index, part in enumerate(value):
            _check_numbers(part, f"{field}[{index}]")
    elif isinstance(value, (float, np.floating)) and not math.isfinite(value):
        raise ValueError(f"{field} is {value}; a finite number is required")


def request_text(request: Mapping[str, Any]) -> bytes:
    """A request as JSON."""
    if not isinstance(request, Mapping):
        raise TypeError(f"the request is {request!r}; a dictionary is required")
    _check_numbers(request, "")
    text = json.dumps(request, allow_nan=False, default=_number)
    # NUL, not a backslash followed by u0000: paths and names of the request end at it in C.
    if re.search(r"(?<!\\)(?:\\\\)*\\u0000", text):
        raise ValueError("embedded null byte")
    return text.encode()
