"""Semantic masks of raw files: what becomes of them, beside other programs and arithmetic of our own making."""

import numpy as np
import pillow_heif

import tools
from checks_raw import write_linear
from runner import check, require
from tools import run
from workspace import fresh

SKIN = "urn:com:apple:photo:2019:aux:semanticskinmatte"
SKY = "urn:com:apple:photo:2020:aux:semanticskymatte"


@check("raw: gainmap create puts mattes beside the map")
def beside_maps():
    y, x = np.mgrid[:60, :90] / [[[60]], [[90]]]
    pixels = np.dstack([x, x, x]) * 0.9 + 0.1 * y[..., None]
    skin = np.round(255 * x[:30, :45]).astype(np.uint8)
    sky = np.full((20, 30), 255, np.uint8)
    path = write_linear(
        pixels, np.array([0.5, 1, 0.6]), (274, "H", 1, 6), masks=((SKIN, skin), (SKY, sky)))
    worst = 0
    for suffix in (".heic", ".avif"):
        target = fresh(suffix)
        run(tools.binaries / "hdrconvert", "gainmap", "create", path, "-o", target, "--quality", "95")
        run(tools.binaries / "hdrconvert", "validate", target)
        said = run("exiftool", "-s3", "-CompatibleBrands", target)
        require("tmap" in said, f"{suffix}: brands {said}")
        picture = pillow_heif.open_heif(target)
        require(picture.size == (60, 90), f"{suffix}: a picture of {picture.size}")
        for urn, mask in ((SKIN, skin), (SKY, sky)):
            ids = picture.info["aux"].get(urn, [])
            require(len(ids) == 1, f"{suffix}: pillow-heif sees {picture.info['aux']}")
            matte = picture.get_aux_image(ids[0])
            upright = np.rot90(mask, -1).astype(int)
            require(matte.size == upright.shape[::-1], f"{suffix}: a matte of {matte.size}")
            if suffix == ".avif":
                continue  # Its libheif decodes no AV1.
            got = np.asarray(matte).astype(int)
            worst = max(worst, np.abs((got[..., 0] if got.ndim == 3 else got) - upright).mean())
    require(worst < 2, f"mattes differ by {worst:.2f} codes on average")
    said = run(tools.binaries / "hdrconvert", "gainmap", "create", path, "-o", fresh(".jpg"), "--json")
    require(SKIN in said and SKY in said and '"lost"' in said, f"JPEG says {said}")
    return f"{worst:.2f} codes on average"
