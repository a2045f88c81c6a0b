# SPDX-License-Identifier: Apache-2.0
"""The files of a corpus, and the commands that are run on each."""

import json
import pathlib
import re
from typing import NamedTuple

# Sizes in pixels. Up to TINY, codecs run at their default speed. Up to SMALL, all commands run in
# full size. Above MEDIUM there are fewer, most with --resize; above LARGE the fewest in full size.
TINY, SMALL, MEDIUM, LARGE = 100_000, 400_000, 1_200_000, 5_000_000

# Suffixes of formats whose metadata are edited, and of those that contain gain maps.
EDITABLE, WITH_GAIN_MAPS = ("jpg", "heic", "avif", "png"), ("jpg", "heic", "avif")


class Step(NamedTuple):
    """One run of the program, skipped unless earlier steps wrote the files that `needs` names."""

    verb: str
    arguments: tuple
    needs: tuple


class Case(NamedTuple):
    """Steps that share a folder."""

    name: str
    steps: tuple


class File(NamedTuple):
    """A file of the corpus. Pixels are those of its largest image, 0 if unknown."""

    name: str
    path: pathlib.Path
    pixels: int

    @property
    def is_malformed(self):
        return self.name.startswith("malformed-")


def corpus_files(folder):
    """The files that MANIFEST.json lists, without one all files below the folder."""
    manifest = folder / "MANIFEST.json"
    if not manifest.exists():
        paths = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix != ".md")
        # A guess from the size of the file, at 4 bits per pixel.
        return [File(str(p.relative_to(folder)), p, 2 * p.stat().st_size) for p in paths]
    files = []
    for entry in json.loads(manifest.read_text())["files"]:
        sizes = re.findall(r"(\d+)x(\d+)", entry.get("dimensions") or "")
        pixels = max([int(width) * int(height) for width, height in sizes], default=0)
        path = folder / entry["name"]
        if path.exists():
            files.append(File(entry["name"], path, pixels))
    return sorted(files)


def files_for_sheets(files):
    """The largest file of up to SMALL pixels of each folder without malformed files."""
    chosen = {}
    for file in files:
        if not file.is_malformed and 0 < file.pixels <= SMALL:
            folder = file.name.split("/")[0]
            chosen[folder] = max(chosen.get(folder, file), file, key=lambda f: f.pixels)
    return set(chosen.values())


def container(path):
    """Suffix of the format that the first bytes signal; the suffix of the file if unrecognized."""
    with path.open("rb") as file:
        head = file.read(64)
    if head.startswith(b"\xff\xd8"):
        return "jpg"
    if head.startswith(b"\x89PNG"):
        return "png"
    if head[4:8] == b"ftyp":
        return "avif" if b"avif" in head[8:] or b"avis" in head[8:] else "heic"
    return path.suffix.lstrip(".") or "bin"


def make_case(name, source, *commands):
    steps, written = [], set()
    for command in commands:
        words = command.format(source=source).split()
        outputs = {after for word, after in zip(words, words[1:]) if word in ("-o", "--metadata")}
        verb = f"gainmap-{words[1]}" if words[0] == "gainmap" else words[0]
        needs = sorted(written.intersection(words))
        steps.append(Step(verb, tuple(words), tuple(needs)))
        written |= outputs
    return Case(name, tuple(steps))


