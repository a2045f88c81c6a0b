// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// A part of a mosaic with a margin, while it is demosaiced.
struct BayerTile {
  /// Photosites around a tile that its colors depend on; even, so that the phase does not change.
  private static let margin = 14

  /// The mosaic.
  var mosaic: MosaicTile

  // Rows of the tile with its margin; each is valid where its inputs are.
  private var across: [[Float]]
  private var along: [[Float]]
  private var horizontal: [[Float]]
  private var vertical: [[Float]]
  private var meanAcross: [[Float]]
  private var meanAlong: [[Float]]
  private var roughAcross: [[Float]]
  private var roughAlong: [[Float]]
  private var difference: [[Float]]
  private var green: [[Float]]
  private var diagonal: [[Float]]
  private var sums: [Float]
  private var own: [Float]
  private var other: [Float]

  init(rows: Int, columns: Int) {
    mosaic = MosaicTile(rows: rows, columns: columns, margin: Self.margin)
    let row = [Float](repeating: 0, count: mosaic.width)
    let empty = (0..<mosaic.height).map { _ in row }
    (across, along, horizontal, vertical) = (empty, empty, empty, empty)
    (meanAcross, meanAlong, roughAcross, roughAlong) = (empty, empty, empty, empty)
    (difference, green, diagonal) = (empty, empty, empty)
    (sums, own, other) = (row, row, row)
  }

  /// Interpolates green, and the differences of the other colors to it.
  mutating func interpolate() {
    let (lines, width, height) = (mosaic.lines, mosaic.width, mosaic.height)
    // SAFETY, here and below: all rows have `width` samples, the count passed to the kernels.
    for y in 2..<height - 2 {
      unsafe pk_bayer_differences(
        lines[y - 2], lines[y - 1], lines[y], lines[y + 1], lines[y + 2], &across[y],
        &along[y], width, mosaic.greenColumn(y))
      unsafe pk_sum_columns5(across[y], &meanAcross[y], width, 0.2)
    }
    for y in 3..<height - 3 {
      unsafe pk_bayer_gradients(
        across[y], along[y - 1], along[y + 1], &horizontal[y], &vertical[y], width)
    }
    for y in 5..<height - 5 {
      unsafe pk_sum_rows5(
        along[y - 2], along[y - 1], along[y], along[y + 1], along[y + 2], &meanAlong[y], width, 0.2)
      unsafe pk_sum_rows5(
        horizontal[y - 2], horizontal[y - 1], horizontal[y], horizontal[y + 1], horizontal[y + 2],
        &sums, width, 1)
      unsafe pk_sum_columns5(sums, &roughAcross[y], width, 1)
      unsafe pk_sum_rows5(
        vertical[y - 2], vertical[y - 1], vertical[y], vertical[y + 1], vertical[y + 2], &sums,
        width, 1)
      unsafe pk_sum_columns5(sums, &roughAlong[y], width, 1)
    }
    for y in 7..<height - 7 {
      unsafe pk_bayer_green(
        lines[y], meanAcross[y], meanAlong[y - 2], meanAlong[y + 2], roughAcross[y],
        roughAlong[y - 2], roughAlong[y + 2], &difference[y], &green[y], width,
        mosaic.greenColumn(y))
    }
    for y in 10..<height - 10 {
      unsafe pk_bayer_diagonal(
        difference[y - 3], difference[y - 1], difference[y + 1], difference[y + 3], &diagonal[y],
        width)
    }
  }

  /// Reads the colors of a row of the tile.
  mutating func read(row index: Int, into row: inout LinearRow) {
    let y = index + Self.margin
    unsafe pk_bayer_colors(
      mosaic.lines[y], green[y], difference[y], difference[y - 1], difference[y + 1], diagonal[y],
      diagonal[y - 1], diagonal[y + 1], roughAcross[y], roughAlong[y], &own, &other, mosaic.width,
      mosaic.greenColumn(y))
    let inner = Self.margin..<Self.margin + mosaic.size.columns
    let isRed = mosaic.isRed(y)
    for x in inner {
      row.red[x - inner.lowerBound] = isRed ? own[x] : other[x]
      row.green[x - inner.lowerBound] = green[y][x]
      row.blue[x - inner.lowerBound] = isRed ? other[x] : own[x]
    }
  }
}
