# SPDX-License-Identifier: Apache-2.0
"""Semantic masks of raw files: their conversion, compared with other programs and an independent calculation."""

import colour
import numpy as np
import pillow_heif

import tools
from checks_raw import ours, smooth, write_linear
from runner import check, require
from tools import run
from workspace import fresh

SKIN = "urn:com:apple:photo:2019:aux:semanticskinmatte"
SKY = "urn:com:apple:photo:2020:aux:semanticskymatte"


@check("raw: gainmap create stores mattes and the map")
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
        messages = run("exiftool", "-s3", "-CompatibleBrands", target)
        require("tmap" in messages, f"{suffix}: brands {messages}")
        image = pillow_heif.open_heif(target)
        require(image.size == (60, 90), f"{suffix}: an image of {image.size}")
        for urn, mask in ((SKIN, skin), (SKY, sky)):
            ids = image.info["aux"].get(urn, [])
            require(len(ids) == 1, f"{suffix}: pillow-heif sees {image.info['aux']}")
            matte = image.get_aux_image(ids[0])
            upright = np.rot90(mask, -1).astype(int)
            require(matte.size == upright.shape[::-1], f"{suffix}: a matte of {matte.size}")
            if suffix == ".avif":
                continue  # Its libheif does not decode AV1.
            got = np.asarray(matte).astype(int)
            worst = max(worst, np.abs((got[..., 0] if got.ndim == 3 else got) - upright).mean())
    require(worst < 2, f"mattes differ by {worst:.2f} codes on average")
    messages = run(tools.binaries / "hdrconvert", "gainmap", "create", path, "-o", fresh(".jpg"), "--json")
    require("skin matte" in messages and "sky matte" in messages and '"dropped"' in messages, f"JPEG contains {messages}")
    return f"{worst:.2f} codes on average"


def auxiliary_images(path):
    """Mattes by type, from libheif."""
    image = pillow_heif.open_heif(path, convert_hdr_to_8bit=False)
    return image, {urn: ids for urn, ids in image.info["aux"].items() if urn.endswith("matte")}


def pixels_of(image, item):
    got = np.asarray(image.get_aux_image(item)).astype(int)
    return got[..., 0] if got.ndim == 3 else got


@check("auxiliaries: mattes of HEIF and AVIF are copied to HEIF and AVIF", "convert", ())
@check("auxiliaries: mattes are rotated with their image", "convert", ("--rotate", "90"))
@check("auxiliaries: mattes of HEIF and AVIF are kept with a gain map", "gainmap create", ())
def followed(verb, options):
    y, x = np.mgrid[:60, :90] / [[[60]], [[90]]]
    pixels = np.dstack([x, x, x]) * 0.9 + 0.1 * y[..., None]
    skin = np.round(255 * x[:30, :45]).astype(np.uint8)
    raw = write_linear(
        pixels, np.array([0.5, 1, 0.6]), (274, "H", 1, 6), masks=((SKIN, skin), (SKY, np.full((20, 30), 255, np.uint8))))
    worst = 0
    for first in (".heic", ".avif"):
        source = fresh(first)
        run(tools.binaries / "hdrconvert", raw, "-o", source, "--quality", "98", "--quiet")
        for suffix in (".heic", ".avif"):
            target = fresh(suffix)
            run(tools.binaries / "hdrconvert", *verb.split(), source, "-o", target, "--quality", "98", "--quiet", *options)
            run(tools.binaries / "hdrconvert", "validate", target)
            after, found = auxiliary_images(target)
            require(sorted(found) == [SKIN, SKY], f"{first} to {suffix}: {sorted(found)}")
            if suffix == ".avif":
                continue  # Its libheif does not decode AV1.
            wanted = np.rot90(skin, -2 if options else -1).astype(int)
            got = pixels_of(after, found[SKIN][0])
            require(got.shape == wanted.shape, f"a matte of {got.shape}, not {wanted.shape}")
            worst = max(worst, np.abs(got - wanted).mean())
        messages = run(tools.binaries / "hdrconvert", *verb.split(), source, "-o", fresh(".jpg" if " " in verb else ".png"),
                   "--json")
        require("skin matte" in messages and "sky matte" in messages and '"dropped"' in messages, f"no notice: {messages}")
    require(worst < 2, f"mattes differ by {worst:.2f} codes on average")
    return f"{worst:.2f} codes on average"


