# SPDX-License-Identifier: Apache-2.0
"""Compares the files of reference-images/ with the README."""

import hashlib
import json
import re

import reference_files
from runner import check, require
from tools import REFERENCE, fresh, read_light, run
import tools

import imagecodecs
import numpy as np


@check("reference images: checksums in README")
def sums():
    text = (REFERENCE / "README.md").read_text()
    listed = dict(re.findall(r"^\| `([^`]+)` .*\| `([0-9a-f]{64})` \|$", text, re.M))
    files = {p.name for p in REFERENCE.iterdir() if p.is_file() and p.name != "README.md"}
    require(listed.keys() == files, f"listed and present differ: {listed.keys() ^ files}")
    for name, digest in listed.items():
        actual = hashlib.sha256((REFERENCE / name).read_bytes()).hexdigest()
        require(actual == digest, f"{name} has the sum {actual}")
    size = sum((REFERENCE / name).stat().st_size for name in files)
    require(size < 2 << 20, f"{size} bytes are too many for a repository")
    return f"{len(files)} files, {size >> 10} KiB"


@check("reference images: ISO 22028-5 and gain maps, samples by other decoders")
def containers():
    entries = json.loads(reference_files.EXPECTED.read_text())
    present = {path.name for path in reference_files.FOLDER.iterdir()} - {"README.md", "expected.json"}
    require(present == {entry["file"] for entry in entries}, f"{present}")
    for entry in entries:
        reference_files.check(entry)
        # The metadata are those of the list, and no rule is broken.
        report = json.loads(run(tools.binaries / "hdrconvert", "inspect", "--json", reference_files.FOLDER / entry["file"]))
        found = report["results"][0]
        light = found["images"][0].get("lightMetadata", {})
        require(light == entry.get("lightMetadata", light), f"{entry['file']}: {light}")
        gain_maps = reference_files.without_numbers(found["gainMaps"])
        require(gain_maps == entry.get("gainMaps", []), f"{entry['file']}: {gain_maps}")
        run(tools.binaries / "hdrconvert", "validate", reference_files.FOLDER / entry["file"])
    return f"{len(entries)} files"


@check("reference images: the findings of each faulty file, and no others")
def faults():
    folder = REFERENCE / "faults"
    entries = json.loads((folder / "findings.json").read_text())
    for entry in entries:
        standards = [word for standard in entry["standards"] for word in ("--standard", standard)]
        text = run(tools.binaries / "hdrconvert", "validate", "--json", *standards, folder / entry["file"], accept=(0, 1))
        rules = json.loads(text)["results"][0]["rules"]
        found = sorted((rule["id"], rule["class"]) for rule in rules if rule["verdict"] in ("broken", "deviates", "advice"))
        require(found == sorted((finding["rule"], finding["class"]) for finding in entry["findings"]), f"{entry['file']}: {found}")
    size = sum(path.stat().st_size for path in REFERENCE.rglob("*"))
    require(size < 10 << 20, f"{size} bytes are too many for a repository")
    return f"{len(entries)} files, {size >> 10} KiB in all"


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
    # Three mantissas of 8 bits and one exponent.
    coarse, _ = read_light(REFERENCE / "chart.hdr")
    largest = light.max(-1, keepdims=True)
    require(bool((np.abs(coarse - np.maximum(light, 0)) <= np.maximum(largest, 0) / 256).all()), "the Radiance file differs")
