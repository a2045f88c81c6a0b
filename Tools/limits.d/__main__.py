# SPDX-License-Identifier: Apache-2.0
"""Checks that memory stays within --memory-limit and that processor time grows with the size of a file.

A run may use its limit, 64 MiB and the memory of a run over a tiny image, which is that of the code
itself. Twice as many elements may take at most 2.3 times the processor time, less that of the tiny run.
"""

import argparse
import multiprocessing
import os
import pathlib
import sys
import tempfile
import zlib

import bombs
import counts
import files
from running import run, verbs

MEBIBYTE = 1 << 20
SLACK = 64 * MEBIBYTE
GROWTH = 2.3
SECONDS = 20
# For files that contain all samples of their 484 megapixels.
COMPLETE_SECONDS = 300
# Statuses of a command that ends by itself: done, a failed check, an argument, a file, a codec, memory.
EXPECTED = {0, 1, 64, 65, 69, 73, 75}
# Less processor time than this, in seconds, is not compared.
NOISE = 0.1
# Width and height of images of 100 megapixels.
LARGE = (12_000, 8400)
COUNTS = (4000, 8000, 16_000)
# Repetitions while the growth is above the bound.
REPETITIONS = 5


class Check:
    def __init__(self, binary, folder, part):
        self.binary, self.folder, self.part = binary, folder, part
        self.failures = 0
        path = self.make("tiny", files.png)
        runs = [run(binary, ["convert", path, "-o", folder / f"tiny{suffix}", "--force", "--quiet"])
                for suffix in (".png", ".avif", ".heic", ".tif")]
        self.code = max(one.peak for one in runs)
        self.start = min(one.processor for one in runs)
        print(f"code: {self.code / MEBIBYTE:.0f} MiB, {self.start:.2f} s", flush=True)
        self.tile = self.make_tile(".avif")
        self.tile.hevc = self.make_tile(".heic")

    def make_tile(self, suffix):
        path = self.folder / f"tile{suffix}"
        scene = pathlib.Path("reference-images/photo.exr")
        done = run(self.binary, ["convert", scene, "--crop", "0,0,64,64", "-o", path, "--quiet"])
        if done.status:
            sys.exit(f"limits: no tile: {done.text}")
        return files.CodedTile(path)

    def make(self, name, function, *arguments):
        """Writes a file in a process of its own, because the peak of a run includes the memory of this one."""
        path = self.folder / name
        process = multiprocessing.get_context("fork").Process(
            target=lambda: path.write_bytes(function(*arguments)))
        process.start()
        process.join()
        if process.exitcode:
            sys.exit(f"limits: {name} is not made")
        return path.rename(self.folder / (name + suffix(path)))

    def report(self, name, verb, done, problem):
        self.failures += bool(problem)
        print(f"{'FAILED' if problem else 'ok'}: {name} {verb}: status {done.status} {done.code}, "
              f"{done.processor:.1f} s, {done.peak / MEBIBYTE:.0f} MiB {problem}", flush=True)

    def bounded(self, name, verb, arguments, limit, seconds=SECONDS, expected=EXPECTED, **conditions):
        """Runs a verb, which must end by itself within its memory and time."""
        if limit:
            arguments = [*arguments, "--memory-limit", str(limit)]
        done = run(self.binary, arguments, 3 * seconds, **conditions)
        most = (limit or half_of_memory()) + SLACK + self.code
        problem = ""
        if done.status not in expected:
            problem = f"unexpected status: {done.text[-300:]}"
        elif done.peak > most:
            problem = f"more than {most / MEBIBYTE:.0f} MiB"
        elif done.processor > seconds:
            problem = f"more than {seconds} s"
        self.report(name, verb, done, problem)
        return done

    def all_verbs(self, path, limit, seconds):
        for verb, arguments in verbs(path, self.folder).items():
            self.bounded(path.stem, verb, arguments, limit, seconds)

    def bombs(self):
        for make in self.chosen(bombs.ALL):
            path = self.make(make.__name__, make, *[self.tile] * make.__name__.startswith("avif"))
            seconds = COMPLETE_SECONDS if make in bombs.COMPLETE else SECONDS
            for limit in (256 * MEBIBYTE, None):
                self.all_verbs(path, limit, seconds)
            print(f"    of {path.stat().st_size} bytes", flush=True)
            path.unlink()

    def data(self):
        """Large item data and standard input, with limits that they almost use up."""
        for make, limit in ((bombs.avif_padding, 160), (bombs.avif_large_xmp, 215)):
            if make not in self.chosen([make]):
                continue
            path = self.make(make.__name__, make, self.tile)
            self.all_verbs(path, limit * MEBIBYTE, SECONDS)
            self.bounded(
                f"{path.stem}-on-stdin", "inspect", ["inspect", "-"], limit * MEBIBYTE, stdin=path)
            path.unlink()

    def counts(self):
        for make in self.chosen(counts.ALL):
            paths = [self.make(f"{make.__name__}-{count}", make, self.tile, count) for count in COUNTS]
            for verb in verbs(paths[0], self.folder):
                seconds, growth = self.growth(paths, verb)
                problem = "FAILED" if growth > GROWTH else "ok"
                self.failures += growth > GROWTH
                text = ", ".join(f"{one:.2f}" for one in seconds)
                print(f"{problem}: {make.__name__} {verb}: {text} s: {growth:.1f} times", flush=True)
            for path in paths:
                path.unlink()

    def growth(self, paths, verb):
        """The processor times of a verb in the repetition with the least growth from one to the next, and this growth.

        Other processes and the host change the speed from second to second: a growth above the bound counts if it
        remains in all repetitions.
        """
        least = ([], float("inf"))
        for _ in range(REPETITIONS):
            seconds = [run(self.binary, verbs(path, self.folder)[verb], 60).processor for path in paths]
            work = [max(one - self.start, NOISE) for one in seconds]
            growth = max(after / before for before, after in zip(work, work[1:]))
            least = min(least, (seconds, growth), key=lambda one: one[1])
            if growth <= GROWTH:
                break
        return least

    def large(self):
        """Images of 100 megapixels in every format, with the default limit and one that may not suffice."""
        source = self.make("large", large_png, *LARGE)
        target = self.folder / "again.png"
        verbs = dict.fromkeys(("png", "tif", "exr", "avif", "heic", "jxl"), ["convert", source])
        verbs["sdr.jpg"] = ["render", source, "--level", "standard"]
        # With a gain map, which is applied when it is read.
        verbs["hdr.jpg"] = ["convert", source, "--assume", "pq,bt2020"]
        for name in self.chosen(verbs):
            path, verb = self.folder / f"large-made.{name}", verbs[name]
            # The smaller limit first, so that the file is complete when it is read.
            for limit, expected in ((512 * MEBIBYTE, {0, 75}), (None, {0})):
                self.bounded(name, "write", [*verb, "-o", path, "--force", "--quiet"], limit, 900, expected)
            self.read_large(name, path, target)
        for make in self.chosen([files.large_radiance, files.large_dng]):
            self.read_large(make.__name__, self.make(make.__name__, make, *LARGE), target)

    def read_large(self, name, path, target):
        for limit, expected in ((512 * MEBIBYTE, {0, 73, 75}), (None, {0, 73})):
            self.bounded(
                name, "read", ["convert", path, "-o", target, "--force", "--quiet"], limit, 900, expected)
        path.unlink(missing_ok=True)

    def corpus(self):
        corpus = os.environ.get("HDR_CORPUS") or "../shared/corpus"
        for path in sorted(pathlib.Path(corpus).glob("*/*")):
            if path.is_file() and self.part in str(path):
                target = self.folder / "c.png"
                self.bounded(
                    path.name, "convert", ["convert", path, "-o", target, "--force", "--quiet"],
                    512 * MEBIBYTE, 120)

    def chosen(self, all):
        return [one for one in all if self.part in getattr(one, "__name__", one)]


