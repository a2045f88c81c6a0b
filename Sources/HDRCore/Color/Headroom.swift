// SPDX-License-Identifier: Apache-2.0
internal import Platform

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
