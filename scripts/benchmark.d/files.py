# SPDX-License-Identifier: Apache-2.0
"""Processor time of whole conversions, from file to file, compared with other programs; run by scripts/benchmark --files.

Each job and its peers run alternately, and the least processor time of all threads and child processes counts, since other load
on the machine affects it least. The inputs are made from one photo, an Ultra HDR JPEG. A peer that is a library runs in a process
of its own, from the bytes of the input to those of the output; where it covers only a part of the job, the name mentions it.
Lossy outputs are compared with their inputs by hdrconvert; peers have the quality of about the same error, if they can reach it.

`--update` writes the table to Documentation/Speed.md.

`--baseline` and `--check` measure hdrconvert only, with the reference photo enlarged to 12 megapixels: the former writes the
processor time of each job, as a multiple of the time to copy memory, to baseline.json, and the latter fails if a job exceeds that
by a quarter. The check runs weekly, since a busy machine is not repeatable.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import typing

import baseline

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Documentation/Speed.md"
MARKS = ("<!-- files: written by scripts/benchmark --files --update -->\n", "<!-- end of files -->\n")
CORPUS = pathlib.Path(os.environ.get("HDR_CORPUS") or ROOT.parent / "shared" / "corpus")
PHOTO = CORPUS / "jpeg-uhdr/pixel6pro-xmp-sky.jpg"
RAW = CORPUS / "dng/bmpcc-bayer12-ljpeg.dng"
REFERENCE = ROOT / "reference-images/photo.exr"

# Peers that are libraries: the modules they need, and code that reads sys.argv[1] and writes `coded` or sys.argv[2]. The time to
# start Python and to import the modules is measured with an empty program, and subtracted.
START = "data = pathlib.Path(sys.argv[1]).read_bytes()\n"
SAVE = "\npathlib.Path(sys.argv[2]).write_bytes(coded)\n"
CODECS = "imagecodecs as ic, numpy as np"
LIBRARIES = {
    "ultrahdr to half": (CODECS, "coded = ic.ultrahdr_decode(data).tobytes()"),
    "ultrahdr to HLG": (CODECS, "coded = ic.ultrahdr_decode(data, dtype=np.uint32).tobytes()"),
    "ultrahdr to HLG, libavif": (
        CODECS,
        "pixels = ic.ultrahdr_decode(data, dtype=np.uint16)[..., :3]\n"
        "coded = ic.avif_encode(np.ascontiguousarray(pixels), level=80, speed=10, bitspersample=10, numthreads=2)"),
    "libpng, level 6": (CODECS, "coded = ic.png_encode(ic.png_decode(data), level=6)"),
    "libpng, level 6, decoding": (CODECS, "coded = ic.png_decode(data).tobytes()"),
    "ultrahdr from half": (CODECS, "pixels = np.load(sys.argv[1])\ncoded = ic.ultrahdr_encode(pixels, level=95)"),
    "libvips to float TIFF": ("pyvips", "coded = pyvips.Image.uhdrload_buffer(data).uhdr2scRGB().tiffsave_buffer()"),
    "OpenImageIO, without PQ": (
        "OpenImageIO as oiio", 'oiio.attribute("threads", 2)\noiio.ImageBuf(sys.argv[1]).write(sys.argv[2], "uint16")'),
    "LibRaw to linear 16 bits, libpng": (
        f"io, rawpy, {CODECS}",
        "with rawpy.imread(io.BytesIO(data)) as raw:\n"
        "    pixels = raw.postprocess(output_bps=16, gamma=(1, 1), no_auto_bright=True, use_camera_wb=True)\n"
        "coded = ic.png_encode(pixels, level=6)"),
}
WITHOUT_COMPRESSION = (
    "with tifffile.TiffFile(sys.argv[1]) as coded:\n"
    "    profile = coded.pages[0].tags['InterColorProfile'].value\n"
    "    tifffile.imwrite(sys.argv[2], coded.asarray(), photometric='rgb', rowsperstrip=64, iccprofile=profile)")
# Seconds after which a program is not run again.
LONG = 10


class Use(typing.NamedTuple):
    """Processor time of all threads and child processes and elapsed time, in seconds, and the largest memory, in MiB."""

    processor: float
    elapsed: float
    memory: float


def run(command):
    start = time.monotonic()
    child = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"ends with {child.returncode}: {' '.join(map(str, command))}")
    return Use(usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / 1024)


def python(modules, code, source, target):
    """Runs code in a process of its own: the memory of this one would count for the programs that it starts."""
    return run([sys.executable, "-c", f"import sys, pathlib, {modules}\n{code}", source, target])


class Program(typing.NamedTuple):
    """What is measured, and how the error of its output is."""

    name: str
    measure: typing.Callable
    output: pathlib.Path = None
    # The image that a lossy output is compared with, and options of `compare` for the color of the output.
    original: pathlib.Path = None
    color: tuple = ()
    # A command that makes of the output what `compare` reads, and its file.
    readable: tuple = ()

    def of(self, original, *color, readable=()):
        return self._replace(original=original, color=color, readable=readable)

    def error(self, command):
        """Mean Delta E ITP, measured by `command`."""
        output = self.output
        if self.readable:
            output = self.readable[-1]
            run(self.readable)
        words = [command, "compare", self.original, output, *self.color, "--json", "--quiet"]
        report = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
        if report.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, words))}: {report.stderr or report.stdout}")
        return json.loads(report.stdout)["results"][0]["pixels"]["deltaEITP"]["mean"]


def library(name, source, target, without=None):
    """A peer that is a library; `without` is the part of its work that does not belong to the job."""
    def use(name, is_empty=False):
        modules, code = LIBRARIES[name]
        code = "" if is_empty else code + (SAVE if "coded = " in code else "")
        return python(modules, START + code, source, target)

    def measure():
        rest = use(without or name, is_empty=without is None)
        whole = use(name)
        return whole._replace(processor=max(whole.processor - rest.processor, 0))
    return Program(name, measure, target)


def program(name, *command, output=None):
    return Program(name, lambda: run(command), output)


class Jobs:
    """Inputs in a folder, and the jobs with their peers."""

    def __init__(self, command, photo, folder, with_peers):
        self.command, self.folder, self.with_peers = command, folder, with_peers
        self.photo = photo or self.path("photo.jpg")
        if photo is None:
            self.make("photo.jpg", "convert", REFERENCE, "--resize", "4080,enlarge")
        self.make("hdr.png", "convert", self.photo)
        self.make("sdr.png", "render", self.photo, "--level", "standard")
        self.make("sdr.avif", "render", self.photo, "--level", "standard")
        self.make("hdr.heic", "convert", self.path("hdr.png"))
        # ffmpeg 5.1 skips at most 255 bytes of an attribute that it does not know, such as Exif data.
        self.make("hdr.exr", "convert", self.photo, "--strip", "all")
        self.make("hdr.avif", "convert", self.photo, "--yuv", "420")
        self.make("ten.png", "convert", self.path("hdr.avif"))
        self.make("rgb.jpg", "gainmap", "create", self.path("hdr.png"))
        self.make("rgb.png", "convert", self.path("rgb.jpg"))
        self.make("coded.tif", "convert", self.path("hdr.png"))
        python("tifffile", WITHOUT_COMPRESSION, self.path("coded.tif"), self.path("hdr.tif"))
        python(f"tifffile, {CODECS}", f"{START}tifffile.imwrite(sys.argv[2], ic.png_decode(data), rowsperstrip=64)",
               self.path("sdr.png"), self.path("sdr.tif"))
        self.make("map.avif", "gainmap", "create", self.path("hdr.avif"), "--sdr", self.path("sdr.avif"))
        if not with_peers:
            return
        python(CODECS, f"{START}np.save(sys.argv[2], ic.ultrahdr_decode(data))", self.path("rgb.jpg"), self.path("half.npy"))

    def path(self, name):
        return self.folder / name

    def make(self, name, *words):
        speed = ["--speed", "10"] if name.endswith(("png", "avif", "heic")) else []
        subprocess.run([self.command, *map(str, words), "-o", self.path(name), "--quiet", "--force", *speed], check=True)

    def ours(self, words, output):
        target = self.path(f"ours{output}")
        return program("hdrconvert", self.command, *words, "-o", target, "--quiet", "--force", output=target)

    def all(self):
        """Names of jobs, hdrconvert and its peers."""
        for name, ours, peers in self.complete():
            yield (name, ours, peers) if self.with_peers else (name, ours._replace(original=None), [])

    def complete(self):
        png, sdr, exr, avif = (self.path(name) for name in ("hdr.png", "sdr.png", "hdr.exr", "hdr.avif"))
        sdr_avif, map_avif, heic = (self.path(name) for name in ("sdr.avif", "map.avif", "hdr.heic"))
        rgb, half = self.path("rgb.jpg"), self.path("half.npy")
        out, coded, coded_heic, coded_jpeg = (self.path(f"peer.{suffix}") for suffix in ("out", "avif", "heic", "jpg"))
        create = ["gainmap", "create"]
        encoder = library("ultrahdr from half", half, coded_jpeg).of(rgb)
        have = shutil.which
        copy = program("cp", "cp", self.photo, out, output=out)
        yield "Ultra HDR (RGB map) to EXR", self.ours(["convert", rgb], ".exr"), [
            library("ultrahdr to half", rgb, out), library("libvips to float TIFF", rgb, out)]
        yield "Ultra HDR (RGB map) to PQ PNG16", self.ours(["convert", rgb], ".png"), [
            library("ultrahdr to HLG", rgb, out),
            library("libpng, level 6", self.path("rgb.png"), out, without="libpng, level 6, decoding")]
        yield "Ultra HDR (RGB map) to PQ AVIF, speed 10", self.ours(
            ["convert", rgb, "--speed", "10"], ".avif").of(rgb), [
                library("ultrahdr to HLG, libavif", rgb, coded).of(rgb, "--assume", "hlg,p3")]
        yield "PQ PNG16 to Ultra HDR, RGB map", self.ours([*create, png], ".jpg").of(png), [encoder]
        yield "PQ PNG16 to Ultra HDR, gray map 1/4", self.ours([*create, png, *GRAY], ".jpg").of(png), [encoder]
        pair = [*create, png, "--sdr", sdr]
        yield "HDR and SDR PNG to Ultra HDR, RGB map", self.ours(pair, ".jpg").of(png), [encoder]
        yield "HDR and SDR PNG to Ultra HDR, gray map 1/4", self.ours([*pair, *GRAY], ".jpg").of(png), [encoder]
        raw_pair = [*create, self.path("hdr.tif"), "--sdr", self.path("sdr.tif")]
        yield "HDR and SDR TIFF, uncompressed, to Ultra HDR, gray map 1/4", self.ours([*raw_pair, *GRAY], ".jpg").of(png), [encoder]
        for speed in (10, 6):
            peers = [program(
                f"avifenc, speed {speed}", "avifenc", "-s", str(speed), "-j", "2", "-y", "420", "-d", "10", "--cicp", "9/16/9",
                "--min", "4", "--max", "4", png, coded, output=coded).of(png)] if have("avifenc") else []
            yield f"PQ PNG16 to AVIF 4:2:0, speed {speed}", self.ours(
                ["convert", png, "--yuv", "420", "--speed", str(speed)], ".avif").of(png), peers
        yield "PQ AVIF to PNG16", self.ours(["convert", avif], ".png"), [
            *([program("avifdec", "avifdec", "-d", "16", "-j", "2", avif, self.path("peer.png"), output=self.path("peer.png"))]
              if have("avifdec") else []),
            library("libpng, level 6", self.path("ten.png"), out, without="libpng, level 6, decoding")]
        # heif-enc 1.15 describes no color, whatever its options.
        for words, preset, quality in ((["--speed", "10"], "ultrafast", "79"), ([], "medium", "70")):
            peers = [program(
                f"heif-enc, {preset}", "heif-enc", "-b", "10", "-p", f"preset={preset}", "-p", "chroma=420", "-q", quality,
                "--matrix_coefficients", "9", "--colour_primaries", "9", "--transfer_characteristic", "16", png,
                "-o", coded_heic, output=coded_heic).of(png, "--assume", "pq,bt2020")] if have("heif-enc") else []
            yield f"PQ PNG16 to HEIC 4:2:0{', speed 10' if words else ''}", self.ours(
                ["convert", png, "--yuv", "420", *words], ".heic").of(png), peers
        yield "PQ HEIC to PNG16", self.ours(["convert", heic], ".png"), []
        yield "SDR and HDR AVIF to gain-map AVIF, speed 10", self.ours(
            [*create, avif, "--sdr", sdr_avif, "--speed", "10"], ".avif").of(avif), []
        yield "gain-map AVIF to tone-mapped AVIF, speed 10", self.ours(
            ["render", map_avif, "--headroom", "1.5x", "--speed", "10"], ".avif"), []
        ffmpeg = ["ffmpeg", "-y", "-threads", "2", "-i", exr, "-frames:v", "1"]
        zscale = "zscale=min=gbr:rin=full:pin=2020:tin=linear:npl=203:t=smpte2084:p=2020"
        png16, ivf, jxl = (self.path(f"peer.{suffix}") for suffix in ("png", "ivf", "jxl"))
        yield "EXR to PQ PNG16", self.ours(["convert", exr], ".png"), [
            library("OpenImageIO, without PQ", exr, png16),
            *([program("ffmpeg, zscale", *ffmpeg, "-vf", f"{zscale}:m=gbr:r=full,format=rgb48be", png16, output=png16)]
              if have("ffmpeg") else [])]
        yield "EXR to AVIF 4:2:0, speed 10", self.ours(["convert", exr, "--yuv", "420", "--speed", "10"], ".avif").of(exr), [
            program("ffmpeg, zscale, libaom to IVF", *ffmpeg, "-vf", f"{zscale}:m=2020_ncl:r=full,format=yuv420p10le",
                    "-c:v", "libaom-av1", "-cpu-used", "8", "-usage", "realtime", "-crf", "10", ivf, output=ivf)
            .of(exr, readable=("ffmpeg", "-y", "-i", ivf, "-c", "copy", coded))
        ] if have("ffmpeg") else []
        yield "PQ PNG16 to JPEG XL", self.ours(["convert", png], ".jxl").of(png), [
            program("cjxl", "cjxl", "-d", "1", "--num_threads", "2", "-x",
                    "color_space=RGB_D65_202_Per_PeQ", png, jxl, output=jxl).of(png)] if have("cjxl") else []
        if RAW.exists():
            yield "Bayer DNG of 2 megapixels to PQ PNG16", self.ours(["convert", RAW], ".png"), [
                library("LibRaw to linear 16 bits, libpng", RAW, out)]
        yield "sheet, PNG", self.ours(["sheet", self.photo], ".png"), []
        yield "sheet, page", self.ours(["sheet", self.photo], ".html"), []
        yield "compare, two PQ PNG16", program("hdrconvert", self.command, "compare", png, png, "--quiet"), []
        yield "remux", self.ours(["remux", self.photo, "--flavors", "iso"], ".jpg"), [copy]
        yield "tag", self.ours(["tag", self.photo, "--set", "orientation=1"], ".jpg"), [copy]
        yield "inspect", program("hdrconvert", self.command, "inspect", self.photo), []


# Seconds of processor time to reach.
GOALS = {
    "Ultra HDR (RGB map) to EXR": 1.1, "Ultra HDR (RGB map) to PQ PNG16": 1.5, "Ultra HDR (RGB map) to PQ AVIF, speed 10": 1.5,
    "PQ PNG16 to Ultra HDR, RGB map": 0.9, "PQ PNG16 to Ultra HDR, gray map 1/4": 0.6,
    "HDR and SDR PNG to Ultra HDR, RGB map": 0.8, "HDR and SDR PNG to Ultra HDR, gray map 1/4": 0.45,
    "HDR and SDR TIFF, uncompressed, to Ultra HDR, gray map 1/4": 0.45,
    "PQ PNG16 to AVIF 4:2:0, speed 10": 1.9, "PQ PNG16 to AVIF 4:2:0, speed 6": 6.8, "PQ AVIF to PNG16": 1.6,
    "PQ PNG16 to HEIC 4:2:0, speed 10": 3, "PQ PNG16 to HEIC 4:2:0": 10, "PQ HEIC to PNG16": 3.5,
    "SDR and HDR AVIF to gain-map AVIF, speed 10": 5,
    "gain-map AVIF to tone-mapped AVIF, speed 10": 3, "EXR to PQ PNG16": 1.6, "EXR to AVIF 4:2:0, speed 10": 1.8,
    "sheet, PNG": 1.5, "sheet, page": 2.5, "compare, two PQ PNG16": 2, "remux": 0.04, "tag": 0.02, "inspect": 0.015,
}
GRAY = ["--gainmap-channels", "1", "--gainmap-scale", "4"]


def measure(work, runs, command):
    """The least use of each program, which run alternately, and the sizes and errors of their outputs."""
    least = {}
    for _ in range(runs):
        for program in work:
            if program.name in least and least[program.name][0].processor > LONG:
                continue
            use = program.measure()
            if program.name not in least:
                detail = []
                if program.output and program.output.exists():
                    detail.append(f"{program.output.stat().st_size / 1e6:.1f} MB")
                    detail += [f"Delta E ITP {program.error(command):.2f}"] if program.original else []
                least[program.name] = (use, ", ".join(detail))
            least[program.name] = (Use(*map(min, use, least[program.name][0])), least[program.name][1])
    return least


def seconds_text(seconds):
    return f"{seconds:.{3 if seconds < 0.1 else 2}f}"


def text(name, use, detail):
    return f"{name} {seconds_text(use.processor)}" + (f" ({detail})" if detail else "")


def table(command, jobs, part, runs, copy):
    seconds = {}
    rows = ["| job | goal | hdrconvert | elapsed | MiB | others, same run | times ours |", "|---|---|---|---|---|---|---|"]
    print(rows[0], flush=True)
    for job, ours, peers in jobs:
        if part not in job:
            continue
        copy.measure()
        found = measure([ours, *peers], runs, command)
        own = found.pop("hdrconvert")
        use = own[0]
        seconds[job] = use.processor
        row = (f"| {job} | {GOALS.get(job, '')} | {text('', *own).strip()} | {seconds_text(use.elapsed)} | {use.memory:.0f} | "
               + ", ".join(text(name, *entry) for name, entry in found.items())
               + " | " + ", ".join(f"{entry[0].processor / use.processor:.1f}" for entry in found.values()) + " |")
        rows.append(row)
        print(row, flush=True)
    return rows, seconds


def update(rows, photo, runs, loads):
    page = PAGE.read_text()
    start, end = (page.index(mark) for mark in MARKS)
    count = "one run" if runs == 1 else f"the least of {runs} runs, one if it takes more than {LONG} s"
    note = ("Seconds of processor time, all threads together, seconds of elapsed time, and the most memory of hdrconvert,"
            f" {time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores ({baseline.processor()}); {count}; load average {loads[0]:.1f} at"
            f" the beginning, {loads[1]:.1f} at the end; inputs are made from `{photo.name}`.\n\n")
    PAGE.write_text(page[:start + len(MARKS[0])] + "\n" + note + "\n".join(rows) + "\n\n" + page[end:])


def main():
    parser = argparse.ArgumentParser(prog="scripts/benchmark --files", description=__doc__.splitlines()[0])
    parser.add_argument("-k", dest="part", default="", help="only jobs whose names contain this")
    parser.add_argument("--command", type=pathlib.Path, default=ROOT / ".build/release/hdrconvert")
    parser.add_argument("--photo", type=pathlib.Path, default=PHOTO, help="an Ultra HDR JPEG of about 12 megapixels")
    parser.add_argument("--runs", type=int, default=3)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--update", action="store_true", help="write Documentation/Speed.md")
    action.add_argument("--baseline", action="store_true", help="write baseline.json")
    action.add_argument("--check", action="store_true", help="fail if a job is slower than in the baseline")
    options = parser.parse_args()
    without_peers = options.baseline or options.check
    copy = baseline.CopyTimer()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        photo = None if without_peers else options.photo
        jobs = Jobs(options.command, photo, pathlib.Path(folder), with_peers=not without_peers)
        rows, seconds = table(options.command, jobs.all(), options.part, options.runs, copy)
    if options.update:
        update(rows, options.photo, options.runs, (load, os.getloadavg()[0]))
    if options.baseline:
        baseline.write(seconds, copy.least)
    if options.check and not baseline.check(seconds, copy.least):
        sys.exit(1)


if __name__ == "__main__":
    main()