def suffix(path):
    if path.name.startswith(("dng", "large_dng")):
        return ".dng"
    with open(path, "rb") as file:
        data = file.read(16)
    for start, name in ((b"\x89PNG", ".png"), (b"\xff\xd8", ".jpg"), (b"II*", ".tif"), (b"II\xbc", ".jxr"),
                        (b"\x76\x2f\x31\x01", ".exr"), (b"\0\0\0\x18ftypheic", ".heic"),
                        (b"#?RADIANCE", ".hdr"), (b"\xff\x0a", ".jxl"), (b"\0\0\0\x0cJXL ", ".jxl")):
        if data.startswith(start):
            return name
    return ".avif"


def half_of_memory():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def large_png(width, height):
    """A smooth RGB image that is not trivial to compress."""
    coder = zlib.compressobj(1)
    parts = []
    for y in range(height):
        row = bytes((x // 16 + y // 13) & 255 for x in range(0, width, 16))
        parts.append(coder.compress(b"\0" + b"".join(bytes([one]) * 48 for one in row)))
    parts.append(coder.flush())
    return files.png(data=[b"".join(parts)], width=width, height=height)


def main():
    parser = argparse.ArgumentParser(prog="Tools/limits", description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of hdrconvert")
    parser.add_argument("-k", dest="part", default="", help="only cases whose name contains this")
    parser.add_argument("stages", nargs="*", default=["bombs", "data", "counts", "large", "corpus"])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="limits-") as folder:
        check = Check(arguments.bin / "hdrconvert", pathlib.Path(folder), arguments.part)
        for stage in arguments.stages:
            getattr(check, stage)()
    print(f"limits: {check.failures} failures")
    sys.exit(1 if check.failures else 0)


main()
