// SPDX-License-Identifier: Apache-2.0
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
