# SPDX-License-Identifier: Apache-2.0
"""The jobs of scripts/benchmark --files, hdrconvert's and those of its peers, which make the same output of the same input."""

import pathlib
import subprocess

from programs import library, program, script

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "reference-images/photo.exr"
# Options of a gray gain map of a quarter of the size.
GRAY = ["--gainmap-channels", "1", "--gainmap-scale", "4"]
# Sides of thumbnails in pixels: an eighth of the photo and a quarter of the small files, and the number of these.
THUMBNAIL, SMALL_THUMBNAIL, COUNT = 510, 256, 200
SMALL = f"{COUNT} Ultra HDR files of {SMALL_THUMBNAIL * 4} pixels to thumbnails of {SMALL_THUMBNAIL} pixels with gain maps"
# Options that hdrconvert sets for AV1, of which the last holds for speed 6 only (Decision 55).
TOOLS = ["-a", "enable-palette=0", "-a", "enable-intrabc=0", "-a", "enable-rect-partitions=0"]
TILES = ["--tilecolslog2", "2", "--tilerowslog2", "1"]

# Seconds of processor time to reach.
GOALS = {
    "Ultra HDR (RGB map) to EXR": 1.1, "Ultra HDR (RGB map) to PQ PNG16": 1.5, "Ultra HDR (RGB map) to PQ AVIF, speed 10": 1.5,
    "PQ PNG16 to Ultra HDR, RGB map": 0.9, "PQ PNG16 to Ultra HDR, gray map 1/4": 0.6,
    "HDR and SDR PNG to Ultra HDR, RGB map": 0.8, "HDR and SDR PNG to Ultra HDR, gray map 1/4": 0.45,
    "HDR and SDR TIFF, uncompressed, to Ultra HDR, gray map 1/4": 0.45,
    "PQ PNG16 to AVIF 4:2:0, speed 10": 1.9, "PQ PNG16 to AVIF 4:2:0, speed 6": 6.8, "PQ AVIF to PNG16": 1.6,
    "PQ PNG16 to HEIC 4:2:0, speed 10": 3, "PQ PNG16 to HEIC 4:2:0": 10, "PQ HEIC to PNG16": 3.5,
    "SDR and HDR AVIF to gain-map AVIF, speed 10": 5,
    "gain-map AVIF to tone-mapped AVIF, speed 10": 3, "EXR to PQ PNG16": 1.6, "EXR to AVIF 4:2:0, speed 10": 1.8,
    "sheet, PNG": 1.5, "sheet, page": 2.5, "compare, two PQ PNG16": 2, "remux": 0.04, "tag": 0.02, "inspect": 0.015,
}
# Jobs of the table of the README.
SUMMARY = (
    "Ultra HDR (RGB map) to EXR", "Ultra HDR (RGB map) to PQ PNG16", "HDR and SDR PNG to Ultra HDR, gray map 1/4",
    "PQ PNG16 to AVIF 4:2:0, speed 6", "PQ AVIF to PNG16", "PQ PNG16 to HEIC 4:2:0", "PQ PNG16 to JPEG XL",
    "Bayer DNG of 24 megapixels, lossless JPEG, to SDR JPEG", f"Ultra HDR to thumbnail of {THUMBNAIL} pixels with gain map",
    SMALL, f"tag, {COUNT} small files")


