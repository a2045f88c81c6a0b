# SPDX-License-Identifier: Apache-2.0
"""Processor time of whole conversions, from file to file, compared with other programs; run by scripts/benchmark --files.

Each job and its peers run alternately, and the least processor time of all threads and child processes counts, since other load
on the machine affects it least. The inputs are made from one photo, an Ultra HDR JPEG. A peer that is a library runs in a process
of its own, from the bytes of the input to those of the output; where its codec covers only a part of the job, the name mentions it.

`--update` writes the table to Documentation/Speed.md, and to baseline.json the ratio of each job to a copy of memory in the same
run. `--check` fails if a job exceeds that ratio by a quarter; it is meant to run weekly, since a busy machine is not repeatable.
"""

import argparse
import json
import math
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Documentation/Speed.md"
MARKS = ("<!-- files: written by scripts/benchmark --files --update -->\n", "<!-- end of files -->\n")
CORPUS = pathlib.Path(os.environ.get("HDR_CORPUS") or ROOT.parent / "shared" / "corpus")
BASELINE = pathlib.Path(__file__).with_name("baseline.json")
TOLERANCE = 1.25
PHOTO = CORPUS / "jpeg-uhdr/pixel6pro-xmp-sky.jpg"

# Peers that are libraries: code that reads sys.argv[1] and writes sys.argv[2]. The time to start Python and to import the
# library is measured with an empty program, and subtracted.
IMPORTS = "import sys, pathlib, imagecodecs as ic, numpy as np; data = pathlib.Path(sys.argv[1]).read_bytes()\n"
SAVE = "pathlib.Path(sys.argv[2]).write_bytes(coded)\n"
LIBRARIES = {
    "ultrahdr to half": "coded = ic.ultrahdr_decode(data).tobytes()\n",
    "ultrahdr to HLG": "coded = ic.ultrahdr_decode(data, dtype=np.uint32).tobytes()\n",
    "ultrahdr to HLG, libavif": (
        "pixels = ic.ultrahdr_decode(data, dtype=np.uint16)[..., :3]\n"
        "coded = ic.avif_encode(np.ascontiguousarray(pixels), level=80, speed=10, bitspersample=10, numthreads=2)\n"),
    "libpng, level 6": "coded = ic.png_encode(ic.png_decode(data), level=6)\n",
    "libpng, level 6, decoding": "coded = ic.png_decode(data).tobytes()\n",
    "ultrahdr from half": (
        "pixels = np.load(sys.argv[1])\ncoded = ic.ultrahdr_encode(pixels)\n"),
}


