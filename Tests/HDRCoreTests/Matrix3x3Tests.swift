// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("Matrices") struct Matrix3x3Tests {
  private let matrix = Matrix3x3(SIMD3(2, 0, 1), SIMD3(1, 3, 2), SIMD3(1, 1, 4))

  @Test func arithmetic() {
    #expect(matrix.determinant == 18)
    #expect(matrix * SIMD3(1, 2, 3) == SIMD3(5, 13, 15))
    #expect(matrix.transposed[row: 0] == SIMD3(2, 1, 1))
    #expect(matrix[1, 2] == 2)
    #expect(matrix.elements == [2, 0, 1, 1, 3, 2, 1, 1, 4])
    let square = Matrix3x3(SIMD3(5, 1, 6), SIMD3(7, 11, 15), SIMD3(7, 7, 19))
    #expect(matrix * matrix == square)
    #expect(isClose(matrix * matrix.inverse, .identity, absolute: 1e-15))
    #expect(Matrix3x3.identity * matrix == matrix)
  }

  @Test func singularMatrixHasNoFiniteInverse() {
    let singular = Matrix3x3(SIMD3(1, 2, 3), SIMD3(2, 4, 6), SIMD3(0, 1, 0))
    #expect(!singular.inverse.isFinite)
    #expect(singular.isFinite)
  }
}
