# SPDX-License-Identifier: Apache-2.0
"""Decoders of this project on files from other programs, plane by plane."""

import numpy as np

import color
from boxes import HEIFFile
from runner import Skip, check, require
from tools import (
    CORPUS, avifdec_planes, convert, corpus, heif_codes, our_planes, png_codes, require_within)


def files(folders, *suffixes):
    if not CORPUS.is_dir():
        return []
    return [f"{folder}/{path.name}" for folder in folders for path in sorted((CORPUS / folder).glob("*"))
            if path.suffix in suffixes]


def clean_aperture(path, planes):
    """Planes inside the image's clean aperture, which avifdec leaves to its caller."""
    clap = HEIFFile(path.read_bytes()).primary.get("clap")
    if clap is None:
        return planes
    wn, wd, hn, hd, xn, xd, yn, yd = clap["fields"]
    height, width = planes[0].shape
    cropped_width, cropped_height = wn // wd, hn // hd
    left = round(xn / xd + (width - 1) / 2 - (cropped_width - 1) / 2)
    top = round(yn / yd + (height - 1) / 2 - (cropped_height - 1) / 2)
    result = []
    for plane in planes:
        sx, sy = round(width / plane.shape[1]), round(height / plane.shape[0])
        result.append(plane[top // sy : (top + cropped_height + sy - 1) // sy,
                            left // sx : (left + cropped_width + sx - 1) // sx])
    return result


def avif_planes(name):
    path = corpus(name)
    theirs, words = avifdec_planes(path)
    ours, _ = our_planes(path)
    # avifdec writes the three planes of gray images as one.
    theirs = clean_aperture(path, theirs)[: len(ours)]
    for index, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        require(a.shape == b.shape, f"plane {index}: {a.shape}, not {b.shape}")
        require(np.array_equal(a, b), f"plane {index} differs in {int((a != b).sum())} codes")
    return f"{len(ours)} planes equal, {words[1]} {words[2]}"


for name in files(("avif-hdr", "avif-sdr-deep", "avif-gainmap", "peer-made"), ".avif"):
    check(f"planes: {name} as avifdec", name)(avif_planes)

TRANSFERS = {16: "pq", 18: "hlg"}


def decoded(name):
    """An HDR image decoded by hdrconvert with its own transfer function and primaries, R'G'B' in 0...1."""
    path = corpus(name)
    file = HEIFFile(path.read_bytes())
    # The description of a grid may be stored in its tiles only.
    coded = file.items[(file.targets("dimg", file.primary_id) or [file.primary_id])[0]]
    primaries, transfer, matrix, full = file.primary.nclx or coded.nclx
    bits = (coded.get("hvcC") or coded.get("av1C"))["bits"]
    bits = bits if isinstance(bits, int) else bits[0]
    options = ["--transfer", TRANSFERS[transfer], "--primaries", color.CICP_PRIMARIES[primaries],
               "--set", "orientation=bake"]
    return path, png_codes(convert(path, ".png", *options)) / 65535, bits, matrix, bool(full)


def full_chroma(name):
    """4:4:4: compared with the third-party decoder, in code values of the file's depth."""
    path, ours, bits, matrix, full = decoded(name)
    if path.suffix == ".avif":
        planes = np.stack(clean_aperture(path, avifdec_planes(path)[0]), -1)
        # avifdec's planes of RGB are green, blue, red.
        theirs = color.rgb_signal(planes, matrix, bits, full) if matrix else \
            planes[..., [2, 0, 1]] / (2**bits - 1)
        theirs = color.rgb_codes(np.clip(theirs, 0, 1), bits)
    else:
        theirs = heif_codes(path, bits)
    error = require_within(1, color.rgb_codes(ours[..., :3], bits), theirs[..., :3], name)
    return f"at most {error} of {2**bits - 1} off"


for name in ("avif-hdr/acr160-colors-rec2020-pq.avif", "avif-hdr/acr160-colors-srgb-pq.avif",
             "avif-hdr/avifcoder-club-identity.avif", "avif-hdr/ffmpeg-pq10-720p.avif",
             "avif-hdr/lrc-srgbprim-pq10.avif", "avif-hdr/netflix-cosmos1000-pq12-444.avif",
             "avif-hdr/sharp-pq12-bt2020.avif", "peer-made/avifenc-pq12-identity-lossless.avif",
             "peer-made/heifenc123-pq12-444-narrow.heic"):
    check(f"planes: {name} as R'G'B'", name)(full_chroma)


def subsampled(name):
    """4:2:0 and 4:2:2: luma of R'G'B' compared with third-party luma, for pixels that are not clipped."""
    path, ours, bits, matrix, full = decoded(name)
    if path.suffix == ".avif":
        luma = clean_aperture(path, avifdec_planes(path)[0])[0]
        if not full:
            luma = np.clip((luma / 2 ** (bits - 8) - 16) / 219, 0, 1) * (2**bits - 1)
    else:
        luma = color.ycbcr(heif_codes(path, bits)[..., :3] / (2**bits - 1), matrix)[..., 0] * (2**bits - 1)
    inside = ((ours > 0) & (ours < 1)).all(-1)
    if path.suffix != ".avif":
        theirs = heif_codes(path, bits)[..., :3]
        inside &= ((theirs > 0) & (theirs < 2**bits - 1)).all(-1)
    mine = color.ycbcr(ours[..., :3], matrix)[..., 0] * (2**bits - 1)
    error = float(np.abs(mine - luma)[inside].max())
    require(error <= 1, f"luma is off by {error:.2f} codes")
    return f"luma at most {error:.2f} of {2**bits - 1} off in {inside.mean():.0%} of the pixels"


for name in ("avif-hdr/netflix-cosmos1000-hlg10-420.avif", "avif-hdr/avifcoder-mall-p3pq.avif",
             "peer-made/avifenc-hlg10-422.avif", "peer-made/avifenc-pq10-grid.avif",
             "peer-made/heifenc123-hlg10-420.heic", "heic-hdr/canon-hdrpq.hif",
             "heic-hdr/sdwebimage-pq10.heic"):
    check(f"planes: luma of {name}", name)(subsampled)