@check("raw: color tables with masks, weighted as in the specification", 0)
@check("raw: color tables with masks, applied in sequence", 1)
def masked_tables(method):
    height, width, size = 60, 90, 9
    neutral = np.array([0.5, 1, 0.6])
    pixels = smooth(height, width, 7)
    # As large as the image, so that they are not interpolated; they overlap and do not cover it fully.
    y, x = np.mgrid[:height, :width] / [[[height]], [[width]]]
    masks = {"person": np.round(255 * np.clip(2 * x - 0.4, 0, 1)), "sky": np.round(255 * np.clip(1.2 - 2 * y, 0, 1))}
    grid = np.stack(np.meshgrid(*[np.linspace(0, 1, size)] * 3, indexing="ij"), -1)
    changes = {
        "person": grid[..., [1, 2, 0]] * [0.9, 0.8, 0.7] + 0.1 * np.sin(5 * grid),
        "": grid ** 1.4,
        "sky": 1 - 0.8 * grid[..., [2, 0, 1]]}
    tables = {name: np.round(np.clip(table, 0, 1) * 65535).astype("<u2") for name, table in changes.items()}
    value = np.array([len(tables), method], "<u4").tobytes()
    for name, table in tables.items():
        # 16 bits, sRGB transfer function and primaries; values outside are kept.
        value += np.array([len(name)], "<u2").tobytes() + name.encode() + bytes([size, 1, 1, 0, 1]) + table.tobytes()
    options = "--raw", "extended-dynamic-range=0", "--raw", "gamut-mapping=off"
    stored = [(name, mask.astype(np.uint8)) for name, mask in masks.items()]
    plain = ours(write_linear(pixels, neutral, masks=stored), *options)
    got = ours(write_linear(pixels, neutral, (52543, "B", len(value), value), masks=stored), *options)
    spaces = [colour.RGB_COLOURSPACES[name] for name in ("ITU-R BT.2020", "sRGB")]
    to_xyz = [colour.models.normalised_primary_matrix(space.primaries, space.whitepoint) for space in spaces]
    to_srgb = np.linalg.inv(to_xyz[1]) @ to_xyz[0]

    def changed(light, table):
        linear = light @ to_srgb.T
        inside = np.clip(linear, 0, 1)
        encoded = colour.models.eotf_inverse_sRGB(inside).reshape(-1, 3)
        found = colour.algebra.table_interpolation_tetrahedral(encoded, table / 65535).reshape(light.shape)
        return (colour.models.eotf_sRGB(found) + linear - inside) @ np.linalg.inv(to_srgb).T

    weights = {name: mask[..., None] / 255 for name, mask in masks.items()}
    total = sum(weights.values())
    weights[""] = 1 - np.minimum(1, total)
    require(total.max() > 1.5 and weights[""].max() > 0.3, "masks neither overlap nor leave anything")
    if method == 0:
        expected = sum(weights[name] * changed(plain, table) for name, table in tables.items())
        expected = expected / (total + weights[""])
    else:
        expected = plain
        for name, table in tables.items():
            expected = expected + weights[name] * (changed(expected, table) - expected)
    # The look is clipped at this limit, in another color space.
    inner = (expected > 0.01).all(-1) & (expected < 0.95).all(-1)
    require(inner.mean() > 0.6, f"only {inner.mean():.2f} of the pixels can be compared")
    require(np.abs(expected - plain)[inner].max() > 0.1, "the tables change hardly anything")
    error = np.abs(got - expected)[inner].max()
    require(error < 2e-4, f"light differs by {error:.1e}")
    return f"at most {error:.1e}"
