// SPDX-License-Identifier: Apache-2.0
/// Normal equations of a small least-squares problem.
struct LinearSystem: Sendable {
  private let count: Int
  private var matrix: [Double]
  private var right: [Double]

  init(count: Int) {
    self.count = count
    matrix = Array(repeating: 0, count: count * count)
    right = Array(repeating: 0, count: count)
  }

  /// Adds an equation.
  ///
  /// - Parameters:
  ///   - derivatives: Derivatives by the unknowns.
  ///   - residual: The value that the unknowns explain.
  ///   - weight: Its weight.
  mutating func add(_ derivatives: [Double], residual: Double, weight: Double) {
    for row in 0..<count where derivatives[row] != 0 {
      let scaled = weight * derivatives[row]
      for column in row..<count { matrix[row * count + column] += scaled * derivatives[column] }
      right[row] += scaled * residual
    }
  }

  /// Adds the equations of another system of the same unknowns.
  mutating func add(_ other: LinearSystem) {
    for index in matrix.indices { matrix[index] += other.matrix[index] }
    for index in right.indices { right[index] += other.right[index] }
  }

  /// The unknowns; `nil` if the equations do not determine them.
  func solution() -> [Double]? {
    var (matrix, right) = (matrix, right)
    for row in 0..<count {
      for column in 0..<row { matrix[row * count + column] = matrix[column * count + row] }
    }
    let scale = (0..<count).map { abs(matrix[$0 * count + $0]) }.max() ?? 0
    guard scale > 0, scale.isFinite else { return nil }
    for step in 0..<count {
      let pivot =
        (step..<count).max {
          abs(matrix[$0 * count + step]) < abs(matrix[$1 * count + step])
        } ?? step
      guard abs(matrix[pivot * count + step]) > 1e-12 * scale else { return nil }
      if pivot != step {
        for column in 0..<count {
          matrix.swapAt(pivot * count + column, step * count + column)
        }
        right.swapAt(pivot, step)
      }
      for row in step + 1..<count {
        let factor = matrix[row * count + step] / matrix[step * count + step]
        for column in step..<count {
          matrix[row * count + column] -= factor * matrix[step * count + column]
        }
        right[row] -= factor * right[step]
      }
    }
    for row in (0..<count).reversed() {
      for column in row + 1..<count { right[row] -= matrix[row * count + column] * right[column] }
      right[row] /= matrix[row * count + row]
    }
    return right
  }
}
