# SPDX-License-Identifier: Apache-2.0
"""Gain maps: applied as in other programs, and found by them in the output of remux."""

import hashlib
import json
import subprocess

import imagecodecs
import numpy as np
import OpenImageIO as oiio

import checks_corpus
import color
import gain
import tools
from checks_tag import exiftool, pixels, warnings
from runner import Failed, check, require
from tools import CORPUS, REFERENCE, corpus, fresh, run

# Applied by `avifgainmaputil`; the others have values outside every gamut, or color by ICC,
# which it does not read.
REFERENCES = ("avifgm-hdrbase", "avifgm-sdrbase", "avifgm-sdrbase-gray10-half",
              "libavif-seine-hdrbase", "libavif-seine-hdrbase-smallmap", "libavif-seine-sdr")
# Files that libultrahdr reads, with the primaries of their base and of its output.
ULTRA_HDR = (("jpeg-uhdr/lrc14-1-xmp-iso.jpg", "bt709", "bt709"),
             ("jpeg-uhdr/uhdrapp-gray51.jpg", "p3", "p3"),
             ("jpeg-uhdr/uhdrapp-gimp-daisies.jpg", "bt709", "bt709"),
             ("jpeg-uhdr/uhdrapp-cat-mapbigger.jpg", "bt709", "bt709"),
             ("jpeg-uhdr/uhdrapp-color01.jpg", "bt709", "bt709"),
             ("jpeg-uhdr/instagram-ref-up3.jpg", "p3", "p3"),
             ("jpeg-iso/pyiso-out1.jpg", "p3", "p3"),
             ("peer-made/uhdr202-jpg-rgb.jpg", "bt709", "bt2020"),
             ("peer-made/uhdr202-jpg-gray.jpg", "bt709", "bt2020"))
# Those within 0.2 % and 2 % in a direct comparison.
DIRECT = ("jpeg-uhdr/uhdrapp-gray51.jpg",)
PRIMARIES = ("bt709", "p3", "bt2020")
# No file of the corpus is JPEG XL with a gain map.
CREATED = "created.jxl"
# Small enough for repeated conversion.
APART = (CREATED, "jpeg-uhdr/lrc14-1-xmp-iso.jpg", "jpeg-iso/hdrcanvas-red-iso.jpg",
         "jpeg-apple/iphone13mini-old.jpg", "avif-gainmap/libavif-seine-hdrbase.avif",
         "avif-gainmap/libavif-nogrid-gridmap.avif",
         "peer-made/uhdr202-heic-gray.heic", "peer-made/avifgm-sdrbase-gray10-half.avif",
         "heic-apple/iphone12pro-16-7-portrait.heic", "heic-apple-tmap/iphone15pro-18-7-portrait.heic",
         "heic-apple-tmap/iphone16-26-3-mattes.heic")
MOVES = (("jpeg-apple/iphone13mini-old.jpg", ".jpg", "--flavors", "iso,xmp", "--exact"),
         ("peer-made/uhdr202-heic-rgb.heic", ".avif", "--flavors", "iso", "--allow-reencode"),
         ("jpeg-uhdr/lrc14-1-xmp-iso.jpg", ".avif", "--flavors", "iso", "--allow-reencode"),
         ("avif-gainmap/libavif-seine-sdr.avif", ".jpg", "--flavors", "iso", "--allow-reencode"),
         ("jpeg-apple/iphone13mini-old.jpg", ".heic", "--flavors", "iso", "--allow-reencode"),
         *((name, ".jxl", "--flavors", "iso", "--allow-reencode") for name in (
             "jpeg-apple/iphone13mini-old.jpg", "peer-made/uhdr202-heic-rgb.heic", "avif-gainmap/libavif-seine-sdr.avif",
             "avif-gainmap/libavif-seine-hdrbase.avif")),
         *((CREATED, suffix, "--flavors", "iso", "--allow-reencode") for suffix in (".jpg", ".heic", ".avif")))
