// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Reinhard's operator with a white point, as in libultrahdr and earlier versions of Chromium.
///
/// With M the largest component, Hc and Hd the headrooms of content and display, all components are
/// multiplied by
///
///     (1 + M Hd / Hc^2) / (1 + M / Hd)
///
/// It maps Hc to Hd and is the identity for Hd = Hc. It darkens all values: middle gray by 0.2
/// stops on a display without headroom.
///
/// Source: Reinhard et al., "Photographic Tone Reproduction for Digital Images", 2002, equation 4.
package struct ExtendedReinhard: ToneCurve, Hashable {
  package let range: ToneRange
  package let knee = 0.0

  /// Prepares the operator from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; values below 1 count as 1.
  ///   - display: Headroom of the display, at least 1.
  /// - Throws: `.invalidArgument` for a display below reference white and for headrooms that are
  ///   not numbers.
  package init(content: Headroom, display: Headroom) throws(ImageError) {
    range = try ToneRange(content: content, display: display)
  }

  package func curve(_ maximum: Double) -> Double {
    maximum * (1 + numerator * maximum) / (1 + denominator * maximum)
  }

  /// Factor of M in the numerator.
  var numerator: Double { range.displayPeak / (range.contentPeak * range.contentPeak) }
  /// Factor of M in the denominator.
  var denominator: Double { 1 / range.displayPeak }

  package func onRows(isBegun: Bool) -> RowToneMap {
    RowToneMap(
      .reinhard(
        numerator: Float(numerator), denominator: Float(denominator),
        content: Float(range.contentPeak), peak: Float(range.displayPeak)))
  }
}

extension ToneMapOperator {
  /// Extended Reinhard on the largest component, as in libultrahdr; it darkens all values.
  ///
  /// Source: Reinhard et al., "Photographic Tone Reproduction for Digital Images", 2002, equation
  /// 4.
  public static let reinhard = ToneMapOperator(
    "reinhard", "darkens everything, as libultrahdr does"
  ) { (content, display, _) throws(ImageError) in
    try ExtendedReinhard(content: content.headroom, display: display)
  }
}

/// A constant gain below a knee, with a roll-off to the display's peak above it.
///
/// With M the largest component, g the gain, K the knee, Hc and Hd the headrooms of content and
/// display:
///
///     d = max(M - K, 0)
///     kappa = (g Hc - Hd) / ((Hd - g K) (Hc - K))
///     f(M) = g (min(M, K) + d / (1 + kappa d))
///
/// All three components are multiplied by f(M) / M. The slope is g at the knee; f increases
/// monotonically, maps Hc to Hd, increases with Hd and with g, and is the identity if the display
/// has at least the headroom of the content. Values above Hc are shown at Hd.
package struct RationalShoulder: ToneCurve, Hashable {
  package let range: ToneRange
  /// Gain of values up to the knee.
  package let gain: Double
  /// Linear value of the content up to which the gain is constant.
  package let knee: Double
  /// kappa: rate at which the slope decreases above the knee; 0 for the identity.
  package let curvature: Double

  /// Prepares the shoulder from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; values below 1 count as 1.
  ///   - display: Headroom of the display, at least 1.
  ///   - kneeShare: The shown knee as a share of the display's peak, from 0 to less than 1.
  ///   - gain: Gain of values up to the knee, at most 1; limited to a gain for which the content's
  ///     peak is not below the display's.
  /// - Throws: `.invalidArgument` for a display below reference white and for headrooms that are
  ///   not numbers.
  package init(
    content: Headroom, display: Headroom, kneeShare: Double = 0.5, gain: Double = 1
  ) throws(ImageError) {
    range = try ToneRange(content: content, display: display)
    guard (0..<1).contains(kneeShare) else {
      throw ImageError(
        .invalidArgument, "invalid knee: {knee} of the peak luminance of the display",
        ["knee": kneeShare])
    }
    let (content, display) = (range.contentPeak, range.displayPeak)
    self.gain = range.isIdentity ? 1 : min(max(gain, display / content), 1)
    knee = kneeShare * display / self.gain
    curvature =
      range.isIdentity
      ? 0
      : (self.gain * content - display) / ((display - self.gain * knee) * (content - knee))
  }

  package func curve(_ maximum: Double) -> Double {
    let excess = max(maximum - knee, 0)
    return gain * (min(maximum, knee) + excess / (1 + curvature * excess))
  }

  package func onRows(isBegun: Bool) -> RowToneMap {
    RowToneMap(
      .shoulder(
        gain: Float(gain), knee: Float(knee), curvature: Float(curvature),
        content: Float(range.contentPeak),
        peak: Float(range.displayPeak)))
  }
}

