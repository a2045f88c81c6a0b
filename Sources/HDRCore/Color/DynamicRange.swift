/// How much of a display's headroom an image may use: `DynamicRange` on Apple's platforms.
public enum DynamicRange: String, Hashable, Sendable, CaseIterable {
  /// Nothing above reference white.
  case standard
  /// At most one stop above, so that the image is not too bright next to others.
  case constrainedHigh = "constrained-high"
  /// All headroom of the display.
  case high

  /// Headroom that an image may use on a display of headroom `display`.
  ///
  /// Source: `constrainedHigh` as Chromium and CSS Color HDR have it, min(2, display).
  public func headroom(on display: Headroom) -> Headroom {
    switch self {
    case .standard: .standard
    case .constrainedHigh: Headroom(stops: min(max(display.stops, 0), 1))
    case .high: Headroom(stops: max(display.stops, 0))
    }
  }
}

extension DynamicRange {
  /// A level between the three of `DynamicRange`, for transitions: their headrooms are mixed in stops.
  ///
  /// Source: CSS Color HDR, `dynamic-range-limit-mix()`; Chromium.
  public struct Mix: Hashable, Sendable {
    private let weights: [DynamicRange: Double]

    /// One level alone.
    public init(_ level: DynamicRange) { weights = [level: 1] }

    /// A mixture of levels.
    ///
    /// - Parameters:
    ///   - standard: Share of `standard`, not below 0.
    ///   - constrainedHigh: Share of `constrainedHigh`.
    ///   - high: Share of `high`.
    /// - Throws: `.invalidArgument` for shares below 0, of which none is above 0, or that are no numbers.
    ///
    /// Only the ratios of the shares matter.
    public init(
      standard: Double = 0, constrainedHigh: Double = 0, high: Double = 0
    ) throws(ImageError) {
      let sum = standard + constrainedHigh + high
      guard min(standard, constrainedHigh, high) >= 0, sum > 0, sum.isFinite else {
        throw ImageError(
          .dynamicRangeMixInvalid,
          ["standard": standard, "constrainedHigh": constrainedHigh, "high": high])
      }
      weights = [
        .standard: standard / sum, .constrainedHigh: constrainedHigh / sum, .high: high / sum,
      ]
    }

    /// Headroom that an image may use on a display of headroom `display`.
    public func headroom(on display: Headroom) -> Headroom {
      Headroom(
        stops: DynamicRange.allCases.reduce(0) { stops, level in
          stops + (weights[level] ?? 0) * level.headroom(on: display).stops
        })
    }
  }
}