SWAPS = (CREATED, "avif-gainmap/libavif-seine-sdr.avif", "avif-gainmap/libavif-seine-hdrbase.avif",
         "peer-made/uhdr202-heic-gray.heic")
RAW = (("peer-made/uhdr202-avif-gray.avif", "uhdr202-avif-gray", 0.002),
       ("peer-made/uhdr202-heic-rgb.heic", "uhdr202-heic-rgb", 0.06))


def source_of(name):
    """A file of the corpus, or one that this program creates."""
    if name != CREATED:
        return corpus(name)
    target = fresh(".jxl")
    run(tools.binaries / "hdrconvert", "gainmap", "create", REFERENCE / "photo.exr", "-o", target, "--quiet")
    return target


def applied(source, suffix, headroom, *options):
    target = fresh(suffix)
    run(tools.binaries / "hdrconvert", "gainmap", "apply", source, "-o", target, "--quiet",
        "--headroom", headroom, *options)
    return target


def middle(report):
    """Options that crop an image to its center: all twelve megapixels do not give more information."""
    (shown,) = [(p["displayedWidth"], p["displayedHeight"]) for p in report["images"] if p.get("role") == "primary"]
    width, height = (min(side, 768) for side in shown)
    return ("--crop", f"{(shown[0] - width) // 2},{(shown[1] - height) // 2},{width},{height}")


def as_libavif(name, headroom):
    """Its images contain 10-bit code values; differences beyond their rounding are compared."""
    reference = corpus(f"gainmap-reference/{name}.h{headroom}.png")
    (source,) = CORPUS.glob(f"*/{name}.avif")
    stops = "full" if headroom == "full" else f"{headroom}st"
    got = imagecodecs.png_decode(applied(source, ".png", stops, "--depth", "16").read_bytes())
    got = got[..., :3].astype(np.float64) / 65535 * 1023
    expected = (imagecodecs.png_decode(reference.read_bytes())[..., :3] >> 6).astype(np.float64)
    require(got.shape == expected.shape, f"{name}: {got.shape}, not {expected.shape}")
    distance = got - expected
    nearest = expected + np.sign(distance) * np.maximum(np.abs(distance) - 0.5, 0)
    light = [color.pq_luminance(codes / 1023) / color.WHITE for codes in (nearest, expected)]
    return within(gain.relative_difference(*light), (0.002, 0.02), "beyond rounding")


def light(source, primaries):
    path = applied(source, ".exr", "full", "--depth", "32", "--primaries", primaries)
    return oiio.ImageBuf(str(path)).get_pixels(oiio.FLOAT)[..., :3]


def pq10(light):
    """10-bit PQ code values of linear values whose 1.0 is reference white."""
    return np.round(color.pq_signal(np.clip(np.nan_to_num(light), 0, 49) * color.WHITE) * 1023)


def separated(source):
    """Metadata and samples of a map, by `gainmap extract` and a third-party decoder."""
    image, metadata = fresh(".jpg"), fresh(".json")
    run(tools.binaries / "hdrconvert", "gainmap", "extract", source, "-o", image, "--metadata",
        metadata, "--quiet")
    codes = imagecodecs.jpeg8_decode(image.read_bytes())
    return gain.Metadata(json.loads(metadata.read_text())), gain.three(codes), image


def within(difference, limits, what):
    """Median and 99th percentile of relative differences."""
    median, tail = np.median(difference), np.percentile(difference, 99)
    require(median < limits[0] and tail < limits[1],
            f"{what}: {100 * median:.3f} % (median), {100 * tail:.3f} % (99th percentile)")
    return f"{what}: {100 * median:.3f} %, {100 * tail:.3f} %"


def percents(difference):
    return f"{100 * np.median(difference):.3f} % and {100 * np.percentile(difference, 99):.2f} %"


def unrounded(samples, image):
    """Unrounded samples of a map in JPEG; decoders round those of three components to 8 bits."""
    planes, _ = tools.our_planes(image)
    return samples if len(planes) == 1 else gain.three(gain.rgb_of_jpeg(gain.full_chroma(planes)))


