// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

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
  private let mosaic: BayerMosaic
  private let tiles = IdleTiles<BayerTile>()

  init(_ mosaic: BayerMosaic) { self.mosaic = mosaic }

  func make(
    rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void
  ) {
    let tile =
      tiles.take { $0.isFor(columns: columns.count) } ?? BayerTile(columns: columns.count)
    tile.demosaic(mosaic, rows: rows, columns: columns, body)
    tiles.put(tile)
  }
}
