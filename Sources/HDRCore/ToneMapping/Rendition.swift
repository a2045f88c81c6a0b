/// Rendering of an image for a display: tone mapping and conversion to the display's primaries.
public struct Rendition: Hashable, Sendable {
  package var toneMap: ToneMap
  /// Treatment of colors outside the target's primaries and peak.
  public var gamutMapping: GamutMapping
  /// How fast compressed highlights go to white, from 0 for not at all.
  ///
  /// A color whose largest component falls from M to f becomes w f + (1 - w) color with
  /// w = 1 - 1 / (1 + q (M - f)). Without it saturated lamps look flat; with it hue moves.
  public var highlightDesaturation: Double
  /// Primaries of the display, if they are smaller than those of the output.
  public var primaries: ColorPrimaries?

  /// A rendition by one of the operators.
  ///
  /// - Parameters:
  ///   - method: The operator.
  ///   - content: Headroom of the content; taken as 1 if less.
  ///   - display: Headroom of the display, at least 1.
  ///   - referenceWhite: Luminance of linear 1.0, in cd/m².
  /// - Throws: `.invalidArgument` for a display below reference white and for a headroom that is not
  ///   a number.
  public init(
    _ method: ToneMapOperator, content: Headroom, display: Headroom,
    referenceWhite: Double = LightMetadata.defaultDiffuseWhite
  ) throws(ImageError) {
    self.init(
      try method.toneMap(content: content, display: display, referenceWhite: referenceWhite))
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

  /// How fast highlights of SDR renditions for gain maps go to white: hue moves by 6 degrees in ICtCp at the 99th
  /// percentile of P3 colors.
  public static let defaultDesaturation = 0.05

  /// The rendition for a display without headroom, as the base of a gain map wants it.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content.
  ///   - method: The operator.
  ///   - referenceWhite: Luminance of light 1.0, cd/m².
  /// - Returns: The operator with soft gamut mapping and a path to white.
  /// - Throws: `.invalidArgument` for what is not a number.
  public static func standard(
    content: Headroom, using method: ToneMapOperator = .shoulder,
    referenceWhite: Double = LightMetadata.defaultDiffuseWhite
  ) throws(ImageError) -> Rendition {
    Rendition(
      try method.toneMap(content: content, display: .standard, referenceWhite: referenceWhite),
      highlightDesaturation: defaultDesaturation)
  }

  /// Light for a display, before gamut mapping.
  ///
  /// - Parameter color: Red, green, blue in the operator's `primaries`, 1.0 for reference white.
  /// - Returns: The color in the same primaries.
  public func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let mapped = toneMap.toneMapped(color)
    let after = mapped.max()
    let lost = max(max(color.max(), 0) - after, 0)
    let white = 1 - 1 / (1 + highlightDesaturation * lost)
    return mapped + white * (after - mapped)
  }

  /// The primaries in which the operator runs for a target: those of the target for the shoulder and
  /// for clipping.
  ///
  /// The shoulder's gain is the same in any primaries, and components that a target cannot show are
  /// largest in the target's own. So the curve dims saturated highlights until they fit, where mixing
  /// with gray would turn orange lamps pink. What a display cuts off are its own components: cut off
  /// before, a bright red would turn pink. Other operators are defined in primaries of their own.
  ///
  /// - Parameter target: Primaries of the target.
  /// - Returns: The target's, or the operator's.
  public func workingPrimaries(for target: ColorPrimaries) -> ColorPrimaries {
    !toneMap.isIdentity && toneMap.mapping.runsInTargetPrimaries(with: gamutMapping)
      ? target : toneMap.primaries
  }

  /// Light for a display of given primaries, before gamut mapping.
  ///
  /// - Parameters:
  ///   - color: Red, green, blue in the operator's `primaries`, 1.0 for reference white.
  ///   - target: Primaries of the target.
  /// - Returns: The color in the target's primaries, possibly outside of what it can show.
  public func toneMapped(_ color: SIMD3<Double>, for target: ColorPrimaries) -> SIMD3<Double> {
    let working = workingPrimaries(for: target)
    return working.conversion(to: target)
      * toneMapped(toneMap.primaries.conversion(to: working) * color)
  }

  /// The mapping into a target's primaries.
  ///
  /// - Parameters:
  ///   - source: Primaries that hold the image's colors.
  ///   - target: Primaries of the target.
  /// - Returns: `nil` for clipping.
  package func gamutMapper(from source: ColorPrimaries, to target: ColorPrimaries) -> GrayMix? {
    gamutMapping == .soft
      ? GrayMix(from: source, to: target, peak: toneMap.displayPeak) : nil
  }
}
