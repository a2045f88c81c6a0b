"""Gain maps: applied as other programs apply them, and found by them in the files that remux writes."""

import hashlib
import json

import imagecodecs
import numpy as np
import OpenImageIO as oiio

import color
import tools
from checks_tag import pixels, warnings
from runner import Skip, check, require
from tools import CORPUS, corpus, fresh, run

# How `avifgainmaputil` applied them; the others have light outside every gamut, or color by ICC,
# which it does not read.
REFERENCES = ("avifgm-hdrbase", "avifgm-sdrbase", "avifgm-sdrbase-gray10-half",
              "libavif-seine-hdrbase", "libavif-seine-hdrbase-smallmap", "libavif-seine-sdr")
# Files that libultrahdr reads, with the primaries of their base, in which it gives light.
ULTRA_HDR = (("jpeg-uhdr/lrc14-1-xmp-iso.jpg", "bt709"), ("jpeg-uhdr/uhdrapp-gray51.jpg", "p3"),
             ("jpeg-uhdr/uhdrapp-gimp-daisies.jpg", "bt709"), ("jpeg-iso/pyiso-out1.jpg", "p3"),
             ("jpeg-uhdr/pixel6pro-xmp-sky.jpg", "p3"),
             ("peer-made/uhdr202-jpg-rgb.jpg", None), ("peer-made/uhdr202-jpg-gray.jpg", None))
RAW = (("peer-made/uhdr202-avif-gray.avif", "uhdr202-avif-gray"),
       ("peer-made/uhdr202-heic-rgb.heic", "uhdr202-heic-rgb"))


def applied(source, suffix, headroom, *options):
    target = fresh(suffix)
    run(tools.binaries / "hdrconvert", "gainmap", "apply", source, "-o", target, "--quiet",
        "--headroom", headroom, *options)
    return target


def require_close(got, expected, most, what):
    """Medians and tails of the difference of 10-bit codes."""
    require(got.shape == expected.shape, f"{what}: {got.shape}, not {expected.shape}")
    difference = np.abs(got.astype(int) - expected.astype(int))
    median, tail = np.median(difference), np.percentile(difference, 95)
    require(median <= most[0] and tail <= most[1],
            f"{what}: codes differ by {median} (median), {tail} (95 %)")
    return f"median {median:g}, 95 % {tail:g} codes"


def as_libavif(name, headroom):
    reference = corpus(f"gainmap-reference/{name}.h{headroom}.png")
    (source,) = CORPUS.glob(f"*/{name}.avif")
    stops = "full" if headroom == "full" else f"{headroom}st"
    got = imagecodecs.png_decode(applied(source, ".png", stops, "--depth", "10").read_bytes())
    expected = imagecodecs.png_decode(reference.read_bytes())
    return require_close(got[..., :3] >> 6, expected[..., :3] >> 6, (1, 3), name)


def light(source, primaries):
    path = applied(source, ".exr", "full", "--depth", "32", "--primaries", primaries)
    return oiio.ImageBuf(str(path)).get_pixels(oiio.FLOAT)[..., :3]


def pq10(light):
    """10-bit codes of light whose 1.0 is reference white."""
    return np.round(color.pq_signal(np.clip(np.nan_to_num(light), 0, 49) * color.WHITE) * 1023)


def closest(source, expected, primaries, most):
    """libultrahdr does not say in which primaries its light is: those of the base."""
    last = None
    for choice in (primaries,) if primaries else ("bt709", "p3", "bt2020"):
        try:
            return require_close(pq10(light(source, choice)), pq10(expected), most, source.name)
        except Exception as error:
            last = error
    raise last


def as_libultrahdr(name, primaries):
    """It rounds to tables of 1024 entries, takes the nearest chroma, and weights maps by distance."""
    source = corpus(name)
    decoded = np.asarray(imagecodecs.ultrahdr_decode(source.read_bytes()), np.float64)[..., :3]
    return closest(source, decoded, primaries, (3, 24))


def as_libultrahdr_raw(name, stem):
    source = corpus(name)
    data = corpus(f"gainmap-reference/{stem}.full.linear-rgbaf16.raw").read_bytes()
    decoded = np.frombuffer(data, np.float16).reshape(576, 768, 4)[..., :3].astype(np.float64)
    return closest(source, decoded, None, (3, 24))


def remux(source, flavors):
    target = fresh(source.suffix)
    report = json.loads(run(tools.binaries / "hdrconvert", "remux", source, "-o", target,
                            "--flavors", flavors, "--json", "--quiet"))
    require(set(report["after"]) == set(flavors.split(",")), f"{report['after']}")
    return target, report


def require_kept(path, source):
    """The same pictures for foreign decoders, and nothing new for exiftool to complain about."""
    new = warnings(path) - warnings(source)
    require(not new, f"exiftool warns: {new}")
    require(pixels(path)[0] == pixels(source)[0], "the base decodes to other pixels")


def rewritten_jpeg(name):
    """libultrahdr finds the same picture in a file with both flavors, whatever it had before."""
    source = corpus(name)
    path, report = remux(source, "iso,xmp")
    require_kept(path, source)
    after = np.asarray(imagecodecs.ultrahdr_decode(path.read_bytes()))
    try:
        before = np.asarray(imagecodecs.ultrahdr_decode(source.read_bytes()))
    except Exception:
        return f"libultrahdr reads it now: {after.shape}"
    median = np.median(np.abs(pq10(after.astype(float)) - pq10(before.astype(float))))
    require(median <= 1, f"libultrahdr sees another picture: {median} codes")
    return f"from {', '.join(report['before'])}"


def rewritten_heif(name, flavors):
    source = corpus(name)
    path, report = remux(source, flavors)
    require_kept(path, source)
    digests = {hashlib.sha256(path.read_bytes()).hexdigest()}
    again, _ = remux(path, flavors)
    digests.add(hashlib.sha256(again.read_bytes()).hexdigest())
    return f"from {', '.join(report['before'])}, {len(report['payloads'])} payloads"


def folder(name, *suffixes):
    """Files of the corpus with a map, as the manifest has them."""
    manifest = CORPUS / "MANIFEST.json"
    if not manifest.exists():
        return []
    return [f["name"] for f in json.loads(manifest.read_text())["files"]
            if f["name"].startswith(name + "/") and f["name"].endswith(suffixes)
            and f["expected"] == "ok"]


for reference in REFERENCES:
    for stops in ("1", "2", "full"):
        if not CORPUS.is_dir() or (CORPUS / f"gainmap-reference/{reference}.h{stops}.png").exists():
            check(f"gain maps: {reference} at {stops}, as libavif", reference, stops)(as_libavif)
for entry in ULTRA_HDR:
    check(f"gain maps: {entry[0]}, as libultrahdr", *entry)(as_libultrahdr)
for entry in RAW:
    check(f"gain maps: {entry[0]}, as libultrahdr", *entry)(as_libultrahdr_raw)
for jpeg in ("jpeg-uhdr", "jpeg-iso"):
    for file in folder(jpeg, ".jpg"):
        if "red-iso" not in file:
            check(f"gain maps: {file} with both flavors", file)(rewritten_jpeg)
for heic in folder("heic-apple", ".heic"):
    check(f"gain maps: {heic} with tmap", heic, "iso,apple")(rewritten_heif)
for avif in folder("avif-gainmap", ".avif"):
    check(f"gain maps: {avif} once more", avif, "iso")(rewritten_heif)
