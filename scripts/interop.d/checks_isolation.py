# SPDX-License-Identifier: Apache-2.0
"""Isolated decoding: the outputs, notices and statuses are those of a command without --isolate."""

import shutil

from checks_robustness import SOURCES, converted
from runner import Skip, check, require
from tools import CORPUS, DATA_ERROR, MINUTES, REFERENCE, command, convert, corpus, fresh

LARGEST = 3 << 20


def both(path):
    """Decodes a file with and without isolation; returns the status."""
    results = []
    for options in ([], ["--isolate"]):
        target = fresh(".tiff")
        status, text = command(path, "-o", target, *options, timeout=5 * MINUTES)
        # Without lines that libraries print, which isolation drops.
        text = "\n".join(line for line in text.splitlines() if line.startswith(("hdrconvert:", "  ")))
        results.append((status, text.replace(str(target), "OUT").replace(" --isolate", ""),
                        target.read_bytes() if target.exists() else None))
        target.unlink(missing_ok=True)
    for direct, isolated, name in zip(*results, ("status", "messages", "samples")):
        require(direct == isolated, f"{path.name}: other {name}")
    return results[0][0]


def source(make):
    both(make())


JPEG_XL = {
    "chart.jxl": converted("chart.exr", ".jxl", "--lossless"),
    "photo.jxl": converted("photo.exr", ".jxl"),
    "edges-alpha.jxl": converted("edges-alpha-61x43.png", ".jxl"),
}
for name, make in (SOURCES | JPEG_XL).items():
    check(f"isolation: {name}", make)(source)


def suffix(ending):
    if not CORPUS.is_dir():
        raise Skip("no corpus (HDR_CORPUS)")
    paths = [path for path in sorted(CORPUS.rglob(f"*.{ending}")) if path.stat().st_size < LARGEST]
    statuses = [both(path) for path in paths]
    return f"{len(paths)} files, {statuses.count(0)} decoded"


for ending in ("avif", "heic", "heif", "hif", "jpg", "png", "tif", "exr", "dng", "raf", "cr2", "nef", "jxl", "bin", "fuzz"):
    check(f"isolation: corpus of .{ending}", ending)(suffix)


@check("isolation: a time limit holds for the whole job, isolated or not")
def time_limit():
    path = SOURCES["edges-61x43.png"]()
    for words in ([], ["--isolate"]):
        status, text = command(path, "-o", fresh(".tiff"), "--time-limit", "0.000001", *words)
        require(status == DATA_ERROR, f"exit {status}")
        require("(budget/time-exceeded)" in text, text)


@check("isolation: all verbs that decode have it, for one input and for many")
def verbs():
    """A job without time fails."""
    image, folder, out = convert(REFERENCE / "photo.exr", ".png"), fresh(""), fresh("")
    folder.mkdir()
    for name in ("a.png", "b.png"):
        shutil.copyfile(image, folder / name)
    map = convert(REFERENCE / "photo.exr", ".jpg")
    for words in (["convert", image, "-o", fresh(".tiff")], ["render", image, "-o", fresh(".png"), "--level", "standard"],
                  ["compare", image, image], ["sheet", image, "-o", fresh(".png")],
                  ["gainmap", "create", image, "-o", fresh(".jpg")], ["gainmap", "apply", map, "-o", fresh(".png")],
                  ["gainmap", "extract", map, "-o", fresh(".png")],
                  ["gainmap", "swap", map, "-o", fresh(".jpg"), "--allow-reencode"],
                  ["convert", folder / "a.png", folder / "b.png", "--out-dir", out, "--to", "tiff"],
                  ["convert", "-r", folder, "--out-dir", out, "--to", "avif"]):
        status, text = command(*words, "--isolate", "--time-limit", "0.000001")
        require(status != 0 and "(budget/time-exceeded)" in text, f"{words}: exit {status}: {text}")
    require(not list(out.glob("*")), "outputs")


@check("isolation: the next file is read after one that fails")
def next_file():
    path = SOURCES["edges-61x43.png"]()
    damaged = fresh(".png")
    data = path.read_bytes()
    damaged.write_bytes(data[: len(data) // 2])
    status, text = command("validate", damaged, path, "--isolate")
    require(status == 1 and damaged.name in text, f"exit {status}: {text}")


@check("isolation: gain maps and transcoding of JPEG XL")
def jpeg_xl():
    original = corpus("jpeg-uhdr/lrc14-1-xmp-iso.jpg")
    results = []
    for options in ([], ["--isolate"]):
        transcoded, back, applied = fresh(".jxl"), fresh(".jpg"), fresh(".tiff")
        for words in (["remux", original, "-o", transcoded], ["remux", transcoded, "-o", back],
                      ["gainmap", "apply", transcoded, "-o", applied]):
            status, text = command(*words, *options, timeout=5 * MINUTES)
            require(status == 0, f"{words} {options}: exit {status}: {text}")
        require(back.read_bytes() == original.read_bytes(), f"{options}: another JPEG file")
        results.append((transcoded.read_bytes(), applied.read_bytes()))
    require(results[0] == results[1], "other files")
