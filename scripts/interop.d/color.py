# SPDX-License-Identifier: Apache-2.0
"""Expected code values of a file, computed in double precision from the standards' formulas.

Sources: BT.2100 (PQ, HLG), BT.2020, BT.709, SMPTE RP 177, ITU-T H.273 8.3. Written independently of
the project's Swift code, so that an error is undetected only if it is made twice.
"""

import numpy as np

WHITE = 203.0

CHROMATICITIES = {
    "bt709": ((0.640, 0.330), (0.300, 0.600), (0.150, 0.060), (0.3127, 0.3290)),
    "p3": ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), (0.3127, 0.3290)),
    "bt2020": ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), (0.3127, 0.3290)),
    # SMPTE ST 2065-1; Academy S-2014-004; ISO 22028-2.
    "ap0": ((0.7347, 0.2653), (0.0, 1.0), (0.0001, -0.0770), (0.32168, 0.33767)),
    "ap1": ((0.713, 0.293), (0.165, 0.830), (0.128, 0.044), (0.32168, 0.33767)),
    "prophoto": ((0.734699, 0.265301), (0.159597, 0.840403), (0.036598, 0.000105), (0.345704, 0.358540)),
}
CICP_PRIMARIES = {1: "bt709", 9: "bt2020", 12: "p3"}
# (Kr, Kb) of the luma of each matrix.
LUMA = {1: (0.2126, 0.0722), 5: (0.299, 0.114), 6: (0.299, 0.114), 9: (0.2627, 0.0593)}


def pq_signal(luminance):
    """Signal of a luminance in cd/m2."""
    m1, m2 = 2610 / 16384, 2523 / 4096 * 128
    c1, c2, c3 = 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32
    y = (np.clip(luminance, 0, 10_000) / 10_000) ** m1
    return np.where(np.asarray(luminance) <= 0, 0, ((c1 + c2 * y) / (1 + c3 * y)) ** m2)


def pq_luminance(signal):
    m1, m2 = 2610 / 16384, 2523 / 4096 * 128
    c1, c2, c3 = 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32
    p = np.clip(signal, 0, 1) ** (1 / m2)
    return 10_000 * (np.maximum(p - c1, 0) / (c2 - c3 * p)) ** (1 / m1)


HLG_A, HLG_B = 0.17883277, 1 - 4 * 0.17883277
HLG_C = 0.5 - HLG_A * np.log(4 * HLG_A)
HLG_LUMA = np.array([0.2627, 0.6780, 0.0593])


def hlg_signal(luminance):
    """Signal of linear BT.2020 in cd/m2, by the inverse OOTF of a display of 1000 cd/m2."""
    light = np.maximum(luminance, 0) / 1000
    y = (light @ HLG_LUMA)[..., None]
    with np.errstate(divide="ignore"):
        scene = np.where(y > 0, light * np.maximum(y, 1e-300) ** ((1 - 1.2) / 1.2), 0)
    low = np.sqrt(3 * np.clip(scene, 0, 1 / 12))
    high = HLG_A * np.log(12 * np.maximum(scene, 1 / 12) - HLG_B) + HLG_C
    return np.minimum(np.where(scene <= 1 / 12, low, high), 1)


def hlg_luminance(signal):
    low = np.asarray(signal) ** 2 / 3
    scene = np.where(signal <= 0.5, low, (np.exp((signal - HLG_C) / HLG_A) + HLG_B) / 12)
    return 1000 * (scene @ HLG_LUMA)[..., None] ** 0.2 * scene


def srgb_light(signal):
    signal = np.asarray(signal, float)
    return np.where(signal <= 0.04045, signal / 12.92, ((signal + 0.055) / 1.055) ** 2.4)


def srgb_signal(light):
    light = np.clip(light, 0, 1)
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def rgb_to_xyz(chromaticities):
    """SMPTE RP 177."""
    red, green, blue, white = chromaticities
    columns = np.array([[x / y, 1, (1 - x - y) / y] for x, y in (red, green, blue)]).T
    x, y = white
    return columns * np.linalg.solve(columns, np.array([x / y, 1, (1 - x - y) / y]))


def bradford(source, target):
    """Adaptation from the white `source` to `target`."""
    m = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
    cone = [m @ np.array([x / y, 1, (1 - x - y) / y]) for x, y in (source, target)]
    return np.linalg.inv(m) @ np.diag(cone[1] / cone[0]) @ m


