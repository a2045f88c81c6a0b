// SPDX-License-Identifier: Apache-2.0
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
