// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore

/// Local tone curves: at each point of a grid, a table of gains by brightness.
///
/// Source: DNG 1.7.1, ProfileGainTableMap and ProfileGainTableMap2.
struct GainTableMap: Hashable, Sendable {
  let rows: Int
  let columns: Int
  /// Number of gains in each table.
  let tableSize: Int
  /// Vertical and horizontal spacing of points, as shares of the height and the width of the image.
  let spacing: SIMD2<Double>
  let origin: SIMD2<Double>
  /// Weights of red, green, blue, their minimum and their maximum in brightness.
  let weights: [Double]
  /// Exponent of the brightness that selects gains.
  let gamma: Double
  /// Gains, row by row, with the table of a point contiguous.
  private(set) var gains: [Float]

  init(
    rows: Int, columns: Int, tableSize: Int, spacing: SIMD2<Double>, origin: SIMD2<Double>,
    weights: [Double], gamma: Double = 1, gains: [Float]
  ) {
    precondition(rows >= 1 && columns >= 1 && tableSize >= 1 && weights.count == 5)
    precondition(gains.count == rows * columns * tableSize)
    self.rows = rows
    self.columns = columns
    self.tableSize = tableSize
    self.spacing = spacing
    self.origin = origin
    self.weights = weights
    self.gamma = gamma
    self.gains = gains
  }

  /// The map with each gain to the power of `amount`: 1 is the map itself, 0 the identity.
  func scaled(by amount: Double) -> GainTableMap {
    guard amount != 1 else { return self }
    var map = self
    map.gains = gains.map { amount == 0 ? 1 : Float(pow(Double($0), amount)) }
    return map
  }

  /// A position between two points.
  struct Position: Hashable, Sendable {
    var index: Int
    var next: Int
    var share: Double
  }

  /// Position of a row whose center is at `y` of `height`.
  func position(row y: Double, of height: Int) -> Position {
    Self.position(y, of: height, spacing: spacing.x, origin: origin.x, points: rows)
  }

  /// Position of a column whose center is at `x` of `width`.
  func position(column x: Double, of width: Int) -> Position {
    Self.position(x, of: width, spacing: spacing.y, origin: origin.y, points: columns)
  }

  private static func position(
    _ center: Double, of count: Int, spacing: Double, origin: Double, points: Int
  ) -> Position {
    let relative = center / Double(count)
    let place = min(max((relative - origin) / spacing, 0), Double(points - 1))
    let first = Int(clamping: place)
    return Position(index: first, next: min(first + 1, points - 1), share: place - Double(first))
  }

  /// Brightness of a linear color with baseline exposure, which selects its gain: 0 to 1.
  func brightness(of color: SIMD3<Double>) -> Double {
    let sum =
      weights[0] * color.x + weights[1] * color.y + weights[2] * color.z
      + weights[3] * color.min() + weights[4] * color.max()
    return pow(min(max(sum, 0), 1), gamma)
  }

  /// The gain for a brightness at a position, interpolated trilinearly.
  func gain(_ brightness: Double, row: Position, column: Position) -> Double {
    // By definition scaled by the size of the table, not by the last index.
    let index = brightness * Double(tableSize)
    let first = min(Int(clamping: index), tableSize - 1)
    let next = min(first + 1, tableSize - 1)
    func between(_ a: Double, _ b: Double, _ share: Double) -> Double { a + (b - a) * share }
    func point(_ row: Int, _ column: Int) -> Double {
      let table = (row * columns + column) * tableSize
      return between(
        Double(gains[table + first]), Double(gains[table + next]), index - Double(first))
    }
    return between(
      between(point(row.index, column.index), point(row.index, column.next), column.share),
      between(point(row.next, column.index), point(row.next, column.next), column.share),
      row.share)
  }
}
