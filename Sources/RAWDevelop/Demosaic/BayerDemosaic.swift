// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// Demosaics a Bayer mosaic, edge-directed and linear in exposure.
///
/// Color differences vary less than colors. The difference of green and the other color is
/// estimated from the row and the column of each photosite, with weights for the four directions
/// that fall with the gradients of the differences. Red and blue follow from green and the
/// surrounding differences.
///
/// Source: I. Pekkucuksen and Y. Altunbasak, "Gradient based threshold free color filter array
/// interpolation", ICIP 2010; red and blue at green photosites are also weighted by direction.
final class BayerDemosaic: CameraRows {
  private let reference: LinearReference
  private let bayer: ColorFilterArray.Bayer
  private let gains: SIMD3<Float>
  private let suppressesHotPixels: Bool
  private let tiles = IdleTiles<BayerTile>()

  /// - Parameters:
  ///   - reference: A mosaic.
  ///   - bayer: Phase of the mosaic.
  ///   - gains: White-balance gains of red, green and blue.
  ///   - suppressesHotPixels: Whether photosites far brighter than all around are replaced.
  init(
    _ reference: LinearReference, _ bayer: ColorFilterArray.Bayer, gains: SIMD3<Float>,
    suppressesHotPixels: Bool = false
  ) {
    self.suppressesHotPixels = suppressesHotPixels
    self.reference = reference
    self.bayer = bayer
    self.gains = gains
  }

  func make(
    rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void
  ) {
    var tile =
      tiles.take { $0.mosaic.size == (rows.count, columns.count) }
      ?? BayerTile(rows: rows.count, columns: columns.count)
    tile.mosaic.load(reference, rows: rows, columns: columns, bayer, gains: gains)
    if suppressesHotPixels { tile.mosaic.suppressHotPixels() }
    tile.interpolate()
    var row = LinearRow(width: columns.count, hasAlpha: false)
    for y in rows {
      tile.read(row: y - rows.lowerBound, into: &row)
      body(y, &row)
    }
    tiles.put(tile)
  }
}
