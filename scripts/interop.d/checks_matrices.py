# SPDX-License-Identifier: Apache-2.0
"""Every matrix of H.273: decoded as by the formulas and libavif, or rejected by name.

avifenc losslessly encodes planes that are computed here in double precision, and signals a matrix.
"""

import imagecodecs
import numpy as np
import OpenImageIO as oiio

import color
from runner import check, require
import tools
from tools import DATA_ERROR, command, convert, png_codes, run
from workspace import fresh

SRGB, PQ, HLG = 13, 16, 18
WEIGHTS = {1: (0.2126, 0.0722), 4: (0.30, 0.11), 5: (0.299, 0.114), 6: (0.299, 0.114),
           7: (0.212, 0.087), 9: (0.2627, 0.0593), 10: (0.2627, 0.0593)}
# Matrices that libavif 0.11 and 1.4 support; for the rest, the definition below is the only reference.
AVIFDEC = {0, 1, 4, 5, 6, 7, 8, 9, 12}


def derived_weights(primaries):
    luminance = color.rgb_to_xyz(color.CHROMATICITIES[color.CICP_PRIMARIES[primaries]])[1]
    return luminance[0], luminance[2]


def oetf(transfer, light):
    """Signal of linear values 0...1, as H.273 uses it for constant luminance."""
    if transfer == PQ:
        return color.pq_signal(10_000 * light)
    if transfer == HLG:
        low = np.sqrt(3 * np.clip(light, 0, 1 / 12))
        high = color.HLG_A * np.log(12 * np.maximum(light, 1 / 12) - color.HLG_B) + color.HLG_C
        return np.where(light <= 1 / 12, low, high)
    return color.srgb_signal(light)


def inverse_oetf(transfer, signal):
    if transfer == PQ:
        return color.pq_luminance(signal) / 10_000
    if transfer == HLG:
        high = (np.exp((signal - color.HLG_C) / color.HLG_A) + color.HLG_B) / 12
        return np.where(signal <= 0.5, signal**2 / 3, high)
    return color.srgb_light(signal)


def ictcp(signal, transfer):
    to_lms = np.array([[1688, 2146, 262], [683, 2951, 462], [99, 309, 3688]]) / 4096
    rows = [[3625, -7465, 3840], [9500, -9212, -288]] if transfer == HLG \
        else [[6610, -13613, 7003], [17933, -17390, -543]]
    lms = oetf(transfer, inverse_oetf(transfer, signal) @ to_lms.T)
    return lms @ (np.array([[2048, 2048, 0]] + rows) / 4096).T


def constant_luminance(signal, transfer, kr, kb):
    light = inverse_oetf(transfer, signal)
    luma = oetf(transfer, light @ np.array([kr, 1 - kr - kb, kb]))

    def difference(component, weight):
        below, above = 2 * oetf(transfer, np.array(1 - weight)), 2 * (1 - oetf(transfer, np.array(weight)))
        distance = signal[..., component] - luma
        return distance / np.where(distance <= 0, below, above)

    return np.stack([luma, difference(2, kb), difference(0, kr)], -1)


def planes(rgb, primaries, transfer, matrix, bits):
    """Full-range code values, and the R'G'B' that they represent."""
    if matrix in (16, 17):
        codes = np.round(rgb * (2 ** (bits - (2 if matrix == 16 else 1)) - 1)).astype(int)
        red, green, blue = codes[..., 0], codes[..., 1], codes[..., 2]
        co = red - blue
        rest = blue + (co >> 1)
        cg = green - rest
        middle = 1 << bits - 1
        return np.stack([rest + (cg >> 1), cg + middle, co + middle], -1)
    if matrix == 0:
        return color.rgb_codes(rgb[..., [1, 2, 0]], bits)
    if matrix == 8:
        red, green, blue = rgb[..., 0], rgb[..., 1], rgb[..., 2]
        coded = np.stack([(red + 2 * green + blue) / 4, (2 * green - red - blue) / 4, (red - blue) / 2], -1)
    elif matrix == 14:
        coded = ictcp(rgb, transfer)
    elif matrix in (10, 13):
        coded = constant_luminance(
            rgb, transfer, *(WEIGHTS[10] if matrix == 10 else derived_weights(primaries)))
    else:
        kr, kb = derived_weights(primaries) if matrix == 12 else WEIGHTS[matrix]
        luma = rgb @ np.array([kr, 1 - kr - kb, kb])
        coded = np.stack([luma, (rgb[..., 2] - luma) / (2 - 2 * kb), (rgb[..., 0] - luma) / (2 - 2 * kr)], -1)
    return np.concatenate([color.rgb_codes(coded[..., :1], bits),
                           color.chroma_codes(coded[..., 1:], bits)], -1)


def test_colors():
    """Signals 0.1...0.9 in every combination, which are not clipped by any matrix."""
    steps = np.linspace(0.1, 0.9, 8)
    red, green, blue = np.meshgrid(steps, steps, steps, indexing="ij")
    return np.stack([red, green, blue], -1).reshape(16, 32, 3)


