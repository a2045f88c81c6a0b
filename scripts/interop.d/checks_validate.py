# SPDX-License-Identifier: Apache-2.0
"""Verdicts of `validate`: on output of hdrconvert, on real files, and after fixes."""

import json
import pathlib
import struct
import subprocess
import zlib
from collections import Counter

import numpy as np
import pillow_heif

import tools
from runner import Failed, check, require
from tools import REFERENCE, convert, corpus, our_planes, run
from workspace import fresh

PHOTO, CHART = REFERENCE / "photo.exr", REFERENCE / "chart.exr"
ALPHA, ORIENTED = REFERENCE / "photo-alpha.exr", REFERENCE / "edges-oriented-61x43.png"
# From the worst to the least.
CLASSES = ("broken", "deviates", "advice")
VERDICTS = {*CLASSES, "pass", "notCheckable", "notApplicable"}


def validate(path, *options):
    """The verdicts on a file; fails if the status does not match them."""
    done = subprocess.run(
        [tools.binaries / "hdrconvert", "validate", "--json", *options, path],
        capture_output=True, timeout=600)
    if done.returncode not in (0, 1):
        raise Failed(f"exit {done.returncode}: {done.stderr.decode(errors='replace')}")
    report = json.loads(done.stdout)
    require(report["schema"] == "hdrconvert/validate/1", report["schema"])
    (file,) = report["results"]
    verdicts = Counter(rule["verdict"] for rule in file["rules"])
    require(set(verdicts) <= VERDICTS, f"verdicts {set(verdicts)}")
    worst = next((name for name in CLASSES if name in verdicts), "pass")
    require(file["verdict"] == worst, f"{file['verdict']}, but the worst rule is {worst}")
    require(done.returncode == (1 if worst == "broken" else 0), f"{worst}, but exit {done.returncode}")
    require({name: count for name, count in file["counts"].items() if count} == verdicts, f"counts {file['counts']}")
    for rule in file["rules"]:
        if rule["verdict"] in CLASSES:
            classes = {finding["class"] for finding in rule["findings"]}
            require(rule["class"] == rule["verdict"] and rule["class"] in classes, f"{rule['id']}: class {rule['class']}")
    for name in CLASSES:
        count = file["counts"][name]
        require(count == len(of_class(file, name)), f"{count} rules of class {name}")
    return file


def violated(file):
    return {rule["id"] for rule in file["rules"] if rule["verdict"] in CLASSES}


def of_class(file, name):
    return {rule["id"] for rule in file["rules"] if rule["id"] in violated(file) and rule["class"] == name}


def clean(source, suffix, *options):
    path = convert(source, suffix, *options)
    file = validate(path, "--standard", "all")
    counts = file["counts"]
    complaints = [(rule["id"], rule["reason"] if "reason" in rule else None, rule["findings"])
                  for rule in file["rules"]
                  if rule["verdict"] in (*CLASSES, "notCheckable")]
    require(not complaints, f"{' '.join(options)}: {complaints}")
    require("22028-5" in file["standards"] and counts["pass"] >= 15, f"judged by {file['standards']}")
    return f"{counts['pass']} rules kept"


LAYOUTS = [("--yuv", "444"), ("--yuv", "420"), ("--yuv", "422"), ("--yuv", "400"), ("--lossless",),
           ("--quality", "60", "--yuv", "420"), ("--quality", "100", "--yuv", "420")]
for transfer in ("pq", "hlg"):
    for suffix in (".heic", ".avif"):
        for depth in ("10", "12"):
            for layout in LAYOUTS:
                options = ("--transfer", transfer, "--depth", depth, *layout)
                check(f"validate: {suffix[1:]} {' '.join(options)}", PHOTO, suffix, *options)(clean)
        for source in (ALPHA, ORIENTED, CHART):
            for yuv in ("444", "420"):
                options = ("--transfer", transfer, "--yuv", yuv)
                check(f"validate: {source.stem} as {suffix[1:]} {' '.join(options)}",
                      source, suffix, *options)(clean)
    for depth in ("10", "12", "16"):
        check(f"validate: png {transfer} {depth}", PHOTO, ".png", "--transfer", transfer,
              "--depth", depth)(clean)
    for source in (ALPHA, ORIENTED, CHART):
        check(f"validate: {source.stem} as png {transfer}", source, ".png", "--transfer",
              transfer)(clean)
    for suffix in (".heic", ".avif", ".png"):
        check(f"validate: {suffix[1:]} {transfer} with profile and environments", PHOTO, suffix,
              "--transfer", transfer, "--set", "color-tags=both", "--set", "mdcv=bt2020:10000:0.0005",
              "--set", "ndwt=203")(clean)


