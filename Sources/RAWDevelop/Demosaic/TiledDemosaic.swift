// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Camera colors of a Bayer mosaic, made in tiles that are reused.
final class TiledDemosaic<Tile: DemosaicTile>: CameraRows {
  private let mosaic: BayerMosaic
  private let tiles = IdleTiles<Tile>()

  init(_ mosaic: BayerMosaic) { self.mosaic = mosaic }

  func make(
    rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void
  ) {
    let tile = tiles.take { $0.isFor(columns: columns.count) } ?? Tile(columns: columns.count)
    tile.demosaic(mosaic, rows: rows, columns: columns, body)
    tiles.put(tile)
  }
}

/// Rows of a part of a mosaic with a margin, while it is demosaiced.
protocol DemosaicTile: AnyObject, Sendable {
  /// - Parameter columns: Columns of the result.
  init(columns: Int)

  /// Whether it is for parts of so many columns.
  func isFor(columns: Int) -> Bool

  /// Computes the colors of a part; arguments are those of `CameraRows.make`.
  func demosaic(
    _ mosaic: BayerMosaic, rows: Range<Int>, columns: Range<Int>,
    _ body: (_ y: Int, inout LinearRow) -> Void)
}
