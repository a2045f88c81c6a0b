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
