# SPDX-License-Identifier: Apache-2.0
"""Makes reference-images/containers: the chart in every container of ISO 22028-5 and every flavor of gain maps.

Run by hand, from the environment that scripts/interop sets up:
    .venv/bin/python scripts/interop.d/reference_files.py --bin .build/release [NAME...]
Names of files make only these. The expected samples in expected.json are computed in double precision from the luminances of chart.exr, as
OpenImageIO reads them, and by the formulas of color.py, not by hdrconvert. The interoperability checks decode the files
by other programs and compare.
"""

import argparse
import json
import pathlib

import imagecodecs
import numpy as np
import rawpy

import color
import dng
import tools
from runner import require
from tools import REFERENCE, run
from workspace import fresh, scratch

FOLDER = REFERENCE / "containers"
EXPECTED = FOLDER / "expected.json"
CHART = REFERENCE / "chart.exr"
PATCH = 24
BITS = {"heic": 10, "avif": 10, "png": 16, "tif": 16, "jxl": 12}
STANDARD_BITS = {"jpg": 8, "heic": 10, "avif": 10, "jxl": 10, "png": 8}
CODE_POINTS = {"pq": 16, "hlg": 18}
# The brightest sample of HLG that is not tone mapped, in cd/m2.
HLG_LIMIT = 400
# Container, flavors, baseline image.
GAIN_MAPS = (
    ("jpg", "iso", "sdr"), ("jpg", "xmp", "sdr"), ("jpg", "iso,xmp", "sdr"), ("jpg", "apple", "sdr"),
    ("heic", "iso", "sdr"), ("heic", "apple", "sdr"), ("heic", "iso,apple", "sdr"), ("heic", "iso", "hdr"),
    ("avif", "iso", "sdr"), ("avif", "iso", "hdr"),
    ("jxl", "iso", "sdr"), ("jxl", "iso", "hdr"), ("png", "iso", "sdr"),
)
RAW = "bayer.dng"
# Luminance of the chart at which the sensor of the raw file saturates, and what scene-linear 1 is shown as, in cd/m2.
SATURATION, SCENE_WHITE = 1000, color.WHITE


