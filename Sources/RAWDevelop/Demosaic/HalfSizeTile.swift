// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// Camera colors of a Bayer mosaic at half its size: those at the centers of squares of 2 x 2 photosites.
///
/// Green is the mean of two photosites. Red and blue are interpolated by cubic polynomials, so that the
/// colors do not shift against each other.
// SAFETY: one thread uses a tile at a time, and the memory of the rings lives as long as the tile.
@safe final class HalfSizeTile: DemosaicTile, @unchecked Sendable {
  /// Photosites around a tile that its colors and the search for hot pixels depend on.
  private static let margin = 6

  /// Photosites of a row with its margin.
  private let width: Int
  private let memory: RowMemory
  private let loaded: RowRing
  private let lines: RowRing
  private let sums: RowRing

  init(columns: Int) {
    width = 2 * columns + 2 * Self.margin
    memory = RowMemory(width: width, rows: 8 + 8 + 1)
    unsafe (loaded, lines, sums) = (memory.ring(8), memory.ring(8), memory.ring(1))
  }

  func isFor(columns: Int) -> Bool { width == 2 * columns + 2 * Self.margin }

  func demosaic(
    _ mosaic: BayerMosaic, rows: Range<Int>, columns: Range<Int>,
    _ body: (_ y: Int, inout LinearRow) -> Void
  ) {
    func photosites(_ squares: Range<Int>) -> Range<Int> {
      (2 * squares.lowerBound..<2 * squares.upperBound).extended(by: Self.margin)
    }
    var part = MosaicPart(mosaic, rows: photosites(rows), columns: photosites(columns))
    var row = LinearRow(width: columns.count, hasAlpha: false)
    var next = 1
    for y in rows {
      let upper = Self.margin + 2 * (y - rows.lowerBound)
      while next < upper + 5 + MosaicPart.rowsAhead {
        unsafe part.load(next, into: loaded, complete: lines)
        next += 1
      }
      let red = part.isRed(upper) ? upper : upper + 1
      interpolate(red, in: upper, part, into: &row.red)
      interpolate(2 * upper + 1 - red, in: upper, part, into: &row.blue)
      // SAFETY: the lines have two photosites for each sample, and a margin.
      unsafe pk_bayer_half_green(
        lines[upper], lines[upper + 1], Self.margin, part.greenColumn(upper), &row.green,
        columns.count)
      body(y, &row)
    }
  }

  /// Interpolates the color that is not green of the line `own`, which is one of the lines of squares
  /// that begin at `upper`.
  private func interpolate(
    _ own: Int, in upper: Int, _ part: MosaicPart, into samples: inout [Float]
  ) {
    let step = own == upper ? 2 : -2
    let column = 1 - part.greenColumn(own)
    // SAFETY: the margin has the four photosites on each side that the sums reach; `sums` has room for
    // two more than the samples on each side.
    unsafe pk_bayer_half_color(
      lines[own - step], lines[own], lines[own + step], lines[own + 2 * step],
      Self.margin + column, column == 0 ? 2 : -2, sums[0], &samples, samples.count)
  }
}