def as_libultrahdr(name, primaries, output):
    """The differences from libultrahdr are the order of interpolation and additional rounding in libultrahdr.

    Directly compared, medians and 99th percentiles are within 0.2 % and 2 % only for `DIRECT`: it rounds
    linear values and gain to one of 1024, color maps to 8 bits, and repeats chroma. Each of its choices is
    therefore added to the double-precision definition: with all of them it equals libultrahdr, without any
    hdrconvert.
    """
    source = corpus(name)
    decoded = np.asarray(imagecodecs.ultrahdr_decode(source.read_bytes()), np.float64)[..., :3]
    ours = light(source, output)
    metadata, rounded, image = separated(source)
    fine = unrounded(rounded, image)
    planes = tools.our_planes(source)[0]

    def model(samples, *choices):
        return gain.as_libultrahdr(planes, samples, metadata, primaries, output, choices)

    direct = gain.relative_difference(ours, decoded)
    if name in DIRECT:
        within(direct, (0.002, 0.02), "directly")
    within(gain.relative_difference(model(rounded, *gain.CHOICES), decoded), (0.0005, 0.002),
           "libultrahdr and its model")
    exact = model(fine)
    within(gain.relative_difference(ours, exact), (0.001, 0.005), "we without its choices")
    parts = {"8-bit map": model(rounded), "tables": model(fine, "tables"),
             "chroma": model(fine, "chroma"), "interpolation": model(fine, "weights")}
    found = [f"{part} {percents(gain.relative_difference(shown, exact))}" for part, shown in parts.items()]
    return f"directly {percents(direct)} (median, 99th percentile); of it {', '.join(found)}"


def as_the_standard(name, output):
    """hdrconvert equals double precision with exact functions and aligned centers."""
    source = corpus(name)
    metadata, samples, image = separated(source)
    samples = unrounded(samples, image)
    base = fresh(".exr")
    run(tools.binaries / "hdrconvert", source, "-o", base, "--quiet", "--gainmap", "drop", "--depth",
        "32", "--primaries", output)
    base = oiio.ImageBuf(str(base)).get_pixels(oiio.FLOAT)[..., :3].astype(np.float64)
    worst = 0
    for share in (1, 0.5):
        stops = share * metadata.alternate_headroom + (1 - share) * metadata.base_headroom
        got = oiio.ImageBuf(str(applied(
            source, ".exr", f"{stops:.9f}st", "--depth", "32", "--primaries", output)))
        got = got.get_pixels(oiio.FLOAT)[..., :3]
        expected = gain.applied(base, samples, metadata, share * metadata.full_weight)
        codes = [color.pq_signal(np.clip(x, 0, 49) * color.WHITE) * 4095 for x in (got, expected)]
        worst = max(worst, np.abs(codes[0] - codes[1]).max())
    require(worst < 1, f"{worst:.3f} codes of 12-bit PQ")
    return f"at most {worst:.4f} codes of 12-bit PQ"


def require_same_words(path, source):
    """All flavors are kept, and exiftool finds unchanged Apple values."""
    flavors = []
    for file in (source, path):
        (report,) = json.loads(run(tools.binaries / "hdrconvert", "inspect", file, "--json"))["results"]
        (found,) = [m for m in report["gainMaps"] if m["isApplicable"]][:1]
        flavors.append(set(found["flavors"]))
    require(flavors[0] <= flavors[1], f"{flavors[0]} became {flavors[1]}")
    if "apple" in flavors[0]:
        tags = ("-HDRGainMapVersion", "-HDRGainMapHeadroom", "-HDRHeadroom", "-HDRGain")
        words = [exiftool(file, *tags) for file in (source, path)]
        require(words[0] == words[1], f"Apple's words {words[0]} became {words[1]}")