def patches():
    """Column, row and linear BT.2020 in cd/m2 of the centers of the patches."""
    light, _ = tools.read_light(CHART)
    centers = [(x, y) for y in range(PATCH // 2, light.shape[0], PATCH) for x in range(PATCH // 2, light.shape[1], PATCH)]
    return [(x, y, light[y, x]) for x, y in centers]


def samples(limit, codes):
    """Expected samples of the patches that are in gamut and at most `limit`."""
    return [{"x": x, "y": y, "luminance": [float(f"{v:.6g}") for v in light],
             "code": [int(v) for v in codes(light)]}
            for x, y, light in patches() if light.min() >= 0 and light.max() <= limit]


def still_name(suffix, transfer):
    return f"iso22028-5-{transfer}.{suffix}"


def gain_map_name(suffix, flavors, baseline):
    return f"gain-map-{flavors.replace(',', '-')}{'' if baseline == 'sdr' else '-hdr-baseline'}.{suffix}"


def still(suffix, transfer):
    """A lossless image, and what readers should find."""
    name = still_name(suffix, transfer)
    run(tools.binaries / "hdrconvert", CHART, "-o", FOLDER / name, "--transfer", transfer, "--lossless", "--force", "--quiet")
    signal, limit = {"pq": (color.pq_signal, 10_000), "hlg": (color.hlg_signal, HLG_LIMIT)}[transfer]
    report = json.loads(run(tools.binaries / "hdrconvert", "inspect", "--json", FOLDER / name))["results"][0]
    return {
        "file": name, "standard": "ISO 22028-5", "width": 288, "height": 96, "bitsPerSample": BITS[suffix],
        "cicp": {"primaries": 9, "transfer": CODE_POINTS[transfer], "matrix": 0, "isFullRange": True},
        "lightMetadata": report["images"][0].get("lightMetadata", {}),
        "tolerance": 1, "samples": samples(limit, lambda light: color.rgb_codes(signal(light), BITS[suffix]))}


def standard_codes(light, bits):
    """The SDR image in Display P3: linear values clipped at reference white."""
    chromaticities = color.CHROMATICITIES
    linear = color.convert(light, chromaticities["bt2020"], chromaticities["p3"]) / color.WHITE
    return color.rgb_codes(color.srgb_signal(linear), bits)


def write_standard():
    """The SDR image as a PNG with code points."""
    light, _ = tools.read_light(CHART)
    path = fresh(".png")
    path.write_bytes(imagecodecs.png_encode(standard_codes(light, 16).astype(np.uint16)))
    tagged = fresh(".png")
    run(tools.binaries / "hdrconvert", "tag", path, "-o", tagged, "--set", "cicp=12/13/0", "--quiet")
    return tagged


def with_gain_map(suffix, flavors, baseline, standard):
    """A file with a gain map, and what readers should find."""
    name = gain_map_name(suffix, flavors, baseline)
    run(tools.binaries / "hdrconvert", "gainmap", "create", "--sdr", standard, CHART, "-o", FOLDER / name, "--flavors", flavors,
        "--baseline", baseline, "--quality", "99", "--gainmap-quality", "100", "--gainmap-channels", "1" if "apple" in flavors else "3",
        "--force", "--quiet")
    report = json.loads(run(tools.binaries / "hdrconvert", "inspect", "--json", FOLDER / name))["results"][0]
    return {
        "file": name, "standard": "ISO 21496-1", "flavors": flavors.split(","), "width": 288, "height": 96, "bitsPerSample": STANDARD_BITS[suffix],
        "baseline": baseline,
        "gainMaps": without_numbers(report["gainMaps"]),
        # Three steps of a map of 8 bits over 5.6 stops; one map for ISO and Apple approximates both functions. Gray
        # patches: one gain for all colors reproduces them.
        "tolerance": {"sdrCodes": 3, "hdrRelative": 0.09 if flavors == "iso,apple" else 0.05, "hdrLuminance": 0.5},
        "samples": [sample for sample in samples(1000, lambda light: standard_codes(light, STANDARD_BITS[suffix])) if sample["y"] < PATCH]}


def raw():
    """The chart as a Bayer sensor sees it whose filters have the primaries of BT.2020, and what scene-linear values should be."""
    light, _ = tools.read_light(CHART)
    # Stored with four decimals.
    matrix = np.linalg.inv(color.rgb_to_xyz(color.CHROMATICITIES["bt2020"]))
    mosaic = dng.bayer(np.clip(light / SATURATION, 0, 1))
    dng.write_mosaic(FOLDER / RAW, mosaic, np.ones(3), matrices=(matrix, matrix))
    return {
        "file": RAW, "standard": "DNG", "width": 288, "height": 96, "bitsPerSample": 16,
        "tolerance": {"sceneRelative": 0.005, "sceneLuminance": 0.03},
        "samples": [
            sample | {"luminance": [float(f"{v * SCENE_WHITE / SATURATION:.6g}") for v in sample["luminance"]]}
            for sample in samples(SATURATION, lambda light: np.round(light / SATURATION * 65535))]}


def without_numbers(gain_maps):
    """Gain maps of a report without the text of each number, which repeats the other values."""
    for gain_map in gain_maps:
        for carrier in gain_map.get("gainMapCarriers", []):
            carrier.pop("numbers", None)
    return gain_maps


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="folder with hdrconvert")
    parser.add_argument("names", nargs="*", metavar="NAME", help="files to make; default: all")
    options = parser.parse_args()
    tools.binaries = options.bin.resolve()
    FOLDER.mkdir(exist_ok=True)
    kept = {} if not options.names else {
        entry["file"]: entry for entry in json.loads(EXPECTED.read_text()) if entry["file"] not in options.names}
    with scratch():
        standard = write_standard()
        files = [kept.get(still_name(*parts)) or still(*parts) for parts in
                 ((suffix, transfer) for transfer in CODE_POINTS for suffix in BITS)]
        files += [kept.get(gain_map_name(*parts)) or with_gain_map(*parts, standard) for parts in GAIN_MAPS]
        files.append(kept.get(RAW) or raw())
        for entry in files:
            print(entry["file"], check(entry))
    EXPECTED.write_text(json.dumps(files, indent=1) + "\n")


def decoded(path, bits):
    """Samples of the primary image by a third-party decoder."""
    match path.suffix:
        case ".png": return tools.png_codes(path)
        case ".avif": return tools.avif_codes(path)
        case ".heic": return tools.heif_codes(path, bits)
        case ".tif": return tools.tiff_codes(path)
        case ".jxl": return imagecodecs.jpegxl_decode(path.read_bytes())
        case _: return imagecodecs.jpeg_decode(path.read_bytes())


def check(entry):
    """Compares a file with its entry; returns the largest differences."""
    path = FOLDER / entry["file"]
    places = tuple(np.array([[s["y"], s["x"]] for s in entry["samples"]]).T)
    codes = np.array([s["code"] for s in entry["samples"]])
    if entry["standard"] == "DNG":
        return check_raw(path, entry, places, codes)
    if "baseline" not in entry:
        got = decoded(path, entry["bitsPerSample"])
        return f"{tools.require_within(entry['tolerance'], got[places], codes, path.name)} codes"
    tolerance, worst = entry["tolerance"], 0
    if entry["baseline"] == "sdr":
        got = decoded(path, entry["bitsPerSample"])
        worst = tools.require_within(tolerance["sdrCodes"], got[places], codes, path.name)
    target = fresh(".exr")
    run(tools.binaries / "hdrconvert", path, "-o", target, "--quiet")
    light, _ = tools.read_light(target)
    share = require_luminance(entry, light[places], tolerance["hdrRelative"], tolerance["hdrLuminance"])
    return f"{worst} codes, {share}"


def check_raw(path, entry, places, codes):
    """Compares the sensor values as LibRaw reads them, and the scene-linear image."""
    with rawpy.imread(str(path)) as raw:
        sensor = raw.raw_image_visible.copy()
    # The patches have even sides, so that their centers are red.
    rows, columns = places
    for (y, x), plane in (((0, 0), 0), ((0, 1), 1), ((1, 0), 1), ((1, 1), 2)):
        tools.require_within(0, sensor[rows + y, columns + x], codes[:, plane], path.name)
    target = fresh(".exr")
    run(tools.binaries / "hdrconvert", path, "-o", target, "--raw", "scene-linear", "--raw", "highlights=keep", "--depth", "32", "--quiet")
    light, _ = tools.read_light(target)
    return require_luminance(entry, light[places], entry["tolerance"]["sceneRelative"], entry["tolerance"]["sceneLuminance"])


def require_luminance(entry, light, relative, absolute):
    """Compares luminances with those of an entry; returns the largest difference."""
    expected = np.array([s["luminance"] for s in entry["samples"]])
    difference = np.abs(light - expected)
    wrong = (difference > relative * expected + absolute).any(-1)
    require(not wrong.any(), f"{entry['file']}: {light[wrong]}, not {expected[wrong]}")
    return f"{(difference / np.maximum(expected, 1)).max():.3f} of the luminance"


if __name__ == "__main__":
    main()