@check("validate: a wrong light level is fixed", ".heic")
@check("validate: a wrong light level is fixed in AVIF", ".avif")
def measured(suffix):
    path = convert(CHART, suffix, "--set", "clli=100:50", "--set", "ndwt=none")
    before = violated(validate(path))
    require(before == {"22028-5/H5-CLL-2", "22028-5/H5-DW-1"}, f"violated: {before}")
    target = fresh(suffix)
    report = validate(path, "--fix", "-o", target)
    require(report["verdict"] == "pass" and set(report["fixed"]) == before, str(report["counts"]))
    changes = {change["name"]: change for change in report["fixes"]}
    require(changes["light level"]["before"] == "MaxCLL 100 cd/m², MaxFALL 50 cd/m²", f"{changes}")
    require(changes["diffuse white"]["after"] == "203 cd/m²", f"{changes}")
    require(not violated(validate(target)), "not fixed")
    for old, new in zip(our_planes(path)[0], our_planes(target)[0]):
        require(np.array_equal(old, new), "other samples")


@check("validate: boxes of 'meta' are reordered")
def reordered():
    source = corpus("malformed-heif/mp4parse-hdlr-not-first-2c2930.avif")
    target = fresh(".avif")
    report = validate(source, "--fix", "-o", target)
    require("heif/handler-first" in report["fixed"], f"{report['fixed']}")
    for old, new in zip(our_planes(source)[0], our_planes(target)[0]):
        require(np.array_equal(old, new), "other samples")


@check("validate: nothing is fixed in a good file", ".avif")
@check("validate: nothing is fixed in a good PNG", ".png")
def nothing_to_fix(suffix):
    path, target = convert(PHOTO, suffix), fresh(suffix)
    require(validate(path, "--fix", "-o", target)["fixed"] == [], "fixed")
    require(path.read_bytes() == target.read_bytes(), "other bytes")
    require(validate(path, "--fix", "--force")["fixed"] == [], "fixed in place")
    require(path.read_bytes() == target.read_bytes(), "other bytes in place")


# Changes of a good file, the rules that they violate, and whether the third-party decoder then fails.


def edited_png(change):
    """A change of a list of [type, data, checksum]."""

    def edit(data):
        chunks, position = [], 8
        while position < len(data):
            (length,) = struct.unpack_from(">I", data, position)
            kind, body = data[position + 4 : position + 8], data[position + 8 : position + 8 + length]
            chunks.append([kind, body, None])
            position += length + 12
        change(chunks)
        return data[:8] + b"".join(
            struct.pack(">I", len(body)) + kind + body
            + struct.pack(">I", zlib.crc32(kind + body) if checksum is None else checksum)
            for kind, body, checksum in chunks)

    return edit


def index(chunks, kind):
    return [chunk[0] for chunk in chunks].index(kind)


def wrong_checksum(kind):
    def change(chunks):
        chunks[index(chunks, kind)][2] = 0x12345678

    return edited_png(change)


def late(chunks):
    chunk = chunks.pop(index(chunks, b"cICP"))
    chunks.insert(len(chunks) - 1, chunk)


def wrong_profile_id(chunks):
    chunk = chunks[index(chunks, b"iCCP")]
    name, stream = chunk[1].split(b"\0", 1)
    profile = bytearray(zlib.decompress(stream[1:]))
    profile[84] ^= 1
    chunk[1] = name + b"\0\0" + zlib.compress(bytes(profile))


def patched(name, offset, change, count=1):
    """A change of bytes after the letters of a box, in its first occurrences."""

    def edit(data):
        data, position = bytearray(data), 0
        for _ in range(count):
            position = data.index(name, position + 1)
            place = position + 4 + offset
            data[place] = change(data[place])
        return bytes(data)

    return edit


def renamed(old, new):
    """A change of brands; the box has a size below 256 bytes."""
    return lambda data: data[8 : data[3]].replace(old, new).join([data[:8], data[data[3] :]])


