// SPDX-License-Identifier: Apache-2.0
#if AVIF
internal import HDRCore

extension Plane<UInt16> {
  /// Whether the image has graphics, such as text and lines: blocks of few values that differ much.
  ///
  /// One of four blocks is examined. libaom only counts values, and takes smooth areas of photographs for graphics. 5 % of the blocks
  /// of text and 10 % of those of plots are found, and at most one in ten thousand of photographs.
  ///
  /// - Parameter bits: Bits per sample.
  /// - Returns: Whether they are more than 1 % of the blocks.
  func hasGraphics(bits: Int) -> Bool {
    let contrast = UInt16(1) << UInt16(bits - 4)
    var (count, graphicCount) = (0, 0)
    for y in stride(from: 0, through: height - Self.blockSize, by: 2 * Self.blockSize) {
      for x in stride(from: 0, through: width - Self.blockSize, by: 2 * Self.blockSize) {
        count += 1
        if blockHasGraphics(x, y, contrast: contrast) { graphicCount += 1 }
      }
    }
    return 100 * graphicCount > count
  }

  private static var blockSize: Int { 16 }

  /// Whether a block has two to four values, of which two differ by `contrast`.
  private func blockHasGraphics(_ x: Int, _ y: Int, contrast: UInt16) -> Bool {
    var values = SIMD4<UInt16>(repeating: row(y)[x])
    var valueCount = 1
    for y in y..<y + Self.blockSize {
      let samples = row(y)
      for x in x..<x + Self.blockSize where !any(values .== samples[x]) {
        guard valueCount < values.scalarCount else { return false }
        values[valueCount] = samples[x]
        valueCount += 1
      }
    }
    return values.max() - values.min() >= contrast
  }
}
#endif
