# SPDX-License-Identifier: Apache-2.0
"""Lossy images are close to their source, at least as close as those of avifenc and heif-enc."""

import colour
import numpy as np

import color
from boxes import HEIFFile
from runner import check, require
from tools import (
    REFERENCE, avifdec_planes, convert, corpus, fresh, our_planes, png_codes, run)

# Mean Delta E ITP to the source at the given quality, the numbers being those of the peers.
LIMIT = 1.5
FINE = {".avif": "98", ".heic": "90"}
# Quantizers of the peers that make about as many bytes.
NEAR = {".avif": 1, ".heic": 2}
# Two encoders never reach the same size; values between two sizes are interpolated.
SLACK = 1.02
PHOTO = "photo.exr"
IMAGES = ["exr/oexr-CandleGlass.exr", "exr/oexr-Garden.exr", "exr/oexr-GoldenGate.exr",
            "radiance/memorial-hdrshop.hdr", "radiance/photoshop-640x426.hdr"]


def difference(signal, reference):
    """Mean Delta E ITP between PQ signals of BT.2020."""
    itp = [colour.RGB_to_ICtCp(color.pq_luminance(s), method="ITU-R BT.2100-2 PQ")
           for s in (signal, reference)]
    return float(colour.delta_E(*itp, method="ITP").mean())


def path_of(name):
    return REFERENCE / name if name == PHOTO else corpus(name)


def signal_of(path, left=True):
    """R'G'B' of the decoded planes, with chroma interpolated according to its siting."""
    planes, _ = avifdec_planes(path) if path.suffix == ".avif" else our_planes(path)
    shape = planes[0].shape
    planes = [color.upsampled(plane.astype(float), shape, left) for plane in planes]
    if len(planes) == 1:
        return np.repeat(planes[0][..., None] / 1023, 3, -1)
    # heif-enc does not signal a matrix and uses BT.601.
    nclx = HEIFFile(path.read_bytes()).primary.nclx or (9, 16, 6, 1)
    return np.clip(color.rgb_signal(np.stack(planes, -1), nclx[2], 10), 0, 1)


def source_of(name):
    """The source as PQ: the exact PNG by hdrconvert, which `checks_pixels.py` compares with the standards."""
    path = convert(path_of(name), ".png")
    codes = png_codes(path)
    codes = np.repeat(codes[..., None], 3, -1) if codes.ndim == 2 else codes[..., :3]
    return path, codes / 65535


def quality(name, suffix):
    """With full chroma: for detailed images, the error of 4:2:0 alone exceeds the limit."""
    _, reference = source_of(name)
    path = convert(path_of(name), suffix, "-q", FINE[suffix], "-y", "444")
    found = difference(signal_of(path), reference)
    require(found < LIMIT, f"mean Delta E ITP {found:.3f}")
    return f"mean Delta E ITP {found:.3f}, {path.stat().st_size} bytes"


for name in [PHOTO] + IMAGES:
    for suffix in (".avif", ".heic"):
        check(f"quality: {name} to {suffix[1:]} at {FINE[suffix]}", name, suffix)(quality)


def avifenc(png, quantizer):
    target = fresh(".avif")
    run("avifenc", "-c", "aom", "-s", "6", "-d", "10", "-y", "444", "--cicp", "9/16/9", "-r", "full",
        "-a", "end-usage=q", "-a", f"cq-level={quantizer}", "--min", "0", "--max", "63",
        "-j", "1", png, target)
    return target


def heif_enc(png, quantizer):
    """heif-enc takes a quality; 63 - quantizer keeps the direction of avifenc's scale."""
    target = fresh(".heic")
    run("heif-enc", "-b", "10", "-q", round(100 - quantizer * 100 / 63), "-p", "chroma=444",
        "-p", "preset=fast",
        "--matrix_coefficients", "9", "--colour_primaries", "9", "--transfer_characteristic", "16",
        "--full_range_flag", "1", "-o", target, png)
    return target


def peer_at(size, encode, guess, png, reference):
    """Difference of the peer's image at `size` bytes, interpolated between the two closest sizes.

    The search widens from the quantizer `guess`.
    """
    made = {}

    def is_larger(quantizer):
        if quantizer not in made:
            path = encode(png, quantizer)
            made[quantizer] = path.stat().st_size, path
        return made[quantizer][0] > size

    low = high = guess
    step = 1
    if is_larger(guess):
        while high < 63 and is_larger(high):
            low, high, step = high, min(63, high + step), 2 * step
    else:
        while low > 0 and not is_larger(low):
            low, high, step = max(0, low - step), low, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_larger(middle) else (low, middle)
    for quantizer in (low, high):
        is_larger(quantizer)
    (large, first), (small, second) = made[low], made[high]
    first, second = (difference(signal_of(p), reference) for p in (first, second))
    if large == small:
        return first
    share = (np.log(large) - np.log(size)) / (np.log(large) - np.log(small))
    return float(first + (second - first) * np.clip(share, 0, 1))


def pair(name, suffix):
    """The output of hdrconvert and the corresponding output of the peer: 4:4:4, the same codec and speed."""
    png, reference = source_of(name)
    ours = convert(path_of(name), suffix, "-q", FINE[suffix], "-y", "444", "-s", "6")
    size = ours.stat().st_size
    mine = difference(signal_of(ours), reference)
    peer = "avifenc" if suffix == ".avif" else "heif-enc"
    theirs = peer_at(size, avifenc if suffix == ".avif" else heif_enc, NEAR[suffix], png, reference)
    report = f"mean Delta E ITP {mine:.3f}, {peer} {theirs:.3f} at {size} bytes"
    require(mine <= theirs * SLACK, report)
    return report


for name in [PHOTO] + IMAGES:
    for suffix in (".avif", ".heic"):
        check(f"quality: {name} to {suffix[1:]} against {'avifenc' if suffix == '.avif' else 'heif-enc'}",
              name, suffix)(pair)


def same_number(suffix, number, spread):
    """The same quality number gives about the bytes of avifenc or heif-enc with the same chroma, depth and speed.

    avifenc before 1.0 takes quantizers only; avifenc 1.0 and later map --qcolor to them as here. hdrconvert codes
    chroma of HEIC finer than heif-enc.
    """
    png, _ = source_of(PHOTO)
    peer = fresh(suffix)
    if suffix == ".avif":
        quantizer = ((100 - number) * 63 + 50) // 100
        run("avifenc", "-c", "aom", "-s", "7", "-d", "10", "-y", "444", "--cicp", "9/16/9", "-r", "full",
            "--min", quantizer, "--max", quantizer, "-j", "2", png, peer)
        ours = convert(png, suffix, "-q", number)
    else:
        run("heif-enc", "-b", "10", "-q", number, "-p", "chroma=420", "-p", "preset=superfast", "-o", peer, png)
        ours = convert(png, suffix, "-q", number)
    ratio = ours.stat().st_size / peer.stat().st_size
    require(1 - spread < ratio < 1 + spread, f"{ratio:.3f} times the bytes")
    return f"{ratio:.3f} times the bytes"


for suffix, spread in ((".avif", 0.03), (".heic", 0.12)):
    for number in (60, 80, 90, 95):
        check(f"quality: {number} in {suffix[1:]} as for the peer", suffix, number, spread)(same_number)
