/// The default operator: the identity below a knee, with a roll-off to the display's peak above it.
///
/// With M the largest component, K the knee, Hc and Hd the headrooms of content and display:
///
///     d = max(M - K, 0)
///     kappa = (Hc - Hd) / ((Hd - K) (Hc - K))
///     f(M) = min(M, K) + d / (1 + kappa d)
///
/// All three components are multiplied by f(M) / M. The slope is 1 at the knee; f increases
/// monotonically, maps Hc to Hd, increases with Hd, and is the identity if the display has at least
/// the headroom of the content. Values above Hc are shown at Hd.
package struct RationalShoulder: ToneCurve, Hashable {
  package let range: ToneRange
  /// Linear value up to which the curve is the identity.
  package let knee: Double
  /// kappa: rate at which the slope decreases above the knee; 0 for the identity.
  package let curvature: Double

  /// Prepares the shoulder from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; values below 1 count as 1.
  ///   - display: Headroom of the display, at least 1.
  ///   - kneeShare: The knee as a share of the display's peak, from 0 to less than 1.
  /// - Throws: `.invalidArgument` for a display below reference white and for headrooms that are
  ///   not numbers.
  package init(
    content: Headroom, display: Headroom, kneeShare: Double = 0.5
  ) throws(ImageError) {
    range = try ToneRange(content: content, display: display)
    guard (0..<1).contains(kneeShare) else {
      throw ImageError(.kneeInvalid, ["knee": kneeShare])
    }
    knee = kneeShare * range.displayPeak
    curvature =
      range.isIdentity
      ? 0
      : (range.contentPeak - range.displayPeak)
        / ((range.displayPeak - knee) * (range.contentPeak - knee))
  }

  package func curve(_ maximum: Double) -> Double {
    let excess = max(maximum - knee, 0)
    return min(maximum, knee) + excess / (1 + curvature * excess)
  }

  package func onRows(isBegun: Bool) -> RowToneMap {
    RowToneMap(
      .shoulder(
        knee: Float(knee), curvature: Float(curvature), content: Float(range.contentPeak),
        peak: Float(range.displayPeak)))
  }
}

extension ToneMapOperator {
  /// `RationalShoulder`, the default.
  public static let shoulder = ToneMapOperator(
    "shoulder", "keeps the exposure, rolls off highlights"
  ) { (content, display, _) throws(ImageError) in
    try RationalShoulder(content: content, display: display)
  }
}
