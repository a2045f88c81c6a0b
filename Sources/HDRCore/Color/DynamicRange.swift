// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Share of a display's headroom that an image may use: `DynamicRange` on Apple platforms.
public enum DynamicRange: String, Hashable, Sendable, CaseIterable {
  /// Limited to reference white.
  case standard
  /// At most one stop above reference white, so that the image is not too bright next to others.
  case constrainedHigh = "constrained-high"
  /// The entire headroom of the display.
  case high

  /// Headroom that an image may use on a display with headroom `display`.
  ///
  /// A display below 0 stops counts as one of 0. The limit of `constrainedHigh`, a ratio of 2, is
  /// that of Chromium; CSS Color HDR and Apple do not specify a number.
  ///
  /// - Parameter display: Headroom of the display.
  /// - Returns: At least 0 stops.
  public func headroom(on display: Headroom) -> Headroom {
    switch self {
    case .standard: .standard
    case .constrainedHigh: Headroom(stops: min(max(display.stops, 0), 1))
    case .high: Headroom(stops: max(display.stops, 0))
    }
  }
}

extension DynamicRange {
  /// A level between those of `DynamicRange`, for transitions: a mean of their headrooms in stops.
  ///
  /// Source: CSS Color HDR, `dynamic-range-limit-mix()`; Chromium.
  public struct Mix: Hashable, Sendable {
    private let weights: [DynamicRange: Double]

    /// A single level.
    public init(_ level: DynamicRange) { weights = [level: 1] }

    /// A mixture of levels.
    ///
    /// Only the ratios of the shares matter.
    ///
    /// - Parameters:
    ///   - standard: Share of `standard`, not below 0.
    ///   - constrainedHigh: Share of `constrainedHigh`, not below 0.
    ///   - high: Share of `high`, not below 0.
    /// - Throws: `.invalidArgument` if a share is negative or not finite, or if all are 0.
    public init(
      standard: Double = 0, constrainedHigh: Double = 0, high: Double = 0
    ) throws(ImageError) {
      let sum = standard + constrainedHigh + high
      guard min(standard, constrainedHigh, high) >= 0, sum > 0, sum.isFinite else {
        throw ImageError(
          .invalidArgument,
          "invalid mix of dynamic ranges: standard {standard}, constrained high "
            + "{constrainedHigh}, high {high}",
          ["standard": standard, "constrainedHigh": constrainedHigh, "high": high])
      }
      weights = [
        .standard: standard / sum, .constrainedHigh: constrainedHigh / sum, .high: high / sum,
      ]
    }

    /// Headroom that an image may use on a display with headroom `display`; at least 0 stops.
    public func headroom(on display: Headroom) -> Headroom {
      Headroom(
        stops: DynamicRange.allCases.reduce(0) { stops, level in
          stops + (weights[level] ?? 0) * level.headroom(on: display).stops
        })
    }
  }
}

/// Ratio of peak luminance to reference white, stored as its base-2 logarithm.
///
/// Functions state which headrooms they accept; most require at least 0 stops.
public struct Headroom: Hashable, Sendable {
  /// Base-2 logarithm of the ratio; 0 for a display or image without headroom.
  public var stops: Double
  /// Ratio of peak luminance to reference white.
  public var ratio: Double { exp2(stops) }

  public init(stops: Double) { self.stops = stops }
  /// Headroom of a ratio above 0; 0 and negative ratios have infinite or undefined stops.
  public init(ratio: Double) { self.stops = log2(ratio) }

  /// Standard dynamic range: the peak is reference white.
  public static let standard = Headroom(stops: 0)
}
