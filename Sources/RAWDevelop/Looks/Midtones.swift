internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// Finds how much brighter a look shows the mid-tones of a picture than they are in the scene.
///
/// Large pictures are asked in blocks that are spread over them, always the same ones.
struct Midtones: Sendable {
  let camera: any CameraRows
  /// The picture.
  let area: RawArea

  private static let blockSize = 32
  private static let blocksPerSide = 16

  /// The median of all mid-tones; that of a neutral ramp where the picture has hardly any.
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

  /// Ranges that touch in small pictures, and are spread evenly over large ones.
  private func blocks(_ range: Range<Int>) -> [Range<Int>] {
    let count = min(Self.blocksPerSide, (range.count + Self.blockSize - 1) / Self.blockSize)
    return (0..<count).map { index in
      let room = max(range.count - Self.blockSize, 0)
      let start = range.lowerBound + (count > 1 ? room * index / (count - 1) : 0)
      return start..<min(start + Self.blockSize, range.upperBound)
    }
  }
}
