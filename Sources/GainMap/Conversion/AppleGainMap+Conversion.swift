public import HDRCore

/// From parameters to Apple's form, which can hold exactly one shape: an SDR base, one component,
/// gain of at least 1, no offsets, the base's primaries.
extension AppleGainMap {
  /// Offsets up to here make no visible difference, and Apple's own files have them.
  static let ignoredOffset = 1e-4

  /// Why a map cannot become one of Apple's without being made anew; `nil` if it can.
  ///
  /// - Parameters:
  ///   - metadata: What the map's samples mean.
  ///   - mapIsGray: Whether they have one component.
  /// - Returns: The requirement that is not met.
  public static func obstacle(to metadata: GainMapMetadata, mapIsGray: Bool) -> ImageError? {
    if metadata.baseIsHDR { return ImageError(.appleNeedsSDRBase) }
    if metadata.baseHeadroom.value > 0 {
      return ImageError(
        .appleNeedsBaseWithoutHeadroom, ["stops": metadata.baseHeadroom.value])
    }
    if !mapIsGray || metadata.collapsed.channels.all.count > 1 {
      return ImageError(.appleOneComponent)
    }
    let channel = metadata.channels[0]
    if max(abs(channel.baseOffset.value), abs(channel.alternateOffset.value)) > ignoredOffset {
      return ImageError(
        .appleNoOffsets,
        ["base": channel.baseOffset.value, "alternate": channel.alternateOffset.value])
    }
    if channel.maximum.value <= 0 { return ImageError(.appleCannotDarken) }
    return nil
  }

  /// The map of Apple's with the full gain of `metadata`.
  ///
  /// - Parameters:
  ///   - metadata: Must have no `obstacle(to:mapIsGray:)`.
  ///   - curve: How its samples shall relate to gain.
  /// - Throws: `.invalidArgument` if nothing is brightened.
  public init(fullGainOf metadata: GainMapMetadata, curve: Curve = .srgb) throws(ImageError) {
    guard metadata.largestGain > 0 else {
      throw ImageError(.gainMapDoesNotBrighten)
    }
    try self.init(headroom: Headroom(stops: metadata.largestGain), curve: curve)
  }

  /// What readers of Apple's form will show otherwise than those of ISO 21496-1.
  ///
  /// - Parameter metadata: What the samples mean so far.
  /// - Returns: A notice for each.
  public static func differences(from metadata: GainMapMetadata) -> [Notice] {
    var found: [Notice] = []
    let channel = metadata.channels[0]
    if channel.minimum.value < -GainMapMetadata.onePercentInStops {
      found.append(
        Notice(.gainMapAppleNegativeGains, ["minimum": channel.minimum.value]))
    }
    let headroom = metadata.alternateHeadroom.value
    if abs(headroom - metadata.largestGain) > GainMapMetadata.onePercentInStops {
      found.append(
        Notice(
          .gainMapAppleFullGainMoved, ["full": metadata.largestGain, "headroom": headroom]))
    }
    return found
  }
}

extension GainMapMetadata {
  /// Parameters with the full gain of one of Apple's maps, on a straight line: for samples that are
  /// coded again.
  ///
  /// - Parameter map: Apple's map.
  /// - Throws: `.invalidArgument` for a headroom that no fraction says.
  public init(fullGainOf map: AppleGainMap) throws(ImageError) {
    guard let maximum = SignedRational(approximating: map.headroom.stops),
      let alternateHeadroom = UnsignedRational(UInt32(maximum.numerator), maximum.denominator)
    else { throw ImageError(.gainMapHeadroomNotRepresentable, ["stops": map.headroom.stops]) }
    let channel = Channel(
      minimum: SignedRational(0), maximum: maximum, gamma: UnsignedRational(1),
      baseOffset: SignedRational(0), alternateOffset: SignedRational(0))
    try self.init(
      channels: .one(channel), baseHeadroom: UnsignedRational(0),
      alternateHeadroom: alternateHeadroom, usesBaseColorSpace: true)
  }
}
