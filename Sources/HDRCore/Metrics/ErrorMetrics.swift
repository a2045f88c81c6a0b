// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Perceptually uniform encoding of luminance, for metrics designed for SDR images.
///
/// The variant for banding with glare. 100 cd/m², the white of an SDR display, is encoded as 256.4.
///
/// Source: Mantiuk and Azimi, "PU21: A novel perceptually uniform encoding for adapting existing
/// quality metrics for HDR", Image Coding Symposium 2021.
package enum PU21 {
  /// Encoded value of `luminance`.
  ///
  /// - Parameter luminance: Luminance in cd/m²; clamped to 0.005...10 000.
  /// - Returns: Encoded value, 0 to 595.
  package static func signal(ofLuminance luminance: Double) -> Double {
    let power = pow(min(max(luminance, 0.005), 10_000), p4)
    return max(p7 * (pow((p1 + p2 * power) / (1 + p3 * power), p5) - p6), 0)
  }

  /// Peak signal-to-noise ratio in dB for a mean square error of signal; the peak is 256.
  ///
  /// Source: the authors' `pu21_metric` (github.com/gfxdisp/pu21): `psnr(T, R, 256)`, on luminance
  /// as in its metric PSNRY.
  static func decibels(meanSquare: Double) -> Double { 10 * log10(256 * 256 / meanSquare) }

  private static let p1 = 0.353_487_901
  private static let p2 = 0.373_465_862_9
  private static let p3 = 8.277_049_286e-05
  private static let p4 = 0.906_256_262_7
  private static let p5 = 0.091_503_031_66
  private static let p6 = 0.909_951_720_4
  private static let p7 = 596.314_814_2
}

/// Peak signal-to-noise ratio of PQ signal, so that errors are weighted by their visibility.
///
/// The peak is PQ signal 1, that is 10 000 cd/m².
package enum PQPSNR {
  /// Ratio in dB for a mean square error of signal.
  package static func decibels(meanSquare: Double) -> Double { -10 * log10(meanSquare) }
}

/// Color difference on a display; 1 is just noticeable under the most critical viewing conditions.
///
/// Source: Recommendation ITU-R BT.2124.
package enum DeltaEITP {
  /// From PQ signal of cone responses to a space in which Delta E ITP is the Euclidean distance.
  static let fromPQ = Matrix3x3(diagonal: weights) * ICtCp.fromPQ

  /// T is half of Ct; P is Cp.
  private static let weights = SIMD3(720, 360, 720.0)
}

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