def taken_apart(name):
    """Extracted and joined: third-party decoders find the same data, down to the compressed bytes."""
    source = source_of(name)
    image, metadata, joined = fresh(source.suffix), fresh(".json"), fresh(source.suffix)
    command = tools.binaries / "hdrconvert"
    run(command, "gainmap", "extract", source, "-o", image, "--metadata", metadata, "--quiet")
    report = json.loads(run(command, "gainmap", "join", "--baseline", source, "--map", image,
                            "--metadata", metadata, "-o", joined, "--json", "--quiet"))["results"][0]
    require(all(p["status"] == "unchanged" for p in report["codedData"]), "coded data changed")
    require_kept(joined, source)
    require_same_words(joined, source)
    bare, rejoined = fresh(source.suffix), fresh(source.suffix)
    run(command, "gainmap", "flatten", source, "-o", bare, "--quiet")
    run(command, "gainmap", "join", "--baseline", bare, "--map", image, "--metadata", metadata, "-o", rejoined,
        "--quiet")
    require_same_words(rejoined, source)
    light = [imagecodecs.png_decode(applied(path, ".png", "full").read_bytes()).astype(int)
             for path in (source, joined)]
    require(np.abs(light[0] - light[1]).max() <= 2, "the linear values differ")
    png = fresh(".png")
    run(command, "gainmap", "extract", source, "-o", png, "--quiet")
    codes = imagecodecs.png_decode(png.read_bytes())
    return f"{codes.shape} as PNG, {', '.join(report['flavorsAfter'])}"


def joined_upright(suffix):
    """A map of a rotated image for the upright one: refused, since its coded image stays, or encoded again."""
    command = tools.binaries / "hdrconvert"
    whole, rotated, bare, image, metadata, joined = (
        fresh(kind) for kind in (suffix, suffix, suffix, suffix, ".json", suffix))
    run(command, "gainmap", "create", REFERENCE / "photo.exr", "-o", whole, "--quiet")
    run(command, "tag", whole, "-o", rotated, "--set", "orientation=6", "--quiet")
    run(command, "gainmap", "extract", rotated, "-o", image, "--metadata", metadata, "--quiet")
    run(command, rotated, "-o", bare, "--sdr", "--set", "orientation=bake", "--quality", "95", "--quiet")
    words = ("gainmap", "join", "--baseline", bare, "--map", image, "--metadata", metadata, "-o", joined)
    status, messages = tools.command(*words)
    require(status == 64 and "(join/orientation-differs)" in messages, f"exit {status}: {messages}")
    require("--allow-reencode" in messages and not joined.exists(), messages)
    run(command, *words, "--allow-reencode", "--quiet")
    light = [oiio.ImageBuf(str(applied(path, ".exr", "full"))).get_pixels(oiio.FLOAT)[..., :3] for path in (rotated, joined)]
    visible = light[0].min(-1) > 0.05
    median = np.median(np.abs(np.log2(np.maximum(light[1][visible], 1e-6) / light[0][visible])))
    require(median < 0.05, f"{median:.3f} stops off")
    return f"{median:.4f} stops (median)"


def moved(name, suffix, *options):
    """Converted to another codec or curve: applied values differ by the reported error and by coding errors."""
    source, target = source_of(name), fresh(suffix)
    report = json.loads(run(tools.binaries / "hdrconvert", "remux", source, "-o", target, "--json",
                            "--quiet", *options))["results"][0]
    reencoded = [p["name"] for p in report["codedData"] if p["status"] != "unchanged"]
    require(reencoded, "nothing was re-encoded")
    light = [oiio.ImageBuf(str(applied(path, ".exr", "full"))).get_pixels(oiio.FLOAT)[..., :3]
             for path in (source, target)]
    visible = light[0].min(-1) > 0.05
    stops = np.abs(np.log2(np.maximum(light[1][visible], 1e-6) / light[0][visible]))
    median = np.median(stops)
    require(median <= report["maximumGainErrorStops"] + 0.02, f"{median:.4f} stops off, not {report['maximumGainErrorStops']}")
    if "--exact" in options:
        require(stops.max() <= report["maximumGainErrorStops"] + 0.002, f"{stops.max():.4f} stops off")
        require(report["maximumGainErrorStops"] <= 0.02, f"{report['maximumGainErrorStops']} stops is not exact")
    return f"{report['maximumGainErrorStops']:.4f} stops reported, {median:.4f} (median) found"


