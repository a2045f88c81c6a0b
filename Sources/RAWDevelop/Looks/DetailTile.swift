// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Sharpening of a tile of an image.
///
/// Luminance is processed as its square root, in which noise is uniform from shadows to highlights.
/// Sharpening is an unsharp mask, limited to a tenth of the range of the neighbors beyond that range.
struct DetailTile {
  private let width: Int
  private let height: Int
  /// Square roots of luminance, negative for negative luminance.
  private var luminance: [Float]
  private var redDifference: [Float]
  private var blueDifference: [Float]

  /// Pixels to each side that a pixel depends on.
  static let reach = 2
  private static let overshoot: Float = 0.1

  init(_ rows: [RGBRow]) {
    width = rows.first?.red.count ?? 0
    height = rows.count
    (luminance, redDifference, blueDifference) = ([], [], [])
    for row in rows {
      for x in 0..<width {
        let y = Self.luminance(row, x)
        luminance.append(Self.root(y))
        redDifference.append(row.red[x] - y)
        blueDifference.append(row.blue[x] - y)
      }
    }
  }

  private static func luminance(_ row: RGBRow, _ x: Int) -> Float {
    (row.red[x] + 2 * row.green[x] + row.blue[x]) / 4
  }

  private static func root(_ value: Float) -> Float {
    value < 0 ? -(-value).squareRoot() : value.squareRoot()
  }

  /// Red, green and blue of a row.
  func colors(row y: Int, columns: Range<Int>) -> RGBRow {
    var row = RGBRow()
    for index in y * width + columns.lowerBound..<y * width + columns.upperBound {
      let root = luminance[index]
      let y = root * abs(root)
      let (red, blue) = (y + redDifference[index], y + blueDifference[index])
      row.red.append(red)
      row.blue.append(blue)
      row.green.append((4 * y - red - blue) / 2)
    }
    return row
  }

  /// Calls `body` with the indices around a pixel, without those beyond the edges.
  private func forEachNeighbor(
    _ x: Int, _ y: Int, reach: Int, step: Int, _ body: (_ index: Int, _ distance: Int) -> Void
  ) {
    for dy in stride(from: -reach, through: reach, by: step)
    where y + dy >= 0 && y + dy < height {
      for dx in stride(from: -reach, through: reach, by: step)
      where x + dx >= 0 && x + dx < width {
        body((y + dy) * width + x + dx, dx * dx + dy * dy)
      }
    }
  }

  private func map(_ body: (_ x: Int, _ y: Int) -> Float) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(width * height)
    for y in 0..<height { for x in 0..<width { result.append(body(x, y)) } }
    return result
  }

  /// Sharpens by an amount; 1 is a visible one.
  mutating func sharpen(_ amount: Float) {
    let strength = 1.5 * amount
    luminance = map { x, y in
      let here = luminance[y * width + x]
      var (sum, weights, least, most): (Float, Float, Float, Float) = (0, 0, here, here)
      forEachNeighbor(x, y, reach: 2, step: 1) { index, distance in
        let value = luminance[index]
        let weight = 1 / (1 + Float(distance))
        sum += weight * value
        weights += weight
        guard distance <= 2 else { return }
        least = min(least, value)
        most = max(most, value)
      }
      let slack = Self.overshoot * (most - least)
      return min(max(here + strength * (here - sum / weights), least - slack), most + slack)
    }
  }
}

/// Red, green and blue of a row.
struct RGBRow {
  var red: [Float] = []
  var green: [Float] = []
  var blue: [Float] = []
}

/// Camera colors after sharpening.
struct DetailRows: CameraRows {
  let base: any CameraRows
  let sharpness: Double
  let size: (width: Int, height: Int)

  func make(rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void) {
    func widened(_ range: Range<Int>, _ count: Int) -> Range<Int> {
      let reach = DetailTile.reach
      return max(range.lowerBound - reach, 0)..<min(range.upperBound + reach, count)
    }
    let (allRows, allColumns) = (widened(rows, size.height), widened(columns, size.width))
    var source: [RGBRow] = []
    source.reserveCapacity(allRows.count)
    base.make(rows: allRows, columns: allColumns) { _, row in
      source.append(RGBRow(red: row.red, green: row.green, blue: row.blue))
    }
    var tile = DetailTile(source)
    tile.sharpen(Float(sharpness))
    let inner =
      columns.lowerBound - allColumns.lowerBound..<columns.upperBound - allColumns.lowerBound
    var row = LinearRow(width: columns.count, hasAlpha: false)
    for y in rows {
      let colors = tile.colors(row: y - allRows.lowerBound, columns: inner)
      (row.red, row.green, row.blue) = (colors.red, colors.green, colors.blue)
      body(y, &row)
    }
  }
}
