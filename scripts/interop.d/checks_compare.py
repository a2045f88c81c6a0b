# SPDX-License-Identifier: Apache-2.0
"""Compares the measurements of `compare` with colour-science and numpy, on pixels decoded by other programs."""

import json

import colour
import imagecodecs
import numpy as np

import color
import tools
from runner import check, require
from tools import REFERENCE, convert, fresh, read_light, run

DIGITS = 4


def compared(first, second, *options, accept=(0,)):
    return json.loads(run(tools.binaries / "hdrconvert", "compare", first, second, "--json",
                          "--quiet", *options, accept=accept))["results"][0]


def delta_e(first, second):
    """Delta E ITP of linear BT.2020 in cd/m2, by colour-science."""
    itp = [colour.models.RGB_to_ICtCp(color.clean(light), method="ITU-R BT.2100-2 PQ", L_p=10_000)
           for light in (first, second)]
    return colour.difference.delta_E_ITP(*itp)


def pu21(luminance):
    """Mantiuk and Azimi 2021, variant banding with glare."""
    p = (0.353487901, 0.3734658629, 8.277049286e-05, 0.9062562627, 0.09150303166, 0.9099517204,
         596.3148142)
    y = np.clip(luminance, 0.005, 10_000) ** p[3]
    return np.maximum(p[6] * (((p[0] + p[1] * y) / (1 + p[2] * y)) ** p[4] - p[5]), 0)


def measured(first, second):
    """All numbers of a comparison, from linear values in cd/m2."""
    first, second = color.clean(first), color.clean(second)
    differences = delta_e(first, second).ravel()
    weights = color.rgb_to_xyz(color.CHROMATICITIES["bt2020"])[1]
    pq = color.pq_signal(first) - color.pq_signal(second)
    luminances = pu21(first @ weights) - pu21(second @ weights)
    with np.errstate(divide="ignore"):
        return {
            "mean": differences.mean(), "maximum": differences.max(),
            "percentile95": np.percentile(differences, 95, method="inverted_cdf"),
            "percentile99": np.percentile(differences, 99, method="inverted_cdf"),
            "pqPSNR": -10 * np.log10((pq**2).mean()),
            "pu21PSNR": 10 * np.log10(256**2 / (luminances**2).mean()),
            "firstMaxCLL": first.max(), "secondMaxCLL": second.max(),
            "firstMaxFALL": first.max(-1).mean(), "secondMaxFALL": second.max(-1).mean(),
        }


def require_measured(report, first, second):
    """Agreement to four digits; returns the numbers."""
    pixels = report["pixels"]
    got = pixels["deltaEITP"] | {key: pixels[key + "Decibels"] for key in ("pqPSNR", "pu21PSNR")}
    for side in ("first", "second"):
        for level in ("maxCLL", "maxFALL"):
            got[side + level[0].upper() + level[1:]] = pixels[side + "LightLevels"][level + "Nits"]
    for name, expected in measured(first, second).items():
        error = abs(got[name] - expected) / abs(expected)
        require(error <= 0.5 * 10 ** (1 - DIGITS), f"{name}: {got[name]}, not {expected}")
    return f"mean {got['mean']:.4g}, PU21-PSNR {got['pu21PSNR']:.4g} dB"


def decoded_png(path, bits=16):
    """Linear values of a PQ PNG composited on black; code values of `bits` are stored in the high bits."""
    signal = (imagecodecs.png_decode(path.read_bytes()) >> 16 - bits) / (2**bits - 1)
    light = color.pq_luminance(signal[..., :3])
    return light * signal[..., 3:] if signal.shape[-1] == 4 else light


def with_png(name):
    """OpenEXR read by OpenImageIO, compared with PNG written by hdrconvert and read by libpng."""
    source = REFERENCE / name
    target = convert(source, ".png", "--depth", "10")
    light, _ = read_light(source)  # Premultiplied by alpha, as in OpenEXR.
    return require_measured(compared(source, target), light, decoded_png(target, 10))


def with_avif(quality):
    """Lossy coding, both sides integers: PNG by libpng, AVIF by libavif."""
    png = convert(REFERENCE / "photo.exr", ".png")
    avif = convert(png, ".avif", "-q", str(quality), "--yuv", "444", "--depth", "12")
    codes = tools.avifdec_planes(avif)[0]
    signal = color.rgb_signal(np.stack(codes, -1), 9, 12)
    return require_measured(compared(png, avif), decoded_png(png), color.pq_luminance(signal))


def with_sdr():
    """An SDR image compared with an HDR image: sRGB white is 203 cd/m2."""
    codes = (np.indices((64, 96)).sum(0)[..., None] * np.array([1, 2, 0.5]) % 256).astype(np.uint8)
    sdr = fresh(".png")
    sdr.write_bytes(imagecodecs.png_encode(codes))
    hdr = convert(sdr, ".png", "--exposure", "0.25", "--transfer", "pq")
    light = color.convert(color.srgb_light(codes / 255), color.CHROMATICITIES["bt709"],
                          color.CHROMATICITIES["bt2020"]) * color.WHITE
    return require_measured(compared(sdr, hdr), light, decoded_png(hdr))


