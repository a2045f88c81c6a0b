/// Reinhard's operator with a white point, as libultrahdr and earlier Chromium have it.
///
/// With M the largest component, Hc and Hd the headrooms of content and display, all components are
/// multiplied by
///
///     (1 + M Hd / Hc^2) / (1 + M / Hd)
///
/// which takes Hc to Hd and is the identity for Hd = Hc. It darkens everything: middle gray by 0.2
/// stops on a display without headroom.
///
/// Source: Reinhard et al., "Photographic Tone Reproduction for Digital Images", 2002, equation 4.
package struct ExtendedReinhard: ToneCurve, Hashable {
  package let range: ToneRange
  package let knee = 0.0

  /// The operator from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; taken as 1 if less.
  ///   - display: Headroom of the display, at least 1.
  /// - Throws: `.invalidArgument` for a display below reference white and for what is not a number.
  package init(content: Headroom, display: Headroom) throws(ImageError) {
    range = try ToneRange(content: content, display: display)
  }

  package func curve(_ maximum: Double) -> Double {
    maximum * (1 + numerator * maximum) / (1 + denominator * maximum)
  }

  /// Factor of M above the line.
  var numerator: Double { range.displayPeak / (range.contentPeak * range.contentPeak) }
  /// Factor of M below the line.
  var denominator: Double { 1 / range.displayPeak }

  package func onRows(isBegun: Bool) -> RowToneMap {
    RowToneMap(
      .reinhard(
        numerator: Float(numerator), denominator: Float(denominator),
        content: Float(range.contentPeak), peak: Float(range.displayPeak)))
  }
}

extension ToneMapOperator {
  /// `ExtendedReinhard`, as libultrahdr does.
  public static let reinhard = ToneMapOperator(
    "reinhard", "darkens everything, as libultrahdr does"
  ) { (content, display, _) throws(ImageError) in
    try ExtendedReinhard(content: content, display: display)
  }
}
