// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Measures the ratio of mid-tones in a look to those in the scene.
///
/// Large images are sampled in blocks at fixed positions.
struct Midtones: Sendable {
  let camera: any CameraRows
  /// The image.
  let area: RawArea

  private static let blockSize = 32
  private static let blocksPerSide = 16

  /// The median of the ratios; that of a neutral ramp if the image has too few mid-tones.
  func scale(_ look: LookRendering) throws(ImageError) -> Double {
    let (rows, columns) = (blocks(area.rows), blocks(area.columns))
    let found = try concurrentMap(
      rows.count * columns.count
    ) { index in
      var ratios: [Float] = []
      let block = columns[index % columns.count]
      camera.make(rows: rows[index / columns.count], columns: block) { y, row in
        ratios += look.midtoneRatios(&row, y: y, columns: block)
      }
      return ratios
    }
    var ratios = found.flatMap(\.self)
    if ratios.count < 64 { ratios = look.standardMidtoneRatios }
    guard !ratios.isEmpty else { return 1 }
    ratios.sort()
    return Double(ratios[ratios.count / 2])
  }

  /// Ranges that are adjacent in small images, and evenly spread over large ones.
  private func blocks(_ range: Range<Int>) -> [Range<Int>] {
    let count = min(Self.blocksPerSide, (range.count + Self.blockSize - 1) / Self.blockSize)
    return (0..<count).map { index in
      let room = max(range.count - Self.blockSize, 0)
      let start = range.lowerBound + (count > 1 ? room * index / (count - 1) : 0)
      return start..<min(start + Self.blockSize, range.upperBound)
    }
  }
}
