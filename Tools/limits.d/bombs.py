# SPDX-License-Identifier: Apache-2.0
"""Files of a few kilobytes to a few megabytes that declare far more than they contain."""

import struct
import zlib

from files import (
    HEIF, box, dng, full_box, huffman, icc, jpeg, jpeg_head, jxr, jxr_directories, long, opcode_list, png, png_xmp, scan,
    short, tiff, tiff_image, xmp, zeros)

SIDE = 22000


def png_interlaced():
    return png(data=[zeros(1000)], width=SIDE, height=SIDE, bits=16, color=6, interlaced=True)


def png_interlaced_zeros():
    return png(data=[zeros(SIDE * (SIDE + 2))], width=SIDE, height=SIDE, color=0, interlaced=True)


def png_truncated():
    return png(data=[zeros(1000)], width=SIDE, height=SIDE, bits=16, color=6)


def png_zeros():
    return png(data=[zeros(SIDE * (SIDE + 1))], width=SIDE, height=SIDE, color=0)


def png_texts():
    text = b"Raw profile type exif\0\0" + zeros(60 << 20)
    from files import png_chunk
    return png([png_chunk(b"zTXt", text)] * 20)


def png_profile_texts():
    """Exif as hexadecimal text, of which each chunk inflates to 8 MB."""
    from files import png_chunk
    text = b"\nexif\n 4000000\n" + b"00" * 4_000_000
    return png([png_chunk(b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(text, 9))] * 200)


def tiff_tile(compression, data):
    return tiff(
        tiff_image(20000, 20000, 3, 16, compression, [
            short(284, 1), long(322, 20000), long(323, 20000), long(324, 8), long(325, len(data))]),
        data)


def tiff_one_tile():
    return tiff_tile(1, bytes(1000))


def tiff_one_tile_deflate():
    return tiff_tile(8, zeros(1000))


def tiff_one_tile_lzw():
    return tiff_tile(5, b"\x80\x00\x20\x20")


def tiff_strips(count, compression, data, planar=1):
    return tiff(
        tiff_image(SIDE, SIDE, 3, 8, compression, [
            short(284, planar), long(278, SIDE), long(273, *[8] * count),
            long(279, *[len(data)] * count)]),
        data)


def tiff_deflate():
    return tiff_strips(1, 8, zeros(SIDE * SIDE * 3))


def tiff_deflate_planar():
    return tiff_strips(3, 8, zeros(SIDE * SIDE), planar=2)


def tiff_deflate_truncated():
    return tiff_strips(3, 8, zeros(1000), planar=2)


# MapPolynomial of degree 8 for all samples.
POLYNOMIAL = struct.pack(">9I9d", 0, 0, SIDE, SIDE, 0, 1, 1, 1, 8, 0, 1, *[0.0] * 7)


def dng_deflate(*lists, data=None):
    data = data or zeros(SIDE * SIDE * 2)
    return tiff(dng(SIDE, SIDE, [
        long(322, SIDE), long(323, SIDE), long(324, 8), long(325, len(data)), *lists],
        compression=8), data)


def dng_truncated():
    return dng_deflate(data=zeros(1000))


def dng_constant():
    """All photosites have the code of bad ones."""
    return dng_deflate(opcode_list(1, (4, struct.pack(">II", 0, 0))))


def dng_rectangles():
    """Bad rectangles that cover the image again and again."""
    count = 1 << 20
    content = struct.pack(">III", 0, 0, count) + struct.pack(">4I", 0, 0, SIDE, SIDE) * count
    return dng_deflate(opcode_list(1, *[(5, content)] * 2))


def dng_opcodes():
    polynomials = [(8, POLYNOMIAL)] * 128
    return dng_deflate(*(opcode_list(number, *polynomials) for number in (1, 2, 3)))


def dng_vignettes():
    return dng_deflate(opcode_list(3, *[(3, struct.pack(">7d", 0.1, 0, 0, 0, 0, 0.5, 0.5))] * 128))


def dng_folding_warp():
    return dng_deflate(opcode_list(3, (1, struct.pack(">I8d", 1, -5, 3, -3, 3, -3, 3, 0.5, 0.5))))


