extension PNGChunk.Kind {
  /// The stretch of a file in which a chunk may lie.
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
    case .imageData: .imageData
    // Third Edition wants eXIf before IDAT; its predecessor, and old libpng, put it after too.
    default: .anywhere
    }
  }

  /// Whether `zone` is over where this chunk begins.
  func ends(_ zone: Zone) -> Bool {
    switch self {
    case .palette: zone < .palette
    case .imageData: zone < .imageData
    case .end: true
    default: false
    }
  }

  /// Where a new chunk goes: readers that stop at the samples shall see texts and Exif too.
  var insertionZone: Zone { zone == .anywhere ? .afterPalette : zone }

  /// Kinds of which a file has several.
  var isRepeatable: Bool {
    switch self {
    case .imageData, .frameData, .text, .compressedText, .internationalText, .suggestedPalette:
      true
    default: !isKnown
    }
  }

  private var isKnown: Bool { zone != .anywhere || self == .exif }
}
