# SPDX-License-Identifier: Apache-2.0
"""Compares the files of reference-images/ with the README."""

import hashlib
import re

from runner import check, require
from tools import REFERENCE, fresh, read_light, run
import tools

import imagecodecs
import numpy as np


@check("reference images: checksums in README")
def sums():
    text = (REFERENCE / "README.md").read_text()
    listed = dict(re.findall(r"^\| `([^`]+)` .*\| `([0-9a-f]{64})` \|$", text, re.M))
    files = {p.name for p in REFERENCE.iterdir() if p.name != "README.md"}
    require(listed.keys() == files, f"listed and present differ: {listed.keys() ^ files}")
    for name, digest in listed.items():
        actual = hashlib.sha256((REFERENCE / name).read_bytes()).hexdigest()
        require(actual == digest, f"{name} has the sum {actual}")
    size = sum((REFERENCE / name).stat().st_size for name in files)
    require(size < 2 << 20, f"{size} bytes are too many for a repository")
    return f"{len(files)} files, {size >> 10} KiB"


@check("reference images: reproduced by the generator")
def made_again():
    folder = fresh("")
    run(tools.binaries / "reference-scenes", folder)
    for path in sorted(REFERENCE.glob("*.exr")):
        old, new = (read_light(p)[0] for p in (path, folder / path.name))
        # Another machine's exp and pow may differ in the last bit.
        require(np.allclose(old, new, rtol=2**-10, atol=1e-6, equal_nan=True), f"{path.name} differs")
    for path in sorted(REFERENCE.glob("*.png")):
        old, new = (imagecodecs.png_decode(p.read_bytes()) for p in (path, folder / path.name))
        require(np.array_equal(old, new), f"{path.name} differs")


@check("reference images: luminances of the chart")
def chart():
    light, _ = read_light(REFERENCE / "chart.exr")
    expected = [0, 0.0005, 0.1, 1, 26, 100, 203, 400, 600, 1000, 4000, 10000]
    for column, luminance in enumerate(expected):
        patch = light[:24, column * 24 : column * 24 + 24]
        require(np.abs(patch - luminance).max() <= 1e-6 * luminance,
                f"patch {column} has {patch.max()} cd/m2, not {luminance}")
