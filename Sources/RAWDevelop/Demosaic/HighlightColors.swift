// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// Colors around saturated areas, from which saturated components are estimated.
///
/// The image is divided into cells. A cell with saturated pixels, or next to one, gets the mean
/// color of the unsaturated pixels around it: bright ones count more than dark ones, near ones more
/// than far ones, and those whose components are in the ratio of the components that the cell has
/// left more than others, so that colors do not spread across edges. If there are too few, the
/// search continues in cells of twice the size.
struct HighlightColors: Sendable {
  /// Side of a cell in pixels.
  private static let side = 8
  /// Rows and columns of a tile that is measured at a time; multiples of the side.
  private static let tileSide = 512
  /// Cells to each side in which unsaturated pixels are searched, and number of cell sizes.
  private static let reach = 7
  private static let levels = 4

  /// The image.
  private let area: RawArea
  private let columns: Int
  private let rows: Int
  /// The color of each cell, row by row, with a mean component of 1.
  private let colors: [SIMD3<Float>]

  /// Measures an image.
  ///
  /// - Parameters:
  ///   - camera: White-balanced camera colors.
  ///   - area: The image.
  ///   - gains: White-balance gains, which are the saturation of the components.
  /// - Throws: `.cancelled`.
  init(_ camera: any CameraRows, area: RawArea, gains: SIMD3<Float>) throws(ImageError) {
    self.area = area
    columns = (area.width + Self.side - 1) / Self.side
    rows = (area.height + Self.side - 1) / Self.side
    var levels = [try Self.measured(camera, area: area, gains: gains, columns, rows)]
    for _ in 1..<Self.levels { levels.append(levels[levels.count - 1].halved()) }
    let (all, width) = (levels, columns)
    colors = try concurrentMap(rows) { (row) throws(ImageError) in
      (0..<width).map { Self.color(row: row, column: $0, all) }
    }.flatMap(\.self)
  }

  /// Sums over the pixels of cells.
  private struct Cells: Sendable {
    var columns: Int
    var rows: Int
    var cells: [Cell]

    /// The same sums over cells of twice the size.
    func halved() -> Cells {
      var half = Cells(
        columns: (columns + 1) / 2, rows: (rows + 1) / 2,
        cells: Array(repeating: Cell(), count: (columns + 1) / 2 * ((rows + 1) / 2)))
      for y in 0..<rows {
        for x in 0..<columns { half.cells[y / 2 * half.columns + x / 2] += cells[y * columns + x] }
      }
      return half
    }
  }

  /// Sums over the pixels of a cell.
  private struct Cell: Sendable {
    /// Colors of unsaturated pixels, with a mean component of 1, times their weights.
    var color = SIMD3<Float>.zero
    var weight: Float = 0
    /// Components of saturated pixels, times their distances from saturation.
    var known = SIMD3<Float>.zero
    /// The distances from saturation: 1 for unsaturated components.
    var certainty = SIMD3<Float>.zero
    /// Saturated pixels.
    var saturated: Float = 0

    static func += (sum: inout Cell, cell: Cell) {
      sum.color += cell.color
      sum.weight += cell.weight
    }

    /// Number of sums.
    static let size = 11

    init() {}

    init(_ sums: ArraySlice<Float>) {
      let start = sums.startIndex
      func triple(_ index: Int) -> SIMD3<Float> {
        SIMD3(sums[start + index], sums[start + index + 1], sums[start + index + 2])
      }
      (color, known, certainty) = (triple(0), triple(3), triple(6))
      (weight, saturated) = (sums[start + 9], sums[start + 10])
    }
  }

  private static func measured(
    _ camera: any CameraRows, area: RawArea, gains: SIMD3<Float>, _ columns: Int, _ rows: Int
  ) throws(ImageError) -> Cells {
    let across = (area.width + tileSide - 1) / tileSide
    let down = (area.height + tileSide - 1) / tileSide
    let tiles = try concurrentMap(across * down) { (index) throws(ImageError) in
      let (x, y) = (index % across * tileSide, index / across * tileSide)
      let (width, height) = (min(tileSide, area.width - x), min(tileSide, area.height - y))
      let cells = (width + side - 1) / side
      var sums = [Float](repeating: 0, count: (height + side - 1) / side * cells * Cell.size)
      let first = area.y + y
      camera.make(rows: first..<first + height, columns: area.x + x..<area.x + x + width) {
        y, row in
        let start = (y - first) / side * cells * Cell.size
        unsafe sums.withUnsafeMutableBufferPointer { sums in
          guard let sums = sums.baseAddress else { return }
          // SAFETY: the rows have `width` samples; a row of cells has `size` sums for each.
          unsafe pk_raw_highlight_cells(
            row.red, row.green, row.blue, width, gains.x, gains.y, gains.z, sums + start, side)
        }
      }
      return sums
    }
    var all = Cells(
      columns: columns, rows: rows, cells: Array(repeating: Cell(), count: columns * rows))
    let cellsPerTile = tileSide / side
    for (index, sums) in tiles.enumerated() {
      let (left, top) = (index % across * cellsPerTile, index / across * cellsPerTile)
      let width = min(cellsPerTile, columns - left)
      for place in 0..<sums.count / Cell.size {
        let target = (top + place / width) * columns + left + place % width
        all.cells[target] = Cell(sums[place * Cell.size..<(place + 1) * Cell.size])
      }
    }
    return all
  }

