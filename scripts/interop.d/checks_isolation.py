# SPDX-License-Identifier: Apache-2.0
"""Isolated decoding: the outputs, notices and statuses are those of a command without --isolate."""

from checks_robustness import SOURCES
from runner import Skip, check, require
from tools import CORPUS, DATA_ERROR, MINUTES, command, fresh

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
    # Whole JPEG XL files are refused.
    if "(isolation/unsupported)" in results[1][1]:
        return results[1][0]
    for direct, isolated, name in zip(*results, ("status", "messages", "samples")):
        require(direct == isolated, f"{path.name}: other {name}")
    return results[0][0]


def source(make):
    both(make())


for name, make in SOURCES.items():
    check(f"isolation: {name}", make)(source)


def suffix(ending):
    if not CORPUS.is_dir():
        raise Skip("no corpus here (HDR_CORPUS)")
    paths = [path for path in sorted(CORPUS.rglob(f"*.{ending}")) if path.stat().st_size < LARGEST]
    statuses = [both(path) for path in paths]
    return f"{len(paths)} files, {statuses.count(0)} decoded"


for ending in ("avif", "heic", "heif", "hif", "jpg", "png", "tif", "exr", "dng", "raf", "cr2", "nef", "bin"):
    check(f"isolation: corpus of .{ending}", ending)(suffix)


@check("isolation: a time limit is an error that names the library")
def time_limit():
    path = SOURCES["edges-61x43.png"]()
    status, text = command(path, "-o", fresh(".tiff"), "--isolate", "--time-limit", "0.000001")
    require(status == DATA_ERROR, f"exit {status}")
    require("libpng" in text and "(codec/timed-out)" in text, text)


@check("isolation: the next file is read after one that fails")
def next_file():
    path = SOURCES["edges-61x43.png"]()
    damaged = fresh(".png")
    data = path.read_bytes()
    damaged.write_bytes(data[: len(data) // 2])
    status, text = command("validate", damaged, path, "--isolate")
    require(status == 1 and damaged.name in text, f"exit {status}: {text}")
