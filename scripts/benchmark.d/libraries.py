# SPDX-License-Identifier: Apache-2.0
"""The work of peers that are libraries, from the bytes of files to those of others; run by scripts/benchmark --files.

usage: libraries.py FUNCTION FILE..., which prints seconds of processor time of all threads. What a function does until it yields,
such as importing modules, is not measured. libpng compresses with level 1, as fast as
ISA-L of hdrconvert.
"""

import ctypes
import pathlib
import sys
import time

# Level of deflate for photos of 16 bits.
LEVEL = 1
THREADS = 2


def read(file):
    return pathlib.Path(file).read_bytes()


def write(file, data):
    pathlib.Path(file).write_bytes(data)


def ultrahdr_encode(hdr, sdr, is_gray):
    """An Ultra HDR JPEG by libultrahdr of imagecodecs, whose function takes neither an SDR image nor a gray gain map.

    Source: ultrahdr_api.h of libultrahdr 1.4.
    """
    from imagecodecs import _ultrahdr

    class Error(ctypes.Structure):
        _fields_ = [("code", ctypes.c_int), ("has_detail", ctypes.c_int), ("detail", ctypes.c_char * 256)]

    class Raw(ctypes.Structure):
        _fields_ = [(name, ctypes.c_int) for name in ("format", "gamut", "transfer", "range")] + [
            ("width", ctypes.c_uint), ("height", ctypes.c_uint), ("planes", ctypes.c_void_p * 3), ("strides", ctypes.c_uint * 3)]

    class Coded(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    # Also finds the functions of the library that the module is linked to.
    api = ctypes.CDLL(_ultrahdr.__file__)
    api.uhdr_create_encoder.restype = ctypes.c_void_p
    api.uhdr_get_encoded_stream.restype = ctypes.POINTER(Coded)
    encoder = ctypes.c_void_p(api.uhdr_create_encoder())

    def call(name, *arguments):
        function = getattr(api, name)
        function.restype = Error
        error = function(encoder, *arguments)
        if error.code != 0:
            raise SystemExit(f"{name}: {error.detail.decode()}")

    def image(pixels, *description):
        height, width = pixels.shape[:2]
        planes, strides = (ctypes.c_void_p * 3)(pixels.ctypes.data), (ctypes.c_uint * 3)(width)
        return ctypes.byref(Raw(*description, width, height, planes, strides))

    # RGBA1010102 in BT.2100 PQ, and RGBA8888 in Display P3, both of full range; the labels are those of HDR and SDR images.
    call("uhdr_enc_set_raw_image", image(hdr, 5, 2, 2, 1), 0)
    if sdr is not None:
        call("uhdr_enc_set_raw_image", image(sdr, 3, 1, 3, 1), 1)
    call("uhdr_enc_set_using_multi_channel_gainmap", 0 if is_gray else 1)
    call("uhdr_enc_set_gainmap_scale_factor", 4 if is_gray else 1)
    # Labels of the base image and the gain map.
    call("uhdr_enc_set_quality", 95, 2)
    call("uhdr_enc_set_quality", 85, 3)
    call("uhdr_encode")
    coded = api.uhdr_get_encoded_stream(encoder).contents
    data = ctypes.string_at(coded.data, coded.size)
    api.uhdr_release_encoder(encoder)
    return data


def samples(hdr, sdr=None):
    """The samples of PNG files as libultrahdr takes them."""
    import imagecodecs as codecs
    import numpy
    red, green, blue = numpy.moveaxis(codecs.png_decode(read(hdr)) >> 6, 2, 0).astype("uint32")
    pixels = red | green << 10 | blue << 20 | 3 << 30
    return pixels, sdr and numpy.dstack([codecs.png_decode(read(sdr)), numpy.full(pixels.shape, 255, "uint8")])


def encode(target, kind, *files):
    """Packing of samples is not measured, since it is not work of libultrahdr."""
    import imagecodecs as codecs
    pixels, standard = samples(*files)
    yield
    for file in files:
        codecs.png_decode(read(file))
    write(target, ultrahdr_encode(pixels, standard, "gray" in kind))


def encode_samples(target, kind, hdr, sdr):
    import numpy
    files = [f"{target}.{name}.npy" for name in ("hdr", "sdr")]
    for file, pixels in zip(files, samples(hdr, sdr)):
        numpy.save(file, pixels)
    yield
    write(target, ultrahdr_encode(*map(numpy.load, files), "gray" in kind))


def ultrahdr_to_exr(target, source):
    import imagecodecs as codecs
    import OpenImageIO as oiio
    codecs.ultrahdr_decode, oiio.attribute("threads", THREADS)
    yield
    pixels = codecs.ultrahdr_decode(read(source))[..., :3]
    height, width = pixels.shape[:2]
    form = oiio.ImageSpec(width, height, 3, "half")
    form.attribute("compression", "zip")
    output = oiio.ImageOutput.create(target)
    output.open(target, form)
    output.write_image(pixels)
    output.close()


def vips_to_tiff(target, source):
    import pyvips
    yield
    pyvips.Image.uhdrload(source).uhdr2scRGB().tiffsave(target)


def ultrahdr_to_png(target, source, samples):
    """`samples` are a PNG of the samples to encode, which have 16 bits."""
    import imagecodecs as codecs
    pixels = codecs.png_decode(read(samples))
    codecs.ultrahdr_decode, codecs.png_encode
    yield
    codecs.ultrahdr_decode(read(source), dtype="uint32", transfer=codecs.ULTRAHDR.CT.PQ)
    write(target, codecs.png_encode(pixels, level=LEVEL))


def ultrahdr_to_avif(target, source):
    import imagecodecs as codecs
    codecs.ultrahdr_decode, codecs.avif_encode
    yield
    pixels = codecs.ultrahdr_decode(read(source), dtype="uint16", transfer=codecs.ULTRAHDR.CT.PQ)[..., :3].copy()
    # Display P3, PQ, the matrix of BT.601.
    write(target, codecs.avif_encode(
        pixels, level=83, speed=10, bitspersample=10, primaries=12, transfer=16, matrix=6, numthreads=THREADS))


def heif_to_png(target, source):
    import imagecodecs as codecs
    import numpy
    import pillow_heif
    pillow_heif.options.DECODE_THREADS = THREADS
    codecs.png_encode
    yield
    image = pillow_heif.open_heif(source, convert_hdr_to_8bit=False)
    write(target, codecs.png_encode(numpy.asarray(image), level=LEVEL))


def raw_to_jpeg(target, source):
    import imagecodecs as codecs
    import rawpy
    codecs.jpeg8_encode
    yield
    with rawpy.imread(source) as raw:
        pixels = raw.postprocess(use_camera_wb=True)
    write(target, codecs.jpeg8_encode(pixels, level=90, subsampling="420"))


def raw_to_png(target, source):
    """The samples of `raw_to_jpeg`."""
    import imagecodecs as codecs
    import rawpy
    yield
    with rawpy.imread(source) as raw:
        write(target, codecs.png_encode(raw.postprocess(use_camera_wb=True), level=LEVEL))


def thumbnail(target, source, side):
    import pyvips
    yield
    pyvips.Image.thumbnail(source, int(side), height=int(side)).jpegsave(target, Q=90, keep="icc")


def ultrahdr_thumbnail(target, source, side):
    import pyvips
    yield
    pyvips.Image.thumbnail(source, int(side), height=int(side)).uhdrsave(target, Q=90)


def ultrahdr_thumbnails(target, source, side):
    """All files of a folder."""
    import pyvips
    yield
    for file in sorted(pathlib.Path(source).iterdir()):
        pyvips.Image.thumbnail(str(file), int(side), height=int(side)).uhdrsave(f"{target}/{file.name}", Q=90)


def main(name, *arguments):
    work = globals()[name](*arguments)
    next(work)
    start = time.process_time()
    next(work, None)
    print(time.process_time() - start)


if __name__ == "__main__":
    main(*sys.argv[1:])
