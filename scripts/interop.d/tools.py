# SPDX-License-Identifier: Apache-2.0
"""Paths, execution of programs, and decoding of images by third-party programs."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import imagecodecs
import numpy as np
import OpenImageIO as oiio
import pillow_heif
import tifffile

import color
from runner import Failed, Skip, require
from workspace import fresh

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "reference-images"
CORPUS = pathlib.Path(os.environ.get("HDR_CORPUS") or ROOT.parent / "shared" / "corpus")
binaries = pathlib.Path()
MINUTES = 60
# Largest block that the command reads or copies at once; data not kept in memory are streamed in a few of these.
BLOCK = 1 << 20
# Exit statuses of the command; those of sysexits.h from 64 on.
USAGE, DATA_ERROR, NO_INPUT, UNAVAILABLE, CANNOT_CREATE, INPUT_OUTPUT = 64, 65, 66, 69, 73, 74


def corpus(name):
    """A file of the corpus; the check is skipped if it is missing."""
    if not CORPUS.is_dir():
        raise Skip("no corpus (HDR_CORPUS)")
    return CORPUS / name


def run(*command, accept=(0,), binary=False):
    """Runs a program and returns its output; fails for statuses that are not accepted."""
    command = [str(part) for part in command]
    if not shutil.which(command[0]):
        raise Skip(f"{command[0]} is not installed")
    done = subprocess.run(command, capture_output=True, timeout=10 * MINUTES)
    if done.returncode not in accept:
        raise Failed(f"exit {done.returncode}: {' '.join(command)}\n{done.stderr.decode(errors='replace')}")
    return done.stdout if binary else done.stdout.decode(errors="replace")


def command(*words, cwd=None, timeout=MINUTES):
    """Runs the command under test; returns its status and standard error, whatever the status."""
    done = subprocess.run([binaries / "hdrconvert", *map(str, words)], capture_output=True, text=True,
                          errors="replace", cwd=cwd, timeout=timeout)
    return done.returncode, done.stderr


# First words of notices that do not have a code, by kind.
BEGINNINGS = {"dropped": r"dropped: |not (stored|copied|kept|read): ", "clipped": "clipped: "}


def notices(messages, kind):
    """The lines of standard error with notices of a kind: by their code in the page of all codes, or their first words."""
    page = (ROOT / "Documentation" / "Diagnostics.md").read_text()
    kinds = dict(re.findall(r"^\| `([^`]+)` \| (\w+) \|", page, re.MULTILINE))
    codes = ((line, re.search(r"\(([a-z0-9-]+/[a-z0-9/-]+)\)$", line)) for line in messages.splitlines())
    return [line for line, code in codes
            if (kinds.get(code[1]) == kind if code else re.search(f": (warning|note): ({BEGINNINGS[kind]})", line))]


# A separate process: the measured memory of a direct child includes that of this process.
COST = """
import json, resource, subprocess, sys
def read():
    return int(open("/proc/self/io").read().split()[1])
