// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("JPEG XL files") struct JPEGXLFileTests {
  static let signature = hex(
    "0000000C 4A584C20 0D0A870A 00000014 66747970 6A786C20 00000000 6A786C20")
  /// The header of a 1x1 image with default values, and a frame without samples.
  static let codestream = hex("FF0A 00A001 010000")

  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    [0, 0, 0, UInt8(8 + content.count)] + Array(type.utf8) + content
  }

  static func parse(_ boxes: [UInt8]...) throws(ImageError) -> JPEGXLFile {
    try JPEGXLFile(parsing: ByteSource(signature + boxes.joined()))
  }

  @Test func bareCodestream() throws {
    let file = try JPEGXLFile(parsing: ByteSource(Self.codestream))
    #expect(file.isBareCodestream)
    #expect(try file.imageHeader().width == 1)
    #expect(try file.exif() == nil)
  }

  @Test func metadata() throws {
    let file = try Self.parse(
      Self.box("Exif", [0, 0, 0, 2, 9, 9, 0x4D, 0x4D]), Self.box("xml ", Array("<x/>".utf8)),
      Self.box("brob", Array("xml ".utf8) + [1, 2]), Self.box("jxlc", Self.codestream))
    #expect(try file.exif() == [0x4D, 0x4D])
    #expect(try file.xmp() == Array("<x/>".utf8))
    #expect(file.boxes("xml ").map(\.isCompressed) == [false, true])
    #expect(file.boxes.map(\.offset) == [0, 12, 32, 48, 60, 74])
    #expect(try file.imageHeader().height == 1)
    let compressed = try Self.parse(
      Self.box("brob", Array("Exif".utf8)), Self.box("jxlc", Self.codestream))
    if Brotli.isAvailable {
      #expect(throws: ImageError.self) { try compressed.exif() }
    } else {
      #expect(try compressed.exif() == nil)
    }
  }

  /// A second codestream, and parts next to a whole one, are not used.
  @Test func usedBoxes() throws {
    let parts = [0, 0x8000_0001].map { number -> [UInt8] in
      let half = number == 0 ? Self.codestream.prefix(3) : Self.codestream.dropFirst(3)
      return Self.box("jxlp", [number >> 24, 0, 0, number & 1].map { UInt8($0) } + half)
    }
    #expect(try Self.parse(parts[0], parts[1]).usedBoxes == [32, 47])
    let whole = Self.box("jxlc", Self.codestream)
    #expect(try Self.parse(whole, Self.box("xml ", []), whole).usedBoxes == [32])
  }

  /// 8x8 pixels with a preview of 128x128.
  @Test func preview() throws {
    let header = try JPEGXLImageHeader(parsing: hex("FF0A 418409E404"))
    #expect(header.preview == .init(width: 128, height: 128))
    #expect(header.width == 8 && header.isXYB && header.color.cicp?.transfer == .srgb)
    let file = try ImageFile(parsing: ByteSource(hex("FF0A 418409E404")))
    let images = try file.contents().images
    #expect(images.map(\.role) == [.primary, .preview])
    #expect(images[1].layout.width == 128)
  }

  /// Spot colors are part of the image; channels without an equivalent are named in a notice.
  @Test func channelsThatAreNotCopied() throws {
    var writer = JPEGXLBitWriter()
    // Fields before the channels: 8x8 pixels of 8 bits, 4 channels.
    for (value, bits) in [(1, 1), (0, 5), (1, 3), (0, 2), (0, 3), (1, 1), (2, 2), (2, 4)] {
      writer.write(UInt32(value), bits: bits)
    }
    let channels: [(JPEGXLExtraChannel.ChannelType, String, Int)] = [
      (.spotColor, "", 64), (.thermal, "", 0), (.selectionMask, "sky", 0), (.depth, "", 0),
    ]
    for (type, name, rest) in channels {
      writer.write(false)
      writer.writeEnumeration(type.rawValue)
      writer.write(0, bits: 5)
      if name.isEmpty {
        writer.write(0, bits: 2)
      } else {
        writer.write(1, bits: 2)
        writer.write(UInt32(name.utf8.count), bits: 4)
        for byte in name.utf8 { writer.write(UInt32(byte), bits: 8) }
      }
      for _ in 0..<rest { writer.write(false) }
    }
    for (value, bits) in [(1, 1), (1, 1), (0, 2), (1, 1)] {
      writer.write(UInt32(value), bits: bits)
    }
    let bytes = [0xFF, 0x0A] + writer.bytes
    let image = try ImageFile(parsing: ByteSource(bytes)).primaryImage()
    #expect(
      image.notCopied.map(\.code.english) == ["not copied: extra channels ({names extra channel})"])
    #expect(
      image.notCopied.first?.parameters["names"]
        == .list([.text("thermal"), .text("selection mask 'sky'")]))
  }

  @Test func partsOfTheCodestream() throws {
    let (head, tail) = (Array(Self.codestream.prefix(3)), Array(Self.codestream.dropFirst(3)))
    let file = try Self.parse(
      Self.box("jxlp", [0, 0, 0, 0] + head), Self.box("jxlp", [0x80, 0, 0, 1] + tail))
    #expect(file.notices == [])
    #expect(try file.codestream.flatMap { try $0.bytes() } == Self.codestream)
    #expect(try file.imageHeader().width == 1)
    let odd = try Self.parse(Self.box("jxlp", [0x80, 0, 0, 1] + Self.codestream))
    #expect(odd.notices.count == 1)
    let two = try Self.parse(Self.box("jxlc", Self.codestream), Self.box("jxlc", []))
    #expect(two.notices.count == 1)
  }

  /// A file that ends in a box is read if the codestream has begun, but is not rewritten.
  @Test func truncation() throws {
    let stream = Self.box("jxlc", Self.codestream)
    let image = try Self.parse(Array(stream.dropLast()))
    #expect(image.damage.count == 1 && image.notices == image.damage)
    #expect(try image.wholeCodestream() == Self.codestream.dropLast())
    let error = #expect(throws: ImageError.self) { try image.spliced() }
    #expect(error?.category == .truncated)
    var map = try Self.parse(stream, Array(Self.box("jhgm", [0, 0, 0, 0]).dropLast(2)))
    #expect(map.damage.map(\.location.offset) == [48])
    #expect(map.boxes("jhgm").isEmpty)
    #expect(throws: ImageError.self) { try map.spliced() }
    map.setBox("jhgm", nil)
    #expect(try JPEGXLFile(parsing: ByteSource(map.spliced())).damage.isEmpty)
    #expect(throws: ImageError.self) { try Self.parse(Array(Self.box("Exif", [0, 0]).dropLast())) }
  }

  /// A bare codestream is truncated if its last frame is.
  @Test func truncatedCodestream() throws {
    func file(_ bytes: [UInt8]) throws -> JPEGXLFile {
      try JPEGXLFile(parsing: ByteSource(bytes))
    }
    #expect(try file(Self.codestream).damage.isEmpty)
    let withSamples = Array(Self.codestream.prefix(5)) + hex("01 1400 0102030405")
    #expect(try file(withSamples + [9]).damage.isEmpty)
    let damage = try file(Array(withSamples.dropLast(2))).damage
    #expect(damage.map(\.code) == [.jpegxlFrameTruncated])
    #expect(damage.allSatisfy { $0.severity == .warning })
    #expect(damage.first?.parameters == ["frame": 1, "missing": 2, "size": 8])
    #expect(damage.first?.location.offset == 5)
    for count in 4..<8 {
      let damage = try file(Array(withSamples.prefix(count))).damage
      #expect(
        damage.map(\.code.english) == [
          "truncated: the file ends before the samples of frame {frame}"
        ])
    }
    // A box of unspecified size ends with the file.
    for count in [8, 10, 13] {
      let box = [0, 0, 0, 0] + Array("jxlc".utf8) + withSamples.prefix(count)
      let boxed = try Self.parse(box)
      #expect(boxed.damage.count == (count == 13 ? 0 : 1))
      #expect(boxed.notices == boxed.damage)
    }
    let error = #expect(throws: ImageError.self) {
      try file(Array(withSamples.dropLast())).spliced()
    }
    #expect(error?.category == .truncated)
  }

  @Test func nonsenseIsATypedError() throws {
    #expect(throws: ImageError.self) { try Self.parse() }
    #expect(throws: ImageError.self) { try Self.parse(Self.box("jxlp", [0, 0])) }
    #expect(throws: ImageError.self) { try Self.parse(Self.box("brob", [0, 0])) }
    #expect(throws: ImageError.self) {
      try Self.parse(Self.box("jxlc", Self.codestream), [0, 0, 1])
    }
    #expect(throws: ImageError.self) {
      try Self.parse(Self.box("jxlc", Self.codestream), Self.box("Exif", [0, 0, 0, 1])).exif()
    }
    #expect(throws: ImageError.self) { try Self.parse(Self.box("jxlc", [1, 2])).imageHeader() }
    #expect(throws: ImageError.self) { try JPEGXLFile(parsing: ByteSource([0xFF, 0xD8])) }
  }

  /// Sizes and sample types as decoded by libjxl.
  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"),
    arguments: [
      ("codeccorpus-it1000", 2268, 1512, false), ("conformance-lossless-pfm-fp32", 500, 500, true),
      ("immich-p3-16b", 5667, 3685, false), ("jxlrs-candle-fp16-linear", 1000, 810, true),
      ("jxlrs-hlg10", 1024, 1024, false), ("kde-testcard-fp16", 256, 256, true),
      ("oiio-fp32-linear-seed", 64, 64, true), ("sdwebimage-pq2100", 600, 420, false),
    ])
  func corpus(name: String, width: Int, height: Int, isFloat: Bool) throws {
    let file = try JPEGXLFile(parsing: Corpus.source("jxl-hdr/\(name).jxl"))
    let header = try file.imageHeader()
    #expect((header.width, header.height) == (width, height))
    #expect(header.depth.isFloat == isFloat)
    for (part, bits) in [("fp32", 32), ("fp16", 16), ("16b", 16), ("hlg10", 10)]
    where name.contains(part) {
      #expect(header.depth.bits == bits)
    }
    if name.contains("hlg") { #expect(header.color.transfer == .hlg) }
    if name.contains("pq2100") {
      #expect(header.color.cicp?.transfer == .pq)
      #expect(header.color.cicp?.primaries == .bt2020)
    }
    if name.contains("linear") { #expect(header.color.transfer == .linear) }
    if name.contains("it1000") { #expect(header.toneMapping.intensityTarget == 1000) }
    #expect(header.hasAlpha == name.contains("candle"))
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func damageIsATypedError() throws {
    for name in Corpus.files(in: ["malformed-jxl"]) {
      let start = ContinuousClock.now
      if let file = try? JPEGXLFile(parsing: Corpus.source(name)) {
        _ = try? file.imageHeader()
      }
      #expect(ContinuousClock.now - start < .seconds(1), "\(name)")
    }
    let bytes = try Corpus.source("jxl-broken/jxlrs-jhgm-dummy.jxl").allBytes()
    for broken in Damage.mutations(of: bytes) + Damage.truncations(of: bytes) {
      guard let file = try? JPEGXLFile(parsing: ByteSource(broken)) else { continue }
      _ = try? file.imageHeader()
      for box in file.boxes("jhgm") { _ = try? JPEGXLGainMapBox(parsing: box.content) }
    }
  }
}
