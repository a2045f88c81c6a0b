// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport

@testable import ImageFiles

/// Markers in bytes that readers ignore, and in structures that are rarely used.
extension PrivateCarrier {
  static func rare() throws -> [PrivateCarrier] {
    try rareJPEG() + rareExif() + rarePNG() + rareHEIF() + rareJPEGXL() + rareVideo()
  }

  private static func insert(_ bytes: [UInt8], at offset: Int) -> [UInt8] {
    var image = JPEGFixtures.image()
    image.insert(contentsOf: bytes, at: offset)
    return image
  }

  private static func rareJPEG() -> [PrivateCarrier] {
    func image(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
      JPEGFixtures.image(JPEGFixtures.segment(marker, payload))
    }
    func resources(_ id: UInt8, _ data: [UInt8]) -> [UInt8] {
      JPEGFixtures.image(
        JPEGFixtures.segment(
          .photoshop,
          hex("3842494D 04") + [id, 0, 0, 0, 0, 0, UInt8(data.count)] + data
            + (data.count % 2 == 1 ? [0] : [])))
    }
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    let end = JPEGFixtures.image().count - 2
    let jfif = JPEGFixtures.segment(.jfif, [1, 1, 0, 0, 1, 0, 1, 0, 0])
    let later = JPEGFixtures.segment(.xmp, city)
    let extended = [0x1C, 2, 90, 0x80, 4, 0, 0, 0, UInt8(text.count)] + text
    return [
      .init("JPG0", .reported, image(0xF0, text)),
      .init("position in JPG0", image(0xF0, sign)),
      .init("RES", .reported, image(0x02, text)),
      .init(
        "quantization table without a component", .reported, image(0xDB, [3] + text + zeros(54))),
      .init(
        "position in a Huffman table without a scan",
        image(0xC4, [0x13, UInt8(sign.count)] + zeros(15) + sign)),
      .init(
        "second scan", .reported, insert(hex("FFDA 0008 01 01 00 00 3F 00") + text, at: end)),
      .init(
        "position in a second scan", insert(hex("FFDA 0008 01 01 00 00 3F 00") + sign, at: end)),
      .init("data in a comment", .reported, image(0xFE, text + [0x20] + encoded)),
      .init("written position in a comment", image(0xFE, text + written)),
      .init(
        "written position in a caption",
        resources(0x04, [0x1C, 2, 120, 0, UInt8(text.count + written.count)] + text + written)),
      .init(
        "written position in XMP",
        JPEGFixtures.image(
          JPEGFixtures.segment(
            .xmp,
            xmp("title", of: "http://e/", marker + String(decoding: written, as: UTF8.self))))),
      .init("stray bytes", .reported, JPEGFixtures.image(jfif + text)),
      .init("stray position", JPEGFixtures.image(jfif + sign)),
      .init(
        "position in an XMP comment",
        JPEGFixtures.image(
          JPEGFixtures.segment(
            .xmp,
            JPEGFixtures.xmp(
              "<!-- \(marker) +48.8577+002.2950/ --><rdf:Description rdf:about=\"\"/>")))
      ),
      .init(
        "position in an instruction in XMP",
        JPEGFixtures.image(
          JPEGFixtures.segment(
            .xmp,
            JPEGFixtures.xmp(
              "<?a \(marker) +48.8577+002.2950/ ?><rdf:Description rdf:about=\"\"/>")))
      ),
      .init(
        "XMP without RDF",
        JPEGFixtures.image(
          JPEGFixtures.segment(
            .xmp,
            Array(
              """
              <x:xmpmeta xmlns:x="adobe:ns:meta/"><e:GPSLatitude xmlns:e="http://e/">\(marker)\
              </e:GPSLatitude></x:xmpmeta>
              """.utf8)))
      ),
      .init("XMP after the scan", insert(later, at: end)),
      .init("comment after the scan", .kept, insert([0xFF, 0xFE, 0, 12] + text, at: end)),
      .init(
        "invalid ICC profile", .reported, image(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + text)),
      .init(
        "invalid gain map metadata", .reported,
        image(0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + text)),
      .init(
        "bytes after JFIF", .reported,
        image(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0] + text)),
      .init("position in another HEIC file", JPEGFixtures.image() + stillImage(sign)),
      .init("another HEIC file", .reported, JPEGFixtures.image() + stillImage(text)),
      .init("bytes in MPF", .reported, image(0xE2, Array("MPF\0".utf8) + text)),
      .init("extended IPTC", resources(0x04, extended)),
      .init("IPTC after a gap", resources(0x04, [0, 0, 0x1C, 2, 90, 0, UInt8(text.count)] + text)),
      .init(
        "other record of IPTC", .reported,
        resources(0x04, [0x1C, 6, 5, 0, UInt8(text.count)] + text)),
      .init("other resource", .reported, resources(0x55, text)),
      .init("position in a resource", resources(0x55, sign)),
    ]
  }

  /// A file without a video.
  private static func stillImage(_ content: [UInt8]) -> [UInt8] {
    box("ftyp", Array("heic\0\0\0\0mif1heic".utf8)) + box("meta", [0, 0, 0, 0] + content)
  }

  private static func rareVideo() -> [PrivateCarrier] {
    let image = JPEGFixtures.image()
    func full(_ type: String, _ content: [UInt8]) -> [UInt8] { box(type, [0, 0, 0, 0] + content) }
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    /// A video track without samples, with boxes in the table of samples, and in its description.
    func track(_ inside: [UInt8], entry: [UInt8] = []) -> [UInt8] {
      let handler = full("hdlr", zeros(4) + Array("vide".utf8) + zeros(13))
      let description = full("stsd", [0, 0, 0, 1] + box("avc1", zeros(78) + entry))
      let table = box("stbl", description + inside)
      return image + video(box("trak", box("mdia", handler + box("minf", table))))
    }
    return [
      .init("bytes after a movie header", .reported, image + video(full("mvhd", zeros(96) + text))),
      .init("position after a movie header", image + video(full("mvhd", zeros(96) + sign))),
      .init("skip box of a video", .reported, image + video([], after: box("skip", text))),
      .init("edit list of a video", .reported, track(full("elst", zeros(4) + text))),
      .init("position in the edit list of a video", track(full("elst", zeros(4) + sign))),
      .init("position in sdtp", track(full("sdtp", sign))),
      .init("position in subs", track(full("subs", sign))),
      .init(
        "position in sgpd", track(full("sgpd", Array("abcd".utf8) + sign))),
      .init(
        "box in a sample description", .reported, track([], entry: box("abcd", zeros(99) + text))),
      .init("position in a sample description", track([], entry: box("abcd", sign))),
      .init("type of an auxiliary track", track([], entry: full("auxi", [0x41, 0] + sign))),
      .init("position in iods", image + video(full("iods", sign))),
      .init("position in mvex", image + video(box("mvex", sign))),
      .init("position in the name of a handler", track(full("hdlr", zeros(20) + sign))),
      .init("user data of a fragment", image + video([], after: box("moof", xyz))),
      .init("bytes in meta of a video", .reported, image + video(full("meta", text))),
    ]
  }

  private static func rareExif() throws -> [PrivateCarrier] {
    func image(_ exif: [UInt8]) -> [UInt8] {
      JPEGFixtures.image(JPEGFixtures.segment(.exif, exif))
    }
    func nested(_ tags: TIFFTag...) -> [UInt8] {
      var directory = NewTIFFDirectory()
      directory.set(TIFFTag(rawValue: 28), undefined: text, type: .undefined)
      for tag in tags.reversed() {
        var owner = NewTIFFDirectory()
        owner.set(tag, directory)
        directory = owner
      }
      return directory.serialized(order: .bigEndian)
    }
    return [
      .init("GPS in a sub-image", image(nested(.subdirectories, .gpsDirectory))),
      .init(
        "GPS in nested sub-images", image(nested(.subdirectories, .subdirectories, .gpsDirectory))),
      .init("GPS in nested Exif", image(nested(.exifDirectory, .exifDirectory, .gpsDirectory))),
      .init(
        "GPS in Interoperability",
        image(nested(.exifDirectory, .interoperabilityDirectory, .gpsDirectory))),
      .init("position in a description", image(exif(270, in: nil, sign))),
      .init(
        "position in a UTF-16 comment",
        image(exif(40092, in: nil, text + sign.flatMap { [$0, 0] }))),
      .init(
        "written position in a user comment", image(exif(37510, in: .exifDirectory, text + written))
      ),
      .init(
        "written position in a Windows comment",
        image(exif(40092, in: nil, text + written.flatMap { [$0, 0] }))),
      .init(
        "data in a user comment", .reported,
        image(exif(37510, in: .exifDirectory, [UInt8](repeating: 0, count: 8) + text + encoded))),
      .init(
        "data in a Windows title", .reported,
        image(exif(40091, in: nil, (text + [0x41, 0x20] + encoded.flatMap { [$0, 0] })))),
      .init("private tag", .reported, image(exif(0xC000, in: nil, text))),
      .init("XMP in a private tag", image(exif(0xC000, in: nil, city))),
      .init("bytes after Exif", .reported, image(owner + text)),
      .init("position after Exif", image(exif(315, in: nil, Array("Jane".utf8)) + sign)),
      .init(
        "place in another tag of a maker note", .reported,
        image(exif(37500, in: .exifDirectory, Array("Panasonic\0\0\0".utf8) + text))),
      .init(
        "text after the signature of a maker note", .reported,
        image(exif(37500, in: .exifDirectory, Array("Apple iOS\0\0\u{1}MM".utf8) + text))),
      .init(
        "position in a maker note",
        image(exif(37500, in: .exifDirectory, Array("Maker\0".utf8) + sign))),
    ]
  }

  private static func rarePNG() throws -> [PrivateCarrier] {
    func file(_ chunk: PNGChunk...) throws -> [UInt8] {
      var file = try PNGFile(parsing: ByteSource(PNGFileTests.pixel()))
      file.chunks.insert(contentsOf: chunk, at: 1)
      return try file.serialized().allBytes()
    }
    func edited(_ edit: (inout PNGFile) throws -> Void) throws -> [UInt8] {
      var file = try PNGFile(parsing: ByteSource(PNGFileTests.pixel()))
      try edit(&file)
      return try file.serialized().allBytes()
    }
    /// One gray pixel and other samples, not compressed.
    func file(samples: [UInt8]) throws -> [UInt8] {
      var file = PNGFile(header: PNGHeader(width: 1, height: 1, bitDepth: 8, colorType: .gray))
      file.insert(PNGChunk(.imageData, try Zlib.deflate([0, 0] + samples, level: 0)))
      return try file.serialized().allBytes()
    }
    func chunk(_ type: StaticString, _ data: [UInt8]) -> PNGChunk {
      PNGChunk(PNGChunk.ChunkType(type), data)
    }
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    func frame(_ rest: [UInt8]) throws -> PNGChunk {
      chunk("fdAT", try [0, 0, 0, 1] + Zlib.deflate([0, 0, 0]) + rest)
    }
    // One stop for all colors.
    let description = PNGChunk(
      .gainMapMetadata,
      hex(
        """
        0000000000 0000000000000001 0000000100000001
        0000000000000001 0000000100000001 0000000100000001 0000000000000001 0000000000000001
        """))
    func file(withMapContaining chunk: PNGChunk) throws -> [UInt8] {
      try file(description, PNGChunk(.gainMap, file(description, chunk)))
    }
    func file(withMetadataBefore bytes: [UInt8]) throws -> [UInt8] {
      guard case .bytes(let fields) = description.content else { return [] }
      return try file(PNGChunk(.gainMap, file(PNGChunk(.gainMapMetadata, fields + bytes))))
    }
    return [
      .init("bytes after gmAP", .reported, try file(withMetadataBefore: text)),
      .init("position after gmAP", try file(withMetadataBefore: sign)),
      .init("Exif of a PNG gain map", try file(withMapContaining: PNGChunk(.exif, position))),
      .init(
        "text of a PNG gain map", .kept,
        try file(withMapContaining: chunk("tEXt", Array("Author\0".utf8) + text))),
      .init(
        "long pHYs", .reported, try file(chunk("pHYs", [UInt8](repeating: 0, count: 9) + text))),
      .init("position in cICP", try file(chunk("cICP", [1, 13, 0, 1] + sign))),
      .init("invalid iCCP", .reported, try file(chunk("iCCP", Array("a\0\0".utf8) + text))),
      .init(
        "position after the samples of a frame",
        try file(chunk("acTL", zeros(8)), chunk("fcTL", zeros(26)), frame(sign))),
      .init(
        "bytes after the samples of a frame", .reported,
        try file(chunk("acTL", zeros(8)), chunk("fcTL", zeros(26)), frame(text))),
      .init("fdAT without acTL", .reported, try file(chunk("fdAT", text))),
      .init("invalid gmAP", .reported, try file(chunk("gmAP", text))),
      .init("bytes after tIME", .reported, try file(chunk("tIME", [0, 0, 0, 0, 0, 0, 0] + text))),
      .init(
        "written position in a text",
        try file(chunk("tEXt", Array("Comment\0".utf8) + text + written))),
      .init(
        "written position in a compressed text",
        try file(chunk("zTXt", Array("Comment\0\0".utf8) + Zlib.deflate(text + written)))),
      .init("position in sPLT", try file(chunk("sPLT", sign + [0, 8]))),
      .init(
        "position in a translated keyword",
        try file(chunk("iTXt", Array("Author\0\0\0\0".utf8) + sign + [0, 0x41]))),
      .init(
        "bytes in IEND", .reported,
        try edited { $0.chunks[$0.chunks.count - 1] = PNGChunk(.end, text) }),
      .init("samples after the last row", .reported, try file(samples: text)),
      .init("position in samples after the last row", try file(samples: sign)),
      .init(
        "bytes after the samples", .reported, try edited { $0.insert(PNGChunk(.imageData, text)) }),
      .init("position after the samples", try edited { $0.insert(PNGChunk(.imageData, sign)) }),
    ]
  }

  private static func rareHEIF() throws -> [PrivateCarrier] {
    func file(_ edit: (inout HEIFFile) -> Void) throws -> [UInt8] {
      var file = try HEIFFileMetadataEditTests.file()
      file.removeItems([7, 8])
      edit(&file)
      return try file.serialized()
    }
    /// Bytes after the fields of a box, which grows by the box that follows it.
    func surplus(of type: String, _ place: Int?) throws -> [UInt8] {
      let next = OpaqueBox(header: BoxHeader(type: "free"), content: SourceBytes(text))
      var bytes = try file { file in
        if let place {
          file.layout.meta.insert(.other(next), at: place + 1)
        } else {
          file.layout.otherPropertiesBoxes.append(next)
        }
      }
      guard let name = bytes.firstRange(of: Array(type.utf8)) else { return [] }
      let size = Int(bytes[name.lowerBound - 2]) << 8 + Int(bytes[name.lowerBound - 1]) + 18
      bytes[name.lowerBound - 2] = UInt8(size >> 8)
      bytes[name.lowerBound - 1] = UInt8(size & 255)
      return bytes
    }
    func item(_ type: FourCC, _ bytes: [UInt8]) throws -> [UInt8] {
      try file { $0.addItem(type, isHidden: true, data: .file(bytes)) }
    }
    func referring(_ type: FourCC, _ bytes: [UInt8]) throws -> [UInt8] {
      try file {
        let id = $0.addItem("abcd", isHidden: true, data: .file(bytes))
        $0.references.append(ItemReference(type: type, from: id, to: [1]))
      }
    }
    func derived(_ id: UInt32, _ rest: [UInt8]) throws -> [UInt8] {
      let fields = try HEIFFileMetadataEditTests.file().data(of: id)
      return try file { $0.updateItem(id) { $0.data = .itemDataBox(fields + rest) } }
    }
    func message(_ bytes: [UInt8]) -> [UInt8] {
      [0x12, 0] + AV1Metadata.unit(ofRegistered: [0xB5, 0, 1] + bytes) + [0x32, 1, 0x80]
    }
    func meta(_ type: FourCC, _ content: [UInt8]) throws -> [UInt8] {
      try file {
        $0.layout.meta.append(
          .other(OpaqueBox(header: BoxHeader(type: type), content: SourceBytes(content))))
      }
    }
    func property(_ type: FourCC, _ content: [UInt8]) throws -> [UInt8] {
      var reader = ByteReader(content.span)
      let property = ItemProperty(parsing: BoxHeader(type: type), at: [], content: &reader)
      return try file { $0.updateItem(6) { $0.properties.append(property) } }
    }
    let plain = try file { _ in }
    let camera = [UInt8](repeating: 0, count: 16)
    return [
      .init("bytes after pitm", try surplus(of: "pitm", 1)),
      .init("bytes after iloc", try surplus(of: "iloc", 2)),
      .init("bytes after iinf", try surplus(of: "iinf", 3)),
      .init("bytes after ipma", try surplus(of: "ipma", nil)),
      .init(
        "bytes after the name of the handler", .reported,
        try file { $0.handler.rest = [UInt8](repeating: 0, count: 12) + [0x41, 0] + text }),
      .init("file type without a movie", .reported, plain + box("ftyp", text)),
      .init("position after a file type", plain + box("ftyp", Array("mp42".utf8)) + sign),
      .init(
        "Exif of a JPEG item",
        try item("jpeg", JPEGFixtures.image(JPEGFixtures.segment(.exif, position)))),
      .init(
        "APP5 of a JPEG item", .reported,
        try item("jpeg", JPEGFixtures.image(JPEGFixtures.segment(0xE5, text)))),
      .init(
        "JPEG item that cannot be parsed", .reported, try item("jpeg", [0, 0xFF, 0xD8] + text)),
      .init("position in a broken JPEG item", try item("jpeg", [0xFF, 0xD8, 0] + sign)),
      .init("position after a JPEG item", try item("jpeg", JPEGFixtures.image() + sign)),
      .init("bytes after a grid", .reported, try derived(1, text)),
      .init("position after a grid", try derived(1, sign)),
      // The gain map is dropped, with a notice: metadata of version 0 with further bytes are not read.
      .init("bytes after a tone map", try derived(5, text)),
      .init("position after a tone map", try derived(5, sign)),
      .init("bytes of an identity", .reported, try item("iden", text)),
      .init("position after an overlay", try item("iovl", [UInt8](repeating: 0, count: 14) + sign)),
      .init("message in an AV1 image", .reported, try item("av01", message(text))),
      .init("position in an AV1 image", try item("av01", message(sign))),
      .init(
        "position before bytes that are not a unit", .goneFromReported,
        try item("av01", message(sign) + [0xFF])),
      .init("bytes after an AV1 image", .reported, try item("av01", [0x32, 1, 0x80, 0xFF] + text)),
      .init("position after an AV1 image", try item("av01", [0x32, 1, 0x80, 0xFF] + sign)),
      .init("item of an unknown type", .reported, try item("abcd", text)),
      .init("position in an unknown item", try item("abcd", sign)),
      .init("unknown auxiliary item", .reported, try referring("auxl", text)),
      .init("position in an unknown derived item", try referring("dimg", sign)),
      .init("XMP box in meta", try meta("xml ", [0, 0, 0, 0] + city)),
      .init("unknown box in meta", .reported, try meta("abcd", text)),
      .init("user data in meta", try meta("udta", box([0xA9, 0x78, 0x79, 0x7A], text))),
      .init("bytes of pasp", .reported, try property("pasp", [0, 0, 0, 1, 0, 0, 0, 1] + text)),
      .init("position in pasp", try property("pasp", [0, 0, 0, 1, 0, 0, 0, 1] + sign)),
      .init("bytes of cmin", .reported, try property("cmin", camera + text)),
      .init("position after cmin", try property("cmin", camera + sign)),
      .init("vexu of an image", .reported, try property("vexu", text)),
      .init("position in the configuration of another codec", try property("oinf", sign)),
      .init("other color", .reported, try property("colr", Array("abcd".utf8) + text)),
      .init(
        "subtype of an auxiliary image", try property("auxC", [0, 0, 0, 0] + [0x41, 0] + sign)),
      .init("subsamples", .reported, try property("subs", [0, 0, 0, 0] + text)),
      .init("styp", .reported, plain + box("styp", text)),
      .init("position in sidx", plain + box("sidx", sign)),
      .init("unused position", plain + box("mdat", sign)),
      .init("bytes of an entry", .reported, try file { $0.updateItem(6) { $0.unknown = text } }),
      .init("position in an entry", try file { $0.updateItem(6) { $0.unknown = sign } }),
      .init(
        "position in the name of an item",
        try file { $0.updateItem(1) { $0.name = String(decoding: sign, as: UTF8.self) } }),
    ]
  }

  private static func rareJPEGXL() throws -> [PrivateCarrier] {
    func file(_ boxes: [UInt8]...) -> [UInt8] {
      JPEGXLFile.signature + box("ftyp", JPEGXLFile.fileType) + boxes.joined()
        + box("jxlc", JPEGXLFileTests.codestream)
    }
    return [
      .init("frame index", .reported, file(box("jxli", text))),
      .init("long level", .reported, file(box("jxll", [5] + text))),
      .init("second file type", .reported, file(box("ftyp", text))),
      .init("position in a level", file(box("jxll", [5] + sign))),
    ]
  }
}
