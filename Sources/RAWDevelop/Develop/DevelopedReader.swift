internal import HDRCore
internal import ImageCodecs

/// Yields the light of a raw picture, developed as rows are asked for.
final class DevelopedReader: RowReader {
  let format: StoredFormat
  private let tiles: DevelopedTiles
  private let threads: Int

  /// Columns of the pieces that threads work on: few enough for what belongs to them to stay in a
  /// core's cache.
  private static let tileWidth = 512

  init(
    _ samples: RawSamples, _ plan: DevelopmentPlan, _ development: RawDevelopment,
    format: StoredFormat, threads: Int
  ) {
    self.format = format
    self.threads = threads
    let light = SceneLight(plan, development)
    tiles = DevelopedTiles(
      camera: plan.camera(samples, development, gains: light.gains), light: light, crop: plan.crop,
      planeCount: format.planeCount)
  }

  func read(rows: Range<Int>) throws(ImageError) -> StoredImage {
    var strip = format
    strip.height = rows.count
    let (tiles, width) = (tiles, format.width)
    let starts = Array(stride(from: 0, to: width, by: Self.tileWidth))
    let planes = try SharedPlanes<Float>.makePlanes(strip) { (shared) throws(ImageError) in
      _ = try concurrentMap(starts.count, threads: threads) { (index) throws(ImageError) in
        let columns = starts[index]..<min(starts[index] + Self.tileWidth, width)
        tiles.develop(rows: rows, columns: columns, into: shared)
      }
    }
    return StoredImage(format: strip, planes: .float(planes))
  }
}

/// What makes a part of a picture.
private struct DevelopedTiles: Sendable {
  let camera: any CameraRows
  let light: SceneLight
  let crop: RawArea
  let planeCount: Int

  /// Makes some rows and columns of the picture; rows of `shared` begin with the first of them.
  func develop(rows: Range<Int>, columns: Range<Int>, into shared: SharedPlanes<Float>) {
    let first = crop.y + rows.lowerBound
    camera.make(
      rows: first..<crop.y + rows.upperBound,
      columns: crop.x + columns.lowerBound..<crop.x + columns.upperBound
    ) { y, row in
      light.apply(to: &row)
      for plane in 0..<planeCount {
        let source = plane == 0 ? row.red : plane == 1 ? row.green : row.blue
        shared.withRow(y - first, columns: columns, of: plane) { source.copy(into: &$0) }
      }
    }
  }
}
