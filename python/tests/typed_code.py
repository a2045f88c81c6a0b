# SPDX-License-Identifier: Apache-2.0
"""Code for mypy: types of results, and errors that it finds.

It is checked, not run. A comment `type: ignore` is itself an error where mypy accepts the code.
"""

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import hdrconvert

image = hdrconvert.open("photo.heic", image=np.int64(1))
small = np.zeros((2, 2, 3), np.uint8)
integers = np.zeros((2, 2, 3), np.int64)

assert_type(image.decode(np.uint8), NDArray[np.uint8])
assert_type(image.decode(np.float16, color=hdrconvert.SRGB, alpha=True), NDArray[np.float16])
assert_type(image.decode(small.dtype), NDArray[np.uint8])
assert_type(image.decode(out=small), NDArray[np.uint8])
image.decode("float32")
image.decode(np.int64)  # type: ignore[type-var]
image.decode("int64")  # type: ignore[call-overload]
image.decode(np.uint8, out=small)  # type: ignore[call-overload]
image.decode(out=integers)  # type: ignore[type-var]

assert_type(image.exif, bytes | None)
assert_type(hdrconvert.validate(io.BytesIO()), dict[str, Any])
hdrconvert.validate(image)  # type: ignore[arg-type]
assert_type(image.decode_gain_map(), tuple[NDArray[Any], dict[str, Any]])
image.icc = b""  # type: ignore[misc]

hdrconvert.from_array(small, alpha="opaque")
hdrconvert.from_array(small, alpha="x")  # type: ignore[arg-type]
hdrconvert.from_array(integers)  # type: ignore[arg-type]
hdrconvert.create_gainmap(small, np.zeros((2, 2, 3)), "heic", quality=np.int64(90))
hdrconvert.create_gainmap(None, image, "gif")  # type: ignore[arg-type]

assert_type(hdrconvert.Color("p3", 16).primaries, int)
hdrconvert.Color("x")  # type: ignore[arg-type]
hdrconvert.Color("bt2020", "gamma")  # type: ignore[arg-type]
hdrconvert.Color(9.5)  # type: ignore[arg-type]

image.encode("avif", {"geometry": {"longSide": 2048}}, quality=85)
image.encode("nonsense")  # type: ignore[arg-type]
image.encode("avif", quality="high")  # type: ignore[arg-type]
image.encode("avif", nonsense=3)  # type: ignore[call-arg]
image.encode("avif", {"geometry": {"longside": 2048}})  # type: ignore[arg-type]
image.save(io.BytesIO(), format="avif")
image.save(io.StringIO(), format="avif")  # type: ignore[arg-type]
image.render(2, primaries="p3")
image.render(primaries="x")  # type: ignore[arg-type]
hdrconvert.Execution(threads=np.int64(2))
hdrconvert.Execution(threads=1.5)  # type: ignore[arg-type]
