// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// Comparison of two registered images, block by block.
struct BlockMatching {
  /// Side of a block in samples.
  private static let side = 40
  private static let limit = 300
  /// Standard deviation of the luma of a block from which on it counts as textured.
  private static let texture: Float = 0.012
  /// Correlation from which on a block counts as matching.
  private static let similarity = 0.5

  /// Textured blocks.
  let blockCount: Int
  /// Share of the textured blocks whose contents match.
  let confidence: Double
  /// 95th percentile of the displacements of matching blocks, in pixels of the target.
  let displacement: Double

  /// - Parameters:
  ///   - refinement: Normalized images.
  ///   - luma: Luma of the companion with the size of the normalized one.
  ///   - mapping: Their registration.
  /// - Throws: `.cancelled`.
  init(
    _ refinement: MappingRefinement, luma: LumaPlane, _ mapping: PixelMapping
  ) throws(ImageError) {
    let side = Self.side
    // At most `limit` blocks, evenly spread.
    let spacing = max(
      side,
      Int(
        clamping: (Double(luma.width * luma.height) / Double(Self.limit)).squareRoot().rounded(.up))
    )
    let columns = max((luma.width - side) / spacing + 1, 0)
    let rows = max((luma.height - side) / spacing + 1, 0)
    let found = try concurrentMap(columns * rows) { (index) throws(ImageError) -> Match? in
      let (x, y) = (index % columns * spacing, index / columns * spacing)
      guard luma.deviation(x..<x + side, y..<y + side) >= Self.texture else {
        return nil
      }
      return refinement.match(x..<x + side, y..<y + side, mapping)
    }
    let matches = found.compactMap(\.self)
    blockCount = matches.count
    let alike = matches.filter { $0.correlation >= Self.similarity }
    confidence = matches.isEmpty ? 0 : Double(alike.count) / Double(matches.count)
    let lengths = alike.map(\.displacement).sorted()
    displacement = lengths.isEmpty ? 0 : lengths[(lengths.count - 1) * 95 / 100]
  }

  /// A block in both images.
  struct Match: Sendable {
    let correlation: Double
    /// Distance from the mapped position, in pixels of the target.
    let displacement: Double
  }
}

extension LumaPlane {
  /// Standard deviation in an area.
  fileprivate func deviation(_ columns: Range<Int>, _ rows: Range<Int>) -> Float {
    var (sum, squares) = (0.0, 0.0)
    for y in rows {
      for x in columns {
        let value = Double(samples[y * width + x])
        sum += value
        squares += value * value
      }
    }
    let count = Double(columns.count * rows.count)
    return Float(max(squares / count - sum * sum / (count * count), 0).squareRoot())
  }
}

extension MappingRefinement {
  /// Finds a block of the companion near its mapped position; `nil` outside the target.
  fileprivate func match(
    _ columns: Range<Int>, _ rows: Range<Int>, _ mapping: PixelMapping
  ) -> BlockMatching.Match? {
    var shift = SIMD2<Double>(0, 0)
    var correlation = 0.0
    for _ in 0..<8 {
      var system = LinearSystem(count: 2)
      var (product, first, second, count) = (0.0, 0.0, 0.0, 0)
      visit(columns, rows, mapping, shift) { _, _, sample, own in
        let gradient = [Double(sample.gradient.x), Double(sample.gradient.y)]
        let residual = Double(own - sample.value)
        system.add(gradient, residual: residual, weight: 1 / (1 + residual * residual))
        product += Double(sample.value) * Double(own)
        first += Double(sample.value) * Double(sample.value)
        second += Double(own) * Double(own)
        count += 1
      }
      guard 2 * count >= columns.count * rows.count else { return nil }
      let norm = (first * second).squareRoot()
      correlation = norm > 0 ? product / norm : 0
      guard let change = system.solution() else { break }
      shift += SIMD2(change[0], change[1])
      guard (shift * shift).sum() < 64 else { break }
      if max(abs(change[0]), abs(change[1])) < 0.01 { break }
    }
    return BlockMatching.Match(
      correlation: correlation, displacement: pixels(ofTargetSamples: shift))
  }
}
