// SPDX-License-Identifier: Apache-2.0
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
