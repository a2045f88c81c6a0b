// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// Linear interpolation of a row between the two samples around the center of each new one.
package struct LinearPositions: Sendable {
  private let left: [Int32]
  private let share: [Float]
  private let sourceCount: Int

  /// Computes the centers of `count` samples over the length of `sourceCount` samples.
  package init(from sourceCount: Int, to count: Int) {
    self.sourceCount = sourceCount
    let positions = (0..<count).map { index in
      let center = (Double(index) + 0.5) * Double(sourceCount) / Double(count) - 0.5
      return min(max(center, 0), Double(sourceCount - 1))
    }
    left = positions.map { Int32(min(Int(clamping: $0), max(sourceCount - 2, 0))) }
    share = zip(positions, left).map { Float($0 - Double($1)) }
  }

  package typealias Element = (above: Int, below: Int, share: Float)

  package var count: Int { left.count }

  /// The sample at or before the center of `index`, the next one, and the weight of the next one.
  package subscript(index: Int) -> Element {
    let above = Int(left[index])
    return (above, min(above + 1, sourceCount - 1), share[index])
  }

  /// Fills a row by interpolating another.
  package func resample(_ samples: [Float], into row: inout [Float]) {
    precondition(samples.count == sourceCount && row.count == left.count)
    guard sourceCount > 1 else {
      for index in row.indices { row[index] = samples[0] }
      return
    }
    // SAFETY: `row`, `left` and `share` have the same count; `left` stops before the last sample.
    unsafe pk_resample(samples, left, share, &row, row.count)
  }
}

extension Plane<UInt16> {
  /// Returns the plane at another size, interpolated linearly between the centers of samples.
  ///
  /// - Parameters:
  ///   - newWidth: Width of the result, at least 1.
  ///   - newHeight: Height of the result, at least 1.
  /// - Returns: The nearest code values.
  /// - Throws: `.cancelled`.
  package func interpolated(width newWidth: Int, height newHeight: Int) throws(ImageError)
    -> Plane<UInt16>
  {
    guard (newWidth, newHeight) != (width, height) else { return self }
    let columns = LinearPositions(from: width, to: newWidth)
    let lines = LinearPositions(from: height, to: newHeight)
    let codes = QuantizationScale(offset: 0, scale: 1, highest: 65535)
    let format = ImageLayout(
      width: newWidth, height: newHeight, components: .gray, samples: .integer(bits: 16))
    return try SharedPlanes<UInt16>.makePlanes(format) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<newHeight) { band in
        var row = [Float](repeating: 0, count: width)
        var above = [Float](repeating: 0, count: newWidth)
        var below = above
        for y in band {
          let line = lines[y]
          row.assign(self, row: line.above, offset: 0, scale: 1)
          columns.resample(row, into: &above)
          row.assign(self, row: line.below, offset: 0, scale: 1)
          columns.resample(row, into: &below)
          above.mix(below, weight: line.share)
          shared.withRow(y, of: 0) { above.quantize(codes, into: &$0) }
        }
      }
    }[0]
  }
}
