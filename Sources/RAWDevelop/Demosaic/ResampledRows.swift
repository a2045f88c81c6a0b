internal import HDRCore

/// A camera's colors at another size; rows and columns are those of that picture.
///
/// Light is what is averaged, after saturated light has lost its cast, so that the edges of
/// highlights have none either.
struct ResampledRows: CameraRows {
  let base: any CameraRows
  /// The part of the base that is shown.
  let area: RawArea
  let resampler: Resampler

  /// Rows of the base that are made at a time: as few as cost little twice, for memory.
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
    rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LightRow) -> Void
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
    var row = LightRow(width: columns.count, hasAlpha: false)
    for y in rows {
      tile.read(row: y, into: &row)
      body(y, &row)
    }
  }
}
