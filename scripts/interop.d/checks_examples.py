# SPDX-License-Identifier: Apache-2.0
"""The jobs of Examples/jobs.py and Examples/jobs.c, whose files are read by other programs."""

import os
import shutil
import sys

import imagecodecs
import numpy as np

import color
import tools
from checks_side_by_side import require_gain_map, require_pq
from runner import Skip, check, require
from tools import REFERENCE, ROOT, convert, fresh, run

HEIC = REFERENCE / "containers" / "gain-map-apple.heic"
RAW = REFERENCE / "containers" / "bayer.dng"
# The jobs of Examples/jobs.py, whose results are saved as those of Examples/jobs.c.
PYTHON = """
import pathlib, sys, hdrconvert, jobs
folder, heic, *photos, raw = map(pathlib.Path, sys.argv[1:])
def save(name, data):
    (folder / name).write_bytes(data)
for thumbnail in jobs.thumbnails(photos):
    save("thumbnail", thumbnail)
shares = []
save("ultra_hdr.jpg", jobs.ultra_hdr(heic.read_bytes(), shares.append))
assert shares == sorted(shares) and shares[-1] == 1, shares
try:
    sys.exit(f"not cancelled: {jobs.ultra_hdr(heic.read_bytes(), lambda share: False)}")
except hdrconvert.CancelledError:
    pass
pq, linear = jobs.buffers(photos[0], 3)
save("pq", pq)
save("linear", linear)
for name, file in zip(("half.avif", "half.png", "half.jpg"), jobs.files(linear)):
    save(name, file)
jobs.develop(raw, folder / "cool.avif", 3200, 0)
jobs.develop(raw, folder / "warm.avif", 6500, 1)
save("600.png", jobs.rendition(photos[0]))
"""


def library():
    found = next(iter(tools.binaries.glob("libhdrconvert-c.*")), None)
    if found is None:
        raise Skip("no C library in the folder of the programs")
    return found


def require_files(folder, photo, pq):
    """What both languages make; `pq` has the signals of a rendition for headroom 3, `linear` is the same image."""
    require(require_gain_map(folder / "thumbnail") == "256x171", "thumbnail")
    require(require_gain_map(folder / "ultra_hdr.jpg") == "288x96", "Ultra HDR JPEG")
    linear = np.fromfile(folder / "linear", np.float16).reshape(512, 768, 3).astype(np.float64)
    expected = color.convert(
        imagecodecs.ultrahdr_decode(photo.read_bytes(), boost=3)[..., :3].astype(np.float64),
        color.CHROMATICITIES["p3"], color.CHROMATICITIES["bt2020"])
    difference = np.abs(linear - expected).mean()
    # libultrahdr interpolates the gain map by distance. Other primaries, or headroom 2, are 0.009 or more away.
    require(2 < linear.max() <= 3 and difference < 0.006, f"linear: {difference} from libultrahdr, maximum {linear.max()}")
    signal = color.pq_signal(color.WHITE * linear)
    require(np.abs(pq - signal).max() < 1 / 1023, f"pq: {np.abs(pq - signal).max()} from the half floats")
    require(np.abs(tools.png_codes(folder / "half.png") / 65535 - signal).max() < 1 / 65535, "PNG")
    require(np.abs(require_pq(folder / "half.avif") - signal.mean((0, 1))).max() < 0.003, "AVIF")
    require(require_gain_map(folder / "half.jpg") == "768x512", "JPEG")


def made(*command, count, more=()):
    """Runs the jobs on `count` photos; the folder of their files, one of the photos, and the peak memory."""
    folder, photo = fresh(""), convert(REFERENCE / "photo.exr", ".jpg")
    folder.mkdir()
    _, peak = tools.cost(*command, folder, HEIC, *[photo] * count, *more)
    return folder, photo, peak


@check("examples: jobs in Python, 1000 thumbnails within 256 MB")
def in_python():
    folder, photo, peak = made(
        "env", f"PYTHONPATH={ROOT / 'Examples'}{os.pathsep}{ROOT / 'python'}", f"HDRCONVERT_LIBRARY={library()}",
        sys.executable, "-B", "-c", PYTHON, count=1000, more=[RAW])
    require_files(folder, photo, np.fromfile(folder / "pq", np.uint16).reshape(512, 768, 3) / 65535)
    cool, warm = (require_pq(folder / f"{name}.avif") for name in ("cool", "warm"))
    require(warm.mean() > cool.mean() and warm[0] / warm[2] > cool[0] / cool[2], f"developed: {cool}, {warm}")
    peak_luminance = color.pq_luminance(tools.png_codes(folder / "600.png") / 65535).max()
    require(500 < peak_luminance < 601, f"{peak_luminance} cd/m2")
    require(peak < 320 << 20, f"{peak} bytes")
    return f"{peak >> 20} MB"


def in_c(count, *options, under=()):
    """The jobs, compiled with `options`; the peak memory."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        raise Skip("no C compiler")
    program, copy = fresh(""), fresh(library().suffix)
    # valgrind 3.19 does not read the debugging information of Swift.
    run("strip", "-S", "-o", copy, library())
    run(compiler, "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-g", *options,
        "-I", ROOT / "Sources" / "CHDRConvert" / "include", ROOT / "Examples" / "jobs.c", copy, "-o", program)
    folder, photo, peak = made(*under, program, count=count)
    words = np.fromfile(folder / "pq", np.uint32).reshape(512, 768, 1)
    require((words >> 30 == 3).all(), "alpha")
    require_files(folder, photo, (words >> (0, 10, 20) & 1023) / 1023)
    return peak


@check("examples: jobs in C, 200 thumbnails within 256 MB")
def many():
    peak = in_c(200)
    require(peak < 320 << 20, f"{peak} bytes")
    return f"{peak >> 20} MB"


@check("examples: jobs in C, AddressSanitizer and UndefinedBehaviorSanitizer")
def sanitized():
    in_c(3, "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


@check("examples: jobs in C, valgrind")
def valgrind():
    if not shutil.which("valgrind"):
        raise Skip("valgrind is not installed")
    in_c(1, under=(
        "valgrind", "-q", "--leak-check=full", "--errors-for-leak-kinds=definite", "--show-leak-kinds=definite",
        "--error-exitcode=1",
        f"--suppressions={ROOT / 'scripts' / 'interop.d' / 'valgrind.supp'}"))
