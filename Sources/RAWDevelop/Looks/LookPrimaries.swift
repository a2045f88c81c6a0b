// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension ColorPrimaries {
  /// Primaries of looks: ROMM RGB by the matrix of four digits in the standard, with rows scaled so
  /// that equal components are D50.
  ///
  /// Tables of profiles are made for this matrix. The matrix of the chromaticities differs by up to
  /// 7e-5, which is visible in renderings of saturated blues.
  ///
  /// Source: ISO 22028-2.
  static let look: ColorPrimaries = {
    let (x, y) = (Chromaticity.d50.x, Chromaticity.d50.y)
    let white = SIMD3(x / y, 1, (1 - x - y) / y)
    let rows = [
      SIMD3(0.7977, 0.1352, 0.0313), SIMD3(0.2880, 0.7119, 0.0001), SIMD3(0, 0, 0.8249),
    ].enumerated().map { index, row in row * (white[index] / row.sum()) }
    func chromaticity(_ column: Int) -> Chromaticity {
      let sum = rows[0][column] + rows[1][column] + rows[2][column]
      return Chromaticity(x: rows[0][column] / sum, y: rows[1][column] / sum)
    }
    return ColorPrimaries(
      red: chromaticity(0), green: chromaticity(1), blue: chromaticity(2), white: .d50)
  }()
}
