# SPDX-License-Identifier: Apache-2.0
"""NumPy arrays as pixels of the C library."""

from __future__ import annotations

from typing import Any, Literal, TypeVar, Union, get_args

import numpy as np
from numpy.typing import NDArray

from ._library import Pixels, Plane

#: Packing by type and number of components.
_PACKINGS = {
    (np.dtype(np.uint8), 3): 0, (np.dtype(np.uint16), 3): 1, (np.dtype(np.float16), 3): 2,
    (np.dtype(np.float32), 3): 3, (np.dtype(np.uint8), 4): 4, (np.dtype(np.uint16), 4): 5,
    (np.dtype(np.float16), 4): 6, (np.dtype(np.float32), 4): 7}
#: Interpretation of the fourth component, in the order of the C library.
Alpha = Literal["straight", "premultiplied", "opaque"]
#: Type of samples.
Sample = TypeVar("Sample", np.uint8, np.uint16, np.float16, np.float32)
SampleName = Literal["uint8", "uint16", "float16", "float32"]
#: Arrays that images are made of.
Samples = NDArray[Union[np.uint8, np.uint16, np.float16, np.float32, np.float64]]


def has_packed_rows(array: NDArray[Any]) -> bool:
    """Whether each row is contiguous, so that the library can access the array itself."""
    size = array.itemsize
    return (
        array.strides[1:] == (size * array.shape[2], size)
        and (array.shape[0] == 1 or array.strides[0] >= size * array.shape[2] * array.shape[1])
        and array.flags.aligned and array.dtype.isnative)


def packable(array: NDArray[Any]) -> NDArray[Any]:
    """The array itself, or a copy of a type and layout that the library accepts."""
    array = np.asarray(array)
    if array.ndim == 2:
        array = np.repeat(array[:, :, None], 3, axis=2)
    if array.ndim != 3 or array.shape[2] not in (3, 4) or 0 in array.shape:
        raise ValueError(f"an array of shape {array.shape}; height x width x 3 or 4 is required")
    if array.dtype.newbyteorder("=") == np.float64:
        array = array.astype(np.float32)
    if (array.dtype.newbyteorder("="), array.shape[2]) not in _PACKINGS:
        raise TypeError(f"{array.dtype}; uint8, uint16, float16 or float32 is required")
    if not has_packed_rows(array):
        array = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))
    return array


def pixels(array: NDArray[Any], alpha: Alpha = "straight") -> Pixels:
    """The memory of an array, which must stay alive."""
    alphas = get_args(Alpha)
    if alpha not in alphas:
        raise ValueError(f"alpha is {alpha!r}; known: {', '.join(alphas)}")
    height, width, components = array.shape
    row = array.itemsize * components * width
    stride = array.strides[0] if height > 1 else row
    plane = Plane(array.ctypes.data, stride * (height - 1) + row, stride)
    return Pixels(
        _PACKINGS[array.dtype, components], alphas.index(alpha), width, height, (Plane * 2)(plane))
