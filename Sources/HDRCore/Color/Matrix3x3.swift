// SPDX-License-Identifier: Apache-2.0
/// A 3 by 3 matrix for column vectors.
package struct Matrix3x3: Hashable, Sendable {
  private var row0: SIMD3<Double>
  private var row1: SIMD3<Double>
  private var row2: SIMD3<Double>

  /// A matrix from its rows, top to bottom.
  package init(_ row0: SIMD3<Double>, _ row1: SIMD3<Double>, _ row2: SIMD3<Double>) {
    self.row0 = row0
    self.row1 = row1
    self.row2 = row2
  }

  /// A matrix from its columns, left to right.
  package init(columns column0: SIMD3<Double>, _ column1: SIMD3<Double>, _ column2: SIMD3<Double>) {
    self.init(
      SIMD3(column0.x, column1.x, column2.x),
      SIMD3(column0.y, column1.y, column2.y),
      SIMD3(column0.z, column1.z, column2.z))
  }

  /// A diagonal matrix.
  package init(diagonal: SIMD3<Double>) {
    self.init(SIMD3(diagonal.x, 0, 0), SIMD3(0, diagonal.y, 0), SIMD3(0, 0, diagonal.z))
  }

  package static let identity = Matrix3x3(diagonal: SIMD3(1, 1, 1))

  /// Row `index`, counted from the top.
  package subscript(row index: Int) -> SIMD3<Double> {
    switch index {
    case 0: row0
    case 1: row1
    case 2: row2
    default: preconditionFailure("no row \(index) in a 3 by 3 matrix")
    }
  }

  /// The element at this row and column, counted from 0.
  package subscript(row: Int, column: Int) -> Double { self[row: row][column] }

  /// The nine elements, row-major.
  package var elements: [Double] { [row0, row1, row2].flatMap { [$0.x, $0.y, $0.z] } }

  package var transposed: Matrix3x3 { Matrix3x3(columns: row0, row1, row2) }

  package var determinant: Double { (row0 * cross(row1, row2)).sum() }

  /// The inverse; its elements are not finite if the matrix is singular.
  package var inverse: Matrix3x3 {
    let determinant = determinant
    return Matrix3x3(
      columns: cross(row1, row2) / determinant, cross(row2, row0) / determinant,
      cross(row0, row1) / determinant)
  }

  package var isFinite: Bool { elements.allSatisfy(\.isFinite) }

  package static func * (matrix: Matrix3x3, vector: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((matrix.row0 * vector).sum(), (matrix.row1 * vector).sum(), (matrix.row2 * vector).sum())
  }

  package static func * (left: Matrix3x3, right: Matrix3x3) -> Matrix3x3 {
    let columns = right.transposed
    return Matrix3x3(columns: left * columns.row0, left * columns.row1, left * columns.row2)
  }
}

/// The cross product.
private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