def swapped(name):
    """The HDR rendition as base, and back: the same linear values except for coding errors, the same metadata."""
    source = source_of(name)
    once, twice = fresh(source.suffix), fresh(source.suffix)
    command = tools.binaries / "hdrconvert"
    for path, target in ((source, once), (once, twice)):
        run(command, "gainmap", "swap", path, "-o", target, "--allow-reencode", "--quality", "98",
            "--quiet")
    records = []
    for path in (source, once, twice):
        metadata = fresh(".json")
        run(command, "gainmap", "extract", path, "-o", fresh(path.suffix), "--metadata", metadata,
            "--quiet")
        records.append(json.loads(metadata.read_text()))
    if "apple" not in records[0]:
        require(records[0]["iso21496"] == records[2]["iso21496"], "other numbers after two swaps")
    found = []
    for headroom in ("1x", "full"):
        light = [oiio.ImageBuf(str(applied(path, ".exr", headroom))).get_pixels(oiio.FLOAT)[..., :3]
                 for path in (source, once, twice)]
        for other in light[1:]:
            found.append(np.median(gain.relative_difference(other, light[0], 0.05)))
    require(max(found) < 0.02, f"relative differences {found}")
    return f"median relative difference {100 * max(found):.2f} %"


def swapped_into_jpeg(name, primaries):
    """The SDR rendition of an HDR base in JPEG: libultrahdr restores the HDR rendition, in its primaries."""
    source, target = corpus(name), fresh(".jpg")
    run(tools.binaries / "hdrconvert", "gainmap", "swap", source, "-o", target, "--allow-reencode",
        "--quality", "98", "--gainmap-quality", "98", "--quiet")
    made = np.asarray(imagecodecs.ultrahdr_decode(target.read_bytes()), np.float64)[..., :3]
    shown = oiio.ImageBuf(str(applied(source, ".exr", "full", "--depth", "32", "--primaries", primaries)))
    expected = shown.get_pixels(oiio.FLOAT)[..., :3]
    require(made.shape == expected.shape, f"{made.shape}, not {expected.shape}")
    found = np.median(gain.relative_difference(made, expected, 0.05))
    # Half a step of an 8-bit base is 2 % of the linear value in the middle of the range.
    require(found < 0.02, f"median relative difference {found:.4f}")
    return f"median relative difference {100 * found:.2f} %"


def sized(name):
    """Geometry alone keeps the kind of file, as identified by Pillow."""
    source = source_of(name)
    asked, usual = fresh(source.suffix), fresh(source.suffix)
    for target, *options in ((asked, "--gainmap", "keep"), (usual,)):
        run(tools.binaries / "hdrconvert", source, "-o", target, "--resize", "160", "--quiet", *options)
    require(asked.read_bytes() == usual.read_bytes(), "other bytes than with --gainmap keep")
    (report,) = json.loads(run(tools.binaries / "hdrconvert", "inspect", usual, "--json"))["results"]
    require(any(m["isApplicable"] for m in report["gainMaps"]), "no gain map any more")
    if usual.suffix == ".jpg":
        bare, plain = fresh(".jpg"), fresh(".jpg")
        run(tools.binaries / "hdrconvert", "gainmap", "flatten", source, "-o", bare, "--quiet")
        run(tools.binaries / "hdrconvert", bare, "-o", plain, "--resize", "160", "--quiet")
        images = [imagecodecs.jpeg_decode(path.read_bytes()).astype(int) for path in (plain, usual)]
        require(max(images[0].shape) == 160 and np.array_equal(*images), "another base than with a map")
    return f"{usual.stat().st_size} bytes"


