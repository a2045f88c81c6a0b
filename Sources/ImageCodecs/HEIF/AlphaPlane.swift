#if HEIF || AVIF
internal import HDRCore
internal import ImageFiles

extension Plane<UInt16> {
  /// Coverage in full range and in another depth, with the nearest code for each.
  func coverage(fromBits: Int, isFullRange: Bool, toBits: Int) -> Plane<UInt16> {
    let target = 1 << toBits - 1
    let source = 1 << fromBits - 1
    guard fromBits != toBits || !isFullRange else { return self }
    // Source: ITU-T H.273, 8.3: narrow range has 219 steps from 16, for 8 bits.
    let (black, range) =
      isFullRange ? (0, source) : (16 << (fromBits - 8), 219 << (fromBits - 8))
    let samples = span
    return Plane(width: width, height: height) { output in
      for index in samples.indices {
        let code = min(max(Int(samples[index]) - black, 0), range)
        output.append(UInt16((code * target * 2 + range) / (range * 2)))
      }
    }
  }

  /// The plane at another size, by bilinear interpolation between the centers of samples.
  func resampled(width newWidth: Int, height newHeight: Int) -> Plane<UInt16> {
    guard (newWidth, newHeight) != (width, height) else { return self }
    let columns = Self.weights(from: width, to: newWidth)
    let rows = Self.weights(from: height, to: newHeight)
    return Plane(width: newWidth, height: newHeight) { output in
      for row in rows {
        let (upper, lower) = (self.row(row.first), self.row(row.second))
        for column in columns {
          let above = column.mix(upper[column.first], upper[column.second])
          let below = column.mix(lower[column.first], lower[column.second])
          output.append(UInt16((above + (below - above) * row.share).rounded()))
        }
      }
    }
  }

  /// Between which two samples a new one lies, and how much of the second it takes.
  private struct Weight {
    var first: Int
    var second: Int
    var share: Double

    func mix(_ a: UInt16, _ b: UInt16) -> Double { Double(a) + (Double(b) - Double(a)) * share }
  }

  private static func weights(from old: Int, to new: Int) -> [Weight] {
    (0..<new).map { index in
      let center = (Double(index) + 0.5) * Double(old) / Double(new) - 0.5
      let clamped = min(max(center, 0), Double(old - 1))
      let first = Int(clamped)
      return Weight(first: first, second: min(first + 1, old - 1), share: clamped - Double(first))
    }
  }
}
#endif
