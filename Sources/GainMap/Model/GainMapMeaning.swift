public import HDRCore

/// What the samples of a gain map mean, in either of the two forms that files know.
public enum GainMapMeaning: Hashable, Sendable {
  /// ISO 21496-1 and Adobe's XMP, which say the same.
  case parameters(GainMapMetadata)
  case apple(AppleGainMap)

  /// 1 if all components have the same gain for the same sample, else 3.
  public var channelCount: Int {
    switch self {
    case .parameters(let metadata): metadata.channels.all.count
    case .apple: 1
    }
  }

  public var baseHeadroom: Headroom {
    switch self {
    case .parameters(let metadata): Headroom(stops: metadata.baseHeadroom.value)
    case .apple: .standard
    }
  }

  public var alternateHeadroom: Headroom {
    switch self {
    case .parameters(let metadata): Headroom(stops: metadata.alternateHeadroom.value)
    case .apple(let map): map.headroom
    }
  }

  /// Whether gain is applied in the base's primaries; else in those of the alternate rendition.
  public var usesBaseColorSpace: Bool {
    switch self {
    case .parameters(let metadata): metadata.usesBaseColorSpace
    case .apple: true
    }
  }

  /// Headroom of the brighter rendition.
  public var fullHeadroom: Headroom {
    Headroom(stops: max(baseHeadroom.stops, alternateHeadroom.stops))
  }
}