def processor_time(command):
    """Seconds of all threads and child processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def library(name, source, target, without=None):
    """A peer that is a library; `without` is the part of its work that does not belong to the job."""
    def measure():
        def run(code):
            return processor_time([sys.executable, "-c", IMPORTS + code, source, target])
        rest = run(LIBRARIES[without] + SAVE) if without else run("")
        return max(run(LIBRARIES[name] + SAVE) - rest, 0)
    return name, measure, target


def program(name, *command, output=None):
    return name, lambda: processor_time(command), output


class Jobs:
    """Inputs in a folder, and the jobs with their peers."""

    def __init__(self, command, photo, folder):
        self.command, self.folder = command, folder
        self.photo = photo
        self.make("hdr.png", "convert", photo)
        self.make("sdr.png", "render", photo, "--level", "standard")
        self.make("hdr.exr", "convert", photo)
        self.make("hdr.avif", "convert", photo, "--yuv", "420")
        self.make("ten.png", "convert", self.path("hdr.avif"))
        self.make("rgb.jpg", "gainmap", "create", self.path("hdr.png"))
        self.make("gray.jpg", "gainmap", "create", self.path("hdr.png"), *GRAY)
        code = "np.save(sys.argv[2], ic.ultrahdr_decode(data))"
        subprocess.run([sys.executable, "-c", IMPORTS + code, self.path("rgb.jpg"), self.path("half.npy")], check=True)

    def path(self, name):
        return self.folder / name

    def make(self, name, *words):
        speed = ["--speed", "10"] if name.endswith("png") or name.endswith("avif") else []
        subprocess.run([self.command, *map(str, words), "-o", self.path(name), "--quiet", "--force", *speed], check=True)

    def ours(self, words, output):
        target = self.path(f"ours{output}")
        return program("hdrconvert", self.command, *words, "-o", target, "--quiet", "--force", output=target)

    def all(self):
        """(name, ours, peers), and the image that lossy outputs are compared with."""
        png, sdr, exr, avif = (self.path(name) for name in ("hdr.png", "sdr.png", "hdr.exr", "hdr.avif"))
        rgb, half = self.path("rgb.jpg"), self.path("half.npy")
        out, coded = self.path("peer.out"), self.path("peer.avif")
        create = ["gainmap", "create"]
        encoder = library("ultrahdr from half", half, out)
        have = shutil.which
        copy = program("cp", "cp", self.photo, out, output=out)
        yield "Ultra HDR (RGB map) to EXR", self.ours(["convert", rgb], ".exr"), [library("ultrahdr to half", rgb, out)]
        yield "Ultra HDR (RGB map) to PQ PNG16", self.ours(["convert", rgb], ".png"), [
            library("ultrahdr to HLG", rgb, out),
            library("libpng, level 6", png, out, without="libpng, level 6, decoding")]
        yield "Ultra HDR (RGB map) to PQ AVIF, speed 10", self.ours(["convert", rgb, "--speed", "10"], ".avif"), [
            library("ultrahdr to HLG, libavif", rgb, out)]
        yield "PQ PNG16 to Ultra HDR, RGB map", self.ours([*create, png], ".jpg"), [encoder]
        yield "PQ PNG16 to Ultra HDR, gray map 1/4", self.ours([*create, png, *GRAY], ".jpg"), [encoder]
        pair = [*create, png, "--sdr", sdr]
        yield "HDR and SDR PNG to Ultra HDR, RGB map", self.ours(pair, ".jpg"), [encoder]
        yield "HDR and SDR PNG to Ultra HDR, gray map 1/4", self.ours([*pair, *GRAY], ".jpg"), [encoder]
        for speed in (10, 6):
            peers = [program(
                f"avifenc, speed {speed}", "avifenc", "-s", str(speed), "-j", "2", "-y", "420", "-d", "10", "--cicp", "9/16/9",
                "--min", "4", "--max", "4", png, coded, output=coded)] if have("avifenc") else []
            yield f"PQ PNG16 to AVIF 4:2:0, speed {speed}", self.ours(
                ["convert", png, "--yuv", "420", "--speed", str(speed)], ".avif"), peers, png
        yield "PQ AVIF to PNG16", self.ours(["convert", avif], ".png"), [
            *([program("avifdec", "avifdec", "-d", "16", "-j", "2", avif, self.path("peer.png"), output=self.path("peer.png"))]
              if have("avifdec") else []),
            library("libpng, level 6", self.path("ten.png"), out, without="libpng, level 6, decoding")]
        yield "EXR to PQ PNG16", self.ours(["convert", exr], ".png"), []
        yield "EXR to AVIF 4:2:0, speed 10", self.ours(["convert", exr, "--yuv", "420", "--speed", "10"], ".avif"), []
        yield "remux", self.ours(["remux", self.photo, "--flavors", "iso"], ".jpg"), [copy]
        yield "tag", self.ours(["tag", self.photo, "--orientation", "1"], ".jpg"), [copy]
        yield "inspect", program("hdrconvert", self.command, "inspect", self.photo), []


GRAY = ["--gainmap-channels", "1", "--gainmap-scale", "4"]


def error(command, original, coded):
    """Mean Delta E ITP."""
    report = subprocess.run([command, "compare", original, coded, "--json", "--quiet"], capture_output=True, text=True, check=False)
    return json.loads(report.stdout)["results"][0]["pixels"]["deltaEITP"]["mean"]


def measure(work, runs, judge=None):
    """The least seconds of each program, which run alternately, and the sizes and errors of their outputs."""
    least = {}
    for _ in range(runs):
        for name, body, output in work:
            seconds = body()
            if name not in least or seconds < least[name][0]:
                detail = []
                if output and output.exists():
                    detail.append(f"{output.stat().st_size / 1e6:.1f} MB")
                    detail += [f"Delta E ITP {judge(output):.2f}"] if judge else []
                least[name] = (seconds, ", ".join(detail))
    return least


def text(name, seconds, detail):
    digits = 3 if seconds < 0.1 else 2
    return f"{name} {seconds:.{digits}f}" + (f" ({detail})" if detail else "")


def copy_time():
    """Seconds of processor time to copy 256 MB, the least of ten."""
    source = bytearray(os.urandom(1 << 16)) * 4096
    target = bytearray(len(source))
    least = math.inf
    for _ in range(10):
        start = time.process_time()
        target[:] = source
        least = min(least, time.process_time() - start)
    return least


def check(seconds, copy):
    """Whether no job takes longer than in the baseline, in copies of memory."""
    if not BASELINE.exists():
        raise SystemExit("there is not a baseline yet: scripts/benchmark --files --update on a quiet machine writes it")
    known = json.loads(BASELINE.read_text())
    slow = {job: used / copy / known[job] for job, used in seconds.items()
            if job in known and used / copy > TOLERANCE * known[job]}
    for job, ratio in slow.items():
        print(f"slower than the baseline: {job}, {ratio:.2f} times")
    return not slow


def table(command, jobs, part, runs):
    seconds = {}
    rows = ["| job | hdrconvert | others, same run | times ours |", "|---|---|---|---|"]
    print(rows[0], flush=True)
    for job, ours, peers, *original in jobs:
        if part not in job:
            continue
        judge = (lambda coded, first=original[0]: error(command, first, coded)) if original else None
        found = measure([ours, *peers], runs, judge)
        own = found.pop("hdrconvert")
        seconds[job] = own[0]
        row = (f"| {job} | {text('', *own).strip()} | " + ", ".join(text(name, *entry) for name, entry in found.items())
               + " | " + ", ".join(f"{entry[0] / own[0]:.1f}" for entry in found.values()) + " |")
        rows.append(row)
        print(row, flush=True)
    return rows, seconds


def update(rows, photo):
    page = PAGE.read_text()
    start, end = (page.index(mark) for mark in MARKS)
    machine = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    note = (f"Seconds of processor time, all threads together, {time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores"
            f"{' (' + machine[1].strip() + ')' if machine else ''}; inputs are made from `{photo.name}`.\n\n")
    PAGE.write_text(page[:start + len(MARKS[0])] + "\n" + note + "\n".join(rows) + "\n\n" + page[end:])


def main():
    parser = argparse.ArgumentParser(prog="scripts/benchmark --files", description=__doc__.splitlines()[0])
    parser.add_argument("-k", dest="part", default="", help="only jobs whose names contain this")
    parser.add_argument("--command", type=pathlib.Path, default=ROOT / ".build/release/hdrconvert")
    parser.add_argument("--photo", type=pathlib.Path, default=PHOTO, help="an Ultra HDR JPEG of about 12 megapixels")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--update", action="store_true", help="write Documentation/Speed.md and the baseline")
    parser.add_argument("--check", action="store_true", help="fail if a job is slower than in the baseline")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        jobs = Jobs(options.command, options.photo, pathlib.Path(folder))
        rows, seconds = table(options.command, jobs.all(), options.part, options.runs)
    copy = copy_time()
    if options.update:
        update(rows, options.photo)
        BASELINE.write_text(json.dumps({job: round(used / copy, 1) for job, used in seconds.items()}, indent=2) + "\n")
    if options.check and not check(seconds, copy):
        sys.exit(1)


main()
