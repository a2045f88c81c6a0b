/// An operator between two headrooms: what happens to the light of a picture for a display.
package enum ToneMap: Hashable, Sendable {
  case shoulder(RationalShoulder)
  case referenceWhite(ReferenceWhiteToneMap)
  case bt2390(BT2390)
  case bt2446a(BT2446A)
  case reinhard(ExtendedReinhard)
  case clip(HardClip)
  /// What a file's own SMPTE ST 2094-50 metadata asks for.
  case adaptive(AdaptedGain)
  /// HLG for another display than the reference display.
  case hlg(HLGRendering)

  /// The primaries that light must be in: BT.2020, or those that a file's metadata names.
  package var primaries: ColorPrimaries {
    if case .adaptive(let gain) = self { return gain.primaries }
    return .bt2020
  }

  /// Whether it is a `ToneCurve`: one gain for the three components, and nothing above the peak.
  var isCurve: Bool { mapping is any ToneCurve }

  /// Whether light above the display's peak comes out above it, to be cut off there.
  var letsLightPass: Bool {
    if case .adaptive = self { return true }
    return isIdentity
  }

  /// The light that infinite light counts as; `nil` for HLG, which has none.
  var contentPeak: Double? {
    switch self {
    case .shoulder(let curve): curve.range.contentPeak
    case .referenceWhite(let curve): curve.range.contentPeak
    case .bt2390(let curve): curve.range.contentPeak
    case .bt2446a(let method): method.range.contentPeak
    case .reinhard(let curve): curve.range.contentPeak
    case .clip(let clip): clip.range.contentPeak
    case .adaptive(let gain): gain.baselinePeak
    case .hlg: nil
    }
  }

  private var mapping: any HeadroomMapping {
    switch self {
    case .shoulder(let curve): curve
    case .referenceWhite(let curve): curve
    case .bt2390(let curve): curve
    case .bt2446a(let method): method
    case .reinhard(let curve): curve
    case .clip(let clip): clip
    case .adaptive(let gain): gain
    case .hlg(let rendering): rendering
    }
  }
}

extension ToneMap: HeadroomMapping {
  package var displayPeak: Double { mapping.displayPeak }
  package var isIdentity: Bool { mapping.isIdentity }

  /// A color of light for the display.
  ///
  /// - Parameter color: Red, green, blue in `primaries`, 1.0 for reference white.
  /// - Returns: The color in the same primaries, possibly outside the display's.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> { mapping.toneMapped(color) }
}
