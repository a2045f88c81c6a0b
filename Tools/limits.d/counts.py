# SPDX-License-Identifier: Apache-2.0
"""Files in which one count is `n`; each function returns the bytes of a file."""

import struct

from bombs import POLYNOMIAL, jxl
from files import (
    HEIF, box, dng, exr, full_box, icc, ifd, jpeg, long, opcode_list, png, png_chunk, png_profile, png_xmp, segment, short, tiff,
    tiff_image, xmp)


def heif_items(tile, n):
    heif = HEIF(tile)
    packet = xmp()
    for _ in range(n):
        item = heif.add(b"mime", content=packet[:1])
        heif.references.append((b"cdsc", item, [1]))
    return heif.bytes()


def heif_images(tile, n):
    heif = HEIF(tile)
    extents = heif.items[0][2]
    for _ in range(n):
        heif.references.append((b"thmb", heif.add(b"av01", [1, 2, 3], extents=extents), [1]))
    return heif.bytes()


def heif_auxiliaries(tile, n):
    heif = HEIF(tile)
    extents = heif.items[0][2]
    kind = heif.property(full_box(b"auxC", 0, 0, b"urn:example:matte\0"))
    for _ in range(n):
        item = heif.add(b"av01", [1, 2, 3, kind], extents=extents, hidden=True)
        heif.references.append((b"auxl", item, [1]))
    return heif.bytes()


def heif_properties(tile, n):
    heif = HEIF(tile)
    for index in range(n):
        number = heif.property(full_box(b"udes", 0, 0, b"en\0", b"%d\0" % index, b"\0\0"))
        heif.add(b"mime", [number])
    return heif.bytes()


def heif_shared_property(tile, n):
    """A description of 64 kB that many items have."""
    heif = HEIF(tile)
    number = heif.property(full_box(b"udes", 0, 0, b"en\0", b"x" * (1 << 16), b"\0\0"))
    for _ in range(n):
        heif.add(b"mime", [number])
    return heif.bytes()


def heif_references(tile, n):
    heif = HEIF(tile)
    for _ in range(n):
        heif.references.append((b"cdsc", 1, [1]))
    return heif.bytes()


def heif_extents(tile, n):
    heif = HEIF(tile)
    heif.add(b"mime", extents=[(index % 16, 1) for index in range(n)])
    heif.references.append((b"cdsc", 2, [1]))
    return heif.bytes()


def shared(heif, kind, properties, content, n):
    """Adds `n` items of the same bytes, and returns their identifiers."""
    extents = [(len(heif.data), len(content))]
    heif.data += content
    return [heif.add(kind, properties, extents=extents, hidden=True) for _ in range(n)]


def split(heif, kind, properties, content, n):
    """As `shared`, in two extents that meet at another place in each item."""
    start, size = len(heif.data), len(content)
    heif.data += content
    return [heif.add(kind, properties, hidden=True, extents=[
        (start, place), (start + place, size - place)]) for place in range(1, n + 1)]


def heif_shared_grids(tile, n):
    """Grids of one tile, whose parameters are followed by a megabyte that all share."""
    heif = HEIF(tile)
    content = struct.pack(">BBBBHH", 0, 0, 0, 0, *tile.size) + bytes(1 << 20)
    for item in shared(heif, b"grid", [1, 3], content, n):
        heif.references.append((b"dimg", item, [1]))
    return heif.bytes()