extension ToneMapOperator {
  /// A roll-off above half of the display's peak, which keeps the exposure of all other values.
  public static let shoulder = ToneMapOperator(
    "shoulder", "keeps the exposure, rolls off highlights"
  ) { (content, display, _) throws(ImageError) in
    try RationalShoulder(content: content.headroom, display: display)
  }
}

/// Reference-white tone mapping, the default rendering on Apple platforms and in Chromium.
///
/// Contrast below reference white is preserved, exposure decreases with the display's headroom, and
/// highlights roll off. It equals SMPTE ST 2094-50 with the content's headroom as the only
/// metadata.
///
/// A content headroom above 4.6 stops counts as 4.6, because the standard's curve is not monotonic
/// for larger ones; brighter values are shown at the display's peak.
///
/// Source: SMPTE ST 2094-50, C.3.8.
package struct ReferenceWhiteToneMap: ToneCurve, Hashable {
  package let range: ToneRange
  package let knee = 1.0
  private let gain: AdaptedGain
  private let baselinePeak: Double

  /// Largest content headroom for which the standard's curve is monotonic.
  static let largestBaseline = Headroom(stops: 4.6)

  /// Prepares the operator from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; values below 1 count as 1.
  ///   - display: Headroom of the display, at least 1.
  /// - Throws: `.invalidArgument` for a display below reference white and for headrooms that are
  ///   not numbers.
  package init(content: Headroom, display: Headroom) throws(ImageError) {
    range = try ToneRange(content: content, display: display)
    let stops = min(max(content.stops, 0), Self.largestBaseline.stops)
    let baseline = Headroom(stops: stops)
    baselinePeak = baseline.ratio
    gain = AdaptiveToneMap(baselineHeadroom: baseline, method: .referenceWhite).gain(for: display)
  }

  package func curve(_ maximum: Double) -> Double {
    guard maximum < baselinePeak else { return min(maximum, range.displayPeak) }
    return min(gain.toneMapped(SIMD3(repeating: maximum)).x, range.displayPeak)
  }
}

extension ToneMapOperator {
  /// Reference-white tone mapping, as on Apple platforms and in Chromium.
  ///
  /// It keeps contrast below reference white and darkens by up to one stop, less with more
  /// headroom. A content headroom above 4.6 stops counts as 4.6.
  ///
  /// Source: SMPTE ST 2094-50, C.3.8.
  public static let referenceWhite = ToneMapOperator(
    "reference-white", "darkens to keep the contrast of highlights"
  ) { (content, display, _) throws(ImageError) in
    try ReferenceWhiteToneMap(content: content.headroom, display: display)
  }
}

/// Clipping of each component at the display's peak, without tone mapping.
///
/// This is the behavior of displays and programs that do not support headroom. Components are those
/// of the color's primaries; `Rendition` converts to the target's, because a display clips its own
/// components. Clipped colors change in hue.
package struct HardClip: HeadroomMapping, Hashable {
  package let range: ToneRange

  /// Prepares the operator from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; values below 1 count as 1.
  ///   - display: Headroom of the display, at least 1.
  /// - Throws: `.invalidArgument` for a display below reference white and for headrooms that are
  ///   not numbers.
  package init(content: Headroom, display: Headroom) throws(ImageError) {
    range = try ToneRange(content: content, display: display)
  }

  package var displayPeak: Double { range.displayPeak }
  package var contentPeak: Double? { range.contentPeak }
  package var isIdentity: Bool { range.isIdentity }

  /// Clips a linear color.
  ///
  /// - Parameter color: Red, green, blue, 1.0 for reference white. NaN becomes 0, infinite values
  ///   the content's peak.
  /// - Returns: The color, with components of at most the display's peak.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let color = color.finite(infinity: range.contentPeak)
    return isIdentity
      ? color : pointwiseMin(color, SIMD3(repeating: range.displayPeak))
  }

  /// Clipping before the conversion to the display's primaries would turn a bright red pink.
  package func runsInTargetPrimaries(with mapping: GamutMapping) -> Bool { true }

  package func onRows(isBegun: Bool) -> RowToneMap {
    RowToneMap(.limit(peak: Float(range.displayPeak)))
  }
}

extension ToneMapOperator {
  /// Clipping of each component at the peak of the display, without tone mapping; hues change.
  public static let clip = ToneMapOperator(
    "clip", "no tone mapping: clips at the display's peak"
  ) { (content, display, _) throws(ImageError) in
    try HardClip(content: content.headroom, display: display)
  }
}
