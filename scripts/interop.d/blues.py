# SPDX-License-Identifier: Apache-2.0
"""Makes Documentation/sdr-blue.jpg: lamps of a photograph, and ramps of single components, next to those of other programs.

The photograph by Camera Raw (the preview in the file), by Adobe's dng_validate 1.7.1 (a reference of the corpus, clipped to sRGB),
and by hdrconvert --sdr. Ramps of primaries of several color spaces by hdrconvert and, below, clipped. Run by hand, from the
environment that scripts/interop sets up.
"""

import argparse
import pathlib

import numpy as np
import OpenImageIO as oiio
import tifffile
from PIL import Image, ImageDraw, ImageFont

import color
import tools
from tools import corpus, run, write_exr
from workspace import fresh, scratch

PHOTO = "dng/adobe-lossy-linear-eos6d.dng"
REFERENCE = "dng-reference/adobe-lossy-linear-eos6d.render2020-f32.tif"
# Part of the width and height.
CROP = (0.30, 0.58, 0.86, 1.0)
CELL = (420, 210)
RAMP = (420, 18)
SPACES = {
    "Display P3": color.CHROMATICITIES["p3"],
    "BT.2020": color.CHROMATICITIES["bt2020"],
    "ProPhoto": color.CHROMATICITIES["prophoto"],
    "EOS 6D": ((0.7274, 0.2526), (0.0902, 1.3714), (0.1290, -0.1163), color.CHROMATICITIES["bt2020"][3]),
}
MARGIN, CAPTION = 12, 20
INK, PAPER = (228, 228, 232), (24, 25, 29)
LARGEST = 300_000


def in_codes(linear):
    return np.round(color.srgb_signal(np.clip(linear, 0, 1)) * 255).astype(np.uint8)


def by_camera_raw():
    """The larger preview in the file."""
    with tifffile.TiffFile(corpus(PHOTO)) as file:
        previews = [page for first in file.pages for page in [first, *(first.pages or [])] if page.compression == 7]
        largest = max(previews, key=lambda page: page.shape[1])
        return Image.fromarray(largest.asarray())


def by_dng_validate():
    """Rec. 2020 with the transfer function of BT.709."""
    signal = tifffile.imread(corpus(REFERENCE))[..., :3].astype(float)
    linear = np.where(signal < 0.081, signal / 4.5, ((signal + 0.099) / 1.099) ** (1 / 0.45))
    return Image.fromarray(in_codes(color.convert(linear, color.CHROMATICITIES["bt2020"], color.CHROMATICITIES["bt709"])))


def by_hdrconvert():
    return Image.open(tools.convert(corpus(PHOTO), ".png", "--sdr")).convert("RGB")


def cropped(image):
    left, top, right, bottom = (round(part * size) for part, size in zip(CROP, image.size * 2))
    part = image.crop((left, top, right, bottom))
    return part.resize(CELL, Image.LANCZOS)


def ramp(space, component):
    """A ramp of one component on a little gray, by hdrconvert and clipped."""
    linear = np.full((4, RAMP[0], 3), 0.02)
    # Even steps of code values.
    signal = np.linspace(0, 1, RAMP[0])
    linear[..., component] = np.maximum(np.where(signal < 0.04045, signal / 12.92, ((signal + 0.055) / 1.055) ** 2.4), 0.02)
    inside = color.convert(linear, SPACES[space], color.CHROMATICITIES["bt709"])
    # As after a tone curve on the largest component.
    linear /= np.maximum(inside.max(-1, keepdims=True), 1)
    shown = fresh(".exr")
    run(tools.binaries / "hdrconvert", "render", write_exr(linear, SPACES[space]), "-o", shown, "--headroom", "1x",
        "--transfer", "linear", "--primaries", "bt709", "--quiet")
    ours = np.asarray(oiio.ImageBuf(str(shown)).get_pixels(oiio.FLOAT), float)[..., :3]
    inside /= np.maximum(inside.max(-1, keepdims=True), 1)
    return [Image.fromarray(np.repeat(in_codes(rows[:1]), RAMP[1], 0)) for rows in (ours, inside)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="folder with hdrconvert")
    parser.add_argument("output", type=pathlib.Path, help="the image, a JPEG")
    arguments = parser.parse_args()
    tools.binaries = arguments.bin.resolve()
    with scratch():
        photos = [("Camera Raw", by_camera_raw()), ("dng_validate", by_dng_validate()), ("hdrconvert", by_hdrconvert())]
        ramps = [(f"{space}: hdrconvert, clipped", [ramp(space, component) for component in (0, 1, 2)]) for space in SPACES]
    step = CELL[0] + MARGIN
    row = CAPTION + 2 * RAMP[1] + MARGIN
    canvas = Image.new("RGB", (MARGIN + 3 * step, MARGIN + CAPTION + CELL[1] + MARGIN + len(ramps) * row), PAPER)
    draw, font = ImageDraw.Draw(canvas), ImageFont.load_default(13)
    for column, (name, photo) in enumerate(photos):
        draw.text((MARGIN + column * step, MARGIN), name, INK, font)
        canvas.paste(cropped(photo), (MARGIN + column * step, MARGIN + CAPTION))
    top = MARGIN + CAPTION + CELL[1] + MARGIN
    for name, columns in ramps:
        draw.text((MARGIN, top), name, INK, font)
        for column, (ours, clipped) in enumerate(columns):
            canvas.paste(ours, (MARGIN + column * step, top + CAPTION))
            canvas.paste(clipped, (MARGIN + column * step, top + CAPTION + RAMP[1]))
        top += row
    for quality in range(92, 60, -4):
        canvas.save(arguments.output, quality=quality, subsampling=0, optimize=True)
        if arguments.output.stat().st_size < LARGEST:
            return


main()
