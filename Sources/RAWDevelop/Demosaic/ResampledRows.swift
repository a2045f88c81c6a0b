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

  /// - Parameters:
  ///   - base: Colors of the active area.
  ///   - grid: The image in the active area.
  ///   - divisor: Photosites of the active area in a row or column of the base.
  init(_ base: any CameraRows, _ grid: DevelopedGrid, divisor: Int) {
    self.base = base
    let crop = grid.crop
    area = crop.divided(by: divisor)
    func span(_ start: Int, _ count: Int, from origin: Int) -> Range<Double> {
      let start = Double(start) / Double(divisor) - Double(origin)
      return start..<start + Double(count) / Double(divisor)
    }
    resampler = Resampler(
      Resampling(
        part: PixelRectangle(x: 0, y: 0, width: area.width, height: area.height),
        width: grid.width, height: grid.height,
        columns: span(crop.x, crop.width, from: area.x),
        rows: span(crop.y, crop.height, from: area.y)))
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
