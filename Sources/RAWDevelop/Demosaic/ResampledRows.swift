// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Camera colors at another size, with rows and columns of the resampled image.
///
/// Linear values are averaged after highlights are corrected, so that their edges have no color
/// cast.
struct ResampledRows: CameraRows {
  let base: any CameraRows
  /// Cropped part of the base.
  let area: RawArea
  let resampler: Resampler

  /// Rows of the base that are computed at a time; limits memory.
  private static let bandHeight = 64

  init(_ base: any CameraRows, _ grid: DevelopedGrid) {
    self.base = base
    area = grid.crop
    resampler = Resampler(
      Resampling(
        part: PixelRectangle(x: 0, y: 0, width: grid.crop.width, height: grid.crop.height),
        width: grid.width, height: grid.height))
  }

  func make(
    rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void
  ) {
    var tile = resampler.tile(rows: rows, columns: columns)
    let source = tile.sourceColumns
    let sourceColumns = area.x + source.lowerBound..<area.x + source.upperBound
    let (first, last) = (tile.sourceRows.lowerBound, tile.sourceRows.upperBound)
    for band in stride(from: first, to: last, by: Self.bandHeight) {
      let end = min(band + Self.bandHeight, last)
      base.make(rows: area.y + band..<area.y + end, columns: sourceColumns) { _, row in
        tile.append(row)
      }
    }
    var row = LinearRow(width: columns.count, hasAlpha: false)
    for y in rows {
      tile.read(row: y, into: &row)
      body(y, &row)
    }
  }
}