def cases(file, with_sheets):
    """All cases for a file, in a fixed order."""
    same = container(file.path)
    # Suffix of extracted images.
    coding = same if same in ("heic", "avif") else "jpg"
    source = f"in{file.path.suffix}"
    made = []

    def add(name, *commands):
        made.append(make_case(name, source, *commands))

    # One thread, so that encoders are deterministic.
    is_large = file.pixels > MEDIUM
    common = "--json -j 1" + (" --resize 400" if is_large else "")
    coded = common + ("" if 0 < file.pixels <= TINY else " --speed 10")
    # HEVC takes the longest.
    hevc = coded + (" --resize 400" if SMALL < file.pixels <= MEDIUM else "")

    add("inspect", "inspect {source} --json -j 1")
    add("validate", "validate {source} --json -j 1")
    compared = [] if is_large else ["compare {source} out.png --json -j 1"]
    add("convert png", f"convert {{source}} -o out.png {common}", *compared)
    if same in EDITABLE or not file.is_malformed:
        add("tag orientation", f"tag {{source}} --set orientation=6 -o out.{same} --json --verbose")
        add("extract exif", "extract {source} --exif -o out.exif")
        add("extract preview", f"extract {{source}} --preview -o out.{coding}")
    if same in WITH_GAIN_MAPS or not file.is_malformed:
        add("gain map parts",
            f"gainmap flatten {{source}} -o base.{same} --json --verbose",
            f"gainmap extract {{source}} -o map.{coding} --metadata map.json --json",
            f"gainmap join --baseline base.{same} --map map.{coding} --metadata map.json -o out.{same}")
        add("remux iso", f"remux {{source}} --flavors iso -o out.{same} --json --verbose")
    if file.is_malformed:
        return made

    add("inspect text", "inspect {source} --verbose --structure -j 1")
    add("validate fix", f"validate {{source}} --fix -o out.{same} --json")
    add("extract icc", "extract {source} --icc -o out.icc")
    add("extract xmp", "extract {source} --xmp -o out.xmp")
    add("tag drop", f"tag {{source}} --strip exif,xmp,icc,clli -o out.{same} --json --verbose")
    if file.pixels <= LARGE:
        add("convert avif", f"convert {{source}} -o out.avif {coded}")
        add("convert heic", f"convert {{source}} -o out.heic {hevc}")
        add("gain map create jpg", "gainmap create {source} -o out.jpg --json -j 1")
    if is_large:
        add_large_cases(add, file.pixels)
    else:
        add("inspect measured", "inspect {source} --measure --json -j 1")
        add("convert tif", f"convert {{source}} -o out.tif {common}")
        add("convert exr", f"convert {{source}} -o out.exr {common}")
        add("render png", f"render {{source}} --level standard -o out.png {common}")
        add("render exr", f"render {{source}} --headroom 4x -o out.exr {common}")
    if same in WITH_GAIN_MAPS:
        add_gain_map_cases(add, same, file.pixels)
    if file.pixels <= TINY:
        add("gain map create avif", "gainmap create {source} -o out.avif --baseline hdr --json -j 1")
        add("gain map create heic", "gainmap create {source} -o out.heic --speed 10 --json -j 1")
        add("convert hlg", f"convert {{source}} --transfer hlg -o out.heic {hevc}",
            "compare {source} out.heic --json -j 1")
    if with_sheets:
        add("sheet png", "sheet {source} -o out.png --json -j 1")
        add("sheet html", "sheet {source} -o out.html --json -j 1")
    return made


def add_gain_map_cases(add, same, pixels):
    """Cases that convert files with gain maps, or rotate files without."""
    flavors = ("xmp", "iso,xmp") if same == "jpg" else ("apple", "iso,apple")
    for names in flavors:
        add(f"remux {names}", f"remux {{source}} --flavors {names} -o out.{same} --json --verbose")
    add("remux rotate", f"remux {{source}} --rotate 90 -o out.{same} --json --verbose")
    add("remux flip", f"remux {{source}} --flip horizontal -o out.{same} --json --verbose")
    coded = "--json -j 1 --speed 10"
    if pixels <= LARGE:
        add("gain map png", "gainmap extract {source} -o out.png --json -j 1")
        add("gain map kept",
            f"convert {{source}} --gainmap keep --resize 320 -o out.{same} {coded}")
        add("gain map apply",
            "gainmap apply {source} --headroom 2x --resize 400 -o out.png --json -j 1")
    if pixels <= MEDIUM:
        add("remux exact", f"remux {{source}} --flavors iso --exact -o out.{same} {coded}")
        add("gain map swap", f"gainmap swap {{source}} --allow-reencode -o out.avif {coded}")
    if pixels <= SMALL:
        other = "heic" if same == "jpg" else "jpg"
        add(f"remux {other}",
            f"remux {{source}} --flavors iso --allow-reencode -o out.{other} {coded}")


def add_large_cases(add, pixels):
    """Cases for large images that process all of their pixels."""
    add("render jpg full size", "render {source} --level standard -o out.jpg --json -j 1")
    add("convert crop", "convert {source} --crop 301,203,640,480 -o out.exr --json -j 1")
    if pixels <= LARGE:
        add("convert avif full size", "convert {source} --speed 10 -o out.avif --json -j 1",
            "compare {source} out.avif --json -j 1")
