// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport

@testable import ImageFiles

/// Markers in what seems to be read, or is understood in part.
extension PrivateCarrier {
  static func unread() throws -> [PrivateCarrier] {
    try tracks() + sequences() + texts() + tables() + credentials() + profiles() + images()
  }

  /// A movie box with a track, each of whose samples is a chunk, and media data, of which the bytes after
  /// the samples are not used.
  private static func movie(
    at offset: Int, _ handler: String = "vide", _ format: String = "avc1",
    samples: [[UInt8]] = [[7]], unused: [UInt8] = [], isLocated: Bool = true
  ) -> [UInt8] {
    func full(_ type: String, _ content: [UInt8]) -> [UInt8] { box(type, [0, 0, 0, 0] + content) }
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    func number(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let one = number(1)
    let count = number(samples.count)
    let handlerBox = full("hdlr", zeros(4) + Array(handler.utf8) + zeros(13))
    let description = full("stsd", one + box(format, zeros(78)))
    func file(_ start: Int) -> [UInt8] {
      var offsets: [UInt8] = []
      var position = start
      for sample in samples {
        offsets += number(position)
        position += sample.count
      }
      let tables =
        full("stsc", one + one + one + one)
        + full("stsz", zeros(4) + count + samples.flatMap { number($0.count) })
        + full("stco", count + offsets)
      let table = box("stbl", description + (isLocated ? tables : []))
      return box("moov", box("trak", box("mdia", handlerBox + box("minf", table))))
        + box("mdat", samples.joined() + unused)
    }
    return file(offset + file(0).count - unused.count - samples.joined().count)
  }

  private static func tracks() -> [PrivateCarrier] {
    let type = box("ftyp", Array("mp42\0\0\0\0mp42".utf8))
    func file(_ content: (Int) -> [UInt8]) -> [UInt8] {
      JPEGFixtures.image() + type + content(type.count)
    }
    let many = [[UInt8]](repeating: [1], count: 69)
    return [
      .init("unused media data of a video", .reported, file { movie(at: $0, unused: text) }),
      .init("unused position of a video", file { movie(at: $0, unused: sign) }),
      .init(
        "position in the last of many chunks",
        file { movie(at: $0, "meta", "mett", samples: many + [sign]) }),
      .init(
        "samples of an unknown track", .reported,
        file { movie(at: $0, "abcd", "abcd", samples: [text]) }),
      .init(
        "metadata track without keys", .reported,
        file { movie(at: $0, "meta", "mebx", samples: [text]) }),
      .init("media data without a movie", .reported, file { _ in box("mdat", text) }),
      .init("text", .kept, file { movie(at: $0, "text", "text", samples: [text]) }),
      .init("position in text", file { movie(at: $0, "text", "text", samples: [sign]) }),
      .init("position in subtitles", file { movie(at: $0, "sbtl", "tx3g", samples: [sign]) }),
      .init(
        "position in an unknown track", file { movie(at: $0, "abcd", "abcd", samples: [sign]) }),
      .init(
        "metadata track without tables", .reported,
        file { movie(at: $0, "meta", "mett", samples: [text], isLocated: false) }),
      .init(
        "data in user data", .reported,
        JPEGFixtures.image() + video(box("udta", box("abcd", [0x80, 1] + text)))),
      .init(
        "text in user data", .kept,
        JPEGFixtures.image()
          + video(box("udta", box([0xA9, 0x6E, 0x61, 0x6D], [0, 10, 0, 0] + text)))
      ),
    ]
  }

  private static func heif(_ edit: (inout HEIFFile) -> Void) throws -> [UInt8] {
    var file = try HEIFFileMetadataEditTests.file()
    file.removeItems([7, 8])
    edit(&file)
    return try file.serialized()
  }

  private static func sequences() throws -> [PrivateCarrier] {
    let image = try heif { _ in }
    func file(
      _ handler: String = "pict", samples: [[UInt8]] = [[7]], unused: [UInt8] = []
    ) -> [UInt8] {
      image + movie(at: image.count, handler, samples: samples, unused: unused)
    }
    return [
      .init("unused media data of a sequence", .reported, file(unused: text)),
      .init("unused position of a sequence", file(unused: sign)),
      .init("unknown track of a sequence", .reported, file("abcd", samples: [text])),
      .init("text of a sequence", .kept, file("text", samples: [[7], text])),
      .init("position in text of a sequence", file("text", samples: [[7], sign])),
      .init("position in a track of a sequence", file("meta", samples: [sign])),
    ]
  }

  private static func texts() throws -> [PrivateCarrier] {
    func xmp(_ property: String, _ value: String = marker) -> [UInt8] {
      JPEGFixtures.image(
        JPEGFixtures.segment(
          .xmp, Self.xmp(property, of: "http://ns.adobe.com/hdr-gain-map/1.0/", value)))
    }
    var png = try PNGFile(parsing: ByteSource(PNGFileTests.pixel()))
    png.chunks.insert(PNGChunk(.text, Array("Author\0".utf8) + [0x80, 1] + text), at: 1)
    return [
      .init(
        "data in a comment", .reported,
        JPEGFixtures.image(JPEGFixtures.segment(.comment, [0x78, 0x9C, 1] + text))),
      .init("data in PNG text", .reported, try png.serialized().allBytes()),
      .init("unknown property of a gain map", .kept, xmp("Owner")),
      .init("text in a number of a gain map", .kept, xmp("GainMapMax")),
      .init(
        "version of a motion photo", .reported,
        JPEGFixtures.image() + samsung("MotionPhoto_Version", text)),
      .init("Samsung's data without a name", .reported, JPEGFixtures.image() + samsung("", text)),
      .init("position in Samsung's data without a name", JPEGFixtures.image() + samsung("", sign)),
      .init(
        "Samsung's country in a box", try heif { _ in } + box("sefd", samsung("MCC_Data", text))),
    ]
  }

  /// Tables of zeros: a quantization table is not used, and Huffman tables are without codes.
  private static func tables() -> [PrivateCarrier] {
    func image(_ marker: UInt8, size: Int, _ rest: [UInt8]) -> [UInt8] {
      JPEGFixtures.image(
        JPEGFixtures.segment(marker, [UInt8](repeating: 0, count: size) + rest))
    }
    return [
      .init("bytes after DQT", .reported, image(0xDB, size: 65, text)),
      .init("position after DQT", image(0xDB, size: 130, sign)),
      .init("bytes after DHT", .reported, image(0xC4, size: 34, text)),
      .init("bytes after DAC", .reported, image(0xCC, size: 2, text)),
    ]
  }

  private static func credentials() throws -> [PrivateCarrier] {
    func file(_ content: [UInt8], _ type: String = "cbor") -> [UInt8] {
      JPEGFixtures.image(segment(credentials(content, type)))
    }
    /// A map with one key and the head of its value.
    func map(_ key: String, _ head: UInt8...) -> [UInt8] {
      [0xA1, 0x60 + UInt8(key.utf8.count)] + Array(key.utf8) + head
    }
    let compressed = try Zlib.deflate(text) + text
    return [
      .init("place in JSON", file(Array("{\"addressLocality\": \"\(marker)\"}".utf8), "json")),
      .init("place in CBOR", file(map("city", 0x6A) + text)),
      .init("text in CBOR", .kept, file(map("author", 0x6A) + text)),
      .init("digest in CBOR", .kept, file(map("hash", 0x4A) + text)),
      .init(
        "certificate in CBOR", .kept,
        file(map("x5chain", 0x58, 0x6E) + [0x30, 0x82, 0, 0x6A] + text + [UInt8](1...96))),
      .init(
        "compressed data in CBOR", file(map("data", 0x58, UInt8(compressed.count)) + compressed)),
      .init("data in CBOR", file(map("data", 0x58, 0x6A) + text + [UInt8](1...96))),
      .init("bytes after CBOR", file(map("a", 1) + text)),
    ]
  }

  private static func profiles() throws -> [PrivateCarrier] {
    func profile(_ data: [UInt8], in tag: String = "mmod") -> [UInt8] {
      let digits = data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return ICCProfileTests.profile(
        [(tag, digits)] + ICCProfileTests.sRGBColorants
          + ICCProfileTests.curves(ICCProfileTests.linearCurve), space: "RGB ")
    }
    func jpeg(_ data: [UInt8], in tag: String = "mmod") -> [UInt8] {
      JPEGFixtures.image(JPEGFixtures.segment(.icc, [1, 1] + profile(data, in: tag)))
    }
    func png(_ data: [UInt8]) throws -> [UInt8] {
      var file = try PNGFile(parsing: ByteSource(PNGFileTests.pixel()))
      let stream = try Zlib.deflate(profile(data))
      file.chunks.insert(PNGChunk(.profile, Array("ICC profile\0\0".utf8) + stream), at: 1)
      return try file.serialized().allBytes()
    }
    func heif(_ data: [UInt8]) throws -> [UInt8] {
      try Self.heif {
        $0.updateItem(6) {
          $0.properties.append(ItemProperty(.colorInformation(.unrestrictedICC(profile(data)))))
        }
      }
    }
    let luminance = hex("58595A20 00000000 00000000 00000000 00000000")
    let marked = profile(luminance + text, in: "lumi")
    return [
      .init(
        "bytes after a tag of an ICC profile", .reported,
        JPEGFixtures.image(JPEGFixtures.segment(.icc, [1, 1] + marked))),
      .init("tag of an ICC profile", .reported, jpeg(text)),
      .init(
        "tag of an unknown type in an ICC profile", .reported,
        jpeg(Array("abcd\0\0\0\0".utf8) + text, in: "rig0")),
      .init("position in an ICC profile", jpeg(sign)),
      .init("tag of an ICC profile in PNG", .reported, try png(text)),
      .init("position in an ICC profile in PNG", try png(sign)),
      .init("tag of an ICC profile in HEIF", .reported, try heif(text)),
      .init("position in an ICC profile in HEIF", try heif(sign)),
    ]
  }

  private static func images() throws -> [PrivateCarrier] {
    func item(_ type: FourCC, _ bytes: [UInt8]) throws -> [UInt8] {
      try heif { $0.addItem(type, isHidden: true, data: .file(bytes)) }
    }
    func property(_ type: FourCC, _ content: [UInt8]) throws -> [UInt8] {
      let box = ItemProperty.Box.unknown(type, userType: nil, content: [0, 0, 0, 0] + content)
      return try heif {
        $0.updateItem(6) { $0.properties.append(ItemProperty(box, isEssential: true)) }
      }
    }
    func message(_ bytes: [UInt8]) throws -> [UInt8] {
      let payload = [UInt8](repeating: 1, count: 16) + bytes
      let unit: [UInt8] = [0x4E, 1, 5, UInt8(payload.count)] + payload + [0x80]
      let record = HEVCConfigurationBox(
        profileTierLevel: HEVCProfileTierLevel(
          profileSpace: 0, isHighTier: false, profileIDC: 3, compatibilityFlags: 0x7000_0000,
          constraintFlags: 0, levelIDC: 30),
        chromaFormat: 1, lumaBitDepth: 8, chromaBitDepth: 8,
        arrays: [.init(isComplete: false, type: .prefixSEI, units: [unit])])
      return try heif {
        $0.updateItem(6) { $0.properties.append(ItemProperty(.hevcConfiguration(record))) }
      }
    }
    func padding(_ bytes: [UInt8]) throws -> [UInt8] {
      var record = HEIFWriterTests.configuration
      record.configurationOBUs = [0x7A, UInt8(bytes.count)] + bytes
      return try heif {
        $0.updateItem(6) { $0.properties.append(ItemProperty(.av1Configuration(record))) }
      }
    }
    return [
      .init("message in a configuration of HEVC", .reported, try message(text)),
      .init("position in a configuration of HEVC", try message(sign)),
      .init("padding in a configuration of AV1", .reported, try padding(text)),
      .init("position in a configuration of AV1", try padding(sign)),
      .init("HEVC without a configuration", .reported, try item("hvc1", text)),
      .init("position in HEVC without a configuration", try item("hvc1", sign)),
      .init("uncompressed image without a configuration", .reported, try item("unci", text)),
      .init("essential description", .kept, try property("udes", text)),
      .init("essential text", .kept, try property("altt", text)),
      .init("essential property of an unknown type", .reported, try property("abcd", text)),
    ]
  }
}