SRGB = [b"sRGB", b"\0", None]
FIXES = {
    ".png": [
        *((f"checksum of {kind}", wrong_checksum(kind.encode()), {"png/checksums"}, kind in ("IHDR", "IDAT"))
          for kind in ("IHDR", "cICP", "cLLI", "iCCP", "IDAT", "IEND")),
        ("late cICP", edited_png(late), {"png/chunk-order", "22028-5/H5-SIG-4"}, False),
        ("repeated cICP", edited_png(lambda c: c.insert(1, c[index(c, b"cICP")])),
         {"png/chunk-once", "22028-5/H5-SIG-4"}, False),
        ("sRGB", edited_png(lambda c: c.insert(1, SRGB)), {"png/srgb-fallback", "png/profile-or-srgb"}, False),
        ("profile ID", edited_png(wrong_profile_id), {"icc/profile-id"}, False),
    ],
    ".avif": [
        ("pixi", patched(b"pixi", 5, lambda _: 12), {"heif/pixel-depths", "22028-5/H5-BIT-2"}, True),
        ("ispe", patched(b"ispe", 7, lambda byte: byte ^ 2), {"heif/extents"}, False),
        ("av1C depth", patched(b"av1C", 2, lambda byte: byte & 0xBF), {"avif/av1c-sequence", "22028-5/H5-BIT-1"}, True),
        ("av1C level", patched(b"av1C", 1, lambda byte: byte ^ 1), {"avif/av1c-sequence"}, False),
        ("brands", renamed(b"avif", b"mif1"), {"avif/brand", "22028-5/H5-BRAND-1"}, True),
    ],
    ".heic": [
        ("hvcC depth", patched(b"hvcC", 17, lambda byte: byte & 0xF8), {"heif/hvcc-sequence", "22028-5/H5-BIT-1"}, True),
        ("hvcC level", patched(b"hvcC", 12, lambda byte: byte ^ 3), {"heif/hvcc-sequence"}, False),
        ("ispe", patched(b"ispe", 7, lambda byte: byte ^ 2), {"heif/extents"}, True),
        ("brands", renamed(b"heix", b"heic"), {"heif/brand-hevc", "22028-5/H5-BRAND-1"}, False),
    ],
}


def third_party_pixels(path):
    """Samples by libpng, libavif or libheif."""
    if path.suffix == ".heic":
        run("heif-info", path)
        return np.asarray(pillow_heif.open_heif(path, convert_hdr_to_8bit=False))
    return (tools.png_codes if path.suffix == ".png" else tools.avif_codes)(path)


for suffix, changes in FIXES.items():
    for name, change, rules, breaks in changes:

        @check(f"validate: --fix: {suffix[1:]}: {name}", suffix, change, rules, breaks)
        def fixed(suffix, change, rules, breaks):
            options = ("--set", "color-tags=both") if suffix == ".png" else ()
            good, bad, target = convert(PHOTO, suffix, *options), fresh(suffix), fresh(suffix)
            expected = third_party_pixels(good)
            bad.write_bytes(change(good.read_bytes()))
            before = violated(validate(bad))
            require(rules == before, f"violated: {before}, not {rules}")
            try:
                third_party_pixels(bad)
                is_readable = True
            except Exception:  # Each library has its own exceptions.
                is_readable = False
            require(is_readable != breaks, f"third-party decoder: {'reads' if is_readable else 'rejects'} the bad file")
            report = validate(bad, "--fix", "-o", target)
            require(before == set(report["fixed"]), f"fixed {report['fixed']} of {before}")
            require(not violated(validate(target)), "violations remain")
            require(np.array_equal(third_party_pixels(target), expected), "other pixels")
            checked = json.loads(run("exiftool", "-validate", "-warning", "-error", "-json", target))[0]
            require("Error" not in checked, str(checked))
            return f"fixed {len(before)} rules"


