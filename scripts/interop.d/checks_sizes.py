# SPDX-License-Identifier: Apache-2.0
"""Bytes of files that are made without options: relative to each other, and to the lossy file that they are made of.

`Tools/measure-defaults --limits` has the same limits, for more photos (Documentation/Decisions/0022-defaults-of-encoders.md).
"""

import json

import tools
from runner import check, require
from tools import convert, corpus, run

# Photos of phones and of Camera Raw: two on which the defaults were chosen, and others.
PHOTOS = ("heic-apple/iphone15pro-17-1-portrait.heic", "heic-apple-tmap/iphone15pro-18-7-portrait.heic",
          "jpeg-uhdr/pixel6pro-xmp-sky.jpg", "jpeg-uhdr/adobe-p3-08.jpg", "jpeg-uhdr/lrc14-1-xmp-iso.jpg",
          "avif-hdr/lrc-srgbprim-pq10.avif", "heic-hdr/ios18-heix-p3-10b.heic")
# Of a night photo, the PQ AVIF keeps noise that the JPEG does not, and has its size.
DARK = "jpeg-uhdr/lrc14-1-xmp-iso.jpg"
SUFFIXES = (".jpg", ".avif", ".heic")
THUMBNAIL = ("--resize", "400")
# Large enough for detail, small enough for an encoder of AV1.
WEB = ("--resize", "1200")


def size(source, suffix, *options):
    return convert(source, suffix, *options).stat().st_size


def grows(name):
    """No image that is encoded again in the same size is larger than its input; in the same format, images are copied."""
    source = corpus(name)
    limit = source.stat().st_size
    sizes = {suffix: size(source, suffix, "-s", "10") for suffix in SUFFIXES if suffix != source.suffix}
    for suffix, count in sizes.items():
        require(count <= limit, f"{suffix}: {count} bytes of {limit}")
    return ", ".join(f"{suffix} {count / limit:.2f}" for suffix, count in sizes.items())


def web(name):
    """A gain map adds at most a third to a JPEG, half to a thumbnail."""
    source = convert(corpus(name), ".png", *WEB)
    standard, both = size(source, ".jpg", "--sdr"), size(source, ".jpg")
    require(both <= 1.35 * standard, f"Ultra HDR: {both / standard:.2f} of the SDR JPEG")
    ratios = [size(kept, ".jpg", *THUMBNAIL) / size(kept, ".jpg", *THUMBNAIL, "--sdr") for kept in (corpus(name), source)]
    require(max(ratios) <= 1.5, f"thumbnails: {ratios[0]:.2f} with the kept gain map, {ratios[1]:.2f} with a computed one")
    return f"Ultra HDR {both / standard:.2f}, thumbnails {ratios[0]:.2f} and {ratios[1]:.2f}"


def psnr(first, second):
    """PU21-PSNR in decibels."""
    report = json.loads(run(tools.binaries / "hdrconvert", "compare", first, second, "--json", "--quiet"))
    return report["results"][0]["pixels"]["pu21PSNRDecibels"]


def avif(name):
    """AVIF takes at most 0.65 of the Ultra HDR JPEG; of a dark photo with a quality at which its error is still the smaller one."""
    source = convert(corpus(name), ".png", *WEB)
    jpeg, usual = convert(source, ".jpg"), convert(source, ".avif")
    coded = convert(source, ".avif", "-q", "76") if name == DARK else usual
    usual, share = (path.stat().st_size / jpeg.stat().st_size for path in (usual, coded))
    errors = [psnr(source, path) for path in (coded, jpeg)]
    require(share <= 0.65, f"{share:.2f} of the Ultra HDR JPEG")
    require(name != DARK or errors[0] > errors[1], f"AVIF {errors[0]:.1f} dB, Ultra HDR JPEG {errors[1]:.1f}")
    return f"{usual:.2f}, {share:.2f} of the Ultra HDR JPEG; {errors[0]:.1f} and {errors[1]:.1f} dB"


for photo in PHOTOS:
    check(f"sizes: {photo} does not grow", photo)(grows)
    check(f"sizes: {photo} for the web", photo)(web)
    check(f"sizes: {photo} as AVIF", photo)(avif)
