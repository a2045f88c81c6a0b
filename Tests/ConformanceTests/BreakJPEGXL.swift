// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
import GainMap
import HDRCore
import ImageCodecs
import TestSupport

@testable import Conformance
@testable import ImageFiles

/// A JPEG XL file as a list of boxes.
struct JPEGXLBoxes {
  var boxes: [(type: String, content: [UInt8])]

  /// The header of a 1x1 image with default values.
  static let codestream = hex("FF0A 00A0")

  /// The header of an image of the largest size, 2^30 x 2^30, with default values.
  static let largest = hex("FF0A FEFFFFFF 13")

  /// The header of an image of 32768 x 16384 pixels, with default values.
  static let wide = [0xFF, 0x0A] + fields([(0, 1), (2, 2), (16_383, 18), (7, 3), (1, 1), (1, 1)])

  /// The header of an image of 8x8 pixels.
  static func header(
    bits: UInt32 = 8, isFloat: Bool = false, needs32BitBuffers: Bool = false,
    extraChannels: UInt32 = 0
  ) -> [UInt8] {
    var parts: [(UInt32, Int)] = [(1, 1), (0, 5), (1, 3), (0, 2)]
    parts += isFloat ? [(1, 1), (0, 2), (8 - 1, 4)] : [(0, 1), (3, 2), (bits - 1, 6)]
    parts.append((needs32BitBuffers ? 0 : 1, 1))
    parts += extraChannels == 0 ? [(0, 2)] : [(3, 2), (extraChannels - 1, 12)]
    parts += (0..<extraChannels).map { _ in (1, 1) }
    return [0xFF, 0x0A] + fields(parts + [(1, 1), (1, 1), (0, 2), (1, 1)])
  }

  /// The header of an image of 8x8 pixels with a channel for black.
  static let cmyk =
    [0xFF, 0x0A]
    + fields([
      (1, 1), (0, 5), (1, 3), (0, 2), (0, 3), (1, 1), (1, 2), (0, 1), (2, 2), (2, 4), (0, 3),
      (0, 2), (0, 2), (1, 1), (1, 1), (0, 2), (1, 1),
    ])

  /// The header of an image of 8x8 pixels with an ICC profile of this size, up to 2^28 - 1 bytes.
  ///
  /// The profile is missing, and its first bytes, which contain the size, have a prefix code.
  static func profile(size: UInt32) -> [UInt8] {
    let header: [(UInt32, Int)] = [
      (1, 1), (0, 5), (1, 3), (0, 2), (0, 3), (1, 1), (0, 2), (0, 1), (0, 1), (1, 1), (0, 2),
      (0, 2), (1, 1),
    ]
    // Four bytes; one cluster; 256 symbols, which are integers themselves.
    var fields: [(UInt32, Int)] = header
    fields += [(1, 2), (3, 4), (0, 1), (1, 1), (0, 2), (1, 1), (15, 4)]
    fields += [(1, 1), (7, 4), (127, 7)]
    let bytes = (0..<4).map { size >> (7 * $0) & 0x7F | ($0 < 3 ? 0x80 : 0) }
    let symbols = Array(Set(bytes)).sorted()
    // A simple code of four symbols, whose codes have two bits.
    let unused = (0..<256).filter { !symbols.contains($0) }.prefix(4 - symbols.count)
    let all = (symbols + unused).sorted()
    fields += [(1, 2), (3, 2)]
    for symbol in all { fields.append((symbol, 8)) }
    fields.append((0, 1))
    for byte in bytes {
      let code = UInt32(all.firstIndex(of: byte) ?? 0)
      fields += [(code >> 1, 1), (code & 1, 1)]
    }
    return [0xFF, 0x0A] + Self.fields(fields)
  }

  private static func fields(_ values: [(value: UInt32, bits: Int)]) -> [UInt8] {
    var writer = JPEGXLBitWriter()
    for field in values { writer.write(field.value, bits: field.bits) }
    return writer.bytes
  }

  /// A file that satisfies all rules: with Exif, XMP and a gain map.
  ///
  /// - Parameters:
  ///   - image: The codestream of the image.
  ///   - map: The codestream of the gain map.
  /// - Throws: Errors of serializing.
  init(image: [UInt8] = Self.codestream, map: [UInt8] = Self.codestream) throws {
    boxes = [
      ("JXL ", [0x0D, 0x0A, 0x87, 0x0A]), ("ftyp", Array("jxl \0\0\0\0jxl ".utf8)), ("jxll", [5]),
      ("Exif", [0, 0, 0, 0] + ExifBlock.minimal(orientation: .upright)), ("xml ", XMPPacket.empty),
      ("jxlc", image),
      (
        "jhgm",
        try JPEGXLGainMapBox.serialized(
          metadata: ISO21496Payload(GainMapFiles.metadata).serialized,
          colorEncoding: JPEGXLColorEncoding.serialized(
            CICP(primaries: .bt2020, transfer: .pq, matrix: .identity)) ?? [],
          codestream: map)
      ),
    ]
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    for box in boxes {
      writer.writeBigEndian(UInt32(8 + box.content.count))
      writer.write(box.type)
      writer.write(box.content)
    }
    return writer.bytes
  }

