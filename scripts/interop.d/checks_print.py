# SPDX-License-Identifier: Apache-2.0
"""Images for prints: Adobe RGB and a printer profile of tables, compared with Little CMS."""

import io
import struct

import imagecodecs
import numpy as np
import tifffile
from PIL import Image, ImageCms

from runner import check, require
from tools import REFERENCE, convert, fresh, run

SCENE = REFERENCE / "photo.exr"
D50 = np.array([0.9642, 1.0, 0.8249])
# A printer: colorants that sum to D50, a darkest black, and a gamma.
COLORANTS = np.array([[0.50, 0.30, 0.1642], [0.28, 0.65, 0.07], [0.03, 0.07, 0.7249]])
BLACK, GAMMA = 0.01, 1.8


def lab_of(xyz):
    ratio = xyz / D50
    f = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1)


def xyz_of(lab):
    y = (lab[..., 0] + 16) / 116
    f = np.stack([y + lab[..., 1] / 500, y, y - lab[..., 2] / 200], -1)
    return D50 * np.where(f > 6 / 29, f**3, (116 * f - 16) * 27 / 24389)


def table(inputs, function, size):
    """A `mft2` tag: identity curves around a table of three inputs and outputs in 0...1."""
    axis = np.linspace(0, 1, size)
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), -1)
    codes = np.clip(np.rint(function(grid) * 65535), 0, 65535).astype(">u2").tobytes()
    identity = struct.pack(">6H", *(0, 65535) * 3)
    matrix = struct.pack(">9i", *np.ravel(np.eye(3) * 65536).astype(int).tolist())
    return b"mft2\0\0\0\0" + bytes([inputs, 3, size, 0]) + matrix + struct.pack(">2H", 2, 2) + identity + codes + identity


def printer_profile():
    """A profile of version 2 whose tables describe the printer; Lab has 0xFF00 for 100."""
    def forward(rgb):
        lab = lab_of((BLACK + (1 - BLACK) * rgb**GAMMA) @ COLORANTS.T)
        return (np.stack([lab[..., 0] * 652.8, (lab[..., 1] + 128) * 256, (lab[..., 2] + 128) * 256], -1)) / 65535

    def inverse(codes):
        codes = codes * 65535
        lab = np.stack([codes[..., 0] / 652.8, codes[..., 1] / 256 - 128, codes[..., 2] / 256 - 128], -1)
        linear = (xyz_of(lab) @ np.linalg.inv(COLORANTS).T - BLACK) / (1 - BLACK)
        return np.clip(linear, 0, 1) ** (1 / GAMMA)

    name = b"printer\0"
    tags = {
        b"desc": b"desc\0\0\0\0" + struct.pack(">I", len(name)) + name + bytes(78),
        b"cprt": b"text\0\0\0\0CC0\0",
        b"wtpt": b"XYZ \0\0\0\0" + struct.pack(">3i", *(int(v * 65536) for v in D50)),
        b"A2B0": table(3, forward, 17), b"B2A0": table(3, inverse, 33),
    }
    offset, entries, data = 132 + 12 * len(tags), b"", b""
    for signature, content in tags.items():
        content += bytes(-len(content) % 4)
        entries += signature + struct.pack(">2I", offset + len(data), len(content))
        data += content
    size = offset + len(data)
    header = struct.pack(">I4sI4s4s4s", size, b"lcms", 0x02100000, b"prtr", b"RGB ", b"Lab ")
    header += struct.pack(">6H", 2026, 1, 1, 0, 0, 0) + b"acsp" + bytes(28)
    header += struct.pack(">3i", *(int(v * 65536) for v in D50))
    return header.ljust(128, b"\0") + struct.pack(">I", len(tags)) + entries + data


def expected(profile, primaries):
    """The SDR image in a wide space, converted by Little CMS."""
    wide = convert(SCENE, ".tif", "--sdr", "--primaries", primaries, "--depth", "16")
    with tifffile.TiffFile(wide) as file:
        codes, source = file.asarray(), file.pages[0].tags["InterColorProfile"].value
    return imagecodecs.cms_transform(
        codes, source, profile, colorspace="rgb", outcolorspace="rgb", outdtype="uint16",
        intent=imagecodecs.CMS.INTENT.RELATIVE_COLORIMETRIC,
        flags=imagecodecs.CMS.FLAGS.BLACKPOINTCOMPENSATION | imagecodecs.CMS.FLAGS.NOOPTIMIZE, planar=False)


