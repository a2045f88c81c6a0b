# SPDX-License-Identifier: Apache-2.0
"""SDR images of raw files."""

import numpy as np
import OpenImageIO as oiio

import tools
from runner import check, require
from tools import corpus, run
from workspace import fresh


@check("raw: an image for a display without headroom is the SDR image")
def standard_displays():
    worst = 0
    for name in ("adobe-lossy-linear-eos6d", "bmpcc-bayer12-ljpeg"):
        images = []
        for verb in (("render", "--headroom", "1x"), ("convert", "--sdr")):
            target = fresh(".png")
            run(tools.binaries / "hdrconvert", verb[0], corpus(f"dng/{name}.dng"), "-o", target, *verb[1:], "--quiet")
            images.append(oiio.ImageBuf(str(target)).get_pixels(oiio.UINT8).astype(int))
        worst = max(worst, np.abs(images[0] - images[1]).max())
    require(worst <= 1, f"8-bit codes differ by up to {worst}")
    return f"at most {worst} of 255"
