// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// CIE XYZ to camera colors under D65, for a file without color matrices.
struct FallbackMatrix: Sendable {
  let matrix: Matrix3x3
  /// Reports where the matrix is from.
  let notice: NoticeCode

  /// The matrix of a DNG file without one: that of the library for the camera, else an assumed one.
  init(_ dng: DNGFile, white: AsShotWhite) {
    if let matrix = dng.libraryMatrix {
      (self.matrix, notice) = (matrix, .rawMatrixOfLibrary)
      return
    }
    let neutral = white.neutral.map { SIMD3($0[0], $0[1], $0[2]) } ?? .one
    (matrix, notice) = (Self.assumed(neutral: neutral), .rawMatrixAssumed)
  }

  /// The matrix of a camera with the primaries of BT.709, if `neutral` is D65.
  static func assumed(neutral: SIMD3<Double>) -> Matrix3x3 {
    Matrix3x3(diagonal: neutral) * ColorPrimaries.bt709.xyzToRGB
  }
}