def avif_of(codes, bits, primaries, transfer, matrix):
    height, width = codes.shape[:2]
    layout = "444" if bits == 8 else f"444p{bits}"
    kind = np.uint8 if bits == 8 else np.dtype("<u2")
    source, target = fresh(".y4m"), fresh(".avif")
    source.write_bytes(
        f"YUV4MPEG2 W{width} H{height} F25:1 Ip A0:0 C{layout} XCOLORRANGE=FULL\nFRAME\n".encode()
        + b"".join(codes[..., i].astype(kind).tobytes() for i in range(3)))
    run("avifenc", "--min", 0, "--max", 0, "--speed", 8, "--range", "full", "--ignore-icc",
        "--cicp", f"{primaries}/{transfer}/{matrix}", source, target)
    return target


def signal_of(path, primaries, transfer):
    """R'G'B' decoded by the command, from linear values."""
    image = oiio.ImageInput.open(str(convert(path, ".exr", "--depth", 32)))
    pixels = np.asarray(image.read_image("float"), float)
    flat = image.spec().getattribute("chromaticities")
    made = tuple((flat[i], flat[i + 1]) for i in range(0, 8, 2))
    light = color.convert(pixels[..., :3], made, color.CHROMATICITIES[color.CICP_PRIMARIES[primaries]])
    if transfer == PQ:
        return color.pq_signal(light * color.WHITE)
    return color.hlg_signal(light * color.WHITE) if transfer == HLG else color.srgb_signal(light)


CASES = [(1, SRGB, m) for m in (0, 1, 4, 5, 6, 7, 8, 10, 12, 13, 16, 17)] + [
    (12, SRGB, 12), (12, SRGB, 13), (9, PQ, 9), (9, PQ, 10), (9, PQ, 8), (9, PQ, 14), (9, HLG, 14),
    (9, HLG, 10), (12, PQ, 13), (9, PQ, 16)]


def decoded(primaries, transfer, matrix):
    bits = 12 if matrix in (10, 13, 14) else 10
    rgb = test_colors()
    if matrix in (16, 17):
        depth = bits - (2 if matrix == 16 else 1)
        rgb = np.round(rgb * (2**depth - 1)) / (2**depth - 1)
    codes = planes(rgb, primaries, transfer, matrix, bits)
    path = avif_of(codes, bits, primaries, transfer, matrix)
    ours = signal_of(path, primaries, transfer)
    if matrix in (10, 13, 14):
        # One component is the remainder of luminance: very different R'G'B' can be encoded
        # to the same code values. The decoded values are re-encoded instead.
        worst = np.abs(planes(ours, primaries, transfer, matrix, bits) - codes).max()
        require(worst <= 1, f"{worst} codes of {bits} bits off when coded again")
        return f"{worst} codes of {bits} bits"
    worst = np.abs(ours - rgb).max() * 1023
    require(worst < 2, f"{worst:.2f} codes of 10 bits off")
    told = f"{worst:.2f} codes of 10 bits"
    if matrix not in AVIFDEC:
        return told
    image = fresh(".png")
    run("avifdec", "--depth", 16, path, image)
    theirs = png_codes(image)[..., :3] / 65535
    difference = np.abs(ours - theirs).max() * 1023
    require(difference < 2, f"avifdec: {difference:.2f} codes of 10 bits off")
    newer = imagecodecs.avif_decode(path.read_bytes())[..., :3] / (2**bits - 1)
    peer = np.abs(ours - newer).max() * 1023
    require(peer < 2, f"libavif in imagecodecs: {peer:.2f} codes of 10 bits off")
    return f"{told}; avifdec {difference:.2f}, imagecodecs {peer:.2f}"


for case in CASES:
    check("matrices: " + "/".join(map(str, case)), *case)(decoded)


@check("matrices: of imagecodecs")
def by_imagecodecs():
    rgb = np.round(test_colors() * 1023).astype(np.uint16)
    worst = 0
    for matrix in (0, 1, 4, 5, 6, 7, 8, 9, 12):
        path = fresh(".avif")
        path.write_bytes(imagecodecs.avif_encode(
            rgb, 100, speed=8, bitspersample=10, pixelformat="444", primaries=1, transfer=13, matrix=matrix))
        worst = max(worst, np.abs(signal_of(path, 1, SRGB) * 1023 - rgb).max())
        require(worst < 2.5, f"matrix {matrix}: {worst:.2f} codes of 10 bits off")
    return f"{worst:.2f} codes of 10 bits at most"


@check("matrices: unsupported ones are rejected by name")
def refused():
    codes = np.full((16, 16, 3), 512)
    for cicp, name in [((1, 13, 15), "matrix 15 (IPT-PQ-C2)"), ((1, 13, 11), "matrix 11"),
                       ((1, 13, 14), "matrix 14 (ICtCp)"), ((1, 10, 1), "transfer characteristics 10 (logarithmic")]:
        path, target = avif_of(codes, 10, *cicp), fresh(".png")
        status, told = command("convert", path, "-o", target)
        require(status == DATA_ERROR and name in told and not target.exists(), f"{status}: {told}")
        run(tools.binaries / "hdrconvert", "inspect", path)
    # Reserved numbers do not declare a color.
    status, told = command("convert", avif_of(codes, 10, 3, 13, 1), "-o", fresh(".png"))
    require(status == 0 and "color primaries 3" in told and "BT.709" in told, f"{status}: {told}")
    status, told = command(
        "convert", avif_of(codes, 10, 1, 10, 1), "-o", fresh(".png"), "--assume", "srgb")
    require(status == 0 and "transfer characteristics 10" in told, f"{status}: {told}")
