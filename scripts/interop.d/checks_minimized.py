# SPDX-License-Identifier: Apache-2.0
"""Low-overhead files, written here field by field: read like the equivalent ordinary files."""

import json
import struct

import imagecodecs
import numpy as np
import pillow_heif

import tools
from boxes import HEIFFile
from minimized import minimized
from runner import check, require
from tools import REFERENCE, convert, corpus, fresh, our_planes, run


def configuration(item):
    (found,) = [box.payload for box, _, _ in item.properties if box.kind in ("hvcC", "av1C")]
    return found


def chroma(item):
    """0 for 4:0:0, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4."""
    if coded := item.get("hvcC"):
        return coded["chroma"]
    coded = item.get("av1C")
    return 0 if coded["mono"] else {(1, 1): 1, (1, 0): 2, (0, 0): 3}[coded["subsampling"]]


def from_ordinary(path, **options):
    """The primary image of a file and its alpha, in a low-overhead file."""
    file = HEIFFile(path.read_bytes())
    image = file.primary
    size, depth = image.get("ispe"), image.get("pixi")["bits"][0]
    *cicp, full = image.nclx
    if file.alpha_id:
        options["alpha"] = configuration(file.items[file.alpha_id]), file.body(file.alpha_id)
    target = fresh(path.suffix)
    brand = b"avif" if image.kind == "av01" else b"heic"
    target.write_bytes(minimized(
        brand, (size["width"], size["height"]), chroma(image), depth, configuration(image),
        file.body(file.primary_id), cicp=cicp, full=full, **options))
    return target


def same_planes(a, b):
    ours, theirs = our_planes(a)[0], our_planes(b)[0]
    require(len(ours) == len(theirs), f"{len(ours)} planes, not {len(theirs)}")
    require(all(map(np.array_equal, ours, theirs)), "other samples")


def proof(source, *options):
    """Tags a low-overhead file: the output is an ordinary file with the same coded images."""
    target = fresh(source.suffix)
    report = json.loads(
        run(tools.binaries / "hdrconvert", "tag", source, "-o", target, "--json", *options))["results"][0]
    require(all(p["status"] == "unchanged" for p in report["codedData"]), "coded images changed")
    require(any(n["code"] == "heif/minimized-form-replaced" for n in report["notices"]), "no notice")
    return target


@check("minimized: HEIC that libheif also reads, converted to an ordinary file by tag")
def heic():
    ordinary = convert(REFERENCE / "ramps.exr", ".heic", "-d", "10", "-y", "420")
    light = {"clli": struct.pack(">HH", 1000, 203), "ndwt": struct.pack(">I", 1_000_000)}
    xmp = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>'
    small = from_ordinary(ordinary, light=light, xmp=xmp)
    require(b"mini" in small.read_bytes()[:32], "no mini")
    same_planes(small, ordinary)
    theirs = [np.asarray(pillow_heif.open_heif(p, convert_hdr_to_8bit=False)) for p in (small, ordinary)]
    require(np.array_equal(*theirs), "libheif decodes something else")
    image = json.loads(
        run(tools.binaries / "hdrconvert", "inspect", "--json", small))["results"][0]["images"][0]
    require(image["lightMetadata"]["contentLightLevel"]["maxCLLNits"] == 1000, f"{image['lightMetadata']}")
    require(image["lightMetadata"]["diffuseWhiteNits"] == 100, f"{image['lightMetadata']}")
    tagged = proof(small, "--set", "clli=900:100")
    same_planes(tagged, ordinary)
    file = HEIFFile(tagged.read_bytes())
    require(file.primary.get("clli") == {"max": 900, "average": 100}, "clli")
    require(file.metadata("mime", "application/rdf+xml")[1] == xmp, "XMP")
    return f"{small.stat().st_size} bytes, {ordinary.stat().st_size} as an ordinary file"


@check("minimized: AVIF with alpha, which libavif reads once tagged")
def avif():
    rgba = np.zeros((48, 64, 4), "u2")
    rgba[..., 0], rgba[..., 1] = np.mgrid[0:48, 0:64] * 16
    rgba[..., 3] = np.mgrid[0:48, 0:64].sum(0) * 9
    ordinary = fresh(".avif")
    ordinary.write_bytes(imagecodecs.avif_encode(rgba, level=90, bitspersample=10))
    small = from_ordinary(ordinary, orientation=6)
    same_planes(small, ordinary)
    tagged = proof(small, "--set", "orientation=1")
    theirs = [imagecodecs.avif_decode(p.read_bytes()) for p in (tagged, ordinary)]
    require(theirs[0].shape[2] == 4, f"{theirs[0].shape}")
    require(np.array_equal(*theirs), "libavif decodes something else")


@check("minimized: an AVIF gain map, which libavif applies once written")
def gain_map():
    path = corpus("avif-gainmap/libavif-seine-sdr.avif")
    file = HEIFFile(path.read_bytes())
    ((tone_id, (_, map_id)),) = [(source, to) for kind, source, to in file.references
                                 if kind == "dimg" and file.items[source].kind == "tmap"]
    tone, gains = file.items[tone_id], file.items[map_id]
    size = gains.get("ispe")
    small = from_ordinary(path, gain_map={
        "size": (size["width"], size["height"]), "chroma": chroma(gains),
        "depth": gains.get("pixi")["bits"][0], "configuration": configuration(gains),
        "data": file.body(map_id), "metadata": file.body(tone_id)[1:], "cicp": tone.nclx[:3]})
    reports = [json.loads(run(tools.binaries / "hdrconvert", "inspect", "--json", p))["results"][0]["gainMaps"]
               for p in (small, path)]
    require(reports[0][0]["gainMapCarriers"][0]["channels"] == reports[1][0]["gainMapCarriers"][0]["channels"], f"{reports[0]}")
    written = proof(small, "--set", "clli=900:100")
    info = run("avifdec", "--info", written)
    require("Resolution" in info, info)
    applied = [convert(p, ".png") for p in (written, path)]
    codes = [imagecodecs.png_decode(p.read_bytes()) for p in applied]
    require(np.array_equal(*codes), "another image once the map is applied")
