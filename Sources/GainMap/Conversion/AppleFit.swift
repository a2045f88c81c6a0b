// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import Platform

/// Metadata of ISO 21496-1 that approximate an Apple gain map, whose samples stay unchanged.
///
/// The two kinds of curves differ, so there is an error to report.
package struct AppleFit: Hashable, Sendable {
  /// The approximation, without Apple curve.
  package let metadata: GainMapMetadata
  /// Largest difference of the log gain over all 8-bit code values, in stops.
  package let worstError: Double

  /// Largest error of metadata that are written without being asked for, in stops: 9 % of the gain.
  package static let tolerance = 0.125

  /// Fits range and gamma: to the samples of an image within the tolerable error of any sample, else
  /// to all samples alike.
  ///
  /// - Parameters:
  ///   - apple: Metadata of an Apple gain map.
  ///   - counts: Number of samples of each 8-bit code value; `nil` if they are not known.
  /// - Throws: `.invalidArgument` for a headroom that no fraction represents.
  package init(to apple: GainMapMetadata, counts: [Int]? = nil) throws(ImageError) {
    let full = apple.largestGain
    let wanted = Self.samples.map { apple.logGain(ofSample: $0, component: 0) }
    let curve =
      full > 0
      ? counts.flatMap { LogGainCurve(to: wanted, counts: $0) } ?? .minimax(to: wanted, full: full)
      : LogGainCurve(minimum: 0, maximum: full, gamma: 1)
    worstError = curve.worstError(from: wanted)
    let line = try apple.withoutAppleCurve()
    guard let minimum = SignedRational(approximating: curve.minimum),
      let maximum = SignedRational(approximating: curve.maximum),
      let gamma = UnsignedRational(approximating: curve.gamma)
    else {
      throw ImageError(.gainMapHeadroomNotRepresentable, ["stops": full])
    }
    metadata = GainMapMetadata(
      unchecked: line.channels.map { channel in
        var channel = channel
        (channel.minimum, channel.maximum, channel.gamma) = (minimum, maximum, gamma)
        return channel
      }, baseHeadroom: line.baseHeadroom, alternateHeadroom: line.alternateHeadroom,
      usesBaseColorSpace: true)
  }

  /// Whether the error is small enough for metadata of the same samples.
  package var isTolerable: Bool { worstError <= Self.tolerance }

  /// All 8-bit samples, 0...1.
  fileprivate static let samples = (0...255).map { Double($0) / 255 }
}

/// Log gain of ISO 21496-1 as a function of the sample.
private struct LogGainCurve {
  var minimum: Double
  var maximum: Double
  var gamma: Double

  /// Four digits suffice for a fit, and are readable.
  private var rounded: LogGainCurve {
    func digits(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }
    return LogGainCurve(
      minimum: digits(minimum), maximum: digits(maximum), gamma: digits(gamma))
  }

  private func errors(from wanted: [Double]) -> [Double] {
    zip(AppleFit.samples, wanted).map { sample, wanted in
      minimum + pow(sample, 1 / gamma) * (maximum - minimum) - wanted
    }
  }

  func worstError(from wanted: [Double]) -> Double {
    errors(from: wanted).reduce(0) { max($0, abs($1)) }
  }

  /// Minimizes the largest error by golden-section search over gamma; sample 0 has no gain.
  static func minimax(to wanted: [Double], full: Double) -> LogGainCurve {
    func curve(_ gamma: Double) -> LogGainCurve {
      LogGainCurve(minimum: 0, maximum: full, gamma: gamma)
    }
    let gamma = leastArgument(in: gammas) { curve($0).worstError(from: wanted) }
    var rounded = curve(gamma).rounded
    rounded.maximum = full
    return rounded
  }

  /// Minimizes the mean squared error over the samples of an image.
  ///
  /// The weights of code values with more than the tolerable error grow until none is left; `nil` if
  /// some remain.
  init?(to wanted: [Double], counts: [Int]) {
    let total = counts.reduce(0, +)
    guard counts.count == wanted.count, total > 0 else { return nil }
    let shares = counts.map { count in
      (1 - Self.evenShare) * Double(count) / Double(total) + Self.evenShare / Double(counts.count)
    }
    // Rounding to four digits moves a sample by less than this.
    let limit = AppleFit.tolerance - 1e-3
    var weights = shares
    for _ in 0..<Self.largestRoundCount {
      let gamma = leastArgument(in: Self.gammas) { gamma in
        let errors = Self.leastSquares(to: wanted, weights, gamma: gamma).errors(from: wanted)
        return zip(weights, errors).reduce(0) { $0 + $1.0 * $1.1 * $1.1 }
      }
      let curve = Self.leastSquares(to: wanted, weights, gamma: gamma)
      let errors = curve.errors(from: wanted)
      guard errors.contains(where: { abs($0) > limit }) else {
        self = curve.rounded
        return
      }
      for (code, error) in errors.enumerated() where abs(error) > limit {
        weights[code] += weights[code] + Self.weightStep
      }
    }
    return nil
  }

  init(minimum: Double, maximum: Double, gamma: Double) {
    (self.minimum, self.maximum, self.gamma) = (minimum, maximum, gamma)
  }

  /// Returns the range with the least sum of weighted squares for a gamma.
  private static func leastSquares(
    to wanted: [Double], _ weights: [Double], gamma: Double
  ) -> LogGainCurve {
    var sums = (weight: 0.0, x: 0.0, xx: 0.0, y: 0.0, xy: 0.0)
    for (code, weight) in weights.enumerated() {
      let (x, y) = (pow(AppleFit.samples[code], 1 / gamma), wanted[code])
      sums.weight += weight
      sums.x += weight * x
      sums.xx += weight * x * x
      sums.y += weight * y
      sums.xy += weight * x * y
    }
    // Even weights keep the determinant above zero.
    let slope =
      (sums.weight * sums.xy - sums.x * sums.y) / (sums.weight * sums.xx - sums.x * sums.x)
    let minimum = (sums.y - slope * sums.x) / sums.weight
    return LogGainCurve(minimum: minimum, maximum: minimum + slope, gamma: gamma)
  }

  /// From below what the smallest headroom needs to above what 64 stops need.
  private static let gammas = 0.3...6
  /// Share of the weight that all code values have alike, for samples that coding changes.
  private static let evenShare = 0.02
  /// Added, after doubling, to the weight of a code value with too large an error.
  private static let weightStep = 0.01
  private static let largestRoundCount = 40
}

/// Returns the minimum in `range` of a function with one minimum, by golden-section search.
private func leastArgument(
  in range: ClosedRange<Double>, _ function: (Double) -> Double
) -> Double {
  let golden = (5.0.squareRoot() - 1) / 2
  var (low, high) = (range.lowerBound, range.upperBound)
  var (left, right) = (high - golden * (high - low), low + golden * (high - low))
  var (atLeft, atRight) = (function(left), function(right))
  while high - low > 1e-7 {
    if atLeft < atRight {
      (high, right, atRight) = (right, left, atLeft)
      left = high - golden * (high - low)
      atLeft = function(left)
    } else {
      (low, left, atLeft) = (left, right, atRight)
      right = low + golden * (high - low)
      atRight = function(right)
    }
  }
  return (low + high) / 2
}