before = read()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(json.dumps([read() - before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10]))
"""


def cost(*command):
    """Runs a program; returns the bytes that it read and its peak memory in bytes."""
    if not pathlib.Path("/proc/self/io").exists():
        raise Skip("only Linux counts what a program reads")
    return json.loads(run(sys.executable, "-S", "-E", "-c", COST, *command))


def convert(source, suffix, *options):
    """Converts with the command under test."""
    target = fresh(suffix)
    run(binaries / "hdrconvert", source, "-o", target, "--quiet", *options)
    require(target.exists(), f"no output from {source}")
    return target


def peak_error(got, expected, what="codes"):
    """The largest difference; fails if the shapes differ."""
    got, expected = np.asarray(got, np.int64), np.asarray(expected, np.int64)
    require(got.shape == expected.shape, f"{what}: shape {got.shape}, not {expected.shape}")
    return int(np.abs(got - expected).max())


def require_within(limit, got, expected, what):
    """Fails if code values differ by more than `limit`, with the first position; returns the largest difference."""
    error = peak_error(got, expected, what)
    if error > limit:
        difference = np.abs(np.asarray(got, np.int64) - np.asarray(expected, np.int64))
        place = tuple(int(i) for i in np.argwhere(difference > limit)[0])
        raise Failed(
            f"{what}: {int((difference > limit).sum())} of {difference.size} codes off by more than"
            f" {limit}, the most {error}; first at {place}: {np.asarray(got)[place]}, not"
            f" {np.asarray(expected)[place]}")
    return error


def write_exr(pixels, chromaticities=None):
    """A floating-point OpenEXR file by OpenImageIO; a fourth component is premultiplied alpha."""
    path = fresh(".exr")
    pixels = np.asarray(pixels, np.float32)
    height, width, components = pixels.shape
    spec = oiio.ImageSpec(width, height, components, "float")
    if chromaticities is not None:
        spec.attribute("chromaticities", oiio.TypeDesc("float[8]"), [float(x) for xy in chromaticities for x in xy])
    output = oiio.ImageOutput.create(str(path))
    require(output.open(str(path), spec) and output.write_image(pixels) and output.close(),
            f"OpenImageIO: {output.geterror()}")
    return path


# Linear values of inputs, read by third-party programs.


def radiance_primaries(path):
    """The chromaticities of a Radiance header, which OpenImageIO does not report; None if not specified."""
    with open(path, "rb") as file:
        found = re.search(rb"^PRIMARIES\s*=([-+.0-9eE ]+)$", file.read(4096), re.MULTILINE)
    numbers = [float(word) for word in found[1].split()] if found else []
    return numbers if len(numbers) == 8 and any(numbers) else None


def read_light(path):
    """Linear BT.2020 in cd/m2 and alpha (or None) of an OpenEXR or Radiance file."""
    image = oiio.ImageInput.open(str(path))
    if image is None:
        raise Failed(f"OpenImageIO: {oiio.geterror()}")
    spec = image.spec()
    pixels = np.asarray(image.read_image(format="float"), np.float64)
    names = list(spec.channelnames)
    # The image is the display window; outside the data window it is black and transparent.
    window = np.zeros((spec.full_height, spec.full_width, len(names)))
    left, top = spec.x - spec.full_x, spec.y - spec.full_y
    rows, columns = slice(max(top, 0), top + spec.height), slice(max(left, 0), left + spec.width)
    window[rows, columns] = pixels[max(-top, 0) :, max(-left, 0) :][
        : window[rows].shape[0], : window[:, columns].shape[1]]
    colors = [n for n in names if n != "A" and "." not in n]
    wanted = ("R", "G", "B") if {"R", "G", "B"} <= set(names) else colors * 3 if len(colors) == 1 else None
    if wanted is None:
        raise Skip(f"OpenImageIO gives the channels {names}")
    light = np.stack([window[..., names.index(n)] for n in wanted], -1)
    # NaN does not affect the other components, and infinite values become finite.
    light = np.nan_to_num(light, nan=0, posinf=1e30, neginf=-1e30)
    alpha = window[..., names.index("A")] if "A" in names else None
    white = spec.getattribute("whiteLuminance") or color.WHITE
    flat = spec.getattribute("chromaticities") or radiance_primaries(path)
    chromaticities = color.CHROMATICITIES["bt709"] if flat is None \
        else tuple((flat[i], flat[i + 1]) for i in range(0, 8, 2))
    with np.errstate(invalid="ignore", over="ignore"):
        light = color.convert(light, chromaticities, color.CHROMATICITIES["bt2020"]) * white
    return light, alpha


# Code values of outputs, read by third-party programs.


def png_codes(path):
    return imagecodecs.png_decode(path.read_bytes())


def avif_codes(path):
    """RGB from libavif, in code values of the file's depth."""
    return imagecodecs.avif_decode(path.read_bytes())


def heif_codes(path, bits):
    """RGB from libheif, in code values of the file's depth."""
    image = pillow_heif.open_heif(path, convert_hdr_to_8bit=False)
    require(image.info["bit_depth"] == bits, f"{image.info['bit_depth']} bits, not {bits}")
    return np.asarray(image) >> 16 - bits


def tiff_codes(path):
    return tifffile.imread(path)


def read_y4m(data):
    """Planes and header words of the first frame of a y4m."""
    end = data.index(b"\n")
    words = data[:end].decode().split()
    fields = {word[0]: word[1:] for word in words[1:] if word[0] in "WHC"}
    width, height, layout = int(fields["W"]), int(fields["H"]), fields["C"]
    wide = "p10" in layout or "p12" in layout or layout in ("mono10", "mono12")
    sample = np.dtype("<u2" if wide else "u1")
    position = data.index(b"\n", end + 1) + 1
    if layout.startswith("mono"):
        sizes = [(height, width)]
    elif layout.startswith("420"):
        sizes = [(height, width)] + [((height + 1) // 2, (width + 1) // 2)] * 2
    elif layout.startswith("422"):
        sizes = [(height, width)] + [(height, (width + 1) // 2)] * 2
    else:
        sizes = [(height, width)] * 3
    planes = []
    for rows, columns in sizes:
        plane = np.frombuffer(data, sample, rows * columns, position)
        planes.append(plane.reshape(rows, columns))
        position += plane.nbytes
    return planes, words


def avifdec_planes(path):
    target = fresh(".y4m")
    run("avifdec", path, target)
    planes, words = read_y4m(target.read_bytes())
    target.unlink()
    return planes, words


def our_planes(path):
    """Planes from the decoder of this project."""
    target = fresh(".y4m")
    run(binaries / "dump-planes", path, target)
    planes, words = read_y4m(target.read_bytes())
    target.unlink()
    return planes, words
