# SPDX-License-Identifier: Apache-2.0
"""Compares `color.py` with values of the standards and with colour-science."""

import colour
import numpy as np

import color
from runner import check, require

# cd/m2; PQ signal; full 10, narrow 10, full 12, narrow 12, full 16 bit: table of the format sheet.
PQ = [
    (0, 0, 0, 64, 0, 256, 0),
    (0.0005, 0.0042549154, 4, 68, 17, 271, 279),
    (0.1, 0.0623368657, 64, 119, 255, 474, 4085),
    (1, 0.1499457321, 153, 195, 614, 781, 9827),
    (26, 0.3800322743, 389, 397, 1556, 1588, 24905),
    (100, 0.5080784215, 520, 509, 2081, 2036, 33297),
    (203, 0.5806888810, 594, 573, 2378, 2291, 38055),
    (1000, 0.7518270962, 769, 723, 3079, 2890, 49271),
    (4000, 0.9025723933, 923, 855, 3696, 3419, 59150),
    (10000, 1, 1023, 940, 4095, 3760, 65535),
]


@check("color: PQ and quantization")
def quantization():
    for luminance, signal, *codes in PQ:
        ours = color.pq_signal(luminance)
        require(abs(ours - signal) < 1e-10 or luminance == 0, f"PQ({luminance}) is {ours}")
        made = [int(color.rgb_codes(ours, bits, full))
                for bits, full in ((10, 1), (10, 0), (12, 1), (12, 0), (16, 1))]
        require(made == codes, f"{luminance} cd/m2 has codes {made}, not {codes}")
        require(abs(color.pq_luminance(ours) - luminance) < 1e-8 * luminance + 1e-12,
                f"round trip of {luminance}")


@check("color: HLG")
def hlg():
    # Scene-linear color (0.3, 0.2, 0.1) and its display-linear values on a display of 1000 cd/m2.
    signal = np.array([0.77425209, 0.69389427, 0.54408949])
    light = np.array([221.686846, 147.791230, 73.895615])
    require(np.abs(color.hlg_luminance(signal) - light).max() < 1e-4, "EOTF")
    require(np.abs(color.hlg_signal(light) - signal).max() < 1e-7, "inverse")
    ours = color.hlg_signal(np.full(3, 203.0))
    require(np.abs(ours - 0.749877364632173).max() < 1e-12, f"reference white at {ours}")


@check("color: Y'CbCr")
def ycbcr():
    signal = np.array([0.5806888810, 0.2, 0.1])
    full, narrow = (color.ycbcr_codes(signal, 9, 10, f).astype(int).tolist() for f in (True, False))
    require(full == [301, 406, 711] and narrow == [322, 420, 686], f"codes {full}, {narrow}")
    back = color.rgb_signal(color.ycbcr(signal, 9) * 1023 + [0, 512, 512], 9, 10)
    require(np.abs(back - signal).max() < 1e-12, f"{back} back")


@check("color: primaries, by colour-science")
def primaries():
    spaces = {"bt709": "ITU-R BT.709", "p3": "P3-D65", "bt2020": "ITU-R BT.2020"}
    for name, peer in spaces.items():
        for target, peer_target in spaces.items():
            ours = color.convert(np.eye(3), color.CHROMATICITIES[name], color.CHROMATICITIES[target])
            theirs = colour.matrix_RGB_to_RGB(
                colour.RGB_COLOURSPACES[peer], colour.RGB_COLOURSPACES[peer_target], None)
            # colour-science has the standards' rounded matrices for some of these.
            require(np.abs(ours.T - theirs).max() < 2e-4, f"{name} to {target}: {ours.T - theirs}")
    ours = color.convert(np.eye(3), color.CHROMATICITIES["ap0"], color.CHROMATICITIES["bt2020"]).T[0]
    require(np.abs(ours - [1.490409520541723, -0.266170919266130, -0.224238601275593]).max() < 1e-12,
            f"ACES to BT.2020: {ours}")


@check("color: PQ, by colour-science")
def peer_pq():
    luminance = np.geomspace(1e-4, 1e4, 1000)
    theirs = colour.models.eotf_inverse_ST2084(luminance)
    require(np.abs(color.pq_signal(luminance) - theirs).max() < 1e-12, "signals differ")
