// SPDX-License-Identifier: Apache-2.0
internal import Platform

extension AdaptiveToneMap {
  /// A gain in stops as a function of linear values: a piecewise cubic Hermite curve.
  ///
  /// Below the first point the gain is constant; above the last point the output is constant.
  ///
  /// Source: SMPTE ST 2094-50, gain curve function.
  public struct GainCurve: Hashable, Sendable {
    /// A control point.
    public struct Point: Hashable, Sendable {
      /// Linear value, 1.0 for reference white; 0...64 in files.
      public var light: Double
      /// Gain in stops; -6...6 in files.
      public var gain: Double
      /// Derivative of gain with respect to the linear value, in stops.
      public var slope: Double

      public init(light: Double, gain: Double, slope: Double) {
        self.light = light
        self.gain = gain
        self.slope = slope
      }
    }

    /// Between 1 and 32 points whose linear values are finite and do not decrease.
    public let points: [Point]
    /// Whether the slopes are derived from the points, so that a file need not store them.
    public let isPCHIP: Bool

    /// Maximum number of points of a curve.
    public static let pointLimit = 32

    /// Makes a curve through points with given slopes.
    ///
    /// Slopes and the ranges of files are not checked.
    ///
    /// - Parameter points: The points by increasing linear value.
    /// - Throws: `.malformed` without points, with more than 32, with linear values or gains that
    ///   are not finite, or with linear values that decrease.
    public init(_ points: [Point]) throws(ImageError) {
      try Self.check(points)
      self.points = points
      isPCHIP = false
    }

    /// Makes a curve through points that does not overshoot; the points' slopes are ignored.
    ///
    /// Source: SMPTE ST 2094-50, C.3.9; end points limited as in SciPy's PCHIP.
    ///
    /// - Parameter points: The points by increasing linear value.
    /// - Throws: As `init(_:)`.
    public init(pchip points: [Point]) throws(ImageError) {
      try Self.check(points)
      self.points = zip(points, Self.pchipSlopes(points)).map { point, slope in
        Point(light: point.light, gain: point.gain, slope: slope)
      }
      isPCHIP = true
    }

    private static func check(_ points: [Point]) throws(ImageError) {
      guard (1...pointLimit).contains(points.count) else {
        throw ImageError(
          .invalidValue, ["field": "number of points of a gain curve", "value": points.count])
      }
      guard points.allSatisfy({ $0.light.isFinite && $0.gain.isFinite }) else {
        throw ImageError(
          .invalidValue, ["field": "gain curve", "value": "a point that is not finite"])
      }
      guard zip(points, points.dropFirst()).allSatisfy({ $0.light <= $1.light }) else {
        throw ImageError(.invalidValue, ["field": "gain curve", "value": "decreasing luminance"])
      }
    }

    /// Returns the gain in stops at a linear value, 1.0 for reference white.
    ///
    /// - Complexity: O(log n) for n points.
    public func gain(ofLinear linear: Double) -> Double {
      guard let first = points.first, let last = points.last, linear > first.light
      else { return points.first?.gain ?? 0 }
      guard linear < last.light else { return last.gain + log2(last.light / linear) }
      // The last point at or below `linear`; of points at equal values, the later one is used.
      var (low, high) = (0, points.count - 1)
      while high - low > 1 {
        let middle = (low + high) / 2
        if linear < points[middle].light { high = middle } else { low = middle }
      }
      let (left, right) = (points[low], points[high])
      let width = right.light - left.light
      let t = (linear - left.light) / width
      let (leftRise, rightRise) = (left.slope * width, right.slope * width)
      let cubic = 2 * left.gain + leftRise - 2 * right.gain + rightRise
      let square = -3 * left.gain + 3 * right.gain - 2 * leftRise - rightRise
      return ((cubic * t + square) * t + leftRise) * t + left.gain
    }

    /// Slopes for which the curve is monotonic on each interval between points.
    private static func pchipSlopes(_ points: [Point]) -> [Double] {
      // An interval of zero width does not have a secant; the curve is divided there.
      var slopes: [Double] = []
      var start = 0
      for index in points.indices {
        let isEnd = index == points.count - 1 || points[index + 1].light == points[index].light
        guard isEnd else { continue }
        slopes += separateSlopes(Array(points[start...index]))
        start = index + 1
      }
      return slopes
    }

    /// Slopes of points at distinct linear values.
    private static func separateSlopes(_ points: [Point]) -> [Double] {
      let widths = zip(points, points.dropFirst()).map { $1.light - $0.light }
      let secants = zip(zip(points, points.dropFirst()), widths).map {
        ($0.1.gain - $0.0.gain) / $1
      }
      guard let first = secants.first else { return [0] }
      guard secants.count > 1 else { return [first, first] }
      let inner = (1..<secants.count).map { index in
        innerSlope((widths[index - 1], secants[index - 1]), (widths[index], secants[index]))
      }
      let end = secants.count - 1
      return [endSlope((widths[0], secants[0]), (widths[1], secants[1]))] + inner
        + [endSlope((widths[end], secants[end]), (widths[end - 1], secants[end - 1]))]
    }

    private typealias Interval = (width: Double, secant: Double)

    /// The weighted harmonic mean of the secants on both sides.
    private static func innerSlope(_ left: Interval, _ right: Interval) -> Double {
      guard left.secant * right.secant > 0 else { return 0 }
      return 3 * (left.width + right.width) * left.secant * right.secant
        / ((2 * left.width + right.width) * left.secant
          + (left.width + 2 * right.width) * right.secant)
    }

    /// The slope of the parabola through three points, limited.
    private static func endSlope(_ near: Interval, _ next: Interval) -> Double {
      let slope =
        ((2 * near.width + next.width) * near.secant - near.width * next.secant)
        / (near.width + next.width)
      guard slope * near.secant > 0 else { return 0 }
      let isTurning = near.secant * next.secant < 0
      return isTurning && abs(slope) > 3 * abs(near.secant) ? 3 * near.secant : slope
    }
  }
}
