// SPDX-License-Identifier: Apache-2.0
/// Luma and differences toward green and orange, of nonlinear R'G'B'.
///
/// Y' = R'/4 + G'/2 + B'/4, Cg = -R'/4 + G'/2 - B'/4, Co = (R' - B')/2: for R'G'B' in 0...1, Y' is
/// in 0...1, Cg and Co in -0.5...0.5. In narrow range the differences have the scale of luma.
///
/// Source: ITU-T H.273, section 8.3, MatrixCoefficients 8, 16 and 17.
package enum YCgCo {
  /// Y'CgCo to R'G'B'.
  package static let toRGB = Matrix3x3(SIMD3(1, -1, 1), SIMD3(1, 1, 0), SIMD3(1, -1, -1))

  /// Additional bits of the reversible forms, YCgCo-Re and YCgCo-Ro, over those of R'G'B'; `nil`
  /// for other matrices.
  package static func extraBits(of matrix: CICP.Matrix) -> Int? {
    switch matrix {
    case .yCgCoRe: 2
    case .yCgCoRo: 1
    default: nil
    }
  }

  /// Integer R'G'B' codes of the reversible forms.
  ///
  /// - Parameter coded: Luma, and the differences around 0.
  /// - Returns: Red, green and blue; out of range if the luma does not occur for these differences.
  package static func rgb(ofReversible coded: SIMD3<Int>) -> SIMD3<Int> {
    let rest = coded.x - coded.y >> 1
    let blue = rest - coded.z >> 1
    return SIMD3(blue + coded.z, rest + coded.y, blue)
  }

}
