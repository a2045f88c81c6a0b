// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// SMPTE ST 2094-50 metadata, evaluated for one display.
package struct AdaptedGain: Hashable, Sendable {
  /// The primaries in which the gains apply.
  package let primaries: ColorPrimaries
  package let displayPeak: Double
  let parts: [Part]
  let baselinePeak: Double

  /// The weighted gains of one alternate.
  struct Part: Hashable, Sendable {
    var weight: Double
    var mixing: AdaptiveToneMap.ComponentMixing
    var curve: AdaptiveToneMap.GainCurve
  }

  init(_ toneMap: AdaptiveToneMap, for display: Headroom) {
    primaries = toneMap.primaries
    displayPeak = max(display.ratio, 1)
    baselinePeak = toneMap.baselineHeadroom.ratio
    let alternates = toneMap.alternates
    parts = toneMap.shares(for: display).map { share in
      let alternate = alternates[share.alternate]
      return Part(weight: share.weight, mixing: alternate.mixing, curve: alternate.curve)
    }
  }

  /// Gains of the three components of a color, in stops.
  package func stops(for color: SIMD3<Double>) -> SIMD3<Double> {
    parts.reduce(.zero) { sum, part in
      sum + part.mixing.mixed(color).map(part.curve.gain) * part.weight
    }
  }
}

extension AdaptedGain: HeadroomMapping {
  /// Whether the display shows the baseline image unchanged.
  ///
  /// This depends on the metadata: a display of more headroom than the baseline may show another
  /// image, and without alternates every display shows the baseline.
  package var isIdentity: Bool { parts.isEmpty }

  /// Maps a linear color for the display.
  ///
  /// - Parameter color: Red, green, blue in `primaries`, 1.0 for reference white. NaN becomes 0,
  ///   infinite values the baseline's peak.
  /// - Returns: The color; above the display's peak if the metadata does not limit it.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let color = color.finite(infinity: baselinePeak)
    return color * stops(for: color).map { exp2($0) }
  }

  /// The baseline's peak.
  package var contentPeak: Double? { baselinePeak }
  package var letsLightPass: Bool { true }

  /// Alternates with equal component mixing share one gain.
  package func onRows(isBegun: Bool) -> RowToneMap {
    var mixings: [AdaptiveToneMap.ComponentMixing] = []
    for part in parts where !mixings.contains(part.mixing) { mixings.append(part.mixing) }
    return RowToneMap(
      .mixed(
        mixings.map { mixing in
          let parts = parts.filter { $0.mixing == mixing }
          let lights = parts.compactMap { $0.curve.points.first?.light }
          let lowest = min(max(lights.min() ?? 1, 0x1p-12), 1)
          return RowToneMap.MixedGain(
            shared: mixing.coefficients.map { Float($0) }, component: Float(mixing.component),
            gain: SampledFunction(
              octaves: Int(clamping: log2(lowest).rounded(.down))..<8, stepsPerOctave: 1024,
              below: .constant
            ) { light in
              exp2(parts.reduce(0) { $0 + $1.weight * $1.curve.gain(ofLinear: light) })
            })
        }))
  }
}

extension AdaptiveToneMap {
  /// Mixing of three components to the argument of a gain curve.
  ///
  /// M(c) = component c + (red R + green G + blue B + maximum max(R, G, B) + minimum min(R, G, B)),
  /// for each component c. In files, coefficients are 0...1 and add up to 1; here they are not
  /// checked, and all are 0 by default.
  ///
  /// Source: SMPTE ST 2094-50, component mixing function.
  public struct ComponentMixing: Hashable, Sendable {
    /// Weight of red.
    public var red = 0.0
    /// Weight of green.
    public var green = 0.0
    /// Weight of blue.
    public var blue = 0.0
    /// Weight of the largest component.
    public var maximum = 0.0
    /// Weight of the smallest component.
    public var minimum = 0.0
    /// Weight of the component itself.
    public var component = 0.0

    public init(
      red: Double = 0, green: Double = 0, blue: Double = 0, maximum: Double = 0,
      minimum: Double = 0,
      component: Double = 0
    ) {
      self.red = red
      self.green = green
      self.blue = blue
      self.maximum = maximum
      self.minimum = minimum
      self.component = component
    }

    /// The largest component for all three, which preserves hue.
    public static let maximumOnly = ComponentMixing(maximum: 1)
    /// Each component separately.
    public static let componentOnly = ComponentMixing(component: 1)
    /// Half the largest component, half the mean.
    public static let balanced = ComponentMixing(
      red: 1 / 6.0, green: 1 / 6.0, blue: 1 / 6.0, maximum: 0.5)

    /// The six coefficients in the order of the bitstream: red, green, blue, maximum, minimum,
    /// component.
    public var coefficients: [Double] { [red, green, blue, maximum, minimum, component] }

    /// Returns the arguments of the gain curve for a color.
    ///
    /// - Parameter color: Red, green, blue in the primaries of the tone map, 1.0 for reference
    ///   white.
    /// - Returns: Linear values, one for each component.
    public func mixed(_ color: SIMD3<Double>) -> SIMD3<Double> {
      let shared =
        (color * SIMD3(red, green, blue)).sum() + maximum * color.max() + minimum * color.min()
      return color * component + shared
    }
  }
}

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
