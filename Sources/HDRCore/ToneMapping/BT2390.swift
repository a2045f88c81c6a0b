// SPDX-License-Identifier: Apache-2.0
/// The electrical-electrical transfer function of BT.2390: a Hermite spline on PQ signal.
///
/// It preserves contrast in the middle tones and has an abrupt roll-off of highlights.
///
/// Source: Report ITU-R BT.2390, section 5.4.1; Report ITU-R BT.2408, annex 5.
package struct BT2390EETF: Hashable, Sendable {
  private let source: ClosedRange<Double>
  private let targetBlack: Double
  private let targetPeak: Double

  /// Prepares the function from a mastering display to another display.
  ///
  /// - Parameters:
  ///   - source: Black and peak of the mastering display in cd/m²; black at least 0.
  ///   - target: Black and peak of the target display in cd/m².
  /// - Precondition: The peak of `source` is above its black.
  package init(source: ClosedRange<Double>, target: ClosedRange<Double>) {
    precondition(source.lowerBound >= 0 && source.upperBound > source.lowerBound)
    let (black, peak) = (PQ.inverseEOTF(source.lowerBound), PQ.inverseEOTF(source.upperBound))
    self.source = black...peak
    targetBlack = (PQ.inverseEOTF(target.lowerBound) - black) / (peak - black)
    targetPeak = (PQ.inverseEOTF(target.upperBound) - black) / (peak - black)
  }

  /// Returns the PQ signal for the target.
  ///
  /// - Parameter signal: PQ signal for the source; clamped to its peak.
  /// - Returns: The signal, with black lifted to that of the target.
  package func signal(ofSignal signal: Double) -> Double {
    let span = source.upperBound - source.lowerBound
    let e1 = min((signal - source.lowerBound) / span, 1)
    let e2 = e1 > kneeStart && targetPeak < 1 ? spline(e1) : e1
    let remaining = 1 - e2
    let e3 = e2 + targetBlack * (remaining * remaining) * (remaining * remaining)
    return e3 * span + source.lowerBound
  }

  /// KS: normalized signal at which the roll-off starts.
  private var kneeStart: Double { 1.5 * targetPeak - 0.5 }

  /// PQ signal below which the function is the identity if the target's black is 0.
  var kneeSignal: Double { source.lowerBound + kneeStart * (source.upperBound - source.lowerBound) }

  private func spline(_ e1: Double) -> Double {
    let t = (e1 - kneeStart) / (1 - kneeStart)
    let (t2, t3) = (t * t, t * t * t)
    return (2 * t3 - 3 * t2 + 1) * kneeStart + (t3 - 2 * t2 + t) * (1 - kneeStart)
      + (-2 * t3 + 3 * t2) * targetPeak
  }
}

/// The function of BT.2390 on the largest component, between black and the peaks of content and
/// display.
package struct BT2390: ToneCurve, Hashable {
  package let range: ToneRange
  package let knee: Double
  private let eetf: BT2390EETF
  private let referenceWhite: Double

  /// Prepares the operator from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; values below 1 count as 1.
  ///   - display: Headroom of the display, at least 1.
  ///   - referenceWhite: Luminance of linear 1.0 in cd/m², because the function is defined on
  ///     luminance.
  /// - Throws: `.invalidArgument` for a display below reference white and for headrooms that are
  ///   not numbers.
  package init(
    content: Headroom, display: Headroom,
    referenceWhite: Double = ColorEncoding.defaultReferenceWhite
  ) throws(ImageError) {
    range = try ToneRange(content: content, display: display)
    eetf = BT2390EETF(
      source: 0...range.contentPeak * referenceWhite,
      target: 0...range.displayPeak * referenceWhite)
    self.referenceWhite = referenceWhite
    knee = max(PQ.eotf(eetf.kneeSignal) / referenceWhite, 0)
  }

  package func curve(_ maximum: Double) -> Double {
    guard maximum > knee else { return maximum }
    // If the knee is below black, the spline starts below black.
    let signal = max(eetf.signal(ofSignal: PQ.inverseEOTF(maximum * referenceWhite)), 0)
    return PQ.eotf(signal) / referenceWhite
  }
}

extension ToneMapOperator {
  /// The EETF of BT.2390 on the largest component: exact mid-tones and an abrupt roll-off.
  ///
  /// Source: Report ITU-R BT.2390, section 5.4.1; Report ITU-R BT.2408, annex 5.
  public static let bt2390 = ToneMapOperator(
    "bt2390", "crisp middle tones, an abrupt roll-off"
  ) { (content, display, referenceWhite) throws(ImageError) in
    try BT2390(content: content.headroom, display: display, referenceWhite: referenceWhite)
  }
}
