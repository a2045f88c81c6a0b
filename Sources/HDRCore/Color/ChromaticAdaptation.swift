// SPDX-License-Identifier: Apache-2.0
/// Chromatic adaptation from one white point to another.
///
/// The von Kries form: three cone responses are scaled by the ratio of those of the two whites.
package enum ChromaticAdaptation: String, Hashable, Sendable, CaseIterable {
  /// Bradford, as used in ICC profiles.
  ///
  /// Source: ICC.1:2022, annex E.
  case bradford
  /// The transform of the color appearance model CAM16.
  case cat16
  /// No adaptation: XYZ is unchanged, so white does not map to white.
  case none

  /// Returns the matrix from XYZ under the white `source` to XYZ under the white `destination`.
  ///
  /// With limits, the matrix is invertible and its cone scales are positive, even if `destination`
  /// is outside all real chromaticities, so that a cone's response to it is zero or negative.
  /// - Parameters:
  ///   - source: A white with positive responses of all three cones.
  ///   - destination: Without limits, also such a white.
  ///   - limits: Limits of the scale of each cone; above 0.
  /// - Returns: The identity for equal whites.
  package func matrix(
    from source: Chromaticity, to destination: Chromaticity,
    scaling limits: ClosedRange<Double>? = nil
  ) -> Matrix3x3 {
    guard let cones, source != destination else { return .identity }
    var scale = (cones * destination.xyz) / (cones * source.xyz)
    if let limits {
      scale.clamp(
        lowerBound: SIMD3(repeating: limits.lowerBound),
        upperBound: SIMD3(repeating: limits.upperBound))
    }
    return cones.inverse * Matrix3x3(diagonal: scale) * cones
  }

  /// XYZ to cone responses.
  private var cones: Matrix3x3? {
    switch self {
    case .bradford:
      Matrix3x3(
        SIMD3(0.8951, 0.2664, -0.1614),
        SIMD3(-0.7502, 1.7135, 0.0367),
        SIMD3(0.0389, -0.0685, 1.0296))
    case .cat16:
      Matrix3x3(
        SIMD3(0.401288, 0.650173, -0.051461),
        SIMD3(-0.250268, 1.204414, 0.045854),
        SIMD3(-0.002079, 0.048952, 0.953127))
    case .none: nil
    }
  }

  /// Whether all three cone responses to `white` are positive, so that adaptation is defined.
  func isDefined(for white: Chromaticity) -> Bool {
    guard let cones else { return true }
    let response = cones * white.xyz
    return response.min() > 0 && response.max().isFinite
  }
}