  /// The color of a cell; gray if it is far from saturated pixels.
  private static func color(row: Int, column: Int, _ levels: [Cells]) -> SIMD3<Float> {
    let finest = levels[0]
    let isNeeded = (max(row - 1, 0)...min(row + 1, finest.rows - 1)).contains { y in
      (max(column - 1, 0)...min(column + 1, finest.columns - 1)).contains { x in
        finest.cells[y * finest.columns + x].saturated > 0
      }
    }
    guard isNeeded else { return .one }
    let known = Ratio(finest.cells[row * finest.columns + column])
    // A little gray, for images without unsaturated pixels.
    var (sum, weight) = (SIMD3<Float>(repeating: 1e-3), Float(1e-3))
    for (level, cells) in levels.enumerated() where weight < 1 {
      let found = around(
        SIMD2(Float(column) + 0.5, Float(row) + 0.5) / Float(1 << level), cells, known)
      let share = 1 - weight
      sum += share * found.color
      weight += share * found.weight
    }
    return sum * (3 / sum.sum())
  }

  /// The weighted sum of colors around a position.
  private static func around(
    _ place: SIMD2<Float>, _ cells: Cells, _ known: Ratio
  ) -> (color: SIMD3<Float>, weight: Float) {
    var (sum, weight) = (SIMD3<Float>.zero, Float(0))
    func range(_ place: Float, _ count: Int) -> ClosedRange<Int> {
      max(Int(clamping: place) - reach, 0)...min(Int(clamping: place) + reach, count - 1)
    }
    let end = (Float(reach) + 0.5) * (Float(reach) + 0.5)
    for y in range(place.y, cells.rows) {
      for x in range(place.x, cells.columns) {
        let cell = cells.cells[y * cells.columns + x]
        guard cell.weight > 0 else { continue }
        let offset = SIMD2(Float(x) + 0.5, Float(y) + 0.5) - place
        let distance = (offset * offset).sum()
        guard distance < end else { continue }
        let window = (1 - distance / end) * (1 - distance / end)
        let nearness = window * known.similarity(to: cell) / (1 + distance / 4)
        sum += nearness * cell.color
        weight += nearness * cell.weight
      }
    }
    return (sum, weight)
  }

  /// The ratio of the components of a cell that are not saturated.
  private struct Ratio {
    let shares: SIMD3<Float>
    let certainty: SIMD3<Float>

    /// Difference of ratios at which similarity is a quarter.
    private static let spread: Float = 0.15

    init(_ cell: Cell) {
      let most = cell.certainty.max()
      certainty = most > 0 ? cell.certainty / most : .zero
      let zero = SIMD3<Float>.zero
      let means =
        cell.known.replacing(with: zero, where: cell.certainty .<= zero)
        / cell.certainty.replacing(with: .one, where: cell.certainty .<= zero)
      shares = Self.shares(means * certainty)
    }

    private static func shares(_ color: SIMD3<Float>) -> SIMD3<Float> {
      color.sum() > 0 ? color / color.sum() : .zero
    }

    func similarity(to cell: Cell) -> Float {
      let difference = Self.shares(cell.color * certainty) - shares
      let distance = (difference.replacing(with: -difference, where: difference .< .zero)).sum()
      let place = distance / Self.spread
      return 1 / ((1 + place * place) * (1 + place * place))
    }
  }

  /// The colors of the pixels of a row, in the columns of the active area.
  func row(_ y: Int, columns range: Range<Int>) -> LinearRow {
    func place(_ center: Float, _ count: Int) -> (index: Int, next: Int, share: Float) {
      let place = min(max(center / Float(Self.side) - 0.5, 0), Float(count - 1))
      let index = Int(clamping: place)
      return (index, min(index + 1, count - 1), place - Float(index))
    }
    let across = place(Float(y - area.y) + 0.5, rows)
    var row = LinearRow(width: range.count, hasAlpha: false)
    for x in range {
      let down = place(Float(x - area.x) + 0.5, columns)
      func mix(_ row: Int) -> SIMD3<Float> {
        let (left, right) = (colors[row * columns + down.index], colors[row * columns + down.next])
        return left + down.share * (right - left)
      }
      let (upper, lower) = (mix(across.index), mix(across.next))
      let color = upper + across.share * (lower - upper)
      let index = x - range.lowerBound
      (row.red[index], row.green[index], row.blue[index]) = (color.x, color.y, color.z)
    }
    return row
  }
}
