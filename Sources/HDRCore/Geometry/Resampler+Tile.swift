// SPDX-License-Identifier: Apache-2.0
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
      Self.narrow(&row, by: &narrowing, into: &narrowed, row: count)
      count += 1
    }

    private static func narrow(
      _ row: inout LinearRow, by narrowing: inout Narrowing, into plane: inout Plane<Float>,
      row y: Int
    ) {
      var target = plane.mutableRow(y)
      narrowing.apply(to: &row, into: &target)
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