def convert(light, source, target):
    """Linear RGB with the chromaticities `source`, converted to those of `target`."""
    if np.allclose(source, target, atol=1e-6):
        return light
    adaptation = np.eye(3) if np.allclose(source[3], target[3], atol=1e-6) \
        else bradford(source[3], target[3])
    matrix = np.linalg.inv(rgb_to_xyz(target)) @ adaptation @ rgb_to_xyz(source)
    return light @ matrix.T


def clean(light):
    """Linear values as PQ images store them: NaN and negative values are 0, the rest at most 10 000 cd/m2."""
    return np.clip(np.nan_to_num(light, nan=0, posinf=np.inf, neginf=0), 0, 10_000)


def rounded(x):
    return np.sign(x) * np.floor(np.abs(x) + 0.5)


def rgb_codes(signal, bits, full=True):
    """BT.2100 table 9: R'G'B' and Y'."""
    if full:
        return np.clip(rounded(signal * (2**bits - 1)), 0, 2**bits - 1)
    return np.clip(rounded((219 * signal + 16) * 2 ** (bits - 8)), 0, 2**bits - 1)


def chroma_codes(difference, bits, full=True):
    """BT.2100 table 9: color differences in -0.5...0.5."""
    if full:
        return np.clip(rounded(difference * (2**bits - 1) + 2 ** (bits - 1)), 0, 2**bits - 1)
    return np.clip(rounded((224 * difference + 128) * 2 ** (bits - 8)), 0, 2**bits - 1)


def ycbcr(signal, matrix):
    """Luma and color differences of R'G'B'."""
    kr, kb = LUMA[matrix]
    luma = signal @ np.array([kr, 1 - kr - kb, kb])
    return np.stack([luma, (signal[..., 2] - luma) / (2 - 2 * kb),
                     (signal[..., 0] - luma) / (2 - 2 * kr)], -1)


def ycbcr_codes(signal, matrix, bits, full=True):
    y = ycbcr(signal, matrix)
    return np.concatenate([rgb_codes(y[..., :1], bits, full),
                           chroma_codes(y[..., 1:], bits, full)], -1)


def rgb_signal(codes, matrix, bits, full=True):
    """R'G'B' of Y'CbCr code values."""
    codes = np.asarray(codes, float)
    if full:
        luma = codes[..., 0] / (2**bits - 1)
        cb, cr = ((codes[..., i] - 2 ** (bits - 1)) / (2**bits - 1) for i in (1, 2))
    else:
        luma = (codes[..., 0] / 2 ** (bits - 8) - 16) / 219
        cb, cr = ((codes[..., i] / 2 ** (bits - 8) - 128) / 224 for i in (1, 2))
    kr, kb = LUMA[matrix]
    red, blue = luma + (2 - 2 * kr) * cr, luma + (2 - 2 * kb) * cb
    green = (luma - kr * red - kb * blue) / (1 - kr - kb)
    return np.stack([red, green, blue], -1)


def upsampled(plane, shape, left):
    """A chroma plane at the size of luma, linearly interpolated.

    Vertically, samples are sited between two luma rows; horizontally, on the left luma column or between the two.
    """
    def doubled(rows, on_sample):
        before = np.concatenate([rows[:1], rows[:-1]])
        after = np.concatenate([rows[1:], rows[-1:]])
        pair = [rows, (rows + after) / 2] if on_sample else \
            [0.25 * before + 0.75 * rows, 0.75 * rows + 0.25 * after]
        return np.stack(pair, 1).reshape(-1, rows.shape[1])

    if plane.shape[0] < shape[0]:
        plane = doubled(plane, False)[: shape[0]]
    if plane.shape[1] < shape[1]:
        plane = doubled(plane.T, left)[: shape[1]].T
    return plane


def replicate(codes, bits):
    """Code values of `bits` as stored in 16-bit PNG: high bits repeated below."""
    codes = np.asarray(codes, np.int64)
    return codes << 16 - bits | codes >> 2 * bits - 16


def light_levels(light):
    """MaxCLL and MaxFALL of linear BT.2020 in cd/m2, CTA-861.3."""
    brightest = clean(light).max(-1)
    return brightest.max(), brightest.mean()