  mutating func set(_ type: String, _ content: [UInt8]) {
    for index in boxes.indices where boxes[index].type == type { boxes[index].content = content }
  }
}

/// Files that violate rules of JPEG XL.
extension Break {
  static let jpegXL: [Break] = [
    jpegXL(["jpegxl/box-order"]) { $0.boxes.swapAt(2, 3) },
    jpegXL(["jpegxl/box-order"]) { $0.boxes.append(("jbrd", [])) },
    Break(["jpegxl/box-size"], .jpegXL) { Array(try JPEGXLBoxes().bytes.dropLast()) },
    Break(["jpegxl/box-size"], .jpegXL) { hex("FF0A 00A001 011400 0102") },
    jpegXL(["jpegxl/brand"]) { $0.set("ftyp", Array("heic\0\0\0\0jxl ".utf8)) },
    jpegXL(["jpegxl/codestream-once"]) { $0.boxes.append(("jxlc", JPEGXLBoxes.codestream)) },
    jpegXL(["jpegxl/codestream-once"]) { $0.boxes.append(("jxlp", [0, 0, 0, 0])) },
    jpegXL(["jpegxl/level"]) { $0.set("jxll", [6]) },
    jpegXL(["jpegxl/level"]) { $0.set("jxlc", JPEGXLBoxes.largest) },
    jpegXL(["jpegxl/level"]) {
      $0.set("jxlc", JPEGXLBoxes.largest)
      $0.set("jxll", [10])
    },
    jpegXL(["jpegxl/level"]) { $0.set("jxlc", JPEGXLBoxes.header(bits: 32, isFloat: true)) },
    jpegXL(["jpegxl/level"]) { $0.set("jxlc", JPEGXLBoxes.header(needs32BitBuffers: true)) },
    jpegXL(["jpegxl/level"]) { $0.set("jxlc", JPEGXLBoxes.header(extraChannels: 5)) },
    jpegXL(["jpegxl/level"]) {
      $0.set("jxlc", JPEGXLBoxes.header(extraChannels: 257))
      $0.set("jxll", [10])
    },
    jpegXL(["jpegxl/level"]) {
      $0.boxes.removeAll { $0.type == "jxll" }
      $0.set("jxlc", JPEGXLBoxes.wide)
    },
    jpegXL(["jpegxl/level"]) { $0.set("jxlc", JPEGXLBoxes.cmyk) },
    jpegXL(["jpegxl/level"]) { $0.set("jxlc", JPEGXLBoxes.profile(size: 1 << 22 + 1)) },
    jpegXL(["21496-1/version"]) { $0.boxes[$0.boxes.count - 1].content[3] = 99 },
    jpegXL(["jpegxl/exif"]) { $0.set("Exif", [0, 0, 0, 9]) },
    jpegXL(["jpegxl/xmp"]) { $0.set("xml ", Array("<".utf8)) },
    jpegXL(["jpegxl/orientation"]) {
      $0.set("Exif", [0, 0, 0, 0] + ExifBlock.minimal(orientation: .rotated90))
    },
    jpegXL(["jpegxl/gain-map"]) {
      let index = $0.boxes.count - 1
      $0.boxes[index].content[0] = 1
    },
  ]

  #if JPEGXL
  /// Files with an ICC profile, which only libjxl decodes.
  static let jpegXLProfiles: [Break] = [
    profile(["icc/profile-id"]) { $0[84] ^= 1 },
    profile(["22028-5/H5-BIT-1", "22028-5/H5-SDR-1"], bits: 8) { _ in },
    // The gain map is a header alone.
    Break(["jpegxl/gain-map-samples"], .jpegXL) {
      try JPEGXLBoxes(image: standardCodestream()).bytes
    },
  ]

  /// The codestream of an SDR image.
  static func standardCodestream() throws -> [UInt8] {
    var output = TestImages.output(.rgb, bits: 8, transfer: .srgb)
    output.image.light = LightMetadata()
    let bytes = try output.encoded(as: .jxl, options: EncoderOptions(isLossless: true, speed: 9))
    return try JPEGXLFile(parsing: ByteSource(bytes)).wholeCodestream()
  }

  private static func profile(
    _ rules: Set<String>, bits: Int = 10,
    _ change: @escaping @Sendable (inout [UInt8]) -> Void
  ) -> Break {
    Break(rules, .jpegXL) {
      var output = TestImages.output(.rgb, bits: bits)
      var profile = try ICCProfile.generate(for: output.image.color.cicp)
      change(&profile)
      (output.icc, output.signalsCICP) = (profile, false)
      let bytes = try output.encoded(
        as: .jxl, options: EncoderOptions(isLossless: true, speed: 9))
      var file = try JPEGXLBoxes()
      file.boxes.removeLast()
      file.set("jxlc", try JPEGXLFile(parsing: ByteSource(bytes)).wholeCodestream())
      return file.bytes
    }
  }
  #else
  static let jpegXLProfiles: [Break] = []
  #endif

  private static func jpegXL(
    _ rules: Set<String>, _ change: @escaping @Sendable (inout JPEGXLBoxes) -> Void
  ) -> Break {
    Break(rules, .jpegXL) {
      var file = try JPEGXLBoxes()
      change(&file)
      return file.bytes
    }
  }
}
#endif
