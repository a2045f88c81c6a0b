"""Requests that contradict themselves or the file: status 64, a reason, and something to try."""

import subprocess

import tools
from runner import check, require
from tools import REFERENCE, convert, fresh


def refused(*arguments):
    target = fresh(".png")
    done = subprocess.run(
        [tools.binaries / "hdrconvert", *arguments, *(("-o", target) if arguments[0] != "validate" else ())],
        capture_output=True, text=True, timeout=tools.MINUTES)
    require(done.returncode == 64, f"exit {done.returncode}: {done.stderr[-300:]}")
    require("  try: " in done.stderr, done.stderr)
    require(not target.exists(), "an output all the same")
    return done.stderr.splitlines()[0]


@check("usage: nothing is coded again for another name")
def other_name():
    return refused("tag", convert(REFERENCE / "photo.exr", ".avif"), "--ndwt", "203")


@check("usage: a map that is not there cannot be applied")
def no_map():
    return refused("gainmap", "apply", convert(REFERENCE / "photo.exr", ".avif"))


@check("usage: a map is not applied and dropped")
def applied_and_dropped():
    return refused("gainmap", "apply", convert(REFERENCE / "photo.exr", ".avif"), "--gainmap", "drop")


@check("usage: an average above its maximum")
def average():
    return refused("tag", convert(REFERENCE / "photo.exr", ".png"), "--clli", "100,200")


@check("usage: rules that do not concern the file")
def no_rule():
    return refused("validate", "--standard", "png", convert(REFERENCE / "photo.exr", ".avif"))
