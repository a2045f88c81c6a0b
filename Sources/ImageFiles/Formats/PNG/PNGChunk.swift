// SPDX-License-Identifier: Apache-2.0
/// One chunk of a PNG file.
///
/// Source: PNG Third Edition (W3C, 2025), 5.3.
package struct PNGChunk: Hashable, Sendable {
  /// A chunk type of four letters, such as `cICP`.
  ///
  /// The case of each letter signals how to treat an unknown chunk.
  package struct ChunkType: RawRepresentable, Hashable, Sendable {
    /// The letters as a big-endian number, the first one in the most significant byte.
    package var rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Whether the chunk is critical.
    ///
    /// Source: 5.4: bit 5 of the first letter.
    package var isCritical: Bool { rawValue & 0x2000_0000 == 0 }

    package static let imageHeader = ChunkType("IHDR")
    package static let palette = ChunkType("PLTE")
    package static let imageData = ChunkType("IDAT")
    package static let end = ChunkType("IEND")
    package static let codePoints = ChunkType("cICP")
    package static let masteringDisplay = ChunkType("mDCV")
    package static let contentLightLevel = ChunkType("cLLI")
    package static let profile = ChunkType("iCCP")
    package static let standardRGB = ChunkType("sRGB")
    package static let gamma = ChunkType("gAMA")
    package static let chromaticities = ChunkType("cHRM")
    package static let significantBits = ChunkType("sBIT")
    package static let transparency = ChunkType("tRNS")
    package static let background = ChunkType("bKGD")
    package static let histogram = ChunkType("hIST")
    package static let suggestedPalette = ChunkType("sPLT")
    package static let pixelSize = ChunkType("pHYs")
    package static let exif = ChunkType("eXIf")
    package static let text = ChunkType("tEXt")
    package static let compressedText = ChunkType("zTXt")
    package static let internationalText = ChunkType("iTXt")
    package static let frameData = ChunkType("fdAT")
    /// Metadata of ISO 21496-1: those of a gain map in its own file, in front of a gain map their
    /// version.
    ///
    /// Source: Skia, SkPngEncoder.
    package static let gainMapMetadata = ChunkType("gmAP")
    /// A gain map as a PNG file.
    package static let gainMap = ChunkType("gdAT")
    /// Source: C2PA Technical Specification 1.3, annex A.3.
    package static let contentCredentials = ChunkType("caBX")
  }

  /// Location of the data.
  package enum Content: Hashable, Sendable {
    /// In memory, without length, type and CRC.
    case bytes([UInt8])
    /// The complete chunk in the source, from its length to its CRC; not loaded.
    case stored(Range<Int>)
  }

  /// Type of the chunk.
  package var type: ChunkType
  /// Data of the chunk.
  package var content: Content
  /// Whether the CRC is wrong; that of `IDAT` and `fdAT` chunks is not verified by parsing.
  ///
  /// An ancillary chunk with a wrong CRC is kept but not interpreted. Parsing accepts a critical
  /// one, which is interpreted, only on request.
  package internal(set) var isDamaged = false

  /// Creates a chunk from its type and data.
  package init(_ type: ChunkType, _ bytes: [UInt8]) {
    self.type = type
    content = .bytes(bytes)
  }

  init(_ type: ChunkType, stored range: Range<Int>) {
    self.type = type
    content = .stored(range)
  }

  /// Number of data bytes, without length, type and CRC.
  package var count: Int {
    switch content {
    case .bytes(let bytes): bytes.count
    case .stored(let range): range.count - Self.overhead
    }
  }

  /// Serializes the chunk with the given data.
  func serialized(_ bytes: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.writeBigEndian(UInt32(clamping: bytes.count))
    writer.writeBigEndian(type.rawValue)
    writer.write(bytes)
    writer.writeBigEndian(type.checksum(of: bytes))
    return writer.bytes
  }

  /// Size of length, type and CRC, in bytes.
  static let overhead = 12
  /// Maximum length of a chunk, 2^31 - 1.
  ///
  /// Source: 5.3.
  package static let longest = 0x7FFF_FFFF
}

extension PNGChunk.ChunkType: CustomStringConvertible {
  /// Creates a type from four ASCII letters; further ones are ignored.
  package init(_ letters: StaticString) {
    self.init(rawValue: "\(letters)".utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
  }

  /// The four letters.
  package var description: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether the type consists of four letters.
  ///
  /// Source: 5.3: four ISO 646 letters.
  var isValid: Bool {
    bytes.allSatisfy { ($0 & 0xDF) >= UInt8(ascii: "A") && ($0 & 0xDF) <= UInt8(ascii: "Z") }
  }

  var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) } }

  /// Returns the CRC of type and data.
  func checksum(of data: [UInt8]) -> UInt32 { Zlib.crc32(data, from: Zlib.crc32(bytes)) }

  /// The current name of the chunk.
  ///
  /// Drafts of the Third Edition named the chunks `mDCv` and `cLLi`; files with these names exist.
  package var modernized: PNGChunk.ChunkType {
    switch rawValue ^ 0x20 {
    case Self.masteringDisplay.rawValue: .masteringDisplay
    case Self.contentLightLevel.rawValue: .contentLightLevel
    default: self
    }
  }
}

extension PNGChunk.ChunkType {
  /// Zone of a file in which a chunk is allowed.
  ///
  /// Source: PNG Third Edition, 5.6, table 7.
  enum Zone: Int, Comparable {
    case header
    case beforePalette
    case palette
    case afterPalette
    case imageData
    case anywhere

    static func < (one: Zone, other: Zone) -> Bool { one.rawValue < other.rawValue }
  }

  var zone: Zone {
    switch modernized {
    case .imageHeader: .header
    case .codePoints, .masteringDisplay, .contentLightLevel, .profile, .standardRGB, .gamma,
      .chromaticities, .significantBits:
      .beforePalette
    case .palette: .palette
    case .transparency, .background, .histogram, .suggestedPalette, .pixelSize: .afterPalette
    // Skia reads the chunks in front of IDAT.
    case .gainMapMetadata, .gainMap: .afterPalette
    case .imageData: .imageData
    // The Third Edition requires eXIf before IDAT; the Second Edition and old libpng allow it
    // after.
    default: .anywhere
    }
  }

  /// Whether this chunk marks the end of `zone`.
  func ends(_ zone: Zone) -> Bool {
    switch self {
    case .palette: zone < .palette
    case .imageData: zone < .imageData
    case .end: true
    default: false
    }
  }

  /// Zone of a new chunk: texts and Exif precede the samples, for readers that stop there.
  var insertionZone: Zone { zone == .anywhere ? .afterPalette : zone }

  /// Whether a file may contain several chunks of this type.
  var isRepeatable: Bool {
    switch self {
    case .imageData, .frameData, .text, .compressedText, .internationalText, .suggestedPalette:
      true
    default: !isKnown
    }
  }

  private var isKnown: Bool { zone != .anywhere || self == .exif }
}
