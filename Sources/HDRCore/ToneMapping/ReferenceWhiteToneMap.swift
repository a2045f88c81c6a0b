internal import Foundation

/// Reference-white tone mapping: what Apple's and Chromium's targets show.
///
/// Contrast below reference white stays, exposure falls with the display's headroom, highlights
/// roll off. It is SMPTE ST 2094-50 without metadata but the content's headroom.
///
/// A headroom of content above 4.6 stops counts as 4.6, since the standard's curve is not monotonic
/// for larger ones; brighter light is shown at the display's peak.
///
/// Source: SMPTE ST 2094-50, C.3.8.
package struct ReferenceWhiteToneMap: ToneCurve, Hashable {
  package let range: ToneRange
  package let knee = 1.0
  private let gain: AdaptedGain
  private let baselinePeak: Double

  /// The largest headroom of content for which the standard's curve rises everywhere.
  static let largestBaseline = Headroom(stops: 4.6)

  /// The operator from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; taken as 1 if less.
  ///   - display: Headroom of the display, at least 1.
  /// - Throws: `.invalidArgument` for a display below reference white and for what is not a number.
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
  /// `ReferenceWhiteToneMap`, as Apple's and Chromium's targets do.
  public static let referenceWhite = ToneMapOperator(
    "reference-white", "darkens to keep the contrast of highlights"
  ) { (content, display, _) throws(ImageError) in
    try ReferenceWhiteToneMap(content: content, display: display)
  }
}
