// SPDX-License-Identifier: Apache-2.0
/// Resampling of a part of an image to another size, first horizontally, then vertically.
///
/// All resampling uses this type. Conversions read strips of rows (`Narrowing`, `Gathering`); raw
/// development reads any rectangle of the result (`Tile`). Both yield identical bits.
///
/// Linear values are premultiplied by alpha during filtering, so that transparent pixels do not
/// bleed.
///
/// Definition: `FilterTaps.filtered(_:)` along each side.
package struct Resampler: Sendable {
  let part: PixelRectangle
  let width: Int
  /// Taps along a side; `nil` if it keeps its length.
  private let columns: FilterTaps?
  private let lines: FilterTaps?
  private let multipliesByCoverage: Bool

  /// Prepares for an image.
  ///
  /// - Parameters:
  ///   - resampling: Part and size.
  ///   - isStraight: Whether the image has straight alpha.
  package init(_ resampling: Resampling, isStraight: Bool = false) {
    func taps(_ before: Int, _ shown: Range<Double>, _ after: Int) -> FilterTaps? {
      before == after && shown == 0..<Double(before)
        ? nil : FilterTaps(from: before, over: shown, to: after)
    }
    self.init(
      part: resampling.part, width: resampling.width,
      columns: taps(resampling.part.width, resampling.columns, resampling.width),
      lines: taps(resampling.part.height, resampling.rows, resampling.height),
      isStraight: isStraight)
  }

  private init(
    part: PixelRectangle, width: Int, columns: FilterTaps?, lines: FilterTaps?, isStraight: Bool
  ) {
    (self.part, self.width, self.columns, self.lines) = (part, width, columns, lines)
    multipliesByCoverage = isStraight && (columns != nil || lines != nil)
  }

  /// The resampler of a rectangle of the result.
  ///
  /// - Parameters:
  ///   - rows: Rows of the result.
  ///   - columns: Columns of the result.
  /// - Returns: The rows and columns of the part that the rectangle depends on, and a resampler
  ///   whose part is only these.
  func restricted(
    to rows: Range<Int>, columns: Range<Int>
  ) -> (rows: Range<Int>, columns: Range<Int>, resampler: Resampler) {
    let across = self.columns?.part(columns)
    let down = lines?.part(rows)
    let sources = (across?.samples ?? columns, down?.samples ?? rows)
    let resampler = Resampler(
      part: PixelRectangle(x: 0, y: 0, width: sources.0.count, height: sources.1.count),
      width: columns.count, columns: across?.taps, lines: down?.taps,
      isStraight: multipliesByCoverage)
    return (sources.1, sources.0, resampler)
  }

  /// The rows of the part that row `y` of the result depends on.
  func rows(for y: Int) -> Range<Int> { lines?.range(ofSum: y) ?? y..<y + 1 }

  /// Number of rows of the result that the first `count` rows of the part suffice for.
  func readyCount(with count: Int, from next: Int, to height: Int) -> Int {
    var ready = next
    while ready < height, rows(for: ready).upperBound <= count { ready += 1 }
    return ready
  }

  /// Rows of linear values during horizontal resampling.
  struct Narrowing {
    private let resampler: Resampler
    private var group: PixelGroup
    /// Number of rows in the group.
    private var count = 0

    init(_ resampler: Resampler) {
      self.resampler = resampler
      group = PixelGroup(width: resampler.part.width, resampler.columns)
    }

    /// Appends a row of the whole image, the last one if `isLast` is true.
    ///
    /// - Returns: The number of rows that are resampled, up to this one; 0 if others are to follow.
    mutating func append(_ row: inout LinearRow, isLast: Bool) -> Int {
      if resampler.multipliesByCoverage { row.multiply(byGain: row.alpha) }
      let start = resampler.part.x
      group.assign(row, columns: start..<start + resampler.part.width, to: count)
      count += 1
      guard count == PixelGroup.height || isLast else { return 0 }
      group.filter()
      defer { count = 0 }
      return count
    }

    /// Writes one of the rows that are resampled.
    func write(_ index: Int, to row: inout MutableSpan<Float>) { group.write(index, to: &row) }
  }

  /// Vertical resampling of rows that have the width of the result.
  struct Gathering {
    private let resampler: Resampler
    private var pixels: PixelRow

    init(_ resampler: Resampler) {
      self.resampler = resampler
      pixels = PixelRow(width: resampler.width)
    }

    /// Reads row `y` of the result from rows of the part, the first of which is `first`.
    mutating func read(
      _ y: Int, from rows: borrowing Plane<Float>, startingAt first: Int, into row: inout LinearRow
    ) {
      if let lines = resampler.lines {
        pixels.assign(sum: y, of: lines, rows, startingAt: first)
      } else {
        pixels.assign(rows, row: y - first)
      }
      pixels.copy(into: &row)
      if resampler.multipliesByCoverage {
        row.red.unpremultiply(by: row.alpha)
        row.green.unpremultiply(by: row.alpha)
        row.blue.unpremultiply(by: row.alpha)
      }
    }
  }
}

extension Resampler {
  /// A rectangle of the result, computed from the rectangle of the source that it depends on.
  package struct Tile {
    /// Rows of the part that the tile depends on.
    package let sourceRows: Range<Int>
    /// Columns of the part that the tile depends on.
    package let sourceColumns: Range<Int>
    private let start: Int
    private var narrowing: Narrowing
    private var gathering: Gathering
    /// Rows of the source, at the width of the result.
    private var narrowed: Plane<Float>
    private var count = 0

    fileprivate init(_ resampler: Resampler, rows: Range<Int>, columns: Range<Int>) {
      start = rows.lowerBound
      let restricted = resampler.restricted(to: rows, columns: columns)
      (sourceRows, sourceColumns) = (restricted.rows, restricted.columns)
      narrowing = Narrowing(restricted.resampler)
      gathering = Gathering(restricted.resampler)
      narrowed = Plane(
        width: PixelRow.components * columns.count, height: sourceRows.count, filledWith: 0)
    }

    /// Appends the next of `sourceRows`, with the pixels of `sourceColumns`.
    package mutating func append(_ row: LinearRow) {
      var row = row
      count += 1
      let ready = narrowing.append(&row, isLast: count == sourceRows.count)
      for index in 0..<ready {
        Self.copy(index, of: narrowing, to: &narrowed, row: count - ready + index)
      }
    }

    private static func copy(
      _ index: Int, of narrowing: Narrowing, to plane: inout Plane<Float>, row y: Int
    ) {
      var row = plane.mutableRow(y)
      narrowing.write(index, to: &row)
    }

    /// Reads row `y` of the result, once all rows of the source are appended.
    package mutating func read(row y: Int, into row: inout LinearRow) {
      assert(count == sourceRows.count)
      gathering.read(y - start, from: narrowed, startingAt: 0, into: &row)
    }
  }

  /// Makes a tile for a rectangle of the result.
  package func tile(rows: Range<Int>, columns: Range<Int>) -> Tile {
    Tile(self, rows: rows, columns: columns)
  }
}
