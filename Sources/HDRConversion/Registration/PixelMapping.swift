// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// Positions of the pixels of one image on another: an affine map and a radial distortion.
///
/// Coordinates are continuous, in pixels: the center of the first pixel is 0.5.
struct PixelMapping: Hashable, Sendable {
  /// Derivatives by column and by row.
  var column: SIMD2<Double>
  var row: SIMD2<Double>
  /// Position of the origin.
  var origin: SIMD2<Double>
  /// Coefficients of the second and the fourth power of the distance from `center`.
  var radial = SIMD2<Double>(0, 0)
  /// Center of the distortion.
  var center: SIMD2<Double>
  /// Distance that the distortion counts as 1.
  var radius: Double

  /// An affine map to an image, whose center is that of distortions.
  init(
    column: SIMD2<Double>, row: SIMD2<Double>, origin: SIMD2<Double>,
    onto size: (width: Int, height: Int)
  ) {
    (self.column, self.row, self.origin) = (column, row, origin)
    center = SIMD2(Double(size.width), Double(size.height)) / 2
    radius = max((center * center).sum().squareRoot(), 1)
  }

  /// The position of a point.
  func callAsFunction(_ x: Double, _ y: Double) -> SIMD2<Double> {
    let affine = affine(x, y)
    guard radial != .zero else { return affine }
    let offset = affine - center
    let square = (offset * offset).sum() / (radius * radius)
    return affine + offset * (radial.x * square + radial.y * square * square)
  }

  func affine(_ x: Double, _ y: Double) -> SIMD2<Double> { origin + column * x + row * y }

  /// The mapping to the second image resized by these factors; the distortion keeps its shape.
  func onto(scaledBy factor: SIMD2<Double>) -> PixelMapping {
    var scaled = self
    scaled.column *= factor
    scaled.row *= factor
    scaled.origin *= factor
    scaled.center *= factor
    scaled.radius *= (factor.x * factor.y).squareRoot()
    return scaled
  }

  /// Pixels of the second image per pixel of the first one, as a length.
  var scale: Double { (abs(column.x * row.y - column.y * row.x)).squareRoot() }

  /// Largest displacement by the distortion in an image of this size, in pixels of the second
  /// image.
  func largestDistortion(width: Int, height: Int) -> Double {
    var affine = self
    affine.radial = .zero
    var largest = 0.0
    for y in 0...8 {
      for x in 0...8 {
        let point = (Double(x * width) / 8, Double(y * height) / 8)
        let shift = self(point.0, point.1) - affine(point.0, point.1)
        largest = max(largest, (shift * shift).sum().squareRoot())
      }
    }
    return largest
  }

  /// The mapping with whole pixels and right angles, if it is one within a tolerance.
  ///
  /// - Parameters:
  ///   - width: Width of the first image.
  ///   - height: Height of the first image.
  ///   - tolerance: Largest displacement in pixels.
  /// - Returns: `nil` for a mapping that needs interpolation.
  func wholePixels(width: Int, height: Int, tolerance: Double) -> PixelMapping? {
    guard radial == .zero else { return nil }
    var whole = self
    whole.column = column.rounded(.toNearestOrAwayFromZero)
    whole.row = row.rounded(.toNearestOrAwayFromZero)
    guard (whole.column * whole.column).sum() == 1, (whole.row * whole.row).sum() == 1,
      (whole.column * whole.row).sum() == 0
    else { return nil }
    let middle = (Double(width) / 2, Double(height) / 2)
    let shift = affine(middle.0, middle.1) - whole.affine(middle.0, middle.1)
    whole.origin = (whole.origin + shift).rounded(.toNearestOrAwayFromZero)
    for (x, y) in [(0, 0), (width, 0), (0, height), (width, height)] {
      let (x, y) = (Double(x), Double(y))
      let error = whole.affine(x, y) - affine(x, y)
      guard max(abs(error.x), abs(error.y)) <= tolerance else { return nil }
    }
    return whole
  }
}

extension Orientation {
  /// Derivatives of upright coordinates by stored column and row, and the origin as a share of the
  /// upright size.
  var axes: (column: SIMD2<Double>, row: SIMD2<Double>, origin: SIMD2<Double>) {
    switch self {
    case .upright: (SIMD2(1, 0), SIMD2(0, 1), SIMD2(0, 0))
    case .mirrored: (SIMD2(-1, 0), SIMD2(0, 1), SIMD2(1, 0))
    case .rotated180: (SIMD2(-1, 0), SIMD2(0, -1), SIMD2(1, 1))
    case .flipped: (SIMD2(1, 0), SIMD2(0, -1), SIMD2(0, 1))
    case .transposed: (SIMD2(0, 1), SIMD2(1, 0), SIMD2(0, 0))
    case .rotated90: (SIMD2(0, 1), SIMD2(-1, 0), SIMD2(1, 0))
    case .transversed: (SIMD2(0, -1), SIMD2(-1, 0), SIMD2(1, 1))
    case .rotated270: (SIMD2(0, -1), SIMD2(1, 0), SIMD2(0, 1))
    }
  }
}

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
        for column in 0..<count { matrix.swapAt(pivot * count + column, step * count + column) }
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