def shared_tiles(entries, samples):
    """Tiles of 2000x2000 that are all the same bytes."""
    side, count = 2000, (SIDE // 2000) ** 2
    data = zeros(side * side * samples)
    return tiff(entries([
        long(322, side), long(323, side), long(324, *[8] * count), long(325, *[len(data)] * count)]), data)


def dng_shared_tiles():
    return shared_tiles(lambda tiles: dng(SIDE, SIDE, tiles, compression=8), 2)


def tiff_shared_tiles():
    return shared_tiles(lambda tiles: tiff_image(SIDE, SIDE, compression=8, extra=tiles), 3)


def jpeg_progressive():
    """All DC coefficients of a 22000x22000 image, then 480 scans of one end-of-band run each."""
    blocks = ((SIDE + 7) // 8) ** 2
    parts = [b"\xff\xd8", jpeg_head(SIDE, SIDE, 0xC2), scan(last=0), bytes(blocks // 8), b"\x7f"]
    # Code 0 is a run of 2^14 + 14 more bits; the longest is 32767 blocks.
    parts.append(huffman(1, 0, {1: [0xE0]}))
    runs = ("0" + "1" * 14) * (blocks // 32767)
    rest = blocks % 32767
    bits = runs + "0" + format(max(rest - (1 << 14), 0), "014b")
    bits += "1" * (-len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
    for _ in range(480):
        parts += [scan(first=1), data]
    return b"".join(parts) + b"\xff\xd9"


def jpeg_truncated():
    return (b"\xff\xd8" + jpeg_head(SIDE, SIDE, components=3, sampling=0x22) + scan(3)
            + bytes(1000) + b"\xff\xd9")


def jpeg_not_interleaved():
    return (b"\xff\xd8" + jpeg_head(SIDE, SIDE, components=3) + scan(1) + bytes(1000) + b"\xff\xd9")


def jpeg_zeros():
    return jpeg(width=SIDE, height=SIDE)


def jxl(size, data):
    """A bare codestream of a square image with default metadata, followed by the bytes of its frame."""
    bits, count = 0, 0
    # Not small; 18 bits of the height; square; all metadata have their defaults.
    for value, length in ((0, 1), (2, 2), (size - 1, 18), (1, 3), (1, 1)):
        bits |= value << count
        count += length
    return b"\xff\x0a" + bits.to_bytes((count + 7) // 8, "little") + data


def jxl_truncated():
    return jxl(SIDE, bytes(1000))


def jxl_compressed_data():
    return jxl(SIDE, bytes(index * 37 & 255 for index in range(100_000)))


def jxl_compressed_boxes():
    """Boxes of 70 MiB of zeros each; as in the unit tests of Brotli."""
    zeros = bytes.fromhex(
        "cbffff3ff82700e2b14020f7fe8fffff7ff04f00c4611180eefd1fffffffe09f0088c30200ddfb3ffeffffc13f01"
        "10870500baf77ffcffff837f02200e0b0074effff8ffff07ff04401c1600e8defff1ffff0ffe0980382c00d0bdff"
        "e3ffff1ffc1300715800a07bff97ffff5ff82700e2b00040f7fe0b")
    return (b"\0\0\0\x0cJXL \r\n\x87\n" + box(b"ftyp", b"jxl ", bytes(4), b"jxl ")
            + box(b"brob", b"xml ", zeros) * 32 + box(b"jxlc", jxl(16, bytes(16))))


def jxr_truncated():
    return jxr(SIDE, SIDE, bytes(1000), color=True)


def jxr_zeros():
    """About one bit for each macroblock."""
    return jxr(SIDE, SIDE, bytes(400_000))


def jxr_tiles():
    """A tile for each macroblock, all of which begin at the same byte."""
    side = SIDE // 2
    return jxr(side, side, bytes(1000), color=True, tiles=(side // 16, side // 16))


def jxr_columns():
    """As many columns of tiles as a header allows, all of which are decoded from the same bytes."""
    return jxr(65536, 7000, bytes(1000), color=True, tiles=(4096, 1))


def jxr_shared_values():
    """8000 images with one value of 16 MiB."""
    return jxr_directories(8000, 1 << 24)


def avif_grid(tile):
    profile = icc([(b"desc", b"desc" + bytes(4 << 20))])
    heif = HEIF(tile)
    width, height = tile.size
    heif.property(box(b"colr", b"prof", profile))
    heif.property(full_box(b"ispe", 0, 0, struct.pack(">II", 100 * width, 100 * height)))
    extents = heif.items[0][2]
    ids = [heif.add(b"av01", [1, 2, 3, 4], extents=extents, hidden=True) for _ in range(10_000)]
    heif.primary = heif.add(b"grid", [5, 3, 4], struct.pack(
        ">BBBBHH", 0, 0, 99, 99, 100 * width, 100 * height))
    heif.references.append((b"dimg", heif.primary, ids))
    return heif.bytes()


def avif_shared(tile, kind, content, properties=()):
    """As many items as identifiers of 16 bits allow, which share `content`."""
    heif = HEIF(tile)
    extents = [(len(heif.data), len(content))]
    heif.data += content
    for _ in range(60_000):
        item = heif.add(kind, properties, extents=extents, hidden=True)
        heif.references.append((b"dimg" if kind == b"grid" else b"cdsc", item, [1]))
    return heif.bytes()


def avif_shared_grids(tile):
    return avif_shared(
        tile, b"grid", struct.pack(">BBBBHH", 0, 0, 0, 0, *tile.size) + bytes(5 << 20), [1, 3])


def avif_shared_xmp(tile):
    return avif_shared(tile, b"mime", xmp(elements="<a:e>" + "x" * (1 << 20) + "</a:e>"))


def avif_shared_exif(tile):
    return avif_shared(tile, b"Exif", bytes(4) + tiff([short(0x0112, 1)]) + bytes(5 << 20))


def avif_padding(tile):
    """A coded image of 150 MiB, all but some hundred bytes of which are padding."""
    heif = HEIF(tile)
    heif.pad(150 << 20)
    return heif.bytes()


def avif_large_xmp(tile):
    """XMP of 40 MiB, and a box of 165 MiB."""
    heif = HEIF(tile)
    item = heif.add(b"mime", content=xmp(elements="<a:e>" + "x" * (40 << 20) + "</a:e>"))
    heif.references.append((b"cdsc", item, [1]))
    return heif.bytes() + box(b"free", bytes(165 << 20))


def xmp_attributes():
    tag = "<a:e " + " ".join(f'a:n{index}=""' for index in range(4000)) + "/>"
    return png([png_xmp(xmp(elements=tag * 900))])


def xmp_entities():
    return png([png_xmp(xmp(elements="<a:e>" + "&amp;" * (12 << 20) + "</a:e>"))])


def xmp_elements():
    return png([png_xmp(xmp(elements="<a:e/>" * (10 << 20)))])


ALL = [png_interlaced, png_interlaced_zeros, png_truncated, png_zeros, png_texts,
       png_profile_texts, tiff_one_tile,
       tiff_one_tile_deflate, tiff_one_tile_lzw, tiff_deflate, tiff_deflate_planar,
       tiff_deflate_truncated, dng_deflate, dng_truncated, dng_constant, dng_rectangles, dng_opcodes,
       dng_vignettes, dng_folding_warp, dng_shared_tiles, tiff_shared_tiles,
       jpeg_progressive, jpeg_truncated, jpeg_not_interleaved, jpeg_zeros,
       jxl_truncated, jxl_compressed_data, jxl_compressed_boxes, jxr_truncated, jxr_zeros, jxr_tiles, jxr_columns, jxr_shared_values,
       avif_grid, avif_shared_grids, avif_shared_xmp,
       avif_shared_exif, xmp_attributes, xmp_entities, xmp_elements]
# These contain every sample that they declare.
COMPLETE = {png_interlaced_zeros, png_zeros, tiff_deflate, tiff_deflate_planar, dng_deflate, dng_constant, dng_rectangles,
            dng_folding_warp, jpeg_zeros, jxr_zeros}
