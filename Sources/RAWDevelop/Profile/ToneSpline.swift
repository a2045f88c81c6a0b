// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// A natural cubic spline through points.
///
/// Source: DNG 1.7.1, ProfileToneCurve.
struct ToneSpline: Hashable, Sendable {
  private let xs: [Double]
  private let ys: [Double]
  private let secondDerivatives: [Double]

  /// Limit of points, above those of any profile.
  private static let maximumPoints = 1 << 14

  /// - Parameter points: At least two, from left to right.
  init(_ points: [(x: Double, y: Double)]) {
    precondition(points.count >= 2)
    precondition(zip(points, points.dropFirst()).allSatisfy { $0.x < $1.x })
    xs = points.map(\.x)
    ys = points.map(\.y)
    secondDerivatives = Self.secondDerivatives(xs, ys)
  }

  /// Reads a curve; `nil` if the directory has none.
  ///
  /// - Throws: `.malformed` for points without a curve.
  init?(_ directory: DNGDirectory) throws(ImageError) {
    let tag = TIFFTag.profileToneCurve
    guard let numbers = try directory.numbers(tag, atMost: 2 * Self.maximumPoints) else {
      return nil
    }
    let points = stride(from: 0, to: numbers.count - 1, by: 2).map {
      (numbers[$0], numbers[$0 + 1])
    }
    guard numbers.count >= 4, numbers.count % 2 == 0,
      zip(points, points.dropFirst()).allSatisfy({ $1.0 - $0.0 > 1e-9 }),
      numbers.allSatisfy({ abs($0) <= 1e6 })
    else {
      throw directory.error(
        .invalidValue, tag, ["field": "tone curve", "value": "\(numbers.count) numbers"])
    }
    self.init(points)
  }

  var pointCount: Int { xs.count }

  /// Pairs of coordinates, from left to right.
  var points: [Double] { zip(xs, ys).flatMap { [$0, $1] } }

  /// The curve at `x`; linear beyond the last point, constant before the first.
  func callAsFunction(_ x: Double) -> Double {
    let last = xs.count - 1
    guard x > xs[0] else { return ys[0] }
    guard x < xs[last] else { return ys[last] + endSlope * (x - xs[last]) }
    var (low, high) = (0, last)
    while high - low > 1 {
      let middle = (low + high) / 2
      if xs[middle] <= x { low = middle } else { high = middle }
    }
    let width = xs[high] - xs[low]
    let (a, b) = ((xs[high] - x) / width, (x - xs[low]) / width)
    let bend = (a * a * a - a) * secondDerivatives[low] + (b * b * b - b) * secondDerivatives[high]
    return a * ys[low] + b * ys[high] + bend * width * width / 6
  }

  private var endSlope: Double {
    let last = xs.count - 1
    let width = xs[last] - xs[last - 1]
    return (ys[last] - ys[last - 1]) / width + secondDerivatives[last - 1] * width / 6
  }

  /// Solves the tridiagonal system for continuous slopes.
  private static func secondDerivatives(_ xs: [Double], _ ys: [Double]) -> [Double] {
    let count = xs.count
    var result = [Double](repeating: 0, count: count)
    guard count > 2 else { return result }
    var shares = result
    for i in 1..<count - 1 {
      let (before, after) = (xs[i] - xs[i - 1], xs[i + 1] - xs[i])
      let turn = (ys[i + 1] - ys[i]) / after - (ys[i] - ys[i - 1]) / before
      let pivot = (before + after) / 3 - before / 6 * shares[i - 1]
      shares[i] = after / 6 / pivot
      result[i] = (turn - before / 6 * result[i - 1]) / pivot
    }
    for i in (1..<count - 1).reversed() { result[i] -= shares[i] * result[i + 1] }
    return result
  }
}

extension ToneSpline {
  /// The curve of profiles without one: a film-like S curve.
  ///
  /// Fitted to 500,000 pixels rendered by Adobe's dng_validate: the spline through 31 points with
  /// the least error, below 1e-4 in nearly all pixels.
  static let standard = ToneSpline([
    (0, 0), (0.002, 0.001643), (0.003, 0.002469), (0.004, 0.003205), (0.008, 0.006400),
    (0.012, 0.010432), (0.018, 0.018108), (0.026, 0.030713), (0.031, 0.039565), (0.036, 0.048906),
    (0.05, 0.077096), (0.07, 0.121457), (0.09, 0.169619), (0.105, 0.207844), (0.11, 0.220926),
    (0.115, 0.233970), (0.13, 0.272190), (0.16, 0.343930), (0.2, 0.429367), (0.26, 0.537105),
    (0.34, 0.649675), (0.44, 0.755157), (0.5, 0.804873), (0.515, 0.815999), (0.53, 0.826667),
    (0.545, 0.836893), (0.56, 0.846672), (0.7, 0.920207), (0.85, 0.970894), (0.925, 0.987679),
    (1, 1),
  ])
}
