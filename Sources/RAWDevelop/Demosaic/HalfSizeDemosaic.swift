// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// Camera colors of a Bayer mosaic at half its size: those at the centers of squares of 2 x 2 photosites.
///
/// Green is the mean of two photosites. Red and blue are interpolated by cubic polynomials, so that the
/// colors do not shift against each other.
final class HalfSizeDemosaic: CameraRows {
  private let reference: LinearReference
  private let bayer: ColorFilterArray.Bayer
  private let gains: SIMD3<Float>
  private let suppressesHotPixels: Bool
  private let tiles = IdleTiles<MosaicTile>()

  /// Photosites around a tile that its colors and the search for hot pixels depend on.
  private static let margin = 6

  /// - Parameters:
  ///   - reference: A mosaic.
  ///   - bayer: Phase of the mosaic.
  ///   - gains: White-balance gains of red, green and blue.
  ///   - suppressesHotPixels: Whether photosites far brighter than all around are replaced.
  init(
    _ reference: LinearReference, _ bayer: ColorFilterArray.Bayer, gains: SIMD3<Float>,
    suppressesHotPixels: Bool
  ) {
    (self.reference, self.bayer, self.gains) = (reference, bayer, gains)
    self.suppressesHotPixels = suppressesHotPixels
  }

  func make(
    rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void
  ) {
    let size = (2 * rows.count, 2 * columns.count)
    var tile =
      tiles.take { $0.size == size }
      ?? MosaicTile(rows: size.0, columns: size.1, margin: Self.margin)
    tile.load(
      reference, rows: 2 * rows.lowerBound..<2 * rows.upperBound,
      columns: 2 * columns.lowerBound..<2 * columns.upperBound, bayer, gains: gains)
    if suppressesHotPixels { tile.suppressHotPixels() }
    var row = LinearRow(width: columns.count, hasAlpha: false)
    var sums = [Float](repeating: 0, count: columns.count + 4)
    for y in rows {
      let upper = Self.margin + 2 * (y - rows.lowerBound)
      let red = tile.isRed(upper) ? upper : upper + 1
      Self.interpolate(tile, red, in: upper, &sums, into: &row.red)
      Self.interpolate(tile, 2 * upper + 1 - red, in: upper, &sums, into: &row.blue)
      // SAFETY: the tile has two photosites for each sample, and a margin.
      unsafe pk_bayer_half_green(
        tile.lines[upper], tile.lines[upper + 1], Self.margin, tile.greenColumn(upper), &row.green,
        columns.count)
      body(y, &row)
    }
    tiles.put(tile)
  }

  /// Interpolates the color that is not green of the line `own`, which is one of the lines of squares
  /// that begin at `upper`.
  private static func interpolate(
    _ tile: MosaicTile, _ own: Int, in upper: Int, _ sums: inout [Float],
    into samples: inout [Float]
  ) {
    let step = own == upper ? 2 : -2
    let column = 1 - tile.greenColumn(own)
    // SAFETY: the margin has the four photosites on each side that the sums reach; `sums` has room for
    // two more than the samples on each side.
    unsafe pk_bayer_half_color(
      tile.lines[own - step], tile.lines[own], tile.lines[own + step], tile.lines[own + 2 * step],
      margin + column, column == 0 ? 2 : -2, &sums, &samples, samples.count)
  }
}
