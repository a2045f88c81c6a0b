// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Synchronization

/// Camera colors of a Bayer mosaic, made in tiles that are reused.
final class TiledDemosaic<Tile: DemosaicTile>: CameraRows {
  private let mosaic: BayerMosaic
  private let tiles = IdleTiles<Tile>()

  init(_ mosaic: BayerMosaic) { self.mosaic = mosaic }

  func make(rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void) {
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

/// Finished tiles, whose memory is used again.
final class IdleTiles<Tile: Sendable>: Sendable {
  private let tiles = Mutex<[Tile]>([])

  /// Takes a tile out that is suitable.
  func take(where isSuitable: (Tile) -> Bool) -> Tile? {
    tiles.withLock { tiles in tiles.firstIndex(where: isSuitable).map { tiles.remove(at: $0) } }
  }

  func put(_ tile: Tile) { tiles.withLock { $0.append(tile) } }
}

/// A source of white-balanced camera colors, in which white is (1, 1, 1).
protocol CameraRows: Sendable {
  /// Computes a tile of the image.
  ///
  /// - Parameters:
  ///   - rows: Rows of the active area.
  ///   - columns: Columns of the active area.
  ///   - body: Receives each row in order, which it may change.
  func make(rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void)
}

/// Images with all components in each pixel; gray images yield equal components.
struct LinearRawRows: CameraRows {
  let reference: LinearReference
  let gains: SIMD3<Float>

  func make(rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LinearRow) -> Void) {
    var row = LinearRow(width: columns.count, hasAlpha: false)
    let last = reference.planes - 1
    for y in rows {
      reference.read(row: y, columns: columns, plane: 0, into: &row.red, at: 0)
      reference.read(row: y, columns: columns, plane: min(1, last), into: &row.green, at: 0)
      reference.read(row: y, columns: columns, plane: last, into: &row.blue, at: 0)
      row.multiply(by: [gains.x, 0, 0, 0, gains.y, 0, 0, 0, gains.z])
      body(y, &row)
    }
  }
}
