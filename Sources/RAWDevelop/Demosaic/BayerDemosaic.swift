internal import HDRCore
internal import PixelKernels
internal import Synchronization

/// Red, green and blue of a Bayer mosaic, edge-directed and linear in exposure.
///
/// Differences of colors change less than colors do. Green less the other color is estimated from
/// each photosite's row and column; what the four sides say is weighted by how little the
/// differences change there. Red and blue follow from green and the differences around.
///
/// Source: I. Pekkucuksen and Y. Altunbasak, "Gradient based threshold free color filter array
/// interpolation", ICIP 2010; but red and blue at green photosites are weighted by direction too.
final class BayerDemosaic: CameraRows {
  private let reference: LinearReference
  private let bayer: ColorFilterArray.Bayer
  private let gains: SIMD3<Float>
  /// Memory of tiles that are done.
  private let idle = Mutex<[BayerTile]>([])

  /// - Parameters:
  ///   - reference: A mosaic.
  ///   - bayer: Its phase.
  ///   - gains: What makes white of the camera's colors (1, 1, 1).
  init(_ reference: LinearReference, _ bayer: ColorFilterArray.Bayer, gains: SIMD3<Float>) {
    self.reference = reference
    self.bayer = bayer
    self.gains = gains
  }

  func make(
    rows: Range<Int>, columns: Range<Int>, _ body: (_ y: Int, inout LightRow) -> Void
  ) {
    let size = (rows.count, columns.count)
    var tile =
      idle.withLock { tiles in
        tiles.firstIndex { $0.size == size }.map { tiles.remove(at: $0) }
      } ?? BayerTile(rows: size.0, columns: size.1)
    tile.load(
      reference, rows: rows, columns: columns, redRow: bayer.redRow, redColumn: bayer.redColumn,
      gains: gains)
    tile.interpolate()
    var row = LightRow(width: columns.count, hasAlpha: false)
    for y in rows {
      tile.read(row: y - rows.lowerBound, into: &row)
      body(y, &row)
    }
    idle.withLock { $0.append(tile) }
  }
}
