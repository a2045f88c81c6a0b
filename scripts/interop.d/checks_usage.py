"""Requests that contradict themselves: status 64; files that lack what is asked: 65. A reason, and something to try."""

import json
import subprocess

import tools
from runner import check, require
from tools import REFERENCE, convert, fresh


def refused(*arguments, status=64):
    target = fresh(".png")
    done = subprocess.run(
        [tools.binaries / "hdrconvert", *arguments, *(("-o", target) if arguments[0] != "validate" else ())],
        capture_output=True, text=True, timeout=tools.MINUTES)
    require(done.returncode == status, f"exit {done.returncode}: {done.stderr[-300:]}")
    require("  try: " in done.stderr, done.stderr)
    require(not target.exists(), "an output all the same")
    return done.stderr.splitlines()[0]


@check("usage: nothing is coded again for another name")
def other_name():
    return refused("tag", convert(REFERENCE / "photo.exr", ".avif"), "--ndwt", "203")


@check("usage: a map that is not there cannot be applied")
def no_map():
    return refused("gainmap", "apply", convert(REFERENCE / "photo.exr", ".avif"), status=65)


@check("usage: a map that is not there cannot be taken out, dropped, described or moved")
def no_map_to_move():
    picture, lines = convert(REFERENCE / "photo.exr", ".avif"), []
    for verb in (("gainmap", "extract"), ("gainmap", "flatten"), ("gainmap", "swap", "--allow-reencode"),
                 ("remux", "--flavors", "iso")):
        target = fresh(".avif")
        done = subprocess.run([tools.binaries / "hdrconvert", *verb, picture, "-o", target], capture_output=True,
                              text=True, timeout=tools.MINUTES)
        require(done.returncode == 65 and not target.exists(), f"{verb}: exit {done.returncode}: {done.stderr}")
        require(str(picture) in done.stderr.splitlines()[0], done.stderr)
        require("  why: " in done.stderr and f"  try: hdrconvert inspect {picture}" in done.stderr, done.stderr)
        lines.append(done.stderr.splitlines()[0])
    return lines[-1]


@check("usage: a map is not applied and dropped")
def applied_and_dropped():
    return refused("gainmap", "apply", convert(REFERENCE / "photo.exr", ".avif"), "--gainmap", "drop")


@check("usage: an average above its maximum")
def average():
    return refused("tag", convert(REFERENCE / "photo.exr", ".png"), "--clli", "100,200")


@check("usage: rules that do not concern the file")
def no_rule():
    return refused("validate", "--standard", "png", convert(REFERENCE / "photo.exr", ".avif"))


@check("usage: what is joined keeps its container, and an HDR base is none in JPEG")
def joined():
    made, base, picture, record = fresh(".jpg"), fresh(".jpg"), fresh(".jpg"), fresh(".json")
    command = tools.binaries / "hdrconvert"
    tools.run(command, "gainmap", "create", REFERENCE / "photo.exr", "-o", made, "--quiet")
    tools.run(command, "gainmap", "extract", made, "-o", picture, "--metadata", record, "--quiet")
    tools.run(command, "gainmap", "flatten", made, "-o", base, "--quiet")
    parts = ("gainmap", "join", "--base", base, "--map", picture, "--metadata")
    said = [refused(*parts, record)]
    numbers = json.loads(record.read_text())
    iso = numbers["iso21496"]
    for first, second in (("alternate_hdr_headroom", "base_hdr_headroom"), ("base_hdr_headroom", "base_hdr_headroom")):
        other, target = fresh(".json"), fresh(".jpg")
        swapped = dict(iso, base_hdr_headroom=iso[first], alternate_hdr_headroom=iso[second])
        other.write_text(json.dumps(dict(numbers, iso21496=swapped, others=[])))
        done = subprocess.run([command, *parts, other, "-o", target], capture_output=True, text=True)
        if first == "alternate_hdr_headroom":
            require(done.returncode == 64 and not target.exists(), done.stderr)
            said.append(done.stderr.splitlines()[0])
        else:
            # Equal headrooms, which readers of XMP refuse, are said in the words of ISO alone.
            require(done.returncode == 0 and b"hdrgm:HDRCapacityMax" not in target.read_bytes(), done.stderr)
    return "; ".join(said)
