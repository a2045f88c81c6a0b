// SPDX-License-Identifier: Apache-2.0
internal import Platform

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
