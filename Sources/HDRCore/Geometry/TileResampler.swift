/// Light at another size, made of whatever part of a picture is at hand: parts are what the whole is.
///
/// Definition: `FilterTaps.filtered(_:)`, along rows, then along columns.
package struct TileResampler: Sendable {
  private let columns: FilterTaps
  private let rows: FilterTaps

  /// Plans to show all of a picture.
  ///
  /// - Parameters:
  ///   - size: Of the picture.
  ///   - newSize: Of the result.
  package init(
    from size: (width: Int, height: Int), to newSize: (width: Int, height: Int)
  ) {
    columns = FilterTaps(from: size.width, to: newSize.width)
    rows = FilterTaps(from: size.height, to: newSize.height)
  }

  /// A part of the result while it is made.
  package struct Tile {
    /// Rows of the picture that it is made of.
    package let sourceRows: Range<Int>
    /// Columns of the picture that it is made of.
    package let sourceColumns: Range<Int>
    private let start: Int
    private let columns: FilterTaps
    private let rows: FilterTaps
    private var source: PixelRow
    private var target: PixelRow
    /// Rows of the picture that have the width of the result.
    private var narrowed: Plane<Float>
    private var count = 0

    fileprivate init(_ resampler: TileResampler, rows: Range<Int>, columns: Range<Int>) {
      start = rows.lowerBound
      (sourceRows, self.rows) = resampler.rows.part(rows)
      (sourceColumns, self.columns) = resampler.columns.part(columns)
      source = PixelRow(width: sourceColumns.count, padding: self.columns.padding)
      target = PixelRow(width: columns.count)
      narrowed = Plane(
        width: PixelRow.components * columns.count, height: sourceRows.count, filledWith: 0)
    }

    /// Takes the next of `sourceRows`, with the pixels of `sourceColumns`.
    package mutating func append(_ row: LightRow) {
      source.assign(row, columns: 0..<sourceColumns.count)
      Self.filter(source, columns, into: &narrowed, row: count)
      count += 1
    }

    private static func filter(
      _ source: borrowing PixelRow, _ taps: FilterTaps, into plane: inout Plane<Float>, row y: Int
    ) {
      var row = plane.mutableRow(y)
      source.filter(taps, into: &row)
    }

    /// Hands over row `y` of the result, once all rows of the picture are there.
    package mutating func read(row y: Int, into row: inout LightRow) {
      precondition(count == sourceRows.count)
      target.assign(sum: y - start, of: rows, narrowed, startingAt: 0)
      target.copy(into: &row)
    }
  }

  /// Begins a part of the result.
  package func tile(rows: Range<Int>, columns: Range<Int>) -> Tile {
    Tile(self, rows: rows, columns: columns)
  }
}