# Defects in the notes of the corpus: all rules that the files violate, first the one about the defect.
LIBAVIF = ("22028-5/H5-DW-1", "22028-5/H5-MTX-1", "22028-5/H5-PRI-1", "avif/needless-units")
MP4PARSE = ("avif/av1c-units", "heif/property-order", "miaf/color-information")
DEFECTS = {
    "avif-gainmap-broken/libavif-min-version99.avif": ("21496-1/version", *LIBAVIF),
    "avif-gainmap-broken/libavif-tmap-version99.avif": ("21496-1/version", *LIBAVIF),
    "avif-gainmap-broken/libavif-v0-extra-bytes.avif": ("21496-1/metadata", *LIBAVIF),
    "avif-gainmap-broken/libavif-wrong-altr.avif": ("21496-1/tmap-alternatives", *LIBAVIF),
    "jpeg-uhdr/sdwebimage-mpf-wrong.jpg": ("uhdr/mpf", "jpeg/mpf-offsets", "jpeg/mpf-sizes"),
    "jpeg-uhdr-broken/exiftool-pixel8pro-stub.jpg": ("uhdr/map-there", "jpeg/directory-lengths"),
    "jpeg-uhdr-broken/iso-marker-no-map.jpg": ("uhdr/map-there",),
    "jpeg-uhdr-broken/lrc15-hdrgm-no-map.jpg": ("uhdr/map-there",),
    "jpeg-uhdr-broken/pixel6-photoshop-stale-xmp.jpg": ("uhdr/map-there", "jpeg/directory-lengths"),
    "jpeg-uhdr/android-lamps-noicc.jpg": ("uhdr/primary-profile",),
    "png-hdr/imagepng-cicp-pq-8b.png": ("png/checksums", "22028-5/H5-BIT-1", "22028-5/H5-SDR-1"),
    "avif-hdr/avifcoder-mall-p3pq.avif": ("22028-5/H5-PRI-2", "22028-5/H5-CLL-2", *LIBAVIF),
    "avif-hdr/netflix-chimera-ms-pq10-bt2020cl.avif": (
        "22028-5/H5-MTX-1", "22028-5/H5-CLL-2", "22028-5/H5-DW-1", "22028-5/H5-MD-1", "22028-5/H5-SIG-3",
        "avif/still-picture", "heif/color-bitstream"),
    "malformed-heif/mp4parse-hdlr-not-first-2c2930.avif": ("heif/handler-first", "avif/needless-units"),
    "malformed-heif/mp4parse-clap-missing-essential-1cc1cf.avif": (
        "miaf/transformation-essential", "miaf/aperture", *MP4PARSE),
    "malformed-heif/mp4parse-imir-before-clap-22d6b5.avif": ("miaf/transformation-order", *MP4PARSE),
    "malformed-heif/mp4parse-invalid-avif-colr-multiple-prof-b077a6.avif": (
        "heif/color-once", "avif/needless-units", "icc/media-white"),
    "malformed-heif/mp4parse-no-av1C-eeb4fc.avif": (
        "avif/av1c-once", "avif/needless-units", "miaf/color-information"),
    "malformed-heif/mp4parse-no-pixi-for-alpha-f8adc3.avif": ("miaf/pixel-information", "avif/needless-units"),
    "malformed-png/libpng-badcrc-ec5b6a.png": ("png/checksums",),
}
for name, rules in DEFECTS.items():

    @check(f"validate: corpus: {name.split('/')[1]}", name, rules)
    def defect(name, rules):
        found = violated(validate(corpus(name)))
        require(found == set(rules), f"{sorted(found)}, not {sorted(rules)}")


# The files of the corpus, except malformed ones, that are broken, with the rules.
STALE_MAP = {"uhdr/map-there", "jpeg/directory-lengths"}
BROKEN = {
    "dng/apple-proraw-header-only.dng": {"dng/samples"},
    "dng-broken/oiio-bomb-32000.dng": {"dng/color-matrix", "dng/samples"},
    "dng-broken/oiio-truncated.dng": {"dng/color-matrix", "dng/samples"},
    "dng/oiio-valid-32x32.dng": {"dng/color-matrix"},
    "jxl-broken/jxlrs-jhgm-dummy.jxl": {"21496-1/reserved-bits", "21496-1/version", "jpegxl/gain-map"},
    "avif-gainmap-broken/libavif-min-version99.avif": {"21496-1/version"},
    "avif-gainmap-broken/libavif-tmap-version99.avif": {"21496-1/version"},
    "avif-gainmap-broken/libavif-v0-extra-bytes.avif": {"21496-1/metadata"},
    "avif-gainmap-broken/libavif-wrong-altr.avif": {"21496-1/tmap-alternatives"},
    "avif-hdr/netflix-chimera-ms-pq10-bt2020cl.avif": {
        "22028-5/H5-SIG-3", "22028-5/H5-MTX-1", "22028-5/H5-MD-1", "22028-5/H5-CLL-2", "heif/color-bitstream"},
    "jpeg-uhdr-broken/exiftool-pixel8pro-stub.jpg": STALE_MAP,
    "jpeg-uhdr-broken/iso-marker-no-map.jpg": {"uhdr/map-there"},
    "jpeg-uhdr-broken/lrc15-hdrgm-no-map.jpg": {"uhdr/map-there"},
    "jpeg-uhdr-broken/pixel6-photoshop-stale-xmp.jpg": STALE_MAP,
    "png-hdr/imagepng-cicp-pq-8b.png": {"png/checksums"},
}


