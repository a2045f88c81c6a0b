// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// Variance of the noise of linear values, which increases linearly with them.
///
/// Source: DNG 1.7.1, NoiseProfile.
struct NoiseModel: Hashable, Sendable {
  /// Variance per linear value.
  var slope: Double
  /// Variance of black.
  var offset: Double

  /// Standard deviation at a linear value.
  func deviation(at value: Double) -> Double { max(slope * value + offset, 0).squareRoot() }

  /// The slope, large enough for roots of single precision.
  var stableSlope: Double { max(slope, 0.01 * offset, 1e-7) }

  /// The model, or one of hardly any noise instead of none.
  var orSmallest: NoiseModel { slope > 0 || offset > 0 ? self : NoiseModel(slope: 1e-6, offset: 0) }

  /// The model of a plane from the numbers of NoiseProfile; `nil` without valid ones.
  init?(profile: [Double], plane: Int) {
    guard profile.count >= 2 else { return nil }
    let first = profile.count >= 2 * (plane + 1) ? 2 * plane : 0
    let (slope, offset) = (profile[first], profile[first + 1])
    guard slope.isFinite, offset.isFinite, slope > 0, slope < 1, abs(offset) < 1 else { return nil }
    (self.slope, self.offset) = (slope, max(offset, 0))
  }

  init(slope: Double, offset: Double) { (self.slope, self.offset) = (slope, offset) }

  /// The usual noise at an ISO sensitivity: a sensor between those of telephones and full frame.
  init(iso: Double, baselineNoise: Double) {
    let factor = baselineNoise * baselineNoise
    slope = 4e-7 * iso * factor
    offset = slope * slope
  }

  /// Measures the noise of planes.
  ///
  /// Variances are those of diagonal differences in blocks of 8 x 8 samples. Of the blocks of similar
  /// brightness, a low percentile is free of structure.
  ///
  /// - Parameters:
  ///   - planes: Linear values of one color each.
  ///   - rowStep: Rows from one block to the next.
  init(measuring planes: [Plane<Float>], rowStep: Int = 16) {
    var blocks = Array(repeating: [Double](), count: Self.binCount)
    var means = Array(repeating: 0.0, count: Self.binCount)
    for plane in planes {
      for y in stride(from: 0, to: plane.height - 7, by: rowStep) {
        for x in stride(from: 0, to: plane.width - 7, by: 16) {
          let (mean, variance) = Self.block(plane, x, y)
          guard mean > -0.1, mean < 0.9 else { continue }
          let bin = min(
            Int(clamping: max(mean, 0).squareRoot() * Double(Self.binCount)), Self.binCount - 1)
          blocks[bin].append(variance)
          means[bin] += mean
        }
      }
    }
    var system = (sumWeight: 0.0, sumX: 0.0, sumXX: 0.0, sumY: 0.0, sumXY: 0.0)
    for bin in 0..<Self.binCount where blocks[bin].count >= 8 {
      let sorted = blocks[bin].sorted()
      let variance = sorted[sorted.count / 5] / Self.lowShare
      guard variance > 0 else { continue }
      let weight = Double(sorted.count).squareRoot() / (variance * variance)
      let x = max(means[bin] / Double(sorted.count), 0)
      system.sumWeight += weight
      system.sumX += weight * x
      system.sumXX += weight * x * x
      system.sumY += weight * variance
      system.sumXY += weight * x * variance
    }
    let determinant = system.sumWeight * system.sumXX - system.sumX * system.sumX
    guard system.sumWeight > 0 else {
      (slope, offset) = (0, 0)
      return
    }
    let fitted =
      determinant > 1e-9 * system.sumWeight * system.sumXX
      ? (system.sumWeight * system.sumXY - system.sumX * system.sumY) / determinant
      : system.sumX > 0 ? system.sumY / system.sumX : 0
    slope = max(fitted, 0)
    offset = max((system.sumY - slope * system.sumX) / system.sumWeight, 0)
  }

  private static let binCount = 24
  /// The 20th percentile of a mean of 16 squares of unit noise.
  private static let lowShare = 0.697

  /// Mean and noise variance of a block.
  private static func block(_ plane: Plane<Float>, _ x: Int, _ y: Int) -> (Double, Double) {
    var (sum, squares): (Float, Float) = (0, 0)
    for dy in stride(from: 0, to: 8, by: 2) {
      let (top, bottom) = (plane.row(y + dy), plane.row(y + dy + 1))
      for dx in stride(from: 0, to: 8, by: 2) {
        let (a, b) = (top[x + dx], top[x + dx + 1])
        let (c, d) = (bottom[x + dx], bottom[x + dx + 1])
        sum += a + b + c + d
        let difference = (a - b - c + d) / 2
        squares += difference * difference
      }
    }
    return (Double(sum) / 64, Double(squares) / 16)
  }
}