def shares(name):
    """Base, intermediate, alternate: linear values are monotone between them.

    A share w of the gain G makes (base + kb) 2^(wG) - ka, which is monotone in w, starting from
    base + kb - ka. Without gain, however, the base is shown unchanged, so that values jump by kb - ka
    as soon as the gain is not 0. They are therefore not monotone if, and only if, offsets differ and
    the jump has the opposite sign of the gain.
    """
    source = source_of(name)
    path = fresh(".json")
    run(tools.binaries / "hdrconvert", "gainmap", "extract", source, "-o", fresh(source.suffix), "--metadata", path,
        "--quiet")
    record = json.loads(path.read_text())
    (report,) = json.loads(run(tools.binaries / "hdrconvert", "inspect", source, "--json"))["results"]
    (found,) = [m for m in report["gainMaps"] if m["isApplicable"]][:1]
    first, last = found["baselineHeadroomStops"], found["alternateHeadroomStops"]
    kb, ka = np.zeros(3), np.zeros(3)
    if "iso21496" in record:
        metadata = gain.Metadata(record)
        kb, ka = metadata.base_offset, metadata.alternate_offset
    stops = [first + share * (last - first) for share in (0, 0.5, 1)]
    failed, part = None, middle(report)
    # In the primaries of the gain, components are independent.
    for primaries in application_primaries(record, report):
        try:
            return f"{first:.2f} to {last:.2f} stops" + monotone(source, stops, kb, ka, primaries, part)
        except Failed as reason:
            failed = reason
    raise failed


def application_primaries(record, report):
    """Primaries of the base if the map specifies it, otherwise the possible primaries of the alternate."""
    declared = [p["color"]["primaries"] for p in report["images"] if p.get("role") == "primary"]
    if record.get("iso21496", {}).get("use_base_colour_space", True) and declared and declared[0] in PRIMARIES:
        return declared
    return PRIMARIES


def monotone(source, stops, kb, ka, primaries, part):
    def light(*command):
        path = fresh(".exr")
        run(tools.binaries / "hdrconvert", *command, "-o", path, "--quiet", "--depth", "32", "--primaries", primaries,
            *part)
        pixels = oiio.ImageBuf(str(path)).get_pixels(oiio.FLOAT).astype(np.float64)
        if pixels.shape[-1] == 4:  # OpenEXR stores premultiplied values.
            pixels = np.where(pixels[..., 3:] > 0.01, pixels[..., :3] / np.maximum(pixels[..., 3:], 0.01), 0)
        return pixels

    base, half, full = (light("gainmap", "apply", source, "--headroom", f"{s:.9f}st") for s in stops)
    require(np.array_equal(base, light(source, "--gainmap", "drop")), "no share of the gain is not the base")
    # A few units in the last place of single precision, for terms that cancel each other.
    noise = 2e-6 * (np.abs(base) + np.abs(half) + np.abs(full) + np.abs(kb) + np.abs(ka))

    def turns_back(start):
        before, after = half - start, full - half
        return (before * after < 0) & (np.minimum(np.abs(before), np.abs(after)) > noise)

    # Fully transparent or unchanged pixels do not have gain or jump.
    start = np.where(base == full, base, base + kb - ka)
    require(not turns_back(start).any(), f"{100 * turns_back(start).mean():.3f} % of the samples turn back")
    against = (kb - ka) * (full - start) < 0
    back = turns_back(base)
    require(not (back & ~against).any(), "samples turn back without a jump against the gain")
    return f"; {100 * back.mean():.1f} % jump against the gain" if back.any() else ""


