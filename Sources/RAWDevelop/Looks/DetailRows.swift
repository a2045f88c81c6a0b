// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Camera colors after sharpening.
struct DetailRows: CameraRows {
  let base: any CameraRows
  let sharpness: Double
  let size: (width: Int, height: Int)

  func make(
    rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void
  ) {
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
