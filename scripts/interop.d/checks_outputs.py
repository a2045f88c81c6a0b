# SPDX-License-Identifier: Apache-2.0
"""No output fails `validate`: every verb that writes files, over a sample of the corpus and the cases."""

import subprocess

import tools
from checks_validate import of_class, validate
from runner import check, require
from tools import corpus, fresh
from workspace import case

# One or two files of each producer and of each kind of damage that is read.
FILES = (
    "avif-gainmap/libavif-nogrid-gridmap.avif", "avif-gainmap/libavif-seine-hdrbase-smallmap.avif",
    "avif-gainmap-broken/libavif-min-version99.avif", "avif-gainmap-broken/libavif-wrong-altr.avif",
    "avif-hdr/acr160-colors-rec2020-pq.avif", "heic-apple/iphone12pro-16-7-portrait.heic",
    "heic-apple-tmap/iphone16-26-3-mattes.heic", "jpeg-apple/iphone13mini-old.jpg",
    "jpeg-iso/hdrcanvas-red-iso.jpg", "jpeg-iso/pyiso-out1.jpg", "jpeg-uhdr/lrc14-1-xmp-iso.jpg",
    "jpeg-uhdr/sdwebimage-mpf-wrong.jpg", "jpeg-uhdr/uhdrapp-cat-mapbigger.jpg",
    "jpeg-uhdr-broken/exiftool-pixel8pro-stub.jpg", "jpeg-uhdr-broken/iso-marker-no-map.jpg",
    "jpeg-uhdr-broken/lrc15-hdrgm-no-map.jpg", "peer-made/uhdr202-heic-rgb.heic",
    "png-hdr/imagepng-cicp-pq-8b.png")
CASES = ("no-mpf.jpg", "truncated-gain-map.jpg", "xmp-only.jpg", "png-gain-map-gmap-gdat.png", "sbit10-rounded.png")
SMALL = ("--resize", "200")
ISO = ("--flavors", "iso")
# Each verb with its options, and the suffix of its output; `None` for that of the input.
VERBS = (
    ("convert", ("convert", *SMALL), ".jpg"), ("convert, copied", ("convert",), ".jpg"),
    ("convert", ("convert", *SMALL), ".heic"), ("convert", ("convert", *SMALL), ".avif"),
    ("convert", ("convert", *SMALL), ".png"), ("convert", ("convert", *SMALL), ".jxl"),
    *(("convert, gain map kept", ("convert", *SMALL, "--gainmap", "keep"), suffix)
      for suffix in (".jpg", ".heic", ".avif", ".png", ".jxl")),
    ("convert, gain map dropped", ("convert", *SMALL, "--gainmap", "drop"), ".jpg"),
    ("render", ("render", "--level", "standard", *SMALL), ".jpg"), ("remux", ("remux", *ISO), None),
    ("remux, both flavors", ("remux", "--flavors", "iso,xmp"), ".jpg"),
    ("remux, rotated", ("remux", "--rotate", "90"), None),
    *(("remux, re-encoded", ("remux", *ISO, "--allow-reencode"), suffix) for suffix in (".jpg", ".png")),
    ("tag", ("tag", "--set", "orientation=3"), None), ("tag, stripped", ("tag", "--strip", "all"), None),
    ("gainmap flatten", ("gainmap", "flatten"), None), ("gainmap swap", ("gainmap", "swap", "--allow-reencode", "-s", "10"), ".avif"),
    ("gainmap extract", ("gainmap", "extract"), ".png"), ("validate --fix", ("validate", "--fix"), None))
# Verbs that do not change what they do not edit, so that only new violations count.
EDITS = ("tag", "remux", "validate")


def written(source, known, verb, suffix):
    """The rules that an output breaks; `None` if the verb refuses the file."""
    target = fresh(suffix or source.suffix)
    done = subprocess.run([tools.binaries / "hdrconvert", *verb, source, "-o", target], capture_output=True, timeout=600)
    require(done.returncode in (0, 1, 64, 65, 66, 69), f"exit {done.returncode} of {' '.join(verb)}")
    if not target.exists():
        require(done.returncode != 0 or verb[0] == "validate", f"{' '.join(verb)}: no output")
        return None
    broken = of_class(validate(target), "broken")
    target.unlink()
    return broken - known if verb[0] in EDITS else broken


def violations(source):
    done = subprocess.run([tools.binaries / "hdrconvert", "validate", source], capture_output=True, timeout=600)
    return of_class(validate(source), "broken") if done.returncode in (0, 1) else set()


def outputs(source):
    known = violations(source)
    failed, count = [], 0
    for name, verb, suffix in VERBS:
        broken = written(source, known, verb, suffix)
        count += broken is not None
        if broken:
            failed.append(f"{name} {suffix or source.suffix}: {' '.join(sorted(broken))}")
    require(not failed, "\n".join(failed))
    return f"{count} outputs"


for name in FILES:

    @check(f"outputs pass validate: {name}", name)
    def of_corpus(name):
        return outputs(corpus(name))


for name in CASES:

    @check(f"outputs pass validate: {name}", name)
    def of_cases(name):
        return outputs(case(name))
