// SPDX-License-Identifier: Apache-2.0
/// Any operator between two headrooms.
package struct ToneMap: Hashable, Sendable {
  package let mapping: any HeadroomMapping

  package init(_ mapping: some HeadroomMapping) { self.mapping = mapping }

  package static func == (first: ToneMap, second: ToneMap) -> Bool {
    AnyHashable(first.mapping) == AnyHashable(second.mapping)
  }

  package func hash(into hasher: inout Hasher) { mapping.hash(into: &hasher) }

  /// Linear value of the display's peak, the maximum that it can show.
  package var displayPeak: Double { mapping.displayPeak }
  /// Whether the operator is the identity.
  package var isIdentity: Bool { mapping.isIdentity }
  /// The primaries of the linear values: BT.2020, or those that a file's metadata specifies.
  package var primaries: ColorPrimaries { mapping.primaries }
  /// Whether it is a `ToneCurve`: one gain for the three components, limited to the peak.
  var isCurve: Bool { mapping is any ToneCurve }

  /// Maps a color for the display.
  ///
  /// - Parameter color: Red, green, blue in `primaries`, 1.0 for reference white.
  /// - Returns: The color in the same primaries, possibly outside the display's.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> { mapping.toneMapped(color) }
}
