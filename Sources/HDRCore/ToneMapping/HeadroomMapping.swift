/// A tone-mapping operator between two headrooms.
///
/// An operator is one file: a type that conforms to this protocol, or to `ToneCurve`, and its entry,
/// which `ToneMapOperator.allCases` lists.
package protocol HeadroomMapping: Hashable, Sendable {
  /// Linear value that the display's peak shows: nothing brighter can be seen.
  var displayPeak: Double { get }
  /// Linear value that infinite ones count as; `nil` for operators without one.
  var contentPeak: Double? { get }
  /// Whether nothing changes: as a rule because the display can show everything.
  var isIdentity: Bool { get }
  /// The primaries in which the operator is defined.
  var primaries: ColorPrimaries { get }
  /// Whether values above the display's peak come out above it, to be clipped there.
  var letsLightPass: Bool { get }
  /// Property of the operator between these headrooms that a user may not expect.
  var notice: Notice? { get }
  /// Whether the operator runs in the primaries of the target instead of its own.
  func runsInTargetPrimaries(with mapping: GamutMapping) -> Bool
  /// The first function, if it changes each component by itself; else `nil`.
  var componentFunction: (@Sendable (Double) -> Double)? { get }
  /// The operator on rows.
  ///
  /// - Parameter isBegun: Whether rows have been through `componentFunction`.
  /// - Returns: The operator, prepared for any number of rows.
  func onRows(isBegun: Bool) -> RowToneMap
  /// A color for the display: the definition, in double precision.
  ///
  /// - Parameter color: Red, green, blue, 1.0 for reference white. NaN is black, infinite light the
  ///   content's peak.
  /// - Returns: The color, possibly outside the display's primaries.
  func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double>
}

extension HeadroomMapping {
  package var primaries: ColorPrimaries { .bt2020 }
  package var letsLightPass: Bool { isIdentity }
  package var notice: Notice? { nil }
  package func runsInTargetPrimaries(with mapping: GamutMapping) -> Bool { false }
  package var componentFunction: (@Sendable (Double) -> Double)? { nil }
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
