// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Camera colors of a Bayer mosaic without interpolation: those of squares of 2 x 2 photosites.
struct SquareRows: CameraRows {
  let sites: LinearSites
  let gains: SIMD3<Float>

  func make(
    rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void
  ) {
    let last = (x: sites.size.width - 1, y: sites.size.height - 1)
    let squares =
      min(columns.lowerBound / 2, last.x)..<min((columns.upperBound + 1) / 2, last.x + 1)
    var colors = Array(repeating: SampleGrid(), count: sites.count)
    for index in colors.indices { colors[index].resize(width: squares.count, height: 1) }
    var loaded: Int?
    var row = LinearRow(width: columns.count, hasAlpha: false)
    for y in rows {
      let line = min(y / 2, last.y)
      if loaded != line { sites.read(row: line, columns: squares, into: &colors, at: 0) }
      loaded = line
      for x in columns {
        let square = min(x / 2, last.x) - squares.lowerBound
        let index = x - columns.lowerBound
        let green = colors[1].samples[square] + colors[2].samples[square]
        row.red[index] = gains.x * colors[0].samples[square]
        row.green[index] = gains.y * 0.5 * green
        row.blue[index] = gains.z * colors[3].samples[square]
      }
      body(y, &row)
    }
  }
}
