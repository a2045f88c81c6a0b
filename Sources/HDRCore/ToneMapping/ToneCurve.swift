/// A tone curve on the largest component of a color.
///
/// All three components get the gain of the largest, so hue and saturation stay. A curve rises from
/// 0 and takes the content's peak to the display's; light above the content's peak is shown at the
/// display's.
package protocol ToneCurve: HeadroomMapping {
  var range: ToneRange { get }
  /// Light up to which the gain is the same for all.
  var knee: Double { get }
  /// What `maximum`, above 0 and up to the content's peak, becomes if the curve is not the
  /// identity.
  func curve(_ maximum: Double) -> Double
}

extension ToneCurve {
  package var displayPeak: Double { range.displayPeak }
  package var contentPeak: Double? { range.contentPeak }
  package var isIdentity: Bool { range.isIdentity }

  /// The curve, sampled.
  package func onRows(isBegun: Bool) -> RowToneMap {
    RowToneMap(.curve(SampledFunction(sampling: self)))
  }

  /// The result for the largest component of a color.
  package func mapped(_ maximum: Double) -> Double {
    guard !isIdentity, maximum > 0 else { return maximum }
    return maximum < range.contentPeak ? curve(maximum) : range.displayPeak
  }

  /// Factor for all components of a color whose largest is `maximum`.
  package func gain(forMaximum maximum: Double) -> Double {
    guard !isIdentity, maximum > 0 else { return 1 }
    return mapped(maximum) / maximum
  }

  /// A color of light, mapped.
  ///
  /// - Parameter color: Red, green, blue, 1.0 for reference white. NaN is black, infinite light the
  ///   content's peak.
  /// - Returns: The color with unchanged ratios between its components; a color without positive
  ///   components as it is.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let color = color.finite(infinity: range.contentPeak)
    return color * gain(forMaximum: color.max())
  }
}