def heif_shared_xmp(tile, n, adding=shared):
    heif = HEIF(tile)
    packet = xmp(elements="<a:e>" + "x" * (1 << 16) + "</a:e>")
    for item in adding(heif, b"mime", [], packet, n // 16):
        heif.references.append((b"cdsc", item, [1]))
    return heif.bytes()


def heif_shared_xmp_elements(tile, n):
    """A packet whose elements take longer than its bytes."""
    heif = HEIF(tile)
    packet = xmp(elements="".join(f"<a:e{index}>1</a:e{index}>" for index in range(300)))
    for item in shared(heif, b"mime", [], packet, n):
        heif.references.append((b"cdsc", item, [1]))
    return heif.bytes()


def heif_shared_exif(tile, n):
    heif = HEIF(tile)
    content = bytes(4) + tiff([short(0x0112, 1)]) + bytes(1 << 16)
    for item in shared(heif, b"Exif", [], content, n // 16):
        heif.references.append((b"cdsc", item, [1]))
    return heif.bytes()


def heif_shared_location(tile, n, adding=shared):
    """Exif with a location, and bytes that make its copies large."""
    heif = HEIF(tile)
    content = bytes(4) + shared_exif(0x8825, struct.pack("<HHHIII", 1, 1, 2, 2, 0x4E, 0), 1, kind=4) + bytes(1 << 16)
    for item in adding(heif, b"Exif", [], content, n // 16):
        heif.references.append((b"cdsc", item, [1]))
    return heif.bytes()


def heif_shared_text(tile, n):
    """Metadata that are searched for signs of a location."""
    heif = HEIF(tile)
    for item in shared(heif, b"uri ", [], b"II*\0" * (1 << 14), n // 16):
        heif.references.append((b"cdsc", item, [1]))
    return heif.bytes()


def heif_split_xmp(tile, n):
    return heif_shared_xmp(tile, n, split)


def heif_split_location(tile, n):
    return heif_shared_location(tile, n, split)


def heif_split_jpegs(tile, n):
    heif = HEIF(tile)
    content = jpeg(segment(0xE1, b"Exif\0\0" + tiff([short(0x0112, 1)]) + bytes(1 << 15)))
    for item in split(heif, b"jpeg", [1], content, n // 16):
        heif.references.append((b"thmb", item, [1]))
    return heif.bytes()


def shared_exif(tag, value, n, kind=7):
    """Exif whose `n` entries have one value; of a pointer, it is the directory."""
    start = 14 + 12 * n
    entry = struct.pack("<HHII", tag, kind, 1 if kind == 4 else len(value), start)
    return b"II*\0\x08\0\0\0" + struct.pack("<H", n) + entry * n + bytes(4) + value


def png_shared(tag, value, n):
    return png([png_chunk(b"eXIf", shared_exif(tag, value, n))])


def exif_shared_xmp(_, n):
    return png_shared(700, xmp(elements="".join(f"<a:e{index}>1</a:e{index}>" for index in range(4000))), n)


def exif_shared_bytes(_, n):
    """XMP that cannot be parsed."""
    return png_shared(700, b"<rdf:RDF" * 50_000, n)


def exif_shared_iptc(_, n):
    return png_shared(33723, b"\x1c\2\x05\0\0" * 100_000, n)


def exif_shared_resources(_, n):
    return png_shared(34377, b"8BIM\4\4\0\0\0\0\0\0" * 50_000, n)


def exif_shared_notes(_, n):
    places = struct.pack("<HHII", 0x6D, 7, 100, 100) * 5000
    return png_shared(0x927C, b"Panasonic\0\0\0" + struct.pack("<H", 5000) + places, n)


def jpeg_jumbf(_, n):
    """One box in many segments."""
    part = b"JP\0\1" + struct.pack(">II", 1, 100) + b"jumb" + b"II*\0" * 10
    return jpeg(segment(0xEB, part) * n)


def jxl_exif(_, n):
    content = bytes(4) + tiff([short(0x0112, 1)])
    return (b"\0\0\0\x0cJXL \r\n\x87\n" + box(b"ftyp", b"jxl ", bytes(4), b"jxl ")
            + box(b"Exif", content) * n + box(b"jxlc", jxl(16, bytes(16))))


def heif_parts(tile, n):
    """Items whose data are a byte of the data of the first."""
    heif = HEIF(tile)
    for index in range(n):
        item = heif.add(b"mime", extents=[(index % 16, 1)])
        heif.derived.add(item)
        heif.references.append((b"iloc", item, [1]))
    return heif.bytes()


def heif_groups(tile, n):
    heif = HEIF(tile)
    heif.groups = b"".join(
        full_box(b"altr", 0, 0, struct.pack(">III", 100 + index, 1, 1)) for index in range(n))
    return heif.bytes()


def heif_tone_maps(tile, n):
    """Gain maps of the primary image; the metadata are invalid."""
    heif = HEIF(tile)
    extents = heif.items[0][2]
    map = heif.add(b"av01", [1, 2, 3], extents=extents, hidden=True)
    for _ in range(n):
        heif.references.append((b"dimg", heif.add(b"tmap", [1], content=b"\0"), [1, map]))
    return heif.bytes()


def heif_tone_map_groups(tile, n):
    """Tone maps with a group each, in the wrong order."""
    heif = HEIF(tile)
    groups = []
    for index in range(n):
        item = heif.add(b"tmap", [1], content=b"\0")
        heif.references.append((b"dimg", item, [1, 1]))
        groups.append(full_box(b"altr", 0, 0, struct.pack(">IIII", 100_000 + index, 2, 1, item)))
    heif.groups = b"".join(groups)
    return heif.bytes()


def heif_missing_references(tile, n):
    """References to items that do not exist."""
    heif = HEIF(tile)
    heif.references += [(b"cdsc", 1, [60_000])] * n
    return heif.bytes()


def heif_boxes(tile, n):
    return HEIF(tile).bytes() + box(b"free") * n


def jxl_boxes(_, n):
    return (b"\0\0\0\x0cJXL \r\n\x87\n" + box(b"ftyp", b"jxl ", bytes(4), b"jxl ")
            + box(b"jxlc", jxl(16, bytes(16))) + box(b"free") * n)


def grid_tiles(tile, n):
    heif = HEIF(tile)
    width, height = tile.size
    extents = heif.items[0][2]
    # One tile in eight: each takes as long as hundreds of other elements.
    columns = 40
    rows = n // 8 // columns
    size = heif.property(
        full_box(b"ispe", 0, 0, struct.pack(">II", columns * width, rows * height)))
    ids = [heif.add(b"av01", [1, 2, 3], extents=extents, hidden=True)
           for _ in range(columns * rows)]
    heif.primary = heif.add(b"grid", [size, 3], struct.pack(
        ">BBBBHH", 0, 0, rows - 1, columns - 1, columns * width, rows * height))
    heif.references.append((b"dimg", heif.primary, ids))
    return heif.bytes()


def messages(tile, n):
    """ITU-T T.35 metadata units before the frame of an AV1 image."""
    heif = HEIF(tile)
    unit = bytes([0x2A, 5, 4, 0xB5, 0, 0, 0x80])
    heif.items[0][2][:] = [(len(heif.data), len(unit) * n + len(tile.coded))]
    # After the temporal delimiter, if there is one, and the sequence header.
    start = 0
    while tile.coded[start] >> 3 & 15 != 1:
        start += 2 + tile.coded[start + 1]
    start += 2 + tile.coded[start + 1]
    heif.data += tile.coded[:start] + unit * n + tile.coded[start:]
    return heif.bytes()


def hevc_messages(tile, n):
    """ITU-T T.35 messages before the slices of an HEVC image, each in a unit of its own."""
    heif = HEIF(tile.hevc)
    unit = bytes([0x4E, 1, 4, 4, 0xB5, 0, 0, 0, 0x80])
    units = (struct.pack(">I", len(unit)) + unit) * n
    heif.items[0][2][:] = [(len(heif.data), len(units) + len(tile.hevc.coded))]
    heif.data += units + tile.hevc.coded
    return heif.bytes()


def png_texts(_, n):
    return png([png_chunk(b"tEXt", b"Comment\0%d" % index) for index in range(n)])


def png_exif(_, n):
    return png([png_chunk(b"eXIf", b"II*\0" + struct.pack("<I", 8) + ifd([], 8))] * n)


def png_profiles(_, n):
    return png([png_profile(bytes(1 << 16))] * (n // 16))


def png_frames(_, n):
    """Data of frames without an animation."""
    return png([png_chunk(b"fdAT", b"1234")] * n)


def png_data_chunks(_, n):
    data = png(width=512, height=512)
    start = data.index(b"IDAT")
    size = int.from_bytes(data[start - 4:start], "big")
    content = data[start + 4:start + 4 + size]
    return png(data=[content] + [b""] * n, width=512, height=512)


def jpeg_segments(_, n):
    return jpeg(segment(0xE9, b"x") * n)


def jpeg_comments(_, n):
    return jpeg(segment(0xFE, b"x") * n)


def jpeg_entries(_, n):
    """MPF entries; a segment has room for 4000."""
    n //= 8
    tags = [(0xB000, 7, 4, b"0100"), long(0xB001, n)]
    at = 8 + 2 + 3 * 12 + 4
    content = (struct.pack("<2sHI", b"II", 42, 8) + struct.pack("<H", 3)
               + b"".join(struct.pack("<HHI", *tag[:3]) + tag[3] for tag in tags)
               + struct.pack("<HHII", 0xB002, 7, 16 * n, at) + bytes(4)
               + b"".join(struct.pack("<IIIHH", 0, 100, 16 * index, 0, 0) for index in range(n)))
    return jpeg(segment(0xE2, b"MPF\0" + content))


def jpeg_images(_, n):
    """Images after the first; at most 256 are read."""
    return jpeg() * (n // 64)


def exif_entries(_, n):
    n //= 4
    entries = [short(0x8000 + index, 1) for index in range(n)]
    return jpeg(segment(0xE1, b"Exif\0\0" + tiff(entries)))


def tiff_entries(_, n):
    return tiff([*tiff_image(16, 16, extra=[long(273, 8), long(279, 768), long(278, 16)]),
                 *[short(0x8000 + index, 1) for index in range(n)]], bytes(768))


def tiff_directories(_, n):
    first = tiff(tiff_image(16, 16, extra=[long(273, 8), long(279, 768), long(278, 16)]), bytes(768))
    at = len(first)
    # The chain begins with the image, whose link is after its entries.
    link = int.from_bytes(first[4:8], "little") + 2 + 12 * 9
    parts = [first[:link], struct.pack("<I", at), first[link + 4:]]
    for index in range(n):
        following = 0 if index == n - 1 else at + 18
        parts.append(struct.pack("<HHHIII", 1, 254, 4, 1, 1, following))
        at += 18
    return b"".join(parts)


def tiff_tiles(_, n):
    across = 16
    down = n // across
    data = bytes(16 * 16 * 3)
    return tiff(tiff_image(16 * across, 16 * down, extra=[
        long(322, 16), long(323, 16), long(324, *[8] * (across * down)),
        long(325, *[len(data)] * (across * down))]), data)


def dng_tiles(_, n):
    across = 16
    down = n // across
    data = bytes(16 * 16 * 2)
    return tiff(dng(16 * across, 16 * down, [
        long(322, 16), long(323, 16), long(324, *[8] * (across * down)),
        long(325, *[len(data)] * (across * down))]), data)


def dng_opcodes(_, n):
    """Polynomials for all samples; at most 128 are read."""
    return dng_strip([opcode_list(2, *[(8, POLYNOMIAL)] * (n // 128))])


def dng_bad_pixels(_, n):
    points = b"".join(struct.pack(">II", index % 512, index // 512 * 4) for index in range(n))
    return dng_strip([opcode_list(1, (5, struct.pack(">III", 0, n, 0) + points))])


def dng_gain_points(_, n):
    """Points of the gain map of an opcode."""
    gains = struct.pack(">IIddddI", n // 4, 4, 4 / n, 0.25, 0, 0, 1) + struct.pack(">f", 1) * n
    return dng_strip([opcode_list(2, (9, struct.pack(">8I", 0, 0, 512, 512, 0, 1, 1, 1) + gains))])


def dng_gain_table_points(_, n):
    """Points of a ProfileGainTableMap, with four gains each."""
    table = struct.pack("<IIddddI5f", n // 4, 4, 4 / n, 0.25, 0, 0, 4, 0, 1, 0, 0, 0)
    table += struct.pack("<f", 1) * 4 * n
    return dng_strip([(52525, 7, len(table), table)])


def dng_strip(extra):
    side = 512
    return tiff(dng(side, side, [
        long(273, 8), long(279, 2 * side * side), long(278, side), *extra]), bytes(2 * side * side))


def dng_directories(_, n):
    """Directories of reduced images; at most 64 are read."""
    image = tiff_image(16, 16, extra=[long(254, 1), long(273, 8), long(279, 768), long(278, 16)])
    size, count = len(ifd(image, 0)), n // 256
    main = dng(16, 16, [long(273, 8), long(279, 512), long(278, 16)])
    at = 8 + 768 + count * size
    parts = [struct.pack("<2sHI", b"II", 42, at), bytes(768)]
    parts += [ifd(image, 8 + 768 + index * size) for index in range(count)]
    links = long(330, *(8 + 768 + index * size for index in range(count)))
    return b"".join([*parts, ifd([*main, links], at)])


def exr_attributes(_, n):
    return exr(b"".join(
        b"a%d\0string\0" % index + struct.pack("<I", 1) + b"x" for index in range(n)))


def xmp_elements(_, n):
    return png([png_xmp(xmp(elements="".join(f"<a:e{index}>1</a:e{index}>" for index in range(n))))])


def xmp_items(_, n):
    items = "<rdf:li>1</rdf:li>" * n
    return png([png_xmp(xmp(elements=f"<a:list><rdf:Seq>{items}</rdf:Seq></a:list>"))])


def xmp_attributes(_, n):
    texts = []
    for start in range(0, n, 4000):
        names = " ".join(f'a:n{index}="1"' for index in range(start, min(start + 4000, n)))
        texts.append(f"<a:e{start} {names}/>")
    return png([png_xmp(xmp(elements="".join(texts)))])


def xmp_locations(_, n):
    """Properties that `--strip gps` removes."""
    return jpeg(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + xmp(elements="".join(
        f"<a:gps{index}>1</a:gps{index}>" for index in range(n // 8)))))


def icc_tags(_, n):
    return png([png_profile(icc(
        [(b"%04x" % index, b"text" + bytes(8)) for index in range(n)]))])


ALL = [heif_items, heif_images, heif_auxiliaries, heif_properties, heif_shared_property, heif_references, heif_extents,
       heif_shared_grids, heif_shared_xmp, heif_shared_xmp_elements, heif_shared_exif,
       heif_shared_location, heif_shared_text, heif_split_xmp, heif_split_location,
       heif_split_jpegs, exif_shared_xmp, exif_shared_bytes, exif_shared_iptc,
       exif_shared_resources, exif_shared_notes, jpeg_jumbf, jxl_exif, heif_parts,
       heif_groups, heif_tone_maps, heif_tone_map_groups, heif_missing_references, heif_boxes, jxl_boxes,
       grid_tiles, messages, hevc_messages, png_texts, png_exif, png_profiles,
       png_frames, png_data_chunks, jpeg_segments,
       jpeg_comments, jpeg_entries, jpeg_images, exif_entries, tiff_entries, tiff_directories,
       tiff_tiles, dng_tiles, dng_opcodes, dng_bad_pixels, dng_gain_points, dng_gain_table_points,
       dng_directories, exr_attributes, xmp_elements, xmp_items, xmp_attributes, xmp_locations,
       icc_tags]