# Those that are rejected, with the code of the error.
NO_RULES = "validate/no-rules"
REJECTED = {
    "gainmap-reference/uhdr202-avif-gray.full.linear-rgbaf16.raw": "unrecognized-format",
    "gainmap-reference/uhdr202-heic-rgb.full.linear-rgbaf16.raw": "unrecognized-format",
    "heic-broken/pillow-corrupted.heic": "box/truncated",
    "heic-broken/pillow-truncated.heic": "item/file-truncated",
    "jpeg-uhdr-broken/truncated-uhdr-1k.jpg": "data-truncated",
    "raw/exiftool-stub-350d.cr2": "missing-element",
    "raw/exiftool-stub-d70.nef": NO_RULES,
    "raw/exiftool-stub-m50.cr3": NO_RULES,
    "raw/pentax-k3ii-cut.pef": NO_RULES,
    "raw/sony-a330-cut100k.arw": "missing-element",
    # TIFF files with a profile, to which the rules of ICC apply.
    "tiff-hdr/fp32-lzw-predictor3.tif": None,
    "tiff-hdr/photoshop-fp16-adobergb-linear.tif": None,
}
# Suffixes of formats without rules; all other files pass.
WITHOUT_RULES = {".exr", ".hdr", ".tif"}
# Malformed files: how many of each folder pass, are rejected, or violate the rules of a broken file.
MALFORMED = {
    "malformed-any": {"pass": 5, "rejected": 66},
    "malformed-dng": {"rejected": 1},
    "malformed-exr": {"rejected": 39},
    "malformed-hdr": {"rejected": 1},
    "malformed-heif": {
        "pass": 11, "rejected": 30, "heif/known-essential": 19, "heif/references": 1, "heif/handler-first": 1,
        "heif/color-once": 2, "avif/av1c-once": 1, "miaf/aperture miaf/transformation-essential": 1,
        "miaf/transformation-order": 1, "miaf/pixel-information": 1},
    "malformed-jpeg": {"pass": 7, "rejected": 32, "jpeg/scans": 7},
    "malformed-jxl": {"pass": 12, "rejected": 1, "jpegxl/box-size": 17},
    "malformed-png": {"pass": 6, "rejected": 49, "png/checksums": 5},
}


def expected_rejection(name):
    """The code of the error, or `None` for a file that is not rejected."""
    return REJECTED.get(name, NO_RULES if pathlib.Path(name).suffix in WITHOUT_RULES else None)


@check("validate: every file of the corpus passes, is broken or is rejected, as known")
def whole_corpus():
    statuses = {0: 0, 1: 0, 65: 0}
    skipped = {".md", ".json", ".csv", ".txt"}
    root = corpus(".").resolve()
    files = [p for p in sorted(root.rglob("*")) if p.is_file() and p.suffix not in skipped]
    unexpected, malformed = [], {}
    for path in files:
        done = subprocess.run([tools.binaries / "hdrconvert", "validate", "--json", path],
                              capture_output=True, timeout=300)
        require(done.returncode in statuses,
                f"exit {done.returncode}: {path.name}\n{done.stderr.decode(errors='replace')}")
        statuses[done.returncode] += 1
        report, name = json.loads(done.stdout), str(path.relative_to(root))
        broken = of_class(report["results"][0], "broken") if done.returncode != 65 else set()
        code = report["failures"][0]["code"] if done.returncode == 65 else None
        folder = name.split("/")[0]
        if folder.startswith("malformed-"):
            malformed.setdefault(folder, Counter())["rejected" if code else " ".join(sorted(broken)) or "pass"] += 1
        elif (broken, code) != (BROKEN.get(name, set()), expected_rejection(name)):
            unexpected.append(f"{name}: {code or sorted(broken)}")
    require(not unexpected, "\n".join(unexpected))
    require(malformed == MALFORMED, f"malformed files: {malformed}")
    return ", ".join(f"{count} with status {status}" for status, count in statuses.items())


@check("validate: the page of rules")
def page():
    rules = run(tools.binaries / "hdrconvert", "validate", "--rules")
    require(rules.strip() == (tools.ROOT / "Documentation" / "Rules.md").read_text().strip(),
            "Documentation/Rules.md is not what --rules prints")