def payloads():
    """Metadata edits do not change compressed data, and the difference reports the change."""
    avif = convert(REFERENCE / "photo.exr", ".avif")
    tagged = fresh(".avif")
    run(tools.binaries / "hdrconvert", "tag", avif, "-o", tagged, "--set", "clli=777:55", "--quiet")
    report = compared(avif, tagged)
    require(not report["areIdentical"], "the files differ")
    require(report["pixels"]["deltaEITP"]["maximum"] == 0, "the pixels are the same")
    require("pqPSNRDecibels" not in report["pixels"], "the ratio of equal images is infinite")
    require(all("first" in p and "second" in p for p in report["codedDataPairs"]), "coded data differ")
    changed = {entry["name"] for entry in report["properties"] if not entry["isSame"]}
    require(changed == {"light level"}, f"changed: {changed}")
    for side in ("onlyInFirst", "onlyInSecond"):
        paths = {part["path"].split("/")[-1] for part in report["structureDifference"][side]}
        require("clli" in paths, f"{side}: {paths}")
    return f"{len(report['codedDataPairs'])} payloads"


def limits():
    """Exit codes for CI."""
    png = convert(REFERENCE / "photo.exr", ".png")
    other = convert(png, ".png", "--exposure", "0.1")
    mean = compared(png, other)["pixels"]["deltaEITP"]["mean"]
    require(compared(png, other, "--fail-above", f"{mean * 1.01}")["isWithinLimit"], "within")
    above = compared(png, other, "--fail-above", f"{mean * 0.99}", accept=(1,))
    require(not above["isWithinLimit"], "above")
    small = fresh(".png")
    small.write_bytes(imagecodecs.png_encode(np.zeros((4, 4, 3), np.uint8)))
    different = compared(png, small)
    require("pixels" not in different and "isResized" not in different, "another aspect ratio is not compared")
    require(not compared(png, small, "--fail-above", "1000", accept=(1,))["isWithinLimit"], "different images")
    half = fresh(".exr")
    run(tools.binaries / "hdrconvert", png, "-o", half, "--resize", f"{different['firstSize']['width'] // 2}")
    resized = compared(png, half)
    require(resized["isResized"] and resized["firstSize"] == different["firstSize"], "resized")
    require({k: resized["pixels"][k] for k in ("width", "height")} == resized["secondSize"], "of the smaller one")
    require(resized["pixels"]["deltaEITP"]["percentile95"] < 1, f"{resized['pixels']['deltaEITP']}")
    run(tools.binaries / "hdrconvert", "compare", png, small, "--map", fresh(".png"), accept=(64,))
    link = fresh(".png")
    link.symlink_to(png)
    before = png.read_bytes()
    for name in (png, link):
        run(tools.binaries / "hdrconvert", "compare", png, other, "--map", name, "-f", accept=(64,))
    require(png.read_bytes() == before, "an input stays what it is")
    return f"mean {mean:.4g}"


def numbers():
    """Pixels that are NaN in one file only are reported as the reason, not a small mean."""
    light = np.full((100, 100, 3), 0.5, np.float32)
    files = []
    for hole in (False, True):
        light[3, 4] = np.nan if hole else 0.5
        files.append(tools.write_exr(light))
    report = compared(*files, "--fail-above", "10", accept=(1,))["pixels"]
    require((report["firstNaNPixels"], report["secondNaNPixels"]) == (0, 1), f"{report}")
    text = run(tools.binaries / "hdrconvert", "compare", *files, "--fail-above", "10", accept=(1,))
    sentence = "mean Delta E ITP is within 10, but 0 pixels of A and 1 of B are not a number"
    require(sentence in " ".join(text.split()), text)
    return sentence


def error_image():
    """The error image is a PNG whose brightness ranks the pixels in the order of their differences."""
    png = convert(REFERENCE / "photo.exr", ".png")
    avif = convert(png, ".avif", "-q", "30")
    target = fresh(".png")
    compared(png, avif, "--map", target)
    image = imagecodecs.png_decode(target.read_bytes())
    reference = imagecodecs.png_decode(png.read_bytes())
    height, width = reference.shape[:2]
    require(image.dtype == np.uint8 and image.shape[1] == width, f"{image.shape}")
    require(height < image.shape[0] < height * 1.5, "a legend below")
    exact = convert(avif, ".png")
    differences = delta_e(decoded_png(png), decoded_png(exact)).ravel()
    brightness = (image[:height].astype(float) @ color.rgb_to_xyz(color.CHROMATICITIES["bt709"])[1])
    ranks = [np.argsort(np.argsort(v)) for v in (differences, brightness.ravel())]
    agreement = np.corrcoef(*ranks)[0, 1]
    require(agreement > 0.98, f"brightness follows the difference: {agreement}")
    return f"rank correlation {agreement:.4f}"


for scene in ("chart.exr", "photo.exr", "photo-alpha.exr", "ramps.exr"):
    check(f"compare: {scene} and PQ PNG of 10 bits", scene)(with_png)
for level in (50, 90):
    check(f"compare: PNG and AVIF of quality {level}", level)(with_avif)
check("compare: SDR and HDR")(with_sdr)
check("compare: edited metadata")(payloads)
check("compare: limits")(limits)
check("compare: NaN pixels")(numbers)
check("compare: error image")(error_image)
