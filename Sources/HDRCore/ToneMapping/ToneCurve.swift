// SPDX-License-Identifier: Apache-2.0
/// A tone curve on the largest component of a color.
///
/// All three components are multiplied by the gain of the largest, which preserves hue and
/// saturation. A curve increases from 0 and maps the content's peak to the display's peak; values
/// above the content's peak are shown at the display's.
package protocol ToneCurve: HeadroomMapping {
  var range: ToneRange { get }
  /// Linear value up to which the gain is constant.
  var knee: Double { get }
  /// Maps `maximum`, above 0 and up to the content's peak, if the curve is not the identity.
  func curve(_ maximum: Double) -> Double
}

extension ToneCurve {
  package var displayPeak: Double { range.displayPeak }
  package var contentPeak: Double? { range.contentPeak }
  package var isIdentity: Bool { range.isIdentity }

  /// True with soft gamut mapping: the gain preserves hue in any primaries, and components that a
  /// target cannot show are largest in the target's own primaries.
  package func runsInTargetPrimaries(with mapping: GamutMapping) -> Bool { mapping == .soft }

  /// Returns the sampled curve.
  package func onRows(isBegun: Bool) -> RowToneMap {
    RowToneMap(.curve(SampledFunction(sampling: self)))
  }

  /// Maps the largest component of a color.
  package func mapped(_ maximum: Double) -> Double {
    guard !isIdentity, maximum > 0 else { return maximum }
    return maximum < range.contentPeak ? curve(maximum) : range.displayPeak
  }

  /// Gain of a color whose largest component is `maximum`.
  package func gain(forMaximum maximum: Double) -> Double {
    guard !isIdentity, maximum > 0 else { return 1 }
    return mapped(maximum) / maximum
  }

  /// Maps a linear color.
  ///
  /// - Parameter color: Red, green, blue, 1.0 for reference white. NaN becomes 0, infinite values
  ///   the content's peak.
  /// - Returns: The color with unchanged ratios of its components; unchanged if it does not have
  ///   positive components.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let color = color.finite(infinity: range.contentPeak)
    return color * gain(forMaximum: color.max())
  }
}