def printed(suffix, target, *options):
    return convert(SCENE, suffix, "--set", f"print={target}", *options)


@check("print: a printer profile of tables is that of Little CMS")
def printer():
    profile = fresh(".icc")
    profile.write_bytes(printer_profile())
    ours = tifffile.imread(printed(".tif", profile))
    peer = expected(profile.read_bytes(), "bt2020")
    error = np.abs(ours.astype(int) - peer.astype(int)) / 257
    require(error.max() <= 1, f"{error.max():.2f} codes of 8 bits, mean {error.mean():.3f}")
    return f"at most {error.max():.2f} codes of 8 bits"


@check("print: Adobe RGB has the colors of its profile, by Little CMS")
def adobe():
    path = printed(".tif", "adobergb")
    with tifffile.TiffFile(path) as file:
        codes, profile = file.asarray(), file.pages[0].tags["InterColorProfile"].value
    require(codes.dtype == np.uint16, f"{codes.dtype}")
    described = ImageCms.ImageCmsProfile(io.BytesIO(profile)).profile
    red = np.array(described.red_colorant[0])
    require(np.abs(red - [0.60974, 0.31111, 0.01947]).max() < 1e-4, f"red colorant {red}")
    peer = imagecodecs.cms_transform(
        codes, profile, imagecodecs.cms_profile("srgb"), colorspace="rgb", outcolorspace="rgb", outdtype="uint16",
        intent=imagecodecs.CMS.INTENT.RELATIVE_COLORIMETRIC, planar=False) / 257
    # Tone and gamut mapping, which run in the primaries of the output, leave dark colors of low saturation alone.
    ours = tifffile.imread(convert(SCENE, ".tif", "--sdr", "--depth", "16")) / 257
    inside = (ours.max(-1) - ours.min(-1) < 50) & (ours.max(-1) < 130) & (ours.min(-1) > 10)
    error = np.abs(ours - peer)[inside]
    require(inside.mean() > 0.1 and error.max() <= 1, f"{error.max():.2f} codes in {inside.mean():.0%} of the image")
    return f"at most {error.max():.2f} codes of 8 bits"


@check("print: the resolution of Pillow's files is that of every output, by ExifTool")
def resolution():
    pixels = np.random.default_rng(44).integers(0, 256, (40, 60, 3), np.uint8)
    for source in (fresh(".png"), fresh(".jpg"), fresh(".tif")):
        Image.fromarray(pixels).save(source, dpi=(300, 300))
        for suffix in (".jpg", ".png", ".tif", ".avif", ".heic", ".jxl"):
            for options in ((), ("--resize", "30")):
                path = convert(source, suffix, *options)
                text = run("exiftool", "-a", "-n", "-s3", "-XResolution", "-YResolution", path)
                require(set(text.split()) == {"300"}, f"{source.suffix} to {suffix}: {text.split()}")
                if suffix in (".jpg", ".png", ".tif"):
                    read = np.array(Image.open(path).info["dpi"], float)
                    require(np.abs(read - 300).max() < 0.01, f"{source.suffix} to {suffix}: {read} by Pillow")


for suffix, bits in ((".png", 16), (".png", 8), (".jpg", 8)):
    @check(f"print: Adobe RGB in {suffix} with {bits} bits is that of TIFF", suffix, bits)
    def formats(suffix, bits):
        options = ["--depth", "8"] if suffix == ".png" and bits == 8 else []
        reference = tifffile.imread(printed(".tif", "adobergb")) / 257
        path = printed(suffix, "adobergb", *options, *(["-y", "444", "-q", "98"] if suffix == ".jpg" else []))
        ours = np.asarray(imagecodecs.imread(path)).astype(float) / (257 if bits == 16 else 1)
        error = np.abs(ours - reference)
        require(Image.open(path).info.get("icc_profile"), "no profile")
        limits = (8, 1) if suffix == ".jpg" else (1, 0.6)
        require(error.max() <= limits[0] and error.mean() < limits[1], f"{error.max():.2f}, {error.mean():.2f}")
        return f"mean {error.mean():.2f}"
