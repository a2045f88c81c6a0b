// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

/// A small file with a marker in one place where private data may hide.
struct PrivateCarrier: CustomTestStringConvertible, Sendable {
  /// Effect of the removal of locations on the marker.
  enum Effect {
    /// The marker is a location, which is removed.
    case gone
    /// The marker is a location, which is removed; other bytes are reported.
    case goneFromReported
    /// The marker is in bytes that are not parsed: kept, and reported.
    case reported
    /// The marker is in metadata that are read, and is not a location.
    case kept
  }

  let name: String
  let bytes: [UInt8]
  let effect: Effect

  var testDescription: String { name }

  init(_ name: String, _ bytes: [UInt8]) { self.init(name, .gone, bytes) }

  init(_ name: String, _ effect: Effect, _ bytes: [UInt8]) {
    (self.name, self.effect, self.bytes) = (name, effect, bytes)
  }

  static let marker = "SECRETMARK"
  static let text = Array(marker.utf8)

  // MARK: - Blocks

  /// Exif with the marker in an entry of a directory.
  static func exif(_ tag: UInt16, in directory: TIFFTag? = nil, _ value: [UInt8] = text) -> [UInt8]
  {
    var nested = NewTIFFDirectory()
    nested.set(TIFFTag(rawValue: tag), undefined: value, type: .undefined)
    guard let directory else { return nested.serialized(order: .bigEndian) }
    var main = NewTIFFDirectory()
    main.set(.make, undefined: Array("Panasonic\0".utf8), type: .ascii)
    main.set(directory, nested)
    return main.serialized(order: .bigEndian)
  }

  /// Exif with the name of an area (tag 28) in the GPS directory.
  static let position = exif(28, in: .gpsDirectory)
  static let owner = exif(315)

  static func xmp(_ property: String, of namespace: String, _ value: String = marker) -> [UInt8] {
    JPEGFixtures.xmp(
      """
      <rdf:Description rdf:about="" xmlns:n="\(namespace)"><n:\(property)>\(value)</n:\(property)>\
      </rdf:Description>
      """)
  }

  /// A text with the marker and a position.
  static let sign = text + Array(" +48.8577+002.2950/".utf8)
  /// Data in hexadecimal digits, too short for those that are decoded.
  static let encoded = Array(String(repeating: "4e6f7468696e", count: 6).utf8)
  static let written = Array(" 48.8577, 2.2950".utf8)

  private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  static let city = xmp("City", of: "http://ns.adobe.com/photoshop/1.0/")

