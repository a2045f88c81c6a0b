/// How much of a display's headroom a picture may use: `DynamicRange` on Apple's platforms.
public enum DynamicRange: String, Hashable, Sendable, CaseIterable {
  /// Nothing above reference white.
  case standard
  /// At most one stop above, so that the picture sits quietly beside others.
  case constrainedHigh = "constrained-high"
  /// All the display has.
  case high

  /// Headroom that a picture may use on a display of headroom `display`.
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
