/// What every operator can do: fit light to the headroom of a display.
package protocol HeadroomMapping: Sendable {
  /// Light that the display's peak shows: nothing brighter can be seen.
  var displayPeak: Double { get }
  /// Whether nothing changes: as a rule because the display can show everything.
  var isIdentity: Bool { get }
  /// A color of light for the display.
  ///
  /// - Parameter color: Red, green, blue, 1.0 for reference white. NaN is black, infinite light the
  ///   content's peak.
  /// - Returns: The color, possibly outside the display's primaries.
  func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double>
}

extension SIMD3<Double> {
  /// The color with NaN as 0 and infinities as plus or minus `infinity`.
  func finite(infinity: Double) -> SIMD3<Double> {
    map { $0.isNaN ? 0 : $0.isInfinite ? ($0 < 0 ? -infinity : infinity) : $0 }
  }

  /// The color with each component replaced.
  func map(_ transform: (Double) -> Double) -> SIMD3<Double> {
    SIMD3(transform(x), transform(y), transform(z))
  }
}
