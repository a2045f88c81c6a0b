# SPDX-License-Identifier: Apache-2.0
"""Makes the sheets of Documentation/SDRRenditions.md: SDR renditions by hdrconvert and other programs.

By default next to those of libultrahdr and Chromium; with --authored next to the authors' SDR images, Chromium, and mobius, hable
and libplacebo as Tools/measure-renditions has them. libplacebo is left out if ffmpeg, its filter or a Vulkan device is missing. Run by hand, from
the environment that scripts/interop sets up; CONTRIBUTING.md describes how. All programs have the same input: a PQ image that
hdrconvert creates from a file of the corpus.
"""

import argparse
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import shutil
import sys
import tempfile

import imagecodecs
import numpy as np
from PIL import Image, ImageCms, ImageDraw, ImageFont

import color
import tools
from tools import corpus, run
from workspace import fresh, scratch

# Images under licenses that allow publication.
IMAGES = (
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
# Files with an author's SDR image.
AUTHORED = (
    "jpeg-uhdr/acr155-seine-sdr.jpg",
    "jpeg-uhdr/acr171-r8-24mp.jpg",
    "jpeg-uhdr/adobe-p3-02.jpg",
    "jpeg-uhdr/android-lamps-noicc.jpg",
    "jpeg-uhdr/gainmapjs-spruit4k.jpg",
    "jpeg-uhdr/glide-android-xmp-iso.jpg",
    "jpeg-uhdr/libvips-uhdr-4k.jpg",
    "jpeg-uhdr/pixel6pro-xmp-sky.jpg",
    "jpeg-uhdr/uhdrapp-gimp-daisies.jpg",
    "heic-apple/iphone12pro-16-7-portrait.heic",
    "heic-apple-tmap/iphone15pro-26-3-landscape.heic",
    "heic-gainmap-other/togainmaphdr-dji-0226.heic",
)
LONG_SIDE = 1280
THUMBNAIL = (300, 200)
SMALL = (225, 169)
MARGIN, CAPTION = 16, 26
INK, PAPER = (228, 228, 232), (24, 25, 29)
LARGEST_SHEET = 500_000


def in_srgb(image):
    """An image with an embedded profile, converted to sRGB."""
    profile = image.info.get("icc_profile")
    if profile is None:
        return image.convert("RGB")
    return ImageCms.profileToProfile(image.convert("RGB"), io.BytesIO(profile),
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


def measurement():
    """The module Tools/measure-renditions."""
    path = tools.ROOT / "Tools" / "measure-renditions"
    loader = importlib.machinery.SourceFileLoader("measure_renditions", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def adaptive(pq):
    """The default operator."""
    target = fresh(".png")
    run(tools.binaries / "hdrconvert", "render", pq, "-o", target, "--level", "standard", "--primaries", "bt709", "--quiet")
    return Image.open(target).convert("RGB")


def linear_srgb(path, *options):
    """Linear values in the primaries of sRGB."""
    return measurement().pixels(tools.convert(path, ".exr", "--transfer", "linear", "--primaries", "bt709", *options))


def in_codes(linear):
    return Image.fromarray(np.round(color.srgb_signal(np.clip(linear, 0, 1)) * 255).astype(np.uint8))


def by_curve(name):
    """A curve of ffmpeg's filter `tonemap` on the largest component, with colors clipped to sRGB."""
    def make(pq):
        report = json.loads(run(tools.binaries / "hdrconvert", "render", pq, "-o", fresh(".exr"), "--level", "standard",
                                "--json"))
        peak = 2 ** report["results"][0]["rendering"]["contentHeadroom"]["stops"]
        formulas = measurement()
        return in_codes(formulas.by_maximum(getattr(formulas, name), np.maximum(linear_srgb(pq), 0), peak))

    return make


def by_libplacebo(pq):
    """ffmpeg's filter; None if it cannot run."""
    with tempfile.TemporaryDirectory() as folder:
        linear = measurement().libplacebo(pq, pathlib.Path(folder))
    if linear is None:
        return None
    return in_codes(color.convert(linear, color.CHROMATICITIES["p3"], color.CHROMATICITIES["bt709"]))


def rendered(name, makers, has_author):
    """The renditions of one file."""
    with scratch():
        pq = tools.convert(corpus(name), ".png", "--resize", LONG_SIDE, "--set", "orientation=bake")
        shown = [make(pq) for _, make in makers]
        if has_author:
            base = linear_srgb(corpus(name), "--gainmap", "drop", "--resize", LONG_SIDE, "--set", "orientation=bake")
            shown.insert(0, in_codes(base))
        return shown


def thumbnail(image, size):
    small = image.copy()
    small.thumbnail(size, Image.LANCZOS)
    return small


def sheet(names, makers, rows, size):
    """Thumbnails in rows, with names above."""
    rows = [[thumbnail(image, size) for image in row] for row in rows]
    step = size[0] + MARGIN
    heights = [CAPTION + max(small.height for small in row) + MARGIN for row in rows]
    canvas = Image.new("RGB", (MARGIN + len(makers) * step, 2 * MARGIN + sum(heights)), PAPER)
    draw, font = ImageDraw.Draw(canvas), ImageFont.load_default(13)
    for column, maker in enumerate(makers):
        draw.text((MARGIN + column * step, MARGIN // 2), maker, INK, font)
    top = 2 * MARGIN
    for name, row, height in zip(names, rows, heights):
        draw.text((MARGIN, top + 4), name, INK, font)
        for column, small in enumerate(row):
            canvas.paste(small, (MARGIN + column * step, top + CAPTION))
        top += height
    return canvas


def save(image, output):
    """Writes a JPEG of limited size."""
    for quality in range(85, 50, -5):
        image.save(output, quality=quality, optimize=True)
        if output.stat().st_size < LARGEST_SHEET:
            return


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True, type=pathlib.Path, help="folder with hdrconvert")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the renditions in full size")
    parser.add_argument("--authored", action="store_true", help="compare with authors' SDR images")
    parser.add_argument("output", type=pathlib.Path, help="the sheet, a JPEG")
    arguments = parser.parse_args()
    tools.binaries = arguments.bin.resolve()
    names, makers, size = IMAGES, MAKERS, THUMBNAIL
    if arguments.authored:
        curves = [(name, by_curve(name)) for name in ("mobius", "hable")]
        makers = [("hdrconvert", adaptive), ("Chromium", by_chromium), *curves, ("libplacebo", by_libplacebo)]
        names, size = AUTHORED, SMALL
    titles = ["author"] * arguments.authored + [title for title, _ in makers]
    rows = []
    for name in names:
        print(name, file=sys.stderr)
        rows.append(rendered(name, makers, arguments.authored))
        for maker, image in zip(titles, rows[-1]):
            if arguments.keep and image:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                image.save(arguments.keep / f"{pathlib.Path(name).stem}-{maker}.png")
    made = [column for column in range(len(titles)) if all(row[column] for row in rows)]
    rows = [[row[column] for column in made] for row in rows]
    save(sheet(names, [titles[column] for column in made], rows, size), arguments.output)


main()
