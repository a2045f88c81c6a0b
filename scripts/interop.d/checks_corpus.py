# SPDX-License-Identifier: Apache-2.0
"""Every supported image of the corpus is converted, and third-party programs read the result."""

import ctypes
import ctypes.util
import struct
import subprocess

import numpy as np

import color
import tools
from runner import Skip, check, require
from tools import (
    CORPUS, MINUTES, avif_codes, convert, corpus, fresh, heif_codes, png_codes, read_light)

FOLDERS = ("exr", "radiance", "tiff-hdr", "png-hdr", "avif-hdr", "avif-sdr-deep", "avif-gainmap",
           "heic-hdr", "heic-apple", "heic-apple-tmap", "heic-gainmap-other", "jpeg-uhdr",
           "jpeg-iso", "jpeg-apple", "peer-made")
IMAGES = {".exr", ".hdr", ".tif", ".png", ".avif", ".heic", ".hif", ".jpg"}
# Above this size, only the fast PNG is written, to limit the time to minutes.
LARGE = 4_000_000


def swept(name):
    path = corpus(name)
    common = ("--set", "orientation=bake", "--transfer", "pq")
    image = png_codes(convert(path, ".png", *common))
    pixels = image.shape[0] * image.shape[1]
    if pixels > LARGE:
        return f"PNG {image.shape[1]}x{image.shape[0]}"
    avif = avif_codes(convert(path, ".avif", *common, "-s", "9"))
    # Charts of single pixels lose their colors by subsampling, which is the default.
    chroma = ("-y", "444") if image.ndim == 3 else ()
    heif = heif_codes(convert(path, ".heic", *common, "-s", "9", *chroma), 10)
    require(avif.shape[:2] == heif.shape[:2] == image.shape[:2],
            f"sizes {image.shape}, {avif.shape}, {heif.shape}")
    # Mean error of a lossy image at quality 90.
    scale = 1023 / 65535
    for kind, codes in (("AVIF", avif), ("HEIF", heif)):
        off = abs(codes[..., :3].astype(float) - image[..., :3] * scale).mean()
        require(off < 12, f"{kind} is {off:.1f} codes off in the mean")
    return f"PNG, AVIF, HEIF {image.shape[1]}x{image.shape[0]}"


# OpenImageIO does not read subsampled channels or the first kind of run-length encoding.
UNREADABLE = {"exr/oexr-XYZ_YC.exr", "radiance/oldrle.hdr"}


def light(name):
    """OpenEXR and Radiance: the exact PNG contains the linear values that OpenImageIO reads."""
    expected, alpha = read_light(corpus(name))
    got = png_codes(convert(corpus(name), ".png"))
    got = np.broadcast_to(got[..., None], (*got.shape, 3)) if got.ndim == 2 else got
    if alpha is not None:
        # PNG does not store premultiplied alpha; pixels with almost no alpha cannot be compared.
        expected = expected / np.maximum(alpha, 1e-3)[..., None]
        expected[alpha < 1e-3], got = 0, np.where(alpha[..., None] < 1e-3, 0, got)
    expected = color.clean(expected)
    codes = color.rgb_codes(color.pq_signal(expected), 16)
    require(got.shape[:2] == codes.shape[:2], f"{got.shape}, not {codes.shape}")
    luminance = color.pq_luminance(got[..., :3] / 65535)
    # Below the resolution of single precision, and Radiance's half step of an 8-bit mantissa.
    noise = expected.max(-1, keepdims=True) * (2.0**-7 if name.endswith(".hdr") else 2.0**-22)
    wrong = (np.abs(got[..., :3] - codes) > 1) & (np.abs(luminance - expected) > noise)
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        require(False, f"{int(wrong.sum())} of {wrong.size} codes wrong, first at {place}:"
                       f" {luminance[place]} cd/m2, not {expected[place]}")
    return f"{wrong.size} codes"


# Combines tiles with entropy-coding synchronization. libde265 1.0.11 (Debian 12) rejects the slice header, which has
# more entry points than rows, and would synchronize at the left edge of the image only, not of each tile; no parameter
# changes that.
SYNCHRONIZED_TILES = "heic-gainmap-other/tohdr-both-512.heic"


def libde265_decodes(data):
    """Whether libde265 itself returns an image for the first item of a HEIC."""
    library = ctypes.util.find_library("de265")
    if library is None:
        raise Skip("no libde265")
    decoder = ctypes.CDLL(library)
    decoder.de265_new_decoder.restype = ctypes.c_void_p
    decoder.de265_get_next_picture.restype = ctypes.c_void_p
    handle = ctypes.c_void_p(decoder.de265_new_decoder())
    place = data.find(b"hvcC") + 4
    size, position, units = (data[place + 21] & 3) + 1, place + 23, []
    for _ in range(data[place + 22]):
        count = int.from_bytes(data[position + 1:position + 3], "big")
        position += 3
        for _ in range(count):
            length = int.from_bytes(data[position:position + 2], "big")
            units.append(data[position + 2:position + 2 + length])
            position += 2 + length
    location = data.find(b"iloc") + 12
    start, length = struct.unpack(">II", data[location + 8:location + 16])
    end = start + length
    while start < end:
        length = int.from_bytes(data[start:start + size], "big")
        units.append(data[start + size:start + size + length])
        start += size + length
    for unit in units:
        decoder.de265_push_NAL(handle, bytes(unit), len(unit), ctypes.c_int64(0), None)
    decoder.de265_flush_data(handle)
    more = ctypes.c_int(1)
    image = None
    while more.value and not image:
        status = decoder.de265_decode(handle, ctypes.byref(more))
        image = decoder.de265_get_next_picture(handle)
        if status:
            break
    decoder.de265_free_decoder(handle)
    return bool(image)


def if_decoded(function):
    """The check of a file, which is skipped if the installed libde265 itself fails on its bitstream."""

    def checked(name):
        if name == SYNCHRONIZED_TILES and not libde265_decodes(corpus(name).read_bytes()):
            raise Skip("the installed libde265 fails on this bitstream; later ones decode it")
        return function(name)

    return checked


if CORPUS.is_dir():
    for folder in ("exr", "radiance"):
        for path in sorted((CORPUS / folder).iterdir()):
            name = f"{folder}/{path.name}"
            if name not in UNREADABLE:
                check(f"corpus: linear values of {name}", name)(light)
    for folder in FOLDERS:
        for path in sorted((CORPUS / folder).iterdir()):
            if path.suffix in IMAGES:
                name = f"{folder}/{path.name}"
                check(f"corpus: {name}", name)(if_decoded(swept))
