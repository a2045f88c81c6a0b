"""Verdicts of `validate`: on output of hdrconvert, on real files, and after repairs."""

import json
import subprocess

import numpy as np

import tools
from runner import Failed, check, require
from tools import REFERENCE, convert, corpus, our_planes, run
from workspace import fresh

PHOTO, CHART = REFERENCE / "photo.exr", REFERENCE / "chart.exr"
ALPHA, ORIENTED = REFERENCE / "photo-alpha.exr", REFERENCE / "edges-oriented-61x43.png"
VERDICTS = {"fail", "warn", "pass", "notCheckable", "notApplicable"}


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
    require((file["verdict"] == "fail") == (done.returncode == 1), "verdict and status differ")
    require({rule["verdict"] for rule in file["rules"]} <= VERDICTS, "an unknown verdict")
    return file


def broken(file):
    return {rule["id"] for rule in file["rules"] if rule["verdict"] in ("fail", "warn")}


def clean(source, suffix, *options):
    path = convert(source, suffix, *options)
    file = validate(path, "--standard", "all")
    counts = file["counts"]
    complaints = [(rule["id"], rule["reason"] if "reason" in rule else None, rule["findings"])
                  for rule in file["rules"]
                  if rule["verdict"] in ("fail", "warn", "notCheckable")]
    require(not complaints, f"{' '.join(options)}: {complaints}")
    require("22028-5" in file["standards"] and counts["pass"] >= 15, f"judged by {file['standards']}")
    return f"{counts['pass']} rules kept"


LAYOUTS = [("--yuv", "444"), ("--yuv", "420"), ("--yuv", "422"), ("--yuv", "400"), ("--lossless",),
           ("--quality", "60", "--yuv", "420"), ("--lossless", "--yuv", "420")]
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
              "--transfer", transfer, "--signal", "both", "--mdcv", "bt2020,10000,0.0005",
              "--ndwt", "203")(clean)


@check("validate: a wrong light level is repaired", ".heic")
@check("validate: a wrong light level is repaired in AVIF", ".avif")
def mended(suffix):
    path = convert(CHART, suffix, "--clli", "100,50", "--ndwt", "none")
    before = broken(validate(path))
    require(before == {"22028-5/H5-CLL-2", "22028-5/H5-DW-1"}, f"broken: {before}")
    target = fresh(suffix)
    report = validate(path, "--fix", "-o", target)
    require(report["verdict"] == "pass" and set(report["mended"]) == before, str(report["counts"]))
    require(not broken(validate(target)), "not mended")
    for old, new in zip(our_planes(path)[0], our_planes(target)[0]):
        require(np.array_equal(old, new), "other samples")


@check("validate: boxes of 'meta' are reordered")
def arranged():
    source = corpus("malformed-heif/mp4parse-hdlr-not-first-2c2930.avif")
    target = fresh(".avif")
    report = validate(source, "--fix", "-o", target)
    require("heif/handler-first" in report["mended"], f"{report['mended']}")
    for old, new in zip(our_planes(source)[0], our_planes(target)[0]):
        require(np.array_equal(old, new), "other samples")


# Defects in the notes of the corpus, and the rule that reports each.
DEFECTS = {
    "avif-gainmap-broken/libavif-min-version99.avif": "21496-1/version",
    "avif-gainmap-broken/libavif-tmap-version99.avif": "21496-1/version",
    "avif-gainmap-broken/libavif-v0-extra-bytes.avif": "21496-1/metadata",
    "avif-gainmap-broken/libavif-wrong-altr.avif": "21496-1/tmap-alternatives",
    "jpeg-uhdr/sdwebimage-mpf-wrong.jpg": "uhdr/mpf",
    "jpeg-uhdr-broken/exiftool-pixel8pro-stub.jpg": "uhdr/map-there",
    "jpeg-uhdr-broken/iso-marker-no-map.jpg": "uhdr/map-there",
    "jpeg-uhdr-broken/lrc15-hdrgm-no-map.jpg": "uhdr/map-there",
    "jpeg-uhdr-broken/pixel6-photoshop-stale-xmp.jpg": "uhdr/map-there",
    "jpeg-uhdr/android-lamps-noicc.jpg": "uhdr/primary-profile",
    "png-hdr/imagepng-cicp-pq-8b.png": "png/checksums",
    "avif-hdr/avifcoder-mall-p3pq.avif": "22028-5/H5-PRI-2",
    "avif-hdr/netflix-chimera-ms-pq10-bt2020cl.avif": "22028-5/H5-MTX-1",
    "malformed-heif/mp4parse-hdlr-not-first-2c2930.avif": "heif/handler-first",
    "malformed-heif/mp4parse-clap-missing-essential-1cc1cf.avif":
        "miaf/transformation-essential",
    "malformed-heif/mp4parse-imir-before-clap-22d6b5.avif": "miaf/transformation-order",
    "malformed-heif/mp4parse-invalid-avif-colr-multiple-prof-b077a6.avif": "heif/color-once",
    "malformed-heif/mp4parse-no-av1C-eeb4fc.avif": "avif/av1c-once",
}
for name, rule in DEFECTS.items():

    @check(f"validate: corpus: {name.split('/')[1]}", name, rule)
    def defect(name, rule):
        found = broken(validate(corpus(name)))
        require(rule in found, f"{rule} is not among {sorted(found)}")


@check("validate: every file of the corpus is validated or rejected")
def whole_corpus():
    counts = {0: 0, 1: 0, 65: 0}
    skipped = {".md", ".json", ".csv", ".txt"}
    files = [p for p in sorted(corpus(".").rglob("*")) if p.is_file() and p.suffix not in skipped]
    for path in files:
        done = subprocess.run([tools.binaries / "hdrconvert", "validate", path],
                              capture_output=True, timeout=300)
        require(done.returncode in counts,
                f"exit {done.returncode}: {path.name}\n{done.stderr.decode(errors='replace')}")
        counts[done.returncode] += 1
    return ", ".join(f"{count} with status {status}" for status, count in counts.items())


@check("validate: the page of rules")
def page():
    rules = run(tools.binaries / "hdrconvert", "validate", "--rules")
    require(rules.strip() == (tools.ROOT / "Documentation" / "Rules.md").read_text().strip(),
            "Documentation/Rules.md is not what --rules prints")
