// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Rendering of an image for a display: tone mapping and conversion to the display's primaries.
public struct Rendition: Hashable, Sendable {
  package var toneMap: ToneMap
  /// Treatment of colors outside the target's primaries and peak; by default `.soft`.
  public var gamutMapping: GamutMapping
  /// Rate at which compressed highlights approach white, at least 0; by default 0.05 for the operator
  /// `adaptive`, and 0, which disables the effect, for others.
  ///
  /// It gives saturated lamps and flowers depth. A color whose largest component is reduced from M to
  /// f moves on its line of constant hue by w = 1 - 1 / (1 + q (M - f)) of the way to white, and keeps
  /// f as its largest component (`Documentation/Decisions/0046-hue-of-sdr-images.md`).
  public var highlightDesaturation: Double
  /// Linear value of the display's black, from 0, the default, to below the display's peak.
  ///
  /// After gamut mapping, a component c becomes black + (1 - black / peak) c, so that 0 becomes the
  /// black of the display, the peak is unchanged, and shadows stay distinct: black point
  /// compensation (ISO 18619), which is linear.
  public var black = 0.0
  /// Primaries of the display, if they are smaller than those of the output; `nil` for the
  /// output's.
  public var primaries: ColorPrimaries?

  /// Makes a rendition with an operator.
  ///
  /// - Parameters:
  ///   - method: The operator.
  ///   - content: Headroom of the content; below 0 stops it counts as 0.
  ///   - key: Key of the image, `LightLevels.key`; `nil` if it was not measured.
  ///   - display: Headroom of the display, at least 0 stops.
  ///   - referenceWhite: Luminance of linear 1.0 in cd/m², from 2^-30 to 2^40.
  /// - Throws: `.invalidArgument` for a display below 0 stops, for headrooms above 100 stops or not
  ///   a number, and for another reference white.
  public init(
    _ method: ToneMapOperator, content: Headroom, key: Double? = nil, display: Headroom,
    referenceWhite: Double = ColorEncoding.defaultReferenceWhite
  ) throws(ImageError) {
    self.init(
      try method.toneMap(
        content: content, key: key, display: display, referenceWhite: referenceWhite),
      highlightDesaturation: method.highlightDesaturation)
  }

  package init(
    _ toneMap: ToneMap, gamutMapping: GamutMapping = .soft, highlightDesaturation: Double = 0,
    primaries: ColorPrimaries? = nil
  ) {
    self.toneMap = toneMap
    self.gamutMapping = gamutMapping
    self.highlightDesaturation = highlightDesaturation
    self.primaries = primaries
  }

  /// Returns a rendition for a display without headroom, for the base image of a gain map.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; below 0 stops it counts as 0.
  ///   - key: Key of the image, `LightLevels.key`; `nil` if it was not measured.
  ///   - method: The operator.
  ///   - referenceWhite: Luminance of linear 1.0 in cd/m², from 2^-30 to 2^40.
  /// - Returns: The operator with soft gamut mapping.
  /// - Throws: `.invalidArgument` for a headroom above 100 stops or not a number, and for another
  ///   reference white.
  public static func standard(
    content: Headroom, key: Double? = nil, using method: ToneMapOperator = .adaptive,
    referenceWhite: Double = ColorEncoding.defaultReferenceWhite
  ) throws(ImageError) -> Rendition {
    try Rendition(
      method, content: content, key: key, display: .standard, referenceWhite: referenceWhite)
  }

  /// Tone maps a linear color for a display, before gamut mapping.
  ///
  /// `gamutMapping`, `black` and `primaries` are not applied.
  ///
  /// - Parameter color: Red, green, blue in BT.2020, or in the primaries of a file's ST 2094-50
  ///   metadata; 1.0 for reference white. NaN becomes 0.
  /// - Returns: The color in the same primaries.
  public func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    toneMapped(color, in: toneMap.primaries)
  }

  private func toneMapped(_ color: SIMD3<Double>, in primaries: ColorPrimaries) -> SIMD3<Double> {
    let mapped = toneMap.toneMapped(color)
    let after = mapped.max()
    let reduction = max(color.max(), 0) - after
    guard highlightDesaturation > 0, reduction > 0, after > 0 else { return mapped }
    let share = 1 - 1 / (1 + highlightDesaturation * reduction)
    let responses = GamutMapper.coneResponses(of: primaries)
    let whiter = (responses * (mapped / after)).map { response in
      let root = cbrt(response)
      let moved = root + share * (1 - root)
      return moved * moved * moved
    }
    let result = responses.inverse * whiter
    return result * (after / result.max())
  }

  /// Primaries in which the operator runs for a target.
  ///
  /// These are the target's for clipping, and for tone curves with soft gamut mapping, unless the
  /// operator is the identity. The gain of a curve preserves hue in any primaries, and components
  /// that a target cannot show are largest in the target's own. The curve therefore dims saturated
  /// highlights until they are in gamut, whereas desaturation would turn orange lamps cream. A
  /// display clips its own components; clipping in other primaries would turn a bright red pink.
  /// Method A of BT.2446, HLG and file metadata have primaries of their own.
  ///
  /// - Parameter target: Primaries of the target.
  /// - Returns: The target's primaries, or those of the operator: BT.2020, or those of a file's
  ///   metadata.
  public func workingPrimaries(for target: ColorPrimaries) -> ColorPrimaries {
    !toneMap.isIdentity && toneMap.mapping.runsInTargetPrimaries(with: gamutMapping)
      ? target : toneMap.primaries
  }

  /// Tone maps a linear color for a display of given primaries, before gamut mapping.
  ///
  /// - Parameters:
  ///   - color: Red, green, blue in BT.2020, or in the primaries of a file's ST 2094-50 metadata;
  ///     1.0 for reference white.
  ///   - target: Primaries of the target, for which `isUsable` is true.
  /// - Returns: The color in the target's primaries, possibly out of gamut.
  public func toneMapped(_ color: SIMD3<Double>, for target: ColorPrimaries) -> SIMD3<Double> {
    let working = workingPrimaries(for: target)
    return working.conversion(to: target)
      * toneMapped(toneMap.primaries.conversion(to: working) * color, in: working)
  }

  /// Returns the gamut mapping into a target's primaries.
  ///
  /// - Parameters:
  ///   - source: Primaries that contain the image's colors.
  ///   - target: Primaries of the target.
  /// - Returns: The mapping; `nil` for clipping.
  package func gamutMapper(from source: ColorPrimaries, to target: ColorPrimaries) -> GamutMapper? {
    guard gamutMapping == .soft else { return nil }
    // A curve limits components of its primaries to the peak.
    let isLimited =
      !toneMap.isIdentity && toneMap.isCurve && workingPrimaries(for: target) == target
    return GamutMapper(from: source, to: target, peak: toneMap.displayPeak, exceedsPeak: !isLimited)
  }
}
