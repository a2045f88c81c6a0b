# SPDX-License-Identifier: Apache-2.0
"""Gain maps in PNG: the chunks that Skia reads, decoded by Pillow and applied in double precision."""

import io
import json
import struct

import numpy as np
from PIL import Image

import color
import gain
import tools
from checks_gainmap import applied, light, within
from checks_validate import of_class, validate
from chunks import SIGNATURE, walk
from runner import check, require
from tools import REFERENCE, corpus, fresh, run
from workspace import case

CASE = "png-gain-map-gmap-gdat.png"
ULTRA_HDR = "jpeg-uhdr/lrc14-1-xmp-iso.jpg"


def chunks(data):
    require(data.startswith(SIGNATURE), "no PNG file")
    return list(walk(data, len(SIGNATURE)))


def payload(data):
    """The metadata as Skia parses them: no version byte in front; trailing bytes are ignored."""
    minimum, _, flags = struct.unpack_from(">HHB", data)
    require(minimum == 0, f"minimum version {minimum}")
    count = 3 if flags & 0x80 else 1

    def fraction(offset, kind):
        numerator, denominator = struct.unpack_from(f">{kind}I", data, offset)
        return f"{numerator}/{denominator}"

    names = (("gain_map_min", "i"), ("gain_map_max", "i"), ("gain_map_gamma", "I"),
             ("base_offset", "i"), ("alternate_offset", "i"))
    channels = [{name: fraction(21 + 40 * channel + 8 * place, kind) for place, (name, kind) in enumerate(names)}
                for channel in range(count)]
    return gain.Metadata({"iso21496": {
        "base_hdr_headroom": fraction(5, "I"), "alternate_hdr_headroom": fraction(13, "I"),
        "channels": channels}}), bool(flags & 0x40)


def parts(path):
    """Baseline image, samples and metadata of the gain map, by the rules of SkPngCodec."""
    data = path.read_bytes()
    (map_file,) = [body for kind, body in chunks(data) if kind == "gdAT"]
    kinds = [kind for kind, _ in chunks(data)]
    require(kinds.index("gdAT") < kinds.index("IDAT"), f"gdAT follows IDAT: {kinds}")
    (metadata,) = [body for kind, body in chunks(map_file) if kind == "gmAP"]
    base = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), np.float64) / 255
    return base, gain.three(np.asarray(Image.open(io.BytesIO(map_file)))), *payload(metadata)


def made(kind):
    if kind == "case":
        return case(CASE)
    target = fresh(".png")
    if kind == "created":
        run(tools.binaries / "hdrconvert", "gainmap", "create", REFERENCE / "photo.exr", "-o", target, "--quiet")
    else:
        run(tools.binaries / "hdrconvert", corpus(ULTRA_HDR), "-o", target, "--gainmap", "keep", "--quiet")
    return target


for kind in ("case", "created", "kept"):

    @check(f"PNG gain map: {kind}: applied as Skia's chunks describe", kind)
    def as_described(kind):
        path = made(kind)
        base, samples, metadata, uses_base = parts(path)
        # A created gain map is in the primaries of the HDR image.
        require(uses_base or kind == "created", "the gain is not in the primaries of the baseline image")
        linear = np.where(base <= 0.04045, base / 12.92, ((base + 0.055) / 1.055) ** 2.4)
        primaries = "p3" if kind == "created" else "bt709"
        if not uses_base:
            linear = color.convert(linear, color.CHROMATICITIES[primaries], color.CHROMATICITIES["bt2020"])
            primaries = "bt2020"
        expected = gain.applied(linear, samples, metadata, metadata.full_weight)
        got = light(path, primaries)
        require(got.shape == expected.shape, f"{got.shape}, not {expected.shape}")
        return within(gain.relative_difference(got, expected), (0.0005, 0.002), kind)

    @check(f"PNG gain map: {kind}: kept in other containers", kind)
    def moved(kind):
        path = made(kind)
        expected = light(path, "bt2020")
        notes = []
        for suffix in (".jpg", ".heic", ".avif", ".jxl", ".png"):
            target = fresh(suffix)
            run(tools.binaries / "hdrconvert", "remux", path, "-o", target, "--flavors", "iso", "--quiet",
                *(() if suffix == ".png" else ("--allow-reencode", "--quality", "100", "--gainmap-quality", "100")))
            report = json.loads(run(tools.binaries / "hdrconvert", "inspect", "--json", target))["results"][0]
            require([m["flavors"] for m in report["gainMaps"]] == [["iso"]], f"{suffix}: {report['gainMaps']}")
            require(not of_class(validate(target), "broken"), f"{suffix} is broken")
            back = fresh(".png")
            run(tools.binaries / "hdrconvert", target, "-o", back, "--gainmap", "keep", "--quiet")
            limits = (1e-6, 1e-6) if suffix == ".png" else (0.03, 0.25)
            notes.append(within(gain.relative_difference(light(back, "bt2020"), expected), limits, suffix))
        return ", ".join(notes)


@check("PNG gain map: chunks as Skia writes them")
def layout():
    path = made("created")
    found = chunks(path.read_bytes())
    bodies = dict(found)
    require(bodies["gmAP"] == bytes(4), f"{bodies['gmAP'].hex()} in front of the gain map")
    inner = chunks(bodies["gdAT"])
    kinds = [kind for kind, _ in inner]
    require(kinds[0] == "IHDR" and kinds[-1] == "IEND" and kinds.index("gmAP") < kinds.index("IDAT"), str(kinds))
    require(len(dict(inner)["gmAP"]) in (61, 141), "length of the metadata")
    run("exiftool", "-validate", "-error", path)
    require(not of_class(validate(path), "broken"), "broken")
    Image.open(path).load()
    return " ".join(kind for kind, _ in found)
