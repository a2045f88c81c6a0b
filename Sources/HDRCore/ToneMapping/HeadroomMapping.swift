// SPDX-License-Identifier: Apache-2.0
/// A tone-mapping operator between two headrooms.
///
/// An operator is defined in one file: a type that conforms to this protocol or to `ToneCurve`, and
/// its entry in `ToneMapOperator.allCases`.
package protocol HeadroomMapping: Hashable, Sendable {
  /// Linear value of the display's peak, the maximum that it can show.
  var displayPeak: Double { get }
  /// Linear value that replaces infinite ones; `nil` for operators that do not specify one.
  var contentPeak: Double? { get }
  /// Whether the operator is the identity, usually because the display has enough headroom.
  var isIdentity: Bool { get }
  /// The primaries in which the operator is defined.
  var primaries: ColorPrimaries { get }
  /// Whether values above the display's peak are passed on, to be clipped later.
  var letsLightPass: Bool { get }
  /// Notice about an unexpected property of the operator between these headrooms.
  var notice: Notice? { get }
  /// Whether the operator runs in the primaries of the target instead of its own.
  func runsInTargetPrimaries(with mapping: GamutMapping) -> Bool
  /// The first function, if it maps each component independently; otherwise `nil`.
  var componentFunction: (@Sendable (Double) -> Double)? { get }
  /// Returns the operator for rows.
  ///
  /// - Parameter isBegun: Whether `componentFunction` has already been applied to rows.
  /// - Returns: The operator, prepared for any number of rows.
  func onRows(isBegun: Bool) -> RowToneMap
  /// Maps a color for the display: the definition, in double precision.
  ///
  /// - Parameter color: Red, green, blue, 1.0 for reference white. NaN becomes 0, infinite values
  ///   the content's peak.
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
  /// Replaces NaN by 0, and infinities by plus or minus `infinity`.
  func finite(infinity: Double) -> SIMD3<Double> {
    map { $0.isNaN ? 0 : $0.isInfinite ? ($0 < 0 ? -infinity : infinity) : $0 }
  }

  /// Transforms each component.
  func map(_ transform: (Double) -> Double) -> SIMD3<Double> {
    SIMD3(transform(x), transform(y), transform(z))
  }
}
