# SPDX-License-Identifier: Apache-2.0
"""The jobs of Examples/SideBySide, by this toolkit and by other libraries; code of Core Image is not run."""

import os
import shutil
import sys

import imagecodecs
import numpy as np
import pillow_heif
import pyvips
from PIL import Image

import tools
from runner import Skip, check, require
from tools import ROOT, corpus, fresh, run

EXAMPLES = ROOT / "Examples" / "SideBySide"
PHONE = "heic-apple/iphone15pro-17-1-portrait.heic"
ULTRA = "jpeg-uhdr/pixel6pro-xmp-sky.jpg"


def done(tool, job, photo, suffix):
    """The file that a job makes, or the array of linear values."""
    library = next(iter(tools.binaries.glob("libhdrconvert-c.*")), None)
    if tool == "ours" and library is None:
        raise Skip("no C library in the folder of the programs")
    output = fresh(suffix)
    call = f"numpy.save(sys.argv[2], {tool}.{job}(sys.argv[1]))" if suffix == ".npy" else f"{tool}.{job}(*sys.argv[1:])"
    run("env", f"PYTHONPATH={EXAMPLES}{os.pathsep}{ROOT / 'python'}", f"HDRCONVERT_LIBRARY={library}",
        sys.executable, "-B", "-c", f"import sys, numpy, {tool}; {call}", photo, output)
    return np.load(output)[..., :3].astype(np.float32) if suffix == ".npy" else output


def location(path):
    """The GPS directory of Exif, read by Pillow."""
    pillow_heif.register_heif_opener()
    with Image.open(path) as image:
        return image.getexif().get_ifd(0x8825)


def require_gain_map(path, side=None):
    image = pyvips.Image.uhdrload(str(path))
    require("gainmap-data" in image.get_fields(), "libultrahdr finds no gain map")
    require(side is None or max(image.width, image.height) <= side, f"{image.width}x{image.height}")
    return f"{image.width}x{image.height}"


def require_pq(path):
    text = run("avifdec", "--info", path)
    require("Transfer Char. : 16" in text and "Bit Depth      : 10" in text, text)
    return np.asarray(imagecodecs.avif_decode(path.read_bytes()))[..., :3].mean((0, 1)) / 1023


@check("side by side: a phone photo to Ultra HDR JPEG")
def ultra_hdr():
    return require_gain_map(done("ours", "ultra_hdr", corpus(PHONE), ".jpg"))


for tool in ("ours", "libvips", "libultrahdr"):
    @check(f"side by side: a thumbnail that stays HDR, {tool}", tool)
    def thumbnail(tool):
        return require_gain_map(done(tool, "thumbnail", corpus(ULTRA), ".jpg"), 1024)


@check("side by side: a PQ AVIF of an Ultra HDR JPEG")
def pq_avif():
    found = [require_pq(done(tool, "pq_avif", corpus(ULTRA), ".avif")) for tool in ("ours", "libultrahdr")]
    # BT.2020 and Display P3: the same luminances, and nearly the same code values of a gray sky.
    error = np.abs(found[0] - found[1]).max()
    require(error < 0.03, f"{found}")
    return f"means differ by {error:.3f}"


@check("side by side: linear values of an Ultra HDR JPEG")
def linear():
    ours, vips, ultra = (done(tool, "linear", corpus(ULTRA), ".npy") for tool in ("ours", "libvips", "libultrahdr"))
    errors = [float(np.abs(ours - other).mean()) for other in (vips, ultra)]
    require(max(errors) < 0.003, f"{errors}")
    return f"mean differences {errors[0]:.4f} (libvips), {errors[1]:.4f} (libultrahdr)"


for tool, name, keeps in (("ours", ULTRA, True), ("libvips", ULTRA, True), ("ours", PHONE, True), ("pillow", PHONE, False)):
    @check(f"side by side: no location, {tool}, {name}", tool, name, keeps)
    def without_location(tool, name, keeps):
        require(location(corpus(name)), "the input does not have a location")
        output = done(tool, "without_location", corpus(name), corpus(name).suffix)
        require(not location(output), f"{location(output)}")
        if output.suffix == ".jpg":
            return require_gain_map(output)
        require(bool(pillow_heif.open_heif(output).info.get("aux")) == keeps, "gain map")
        return "gain map kept" if keeps else "gain map dropped"


@check("side by side: libraries that do not do a job")
def cannot():
    vips = pyvips.Image.new_from_file(str(corpus(PHONE)))
    require("gainmap-data" not in vips.get_fields(), "libvips reads gain maps of HEIC")
    require(pyvips.type_find("VipsOperation", "uhdr2scRGB") and not pyvips.type_find("VipsOperation", "scRGB2CICP"),
            "libvips writes PQ")
    require(pillow_heif.libheif_info()["AVIF"] == "", "pillow-heif writes AVIF")
    phone = pillow_heif.open_heif(corpus(PHONE))
    require(phone.info["aux"] and phone.mode == "RGB", f"{phone.mode}")
    try:
        imagecodecs.ultrahdr_decode(corpus(PHONE).read_bytes())
    except imagecodecs.UltrahdrError as error:
        return str(error).splitlines()[0]
    require(False, "libultrahdr reads HEIC")


@check("side by side: the command")
def by_command():
    folder = fresh("")
    folder.mkdir()
    shutil.copy(corpus(PHONE), folder / "IMG_0001.HEIC")
    shutil.copy(corpus(ULTRA), folder / "photo.jpg")
    run("env", "-C", folder, f"PATH={tools.binaries}{os.pathsep}{os.environ['PATH']}", "bash", "-e", EXAMPLES / "command.sh")
    require_gain_map(folder / "web.jpg")
    require_gain_map(folder / "thumbnail.jpg", 1024)
    require_pq(folder / "photo.avif")
    light, _ = tools.read_light(folder / "linear.exr")
    require(light.max() > 203, f"{light.max()} cd/m2")
    require(not location(folder / "public.jpg"), "location")
    return ", ".join(sorted(path.name for path in folder.iterdir()))
