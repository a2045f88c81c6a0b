# SPDX-License-Identifier: Apache-2.0
"""Makes the sheet of Documentation/SDRRenditions.md: SDR renditions by hdrconvert, libultrahdr and Chromium.

Run by hand, from the environment that scripts/interop sets up; CONTRIBUTING.md describes how. All
programs have the same input: a PQ image that hdrconvert creates from a file of the corpus.
"""

import argparse
import io
import pathlib
import shutil
import sys

import imagecodecs
import numpy as np
from PIL import Image, ImageCms, ImageDraw, ImageFont

import color
import tools
from tools import corpus, run
from workspace import fresh, scratch

# Images under licenses that allow publication.
PICTURES = (
    "exr/oexr-GoldenGate.exr",
    "exr/oexr-Rec709.exr",
    "heic-hdr/sdwebimage-pq10.heic",
    "avif-hdr/acr160-colors-rec2020-pq.avif",
    "avif-hdr/libavif-cosmos1650-p3pq.avif",
    "avif-hdr/netflix-cosmos1000-hlg10-420.avif",
    "avif-hdr/avifcoder-mall-p3pq.avif",
    "avif-gainmap/libavif-seine-hdrbase.avif",
    "jpeg-uhdr/pixel6pro-xmp-sky.jpg",
    "jpeg-uhdr/android-lamps-noicc.jpg",
)
LONG_SIDE = 1280
THUMBNAIL = (300, 200)
MARGIN, CAPTION = 16, 26
INK, PAPER = (228, 228, 232), (24, 25, 29)


def in_srgb(picture):
    """An image with an embedded profile, converted to sRGB."""
    profile = picture.info.get("icc_profile")
    if profile is None:
        return picture.convert("RGB")
    return ImageCms.profileToProfile(picture.convert("RGB"), io.BytesIO(profile),
                                     ImageCms.createProfile("sRGB"), outputMode="RGB")


def ours(pq):
    """The base of a file with a gain map."""
    target = fresh(".jpg")
    run(tools.binaries / "hdrconvert", "gainmap", "create", pq, "-o", target, "--primaries", "srgb",
        "-q", "95", "--quiet")
    return in_srgb(Image.open(target))


def by_libultrahdr(pq):
    """The base that libultrahdr creates from linear values in which 1.0 is reference white."""
    light = color.pq_luminance(imagecodecs.png_decode(pq.read_bytes())[..., :3] / 65535) / color.WHITE
    # It subsamples: sizes must be even.
    light = light[: light.shape[0] // 2 * 2, : light.shape[1] // 2 * 2]
    opaque = np.ones(light.shape[:2] + (1,))
    coded = imagecodecs.ultrahdr_encode(
        np.concatenate([light, opaque], -1).astype(np.float16), level=95,
        gamut=imagecodecs.ULTRAHDR.CG.BT_2100, transfer=imagecodecs.ULTRAHDR.CT.LINEAR)
    return in_srgb(Image.open(io.BytesIO(coded)))


def by_chromium(pq):
    """Screenshot of a page on a display without headroom."""
    avif, page, shot, profile = fresh(".avif"), fresh(".html"), fresh(".png"), fresh("")
    run(tools.binaries / "hdrconvert", pq, "-o", avif, "-q", "95", "--yuv", "444", "--quiet")
    width, height = Image.open(pq).size
    page.write_text(f'<body style="margin:0;background:#000"><img src="{avif.name}" width="{width}">')
    run(shutil.which("chromium") or "chromium-browser", "--headless", "--no-sandbox", "--disable-gpu",
        "--hide-scrollbars", "--force-color-profile=srgb", f"--user-data-dir={profile}",
        f"--window-size={width},{height + 200}", f"--screenshot={shot}", page.as_uri())
    return Image.open(shot).convert("RGB").crop((0, 0, width, height))


MAKERS = (("hdrconvert", ours), ("libultrahdr", by_libultrahdr), ("Chromium", by_chromium))


def rendered(name):
    """The renditions of one file."""
    with scratch():
        pq = tools.convert(corpus(name), ".png", "--resize", LONG_SIDE, "--orientation", "bake")
        return [make(pq) for _, make in MAKERS]


def thumbnail(picture):
    small = picture.copy()
    small.thumbnail(THUMBNAIL, Image.LANCZOS)
    return small


def sheet(rows):
    """Thumbnails in rows, with names above."""
    rows = [[thumbnail(picture) for picture in row] for row in rows]
    step = THUMBNAIL[0] + MARGIN
    heights = [CAPTION + max(small.height for small in row) + MARGIN for row in rows]
    canvas = Image.new("RGB", (MARGIN + len(MAKERS) * step, 2 * MARGIN + sum(heights)), PAPER)
    draw, font = ImageDraw.Draw(canvas), ImageFont.load_default(13)
    for column, (maker, _) in enumerate(MAKERS):
        draw.text((MARGIN + column * step, MARGIN // 2), maker, INK, font)
    top = 2 * MARGIN
    for name, row, height in zip(PICTURES, rows, heights):
        draw.text((MARGIN, top + 4), name, INK, font)
        for column, small in enumerate(row):
            canvas.paste(small, (MARGIN + column * step, top + CAPTION))
        top += height
    return canvas


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="folder with hdrconvert")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the renditions in full size")
    parser.add_argument("output", type=pathlib.Path, help="the sheet, a JPEG")
    arguments = parser.parse_args()
    tools.binaries = arguments.bin.resolve()
    rows = []
    for name in PICTURES:
        print(name, file=sys.stderr)
        rows.append(rendered(name))
        for (maker, _), picture in zip(MAKERS, rows[-1]):
            if arguments.keep:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                picture.save(arguments.keep / f"{pathlib.Path(name).stem}-{maker}.png")
    sheet(rows).save(arguments.output, quality=85)


main()
