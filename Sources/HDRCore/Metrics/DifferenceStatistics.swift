// SPDX-License-Identifier: Apache-2.0
extension LightComparison {
  /// Mean, percentiles and maximum of Delta E ITP over the compared pixels.
  public struct Statistics: Hashable, Sendable {
    /// Mean of the pixels.
    public let mean: Double
    /// The value that 95 % of the pixels do not exceed.
    public let percentile95: Double
    /// The value that 99 % of the pixels do not exceed.
    public let percentile99: Double
    /// Maximum of the pixels.
    public let maximum: Double
  }
}

/// Histogram of Delta E with bins narrow enough for percentiles of four digits.
///
/// A bin is 1/16384 of an octave wide; the error of its center is at most 0.003 %.
struct DifferenceHistogram {
  private static let octaves = -14..<12
  private static let shift: UInt32 = 23 - 14
  private static let lowest = UInt32(127 + octaves.lowerBound) << 23
  /// Bin 0 contains differences below the lowest octave, which are invisible.
  private static let binCount = 1 + octaves.count << 14

  private var bins = [UInt64](repeating: 0, count: binCount)
  private var count: UInt64 = 0

  /// The bin of a difference.
  static func bin(_ deltaE: Float) -> Int {
    let pattern = deltaE.bitPattern
    guard pattern >= lowest else { return 0 }
    return min(1 + Int((pattern - lowest) >> shift), binCount - 1)
  }

  /// Adds pixels to the histogram by their bins.
  mutating func add(_ pixels: [Int]) {
    for bin in pixels { bins[bin] += 1 }
    count += UInt64(pixels.count)
  }

  /// The difference that `share` of the pixels do not exceed.
  func percentile(_ share: Double) -> Double {
    let wanted = UInt64(clamping: (share * Double(count)).rounded(.up))
    var seen: UInt64 = 0
    let bin =
      bins.firstIndex { pixels in
        seen += pixels
        return seen >= wanted
      } ?? 0
    guard bin > 0 else { return 0 }
    let middle = Self.lowest + UInt32(bin - 1) << Self.shift + 1 << (Self.shift - 1)
    return Double(Float(bitPattern: middle))
  }
}