def there_and_back(name):
    """To every other flavor that can represent the map, and back: applied values differ by the reported error."""
    source = source_of(name)
    (report,) = json.loads(run(tools.binaries / "hdrconvert", "inspect", source, "--json"))["results"]
    (found,) = [m for m in report["gainMaps"] if m["isApplicable"]][:1]
    own, part = ",".join(found["flavors"]), middle(report)

    def light(path):
        shown = applied(path, ".exr", "full", "--depth", "32", *part)
        return oiio.ImageBuf(str(shown)).get_pixels(oiio.FLOAT)[..., :3]

    before, notes = light(source), []
    for flavors in ("iso", "xmp", "apple", "iso,xmp", "iso,apple"):
        there = fresh(source.suffix)
        command = [str(tools.binaries / "hdrconvert"), "remux", str(source), "-o", str(there), "--flavors", flavors,
                   "--json", "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True)
        if set(flavors.split(",")) == set(found["flavors"]):
            continue
        if done.returncode != 0:
            require("try: " in done.stderr, f"refused without a way out: {done.stderr}")
            continue
        report = json.loads(done.stdout)["results"][0]
        require(all(p["status"] == "unchanged" for p in report["codedData"]), f"coded data changed for {flavors}")
        error = report["maximumGainErrorStops"]
        back = fresh(source.suffix)
        done = subprocess.run([*command[:2], str(there), "-o", str(back), "--flavors", own, "--json", "--quiet"],
                              capture_output=True, text=True)
        if done.returncode != 0:  # ISO parameters can represent more than Apple metadata.
            require("try: " in done.stderr, f"no way back: {done.stderr}")
            notes.append(f"{flavors} has no way back")
            continue
        error += json.loads(done.stdout)["results"][0]["maximumGainErrorStops"]
        after = light(back)
        visible = np.minimum(before, after).min(-1) > 0.02
        stops = np.abs(np.log2(after[visible] / before[visible]))
        # Rounding of values to six decimals and to single precision.
        require(stops.max() <= error + 1e-4, f"{stops.max():.5f} stops by {flavors} and back, not {error}")
        notes.append(f"{flavors} {stops.max():.4f} of {error:.4f}")
    return "; ".join(notes) or "no other flavor can store it"


def as_libultrahdr_raw(name, stem, tail):
    """As `as_libultrahdr`: a BT.709 base by its profile, gain in BT.2020, Y'CbCr of BT.709.

    One code value of a color map is 1.5 % of gain, and libheif rounds its R'G'B' differently.
    """
    source = corpus(name)
    data = corpus(f"gainmap-reference/{stem}.full.linear-rgbaf16.raw").read_bytes()
    decoded = np.frombuffer(data, np.float16).reshape(576, 768, 4)[..., :3].astype(np.float64)
    image, metadata = fresh(".png"), fresh(".json")
    run(tools.binaries / "hdrconvert", "gainmap", "extract", source, "-o", image, "--metadata",
        metadata, "--quiet")
    samples = gain.three(imagecodecs.png_decode(image.read_bytes()))
    model = gain.as_libultrahdr(
        tools.our_planes(source)[0], samples, gain.Metadata(json.loads(metadata.read_text())),
        "bt709", "bt2020", (*gain.CHOICES, "rounding"), matrix=1)
    direct = percents(gain.relative_difference(light(source, "bt2020"), decoded))
    found = within(gain.relative_difference(model, decoded), (0.0005, tail), "libultrahdr and its model")
    return f"{found}; directly {direct}"


def remux(source, flavors):
    target = fresh(source.suffix)
    report = json.loads(run(tools.binaries / "hdrconvert", "remux", source, "-o", target,
                            "--flavors", flavors, "--json", "--quiet"))["results"][0]
    require(set(report["flavorsAfter"]) == set(flavors.split(",")), f"{report['flavorsAfter']}")
    return target, report


def require_kept(path, source):
    """The same images for third-party decoders, and no new warnings from exiftool."""
    new = warnings(path) - warnings(source)
    require(not new, f"exiftool warns: {new}")
    require(pixels(path)[0] == pixels(source)[0], "the base decodes to other pixels")


def rewritten_jpeg(name):
    """libultrahdr finds the same image in a file with both flavors, whatever the original flavors."""
    source = corpus(name)
    path, report = remux(source, "iso,xmp")
    require_kept(path, source)
    after = np.asarray(imagecodecs.ultrahdr_decode(path.read_bytes()))
    try:
        before = np.asarray(imagecodecs.ultrahdr_decode(source.read_bytes()))
    except Exception:
        return f"libultrahdr reads it now: {after.shape}"
    median = np.median(np.abs(pq10(after.astype(float)) - pq10(before.astype(float))))
    require(median <= 1, f"libultrahdr sees another image: {median} codes")
    return f"from {', '.join(report['flavorsBefore'])}"


def rewritten_heif(name, flavors):
    source = corpus(name)
    path, report = remux(source, flavors)
    require_kept(path, source)
    digests = {hashlib.sha256(path.read_bytes()).hexdigest()}
    again, _ = remux(path, flavors)
    digests.add(hashlib.sha256(again.read_bytes()).hexdigest())
    return f"from {', '.join(report['flavorsBefore'])}, {len(report['codedData'])} payloads"


def folder(name, *suffixes):
    """Files of the corpus with a map, as listed in the manifest."""
    manifest = CORPUS / "MANIFEST.json"
    if not manifest.exists():
        return []
    return [f["name"] for f in json.loads(manifest.read_text())["files"]
            if f["name"].startswith(name + "/") and f["name"].endswith(suffixes)
            and f["expected"] == "ok"]


def with_maps():
    """Every file of the manifest with a readable gain map, and those created by other programs."""
    manifest = CORPUS / "MANIFEST.json"
    if not manifest.exists():
        return []
    names = [f["name"] for f in json.loads(manifest.read_text())["files"]
             if f.get("gain_map") and f["expected"] == "ok"]
    peers = [p for p in sorted((CORPUS / "peer-made").iterdir()) if p.name.startswith(("avifgm", "uhdr202"))]
    return names + [f"peer-made/{p.name}" for p in peers]


for reference in REFERENCES:
    for stops in ("1", "2", "full"):
        if not CORPUS.is_dir() or (CORPUS / f"gainmap-reference/{reference}.h{stops}.png").exists():
            check(f"gain maps: {reference} at {stops}, as libavif", reference, stops)(as_libavif)
for name, primaries, output in ULTRA_HDR:
    check(f"gain maps: {name}, as libultrahdr", name, primaries, output)(as_libultrahdr)
    check(f"gain maps: {name}, in double precision", name, output)(as_the_standard)
for entry in RAW:
    check(f"gain maps: {entry[0]}, as libultrahdr", *entry)(as_libultrahdr_raw)
for jpeg in ("jpeg-uhdr", "jpeg-iso"):
    for file in folder(jpeg, ".jpg"):
        if "red-iso" not in file:
            check(f"gain maps: {file} with both flavors", file)(rewritten_jpeg)
for heic in folder("heic-apple", ".heic"):
    check(f"gain maps: {heic} with tmap", heic, "iso,apple")(rewritten_heif)
for avif in folder("avif-gainmap", ".avif"):
    check(f"gain maps: {avif} again", avif, "iso")(rewritten_heif)
for name in APART:
    check(f"gain maps: {name} extracted and joined", name)(taken_apart)
for suffix in (".heic", ".avif"):
    check(f"gain maps: a rotated map in {suffix[1:]} joined to an upright image", suffix)(joined_upright)
for entry in MOVES:
    check(f"gain maps: {entry[0]} converted to {entry[1]} {' '.join(entry[2:])}", *entry)(moved)
for name in SWAPS:
    check(f"gain maps: {name} swapped twice", name)(swapped)
for name, primaries in (("avif-gainmap/libavif-seine-hdrbase.avif", "bt709"), ("peer-made/avifgm-hdrbase.avif", "bt2020")):
    check(f"gain maps: {name} with its SDR rendition as base, in JPEG", name, primaries)(swapped_into_jpeg)
for name in (CREATED, "jpeg-uhdr/lrc14-1-xmp-iso.jpg", "avif-gainmap/libavif-seine-sdr.avif", "peer-made/uhdr202-heic-rgb.heic"):
    check(f"gain maps: {name} resized with its map", name)(sized)
for file in (CREATED, *with_maps()):
    check(f"gain maps: {file} at no, half and full headroom", file)(checks_corpus.if_decoded(shares))
    check(f"gain maps: {file} in other flavors and back", file)(checks_corpus.if_decoded(there_and_back))