class Jobs:
    """Inputs in a folder, and the jobs with their peers."""

    def __init__(self, command, photo, folder, with_peers):
        self.command, self.folder, self.with_peers = command, folder, with_peers
        self.photo = photo or self.path("photo.jpg")
        if photo is None:
            self.make("photo.jpg", "convert", REFERENCE, "--resize", "4080,enlarge")
        self.make("hdr.png", "convert", self.photo)
        self.make("sdr.png", "render", self.photo, "--level", "standard")
        self.make("sdr.avif", "render", self.photo, "--level", "standard")
        self.make("hdr.heic", "convert", self.path("hdr.png"))
        # ffmpeg 5.1 skips at most 255 bytes of an attribute that it does not know, such as Exif data.
        self.make("hdr.exr", "convert", self.photo, "--strip", "all")
        self.make("hdr.avif", "convert", self.photo, "--yuv", "420")
        self.make("rgb.jpg", "gainmap", "create", self.path("hdr.png"))
        self.make("coded.tif", "convert", self.path("hdr.png"))
        self.prepare("hdr.tif", "uncompressed_tiff", self.path("coded.tif"))
        self.make("coded-sdr.tif", "convert", self.path("sdr.png"))
        self.prepare("sdr.tif", "uncompressed_tiff", self.path("coded-sdr.tif"))
        self.make("map.avif", "gainmap", "create", self.path("hdr.avif"), "--sdr", self.path("sdr.avif"))
        for compression in ("none", "jpeg"):
            self.prepare(f"{compression}.dng", "bayer_dng", self.path("hdr.png"), compression)
        self.make("small.jpg", "convert", self.photo, "--resize", SMALL_THUMBNAIL * 4)
        for name in ("small", "ours", "peers"):
            self.path(name).mkdir()
        self.prepare("small", "copies", self.path("small.jpg"), COUNT)
        if not with_peers:
            return
        self.make("rgb.png", "convert", self.path("rgb.jpg"))
        self.make("raw.png", "render", self.path("none.dng"), "--level", "standard")
        script("libraries.py", "raw_to_png", self.path("libraw.png"), self.path("none.dng"))
        self.make("sdr.exr", "render", self.photo, "--level", "standard")
        self.make("small.exr", "convert", self.path("small.jpg"))
        for name, side in (("hdr", THUMBNAIL), ("sdr", THUMBNAIL), ("small", SMALL_THUMBNAIL)):
            self.prepare(f"{name}-thumbnail.exr", "reduced_exr", self.path(f"{name}.exr"), side)

    def path(self, name):
        return self.folder / name

    def make(self, name, *words):
        speed = ["--speed", "10"] if name.endswith(("png", "avif", "heic")) else []
        subprocess.run([self.command, *map(str, words), "-o", self.path(name), "--quiet", "--force", *speed], check=True)

    def prepare(self, name, function, *arguments):
        script("inputs.py", function, self.path(name), *arguments)

    def ours(self, words, output):
        target = self.path(f"ours{output}")
        return program("hdrconvert", self.command, *words, "-o", target, "--quiet", "--force", output=target)

    def all(self):
        """Names of jobs, hdrconvert and its peers."""
        for part in (self.gain_maps, self.codecs, self.raw_files, self.thumbnails, self.files):
            for name, ours, peers in part():
                if self.with_peers:
                    yield name, ours, [peer for peer in peers if peer.is_available]
                else:
                    yield name, ours._replace(original=None), []

    def gain_maps(self):
        rgb, png, sdr, jpeg = (self.path(name) for name in ("rgb.jpg", "hdr.png", "sdr.png", "peer.jpg"))
        exr, png16, avif, tiff = (self.path(f"peer.{suffix}") for suffix in ("exr", "png", "avif", "tif"))
        yield "Ultra HDR (RGB map) to EXR", self.ours(["convert", rgb], ".exr"), [
            library("libultrahdr, OpenImageIO", "ultrahdr_to_exr", exr, rgb),
            library("libvips to float TIFF, uncompressed", "vips_to_tiff", tiff, rgb)]
        yield "Ultra HDR (RGB map) to PQ PNG16", self.ours(["convert", rgb], ".png"), [
            library("libultrahdr to 10 bits, libpng", "ultrahdr_to_png", png16, rgb, self.path("rgb.png"))]
        yield "Ultra HDR (RGB map) to PQ AVIF, speed 10", self.ours(["convert", rgb, "--speed", "10"], ".avif").of(rgb), [
            library("libultrahdr, libavif", "ultrahdr_to_avif", avif, rgb).of(rgb)]
        for inputs, files in (("PQ PNG16", [png]), ("HDR and SDR PNG", [png, sdr])):
            for kind, options in (("RGB map", []), ("gray map 1/4", GRAY)):
                pair = ["--sdr", sdr] if len(files) == 2 else []
                yield f"{inputs} to Ultra HDR, {kind}", self.ours(["gainmap", "create", png, *pair, *options], ".jpg").of(png), [
                    library("libpng, libultrahdr", "encode", jpeg, kind, *files).of(png)]
        yield "HDR and SDR TIFF, uncompressed, to Ultra HDR, gray map 1/4", self.ours(
            ["gainmap", "create", self.path("hdr.tif"), "--sdr", self.path("sdr.tif"), *GRAY], ".jpg").of(png), [
                library("libultrahdr from samples", "encode_samples", jpeg, "gray map 1/4", png, sdr).of(png)]
        hdr_avif = self.path("hdr.avif")
        yield "SDR and HDR AVIF to gain-map AVIF, speed 10", self.ours(
            ["gainmap", "create", hdr_avif, "--sdr", self.path("sdr.avif"), "--speed", "10"], ".avif").of(hdr_avif), []
        yield "gain-map AVIF to tone-mapped AVIF, speed 10", self.ours(
            ["render", self.path("map.avif"), "--headroom", "1.5x", "--speed", "10"], ".avif"), []

    def codecs(self):
        png, exr, avif, heic = (self.path(f"hdr.{suffix}") for suffix in ("png", "exr", "avif", "heic"))
        coded, coded_heic, png16, ivf, jxl = (self.path(f"peer.{suffix}") for suffix in ("avif", "heic", "png", "ivf", "jxl"))
        for speed, tools in ((10, TOOLS[:4]), (6, TOOLS)):
            encoder = ["avifenc", "-s", speed, "-j", "2", "-y", "420", "-d", "10", "--cicp", "9/16/9", "--min", "9", "--max", "9"]
            peers = [("with the options of hdrconvert", [*tools, *TILES])] + ([("without options", [])] if speed == 6 else [])
            yield f"PQ PNG16 to AVIF 4:2:0, speed {speed}", self.ours(
                ["convert", png, "--yuv", "420", "--speed", speed], ".avif").of(png), [
                    program(f"avifenc {name}", *encoder, *options, png, coded, output=coded).of(png) for name, options in peers]
        yield "PQ AVIF to PNG16", self.ours(["convert", avif], ".png"), [
            program("avifdec", "avifdec", "-d", "16", "-j", "2", "--png-compress", "1", avif, png16, output=png16)]
        # heif-enc 1.15 describes no color, whatever its options.
        for words, preset, quality in ((["--speed", "10"], "ultrafast", "62"), ([], "medium", "54")):
            yield f"PQ PNG16 to HEIC 4:2:0{', speed 10' if words else ''}", self.ours(
                ["convert", png, "--yuv", "420", *words], ".heic").of(png), [program(
                    f"heif-enc, {preset}", "heif-enc", "-b", "10", "-p", f"preset={preset}", "-p", "chroma=420", "-q", quality,
                    "--matrix_coefficients", "9", "--colour_primaries", "9", "--transfer_characteristic", "16", png,
                    "-o", coded_heic, output=coded_heic).of(png, "--assume", "pq,bt2020")]
        yield "PQ HEIC to PNG16", self.ours(["convert", heic], ".png"), [
            library("libheif, libpng", "heif_to_png", png16, heic)]
        ffmpeg = ["ffmpeg", "-y", "-threads", "2", "-i", exr, "-frames:v", "1"]
        zscale = "zscale=min=gbr:rin=full:pin=2020:tin=linear:npl=203:t=smpte2084:p=2020"
        yield "EXR to PQ PNG16", self.ours(["convert", exr], ".png"), [program(
            "ffmpeg, zscale", *ffmpeg, "-vf", f"{zscale}:m=gbr:r=full,format=rgb48be", "-compression_level", "1", png16, output=png16)]
        yield "EXR to AVIF 4:2:0, speed 10", self.ours(["convert", exr, "--yuv", "420", "--speed", "10"], ".avif").of(exr), [
            program("ffmpeg, zscale, libaom to IVF", *ffmpeg, "-vf", f"{zscale}:m=2020_ncl:r=full,format=yuv420p10le",
                    "-c:v", "libaom-av1", "-cpu-used", "8", "-usage", "realtime", "-crf", "24", ivf, output=ivf)
            .of(exr, readable=("ffmpeg", "-y", "-i", ivf, "-c", "copy", coded))]
        yield "PQ PNG16 to JPEG XL", self.ours(["convert", png], ".jxl").of(png), [
            program("cjxl", "cjxl", "-d", "1", "--num_threads", "2", "-x", "color_space=RGB_D65_202_Per_PeQ", png, jxl,
                    output=jxl).of(png)]

    def raw_files(self):
        """Errors are those of JPEG: each is compared with the same development as PNG."""
        for name, compression in (("uncompressed", "none"), ("lossless JPEG", "jpeg")):
            raw = self.path(f"{compression}.dng")
            yield f"Bayer DNG of 24 megapixels, {name}, to SDR JPEG", self.ours(
                ["render", raw, "--level", "standard"], ".jpg").of(self.path("raw.png")), [
                    library("LibRaw with AHD, libjpeg", "raw_to_jpeg", self.path("peer.jpg"), raw).of(self.path("libraw.png"))]

    def thumbnails(self):
        """Errors are differences to all samples, filtered in linear light by OpenImageIO."""
        peer, small, ours, peers = (self.path(name) for name in ("peer.jpg", "small", "ours", "peers"))
        hdr, sdr, of_small = (self.path(f"{name}-thumbnail.exr") for name in ("hdr", "sdr", "small"))
        yield f"Ultra HDR to SDR thumbnail of {THUMBNAIL} pixels", self.ours(
            ["convert", self.photo, "--sdr", "--resize", THUMBNAIL], ".jpg").of(sdr), [
                library("libvips", "thumbnail", peer, self.photo, THUMBNAIL).of(sdr)]
        yield f"Ultra HDR to thumbnail of {THUMBNAIL} pixels with gain map", self.ours(
            ["convert", self.photo, "--resize", THUMBNAIL], ".jpg").of(hdr), [
                library("libvips", "ultrahdr_thumbnail", peer, self.photo, THUMBNAIL).of(hdr)]
        yield SMALL, program(
            "hdrconvert", self.command, "-r", small, "--out-dir", ours, "--to", "jpg", "--resize", SMALL_THUMBNAIL, "--quiet",
            "--force", output=ours / "000.jpg").of(of_small), [
                library("libvips", "ultrahdr_thumbnails", peers, small, SMALL_THUMBNAIL, output=peers / "000.jpg").of(of_small)]

    def files(self):
        """Work without decoding of images, except for the first."""
        png, jpeg, small = self.path("hdr.png"), self.path("peer.jpg"), self.path("small")
        yield "sheet, PNG", self.ours(["sheet", self.photo], ".png"), []
        yield "sheet, page", self.ours(["sheet", self.photo], ".html"), []
        yield "compare, two PQ PNG16", program("hdrconvert", self.command, "compare", png, png, "--quiet"), []
        yield "remux", self.ours(["remux", self.photo, "--flavors", "iso"], ".jpg"), []
        # exiftool does not replace files.
        exiftool = ["sh", "-c", 'rm -rf "$2"; exec exiftool -q -orientation#=1 -o "$2" "$1"', "sh"]
        yield "tag", self.ours(["tag", self.photo, "--set", "orientation=1"], ".jpg"), [
            program("exiftool", *exiftool, self.photo, jpeg, output=jpeg)]
        tagged = self.path("tagged")
        yield f"tag, {COUNT} small files", program(
            "hdrconvert", self.command, "tag", "-r", small, "--set", "orientation=1", "--out-dir", self.path("ours"), "--quiet",
            "--force", output=self.path("ours/000.jpg")), [
                program("exiftool", *exiftool, small, f"{tagged}/", output=tagged / "000.jpg")]
        files = sorted(small.iterdir())
        yield "inspect", program("hdrconvert", self.command, "inspect", self.photo), [
            program("exiftool", "exiftool", "-j", self.photo)]
        yield f"inspect, {COUNT} small files", program("hdrconvert", self.command, "inspect", "--json", *files), [
            program("exiftool", "exiftool", "-j", *files)]