  static func box(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
    let size = content.count + 8
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + type + content
  }

  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] { box(Array(type.utf8), content) }

  /// A video with media data, and boxes inside and after its movie box.
  static func video(_ inside: [UInt8], after: [UInt8] = []) -> [UInt8] {
    let header = box("mvhd", [UInt8](repeating: 0, count: 100))
    return box("ftyp", Array("mp42\0\0\0\0mp42".utf8)) + box("moov", header + inside) + after
      + box("mdat", Array("the samples".utf8))
  }

  static let xyz = box(
    "udta", box([0xA9, 0x78, 0x79, 0x7A], [0, UInt8(text.count), 0x15, 0xC7] + text))

  /// Metadata as iPhones write them: keys, and values by their numbers.
  static let keys: [UInt8] = {
    let key = "com.apple.quicktime.location.ISO6709"
    let handler = box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("mdta".utf8) + [0, 0, 0, 0])
    let keys = box("keys", [0, 0, 0, 0, 0, 0, 0, 1] + box("mdta", Array(key.utf8)))
    let value = box([0, 0, 0, 1], box("data", [0, 0, 0, 1, 0, 0, 0, 0] + text))
    return box("meta", handler + keys + box("ilst", value))
  }()

  /// Samsung's directory with one block, and bytes between them.
  static func samsung(_ name: String, _ data: [UInt8], rest: [UInt8] = []) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] {
      [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let block = [0, 0, 0x30, 0x0A] + little(name.utf8.count) + Array(name.utf8) + data
    let directory =
      Array("SEFH".utf8) + little(107) + little(1) + [0, 0, 0x30, 0x0A]
      + little(block.count + rest.count) + little(block.count)
    return block + rest + directory + little(directory.count) + Array("SEFT".utf8)
  }

  private static let uuidOfXMP = hex("BE7ACFCB97A942E89C71999491E3AFAC")

  /// A JUMBF box of content credentials.
  static func credentials(_ content: [UInt8], _ type: String = "json") -> [UInt8] {
    box("jumb", box("jumd", Array("c2pa".utf8)) + box(type, content))
  }

  static func segment(_ box: [UInt8]) -> [UInt8] {
    JPEGFixtures.segment(0xEB, Array("JP".utf8) + [0, 1, 0, 0, 0, 1] + box)
  }

  // MARK: - Files

  static func all() throws -> [PrivateCarrier] {
    try jpeg() + png() + heif() + jpegXL() + rare() + unread()
  }

  private static func jpeg() throws -> [PrivateCarrier] {
    func image(_ role: JPEGSegment.Role, _ body: [UInt8]) -> [UInt8] {
      JPEGFixtures.image(JPEGFixtures.segment(role, body))
    }
    let thumbnail = image(.exif, position)
    var second = NewTIFFDirectory()
    second.set(.jpegOffset, [44 as UInt32], type: .long, order: .bigEndian)
    second.set(.jpegByteCount, [UInt32(thumbnail.count)], type: .long, order: .bigEndian)
    let withThumbnail =
      hex("4D4D002A 00000008 0000 0000000E") + second.serialized(at: 14, order: .bigEndian)
    let note = Array("Panasonic\0\0\0".utf8)
    // The directory of the note is 12 bytes after its start; offsets are those of the block.
    var places = NewTIFFDirectory()
    places.set(TIFFTag(rawValue: 0x6D), undefined: text, type: .undefined)
    let start = try ExifBlock(parsing: exif(37500, in: .exifDirectory, note + [0, 0, 0, 0, 0]))
      .exposure?[.makerNote]?.values.lowerBound
    let directory = places.serialized(at: (start ?? 0) + 12, order: .bigEndian)
    let iptc = [0x1C, 2, 90, 0, UInt8(text.count)] + text
    let resources =
      hex("3842494D 0404 0000 000000") + [UInt8(iptc.count)] + iptc
      + (iptc.count % 2 == 1 ? [0] : [])
    let long = try {
      var file = try JPEGFixtures.parse(JPEGFixtures.image())
      let filler = String(repeating: "x.", count: 35_000)
      try file.primary.setXMP(
        JPEGFixtures.xmp(
          """
          <rdf:Description xmlns:a="http://a/" xmlns:p="http://ns.adobe.com/photoshop/1.0/">\
          <a:b>\(filler)</a:b><p:City>\(marker)\(filler)</p:City></rdf:Description>
          """))
      return try file.serialized().allBytes()
    }()
    let plain = JPEGFixtures.image()
    let location = Array("{\"GPSLatitude\": \"\(marker)\"}".utf8)
    return [
      .init("Exif", image(.exif, position)),
      .init("owner in Exif", .kept, image(.exif, owner)),
      .init(
        "Exif with another prefix",
        JPEGFixtures.image(JPEGFixtures.segment(0xE1, Array("Exif\0".utf8) + [0xFF] + position))),
      .init("Exif of the second image", plain + image(.exif, position)),
      .init("owner in the second image", .kept, plain + image(.exif, owner)),
      .init("Exif in the thumbnail", image(.exif, withThumbnail + thumbnail)),
      .init("XMP in Exif", image(.exif, exif(700, city))),
      .init("maker note", image(.exif, exif(37500, in: .exifDirectory, note + directory))),
      .init(
        "maker note of another maker", .reported,
        image(.exif, exif(37500, in: .exifDirectory, Array("Maker\0".utf8) + text))),
      .init("XMP", image(.xmp, city)),
      .init("shotLocation", image(.xmp, xmp("shotLocation", of: "http://xmpDM/"))),
      .init("coverage", image(.xmp, xmp("coverage", of: "http://purl.org/dc/elements/1.1/"))),
      .init("XMP of the second image", plain + image(.xmp, city)),
      .init("extended XMP", long),
      .init(
        "maker note in XMP", .kept,
        image(.xmp, xmp("hdrp_makernote", of: "http://ns.google.com/photos/1.0/camera/"))),
      .init(
        "image in XMP", image(.xmp, xmp(marker, of: "http://x/", base64(image(.exif, position))))),
      .init(
        "position in data in XMP",
        image(.xmp, xmp(marker, of: "http://x/", base64([UInt8](repeating: 0, count: 99) + sign)))),
      .init(
        "data in XMP", .reported,
        image(.xmp, xmp(marker, of: "http://x/", base64([UInt8](repeating: 7, count: 400))))),
      .init(
        "image without metadata in XMP", .kept,
        image(.xmp, xmp(marker, of: "http://x/", base64(plain)))),
      .init("IPTC", image(.photoshop, resources)),
      .init("comment", image(.comment, Array("+48.8577+002.2950/ ".utf8) + text)),
      .init("comment without a place", .kept, image(.comment, text)),
      .init("content credentials", JPEGFixtures.image(segment(credentials(location)))),
      .init("unreadable credentials", JPEGFixtures.image(segment(box("jumb", text)))),
      .init(
        "content credentials without a place", .kept, JPEGFixtures.image(segment(credentials(text)))
      ),
      .init(
        "TIFF in APP3",
        JPEGFixtures.image(JPEGFixtures.segment(0xE3, Array("Meta\0\0".utf8) + position))),
      .init("APP5", .reported, JPEGFixtures.image(JPEGFixtures.segment(0xE5, text))),
      .init("JFXX", .reported, image(.jfifExtension, [0x13] + text)),
      .init("after the images", .reported, plain + [1, 2, 3] + text),
      .init("location after the images", plain + Array("GPSLatitude=".utf8) + text),
      .init("video", plain + video(xyz)),
      .init("loci of a video", plain + video(box("udta", box("loci", [0, 0, 0, 0] + text)))),
      .init("keys of a video", plain + video(keys)),
      .init("XMP of a video", plain + video([], after: box("uuid", uuidOfXMP + city))),
      .init(
        "artist of a video", .kept, plain + video(box("udta", box("auth", [0, 0, 0, 0] + text)))),
      .init("video of Samsung", plain + samsung("MotionPhoto_Data", video(xyz))),
      .init("Samsung's country", plain + samsung("MCC_Data", text)),
      .init("Samsung's data", .reported, plain + samsung("Some_Data", text)),
    ]
  }

  private static func png() throws -> [PrivateCarrier] {
    func text(_ type: PNGChunk.ChunkType, _ keyword: String, _ value: [UInt8]) throws -> PNGChunk {
      let rest =
        switch type {
        case .text: value
        case .compressedText: try [0] + Zlib.deflate(value)
        default: try [1, 0, 0, 0] + Zlib.deflate(value)
        }
      return PNGChunk(type, Array(keyword.utf8) + [0] + rest)
    }
    func raw(_ bytes: [UInt8]) -> [UInt8] {
      let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      return Array("\nexif\n\(bytes.count)\n\(digits)\n".utf8)
    }
    func file(_ chunk: PNGChunk...) throws -> [UInt8] {
      var bytes = try PNGFileTests.pixel()
      var file = try PNGFile(parsing: ByteSource(bytes))
      file.chunks.insert(contentsOf: chunk, at: 1)
      bytes = try file.serialized().allBytes()
      return bytes
    }
    let exif = Array("Exif\0\0".utf8) + position
    return [
      .init("eXIf", try file(PNGChunk(.exif, position))),
      .init(
        "two eXIf",
        try file(
          PNGChunk(.exif, Self.exif(315, in: nil, Array("Jane".utf8))), PNGChunk(.exif, position))),
      .init("owner in eXIf", .kept, try file(PNGChunk(.exif, owner))),
      .init(
        "zxIf",
        try file(
          PNGChunk(PNGChunk.ChunkType("zxIf"), [0, 0, 0, 0, 0] + Zlib.deflate(position)))),
      .init("unreadable zxIf", try file(PNGChunk(PNGChunk.ChunkType("zxIf"), Self.text))),
      .init("GPS text", try file(text(.text, "exif:GPSLatitude", Self.text))),
      .init("place in text", try file(text(.text, "Landmark", Self.text))),
      .init("text", .kept, try file(text(.text, "Author", Self.text))),
      .init(
        "IPTC without a resource",
        try file(
          text(
            .text, "Raw profile type iptc",
            raw([0x1C, 2, 90, 0, UInt8(Self.text.count)] + Self.text)))),
      .init("raw Exif text", try file(text(.compressedText, "Raw profile type exif", raw(exif)))),
      .init("compressed XMP", try file(text(.internationalText, "XML:com.adobe.xmp", city))),
      .init(
        "second XMP",
        try file(
          text(.internationalText, "XML:com.adobe.xmp", JPEGFixtures.xmp("")),
          text(.internationalText, "XML:com.adobe.xmp", city))),
      .init("caBX", try file(PNGChunk(.contentCredentials, box("jumb", Self.text)))),
      .init("unknown chunk", .reported, try file(PNGChunk(PNGChunk.ChunkType("prVt"), Self.text))),
      .init(
        "time and name of a palette", .kept,
        try file(PNGChunk(.suggestedPalette, Self.text + [0, 8]))),
      .init("after IEND", .reported, try file() + Self.text),
    ]
  }

  private static func heif() throws -> [PrivateCarrier] {
    func file(_ edit: (inout HEIFFile) -> Void) throws -> [UInt8] {
      var file = try HEIFFileMetadataEditTests.file()
      file.removeItems([7, 8])
      edit(&file)
      return try file.serialized()
    }
    let plain = try file { _ in }
    func metadata(_ type: FourCC, _ content: String?, _ bytes: [UInt8]) throws -> [UInt8] {
      try file { file in
        let id = file.addItem(type, isHidden: true, contentType: content, data: .file(bytes))
        if content == nil { file.updateItem(id) { $0.uriType = "urn:x:y" } }
      }
    }
    return [
      .init("HEIF Exif", try file { $0.addExif(position, describing: [1]) }),
      .init("Exif of a gain map", try file { $0.addExif(position, describing: [4]) }),
      .init("owner of a thumbnail", .kept, try file { $0.addExif(owner, describing: [6]) }),
      .init("XMP of a gain map", try file { $0.addXMP(city, describing: [4]) }),
      .init("other metadata", .reported, try metadata("mime", "text/plain", text)),
      .init(
        "place in other metadata",
        try metadata("mime", "text/plain", Array("latitude ".utf8) + text)),
      .init("uri metadata", .reported, try metadata("uri ", nil, text)),
      .init("name of an item", .kept, try file { $0.updateItem(1) { $0.name = marker } }),
      .init(
        "description", .kept,
        try file {
          $0.updateItem(1) {
            $0.properties.append(
              ItemProperty(.unknown("udes", userType: nil, content: [0, 0, 0, 0] + text)))
          }
        }),
      .init(
        "property that cannot be parsed", .reported,
        try file {
          $0.updateItem(4) {
            $0.properties.append(ItemProperty(.unknown("pixi", userType: nil, content: text)))
          }
        }),
      .init("mpvd", plain + box("mpvd", video(xyz))),
      .init("video after the image", plain + video(keys)),
      .init("uuid box", .reported, plain + box("uuid", uuidOfXMP + text)),
      .init("XMP in a uuid box", plain + box("uuid", uuidOfXMP + city)),
      .init("free box", .reported, plain + box("free", text)),
      .init("unused media data", .reported, plain + box("mdat", text)),
      .init("after the last box", .reported, plain + [0, 0, 0, 3] + text),
    ]
  }

  private static func jpegXL() throws -> [PrivateCarrier] {
    func file(_ boxes: [UInt8]...) -> [UInt8] {
      JPEGXLFile.signature + box("ftyp", JPEGXLFile.fileType) + boxes.joined()
        + box("jxlc", JPEGXLFileTests.codestream)
    }
    return [
      .init("JPEG XL Exif", file(box("Exif", [0, 0, 0, 0] + position))),
      .init("two XMP boxes", file(box("xml ", JPEGFixtures.xmp("")), box("xml ", city))),
      .init(
        "owner in a second Exif box", .kept,
        file(
          box("Exif", [0, 0, 0, 0] + position.prefix(8) + [0, 0, 0, 0, 0, 0]),
          box("Exif", [0, 0, 0, 0] + owner))),
      .init("jumb", file(box("jumb", text))),
      .init("unknown box", .reported, file(box("abcd", text))),
    ]
  }
}
