/// The default operator: light below a knee stays, light above is rolled off to the display's peak.
///
/// With M the largest component, K the knee, Hc and Hd the headrooms of content and display:
///
///     d = max(M - K, 0)
///     kappa = (Hc - Hd) / ((Hd - K) (Hc - K))
///     f(M) = min(M, K) + d / (1 + kappa d)
///
/// and all three components are multiplied by f(M) / M. The curve starts with slope 1 at the knee,
/// rises everywhere, takes Hc to Hd, rises with Hd, and is the identity once the display has the
/// headroom of the content. Light above Hc is shown at Hd.
public struct RationalShoulder: Hashable, Sendable {
  /// Largest light that is told apart, 1.0 for reference white.
  public let contentPeak: Double
  /// Light that `contentPeak` becomes.
  public let displayPeak: Double
  /// Light up to which nothing changes.
  public let knee: Double
  /// kappa: how fast the slope falls above the knee; 0 for the identity.
  public let curvature: Double

  /// The shoulder from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; taken as 1 if less.
  ///   - display: Headroom of the display, at least 1.
  ///   - kneeShare: The knee as a share of the display's peak, from 0 to less than 1.
  /// - Throws: `.invalidArgument` for a display below reference white and for what is not a number.
  public init(
    content: Headroom, display: Headroom, kneeShare: Double = 0.5
  ) throws(ImageError) {
    let (contentPeak, displayPeak) = (max(content.ratio, 1), display.ratio)
    guard contentPeak.isFinite, displayPeak >= 1, (0..<1).contains(kneeShare) else {
      throw ImageError(
        .invalidArgument,
        "cannot map headroom \(content.ratio) to \(displayPeak) with a knee at \(kneeShare)")
    }
    self.contentPeak = contentPeak
    self.displayPeak = displayPeak
    knee = kneeShare * displayPeak
    curvature =
      contentPeak / displayPeak < 1 + 1e-6
      ? 0 : (contentPeak - displayPeak) / ((displayPeak - knee) * (contentPeak - knee))
  }

  /// Whether the display can show everything, so that nothing changes.
  public var isIdentity: Bool { curvature == 0 }

  /// The curve f: what the largest component of a color becomes.
  public func mapped(_ maximum: Double) -> Double {
    guard !isIdentity, maximum > knee else { return maximum }
    guard maximum < contentPeak else { return displayPeak }
    let excess = maximum - knee
    return knee + excess / (1 + curvature * excess)
  }

  /// What the curve made `mapped` of; the inverse of `mapped(_:)` up to the display's peak.
  public func unmapped(_ mapped: Double) -> Double {
    guard !isIdentity, mapped > knee else { return mapped }
    guard mapped < displayPeak else { return contentPeak }
    let excess = mapped - knee
    return knee + excess / (1 - curvature * excess)
  }

  /// Factor for all components of a color whose largest is `maximum`.
  public func gain(forMaximum maximum: Double) -> Double {
    guard !isIdentity, maximum > knee else { return 1 }
    return mapped(maximum) / maximum
  }

  /// A color of light, mapped.
  ///
  /// - Parameter color: Red, green, blue, 1.0 for reference white. NaN is black, infinite light the
  ///   content's peak.
  /// - Returns: The color with unchanged ratios between its components.
  public func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    var finite = color
    for index in color.indices {
      if color[index].isNaN { finite[index] = 0 }
      if color[index].isInfinite { finite[index] = color[index] < 0 ? -contentPeak : contentPeak }
    }
    return finite * gain(forMaximum: finite.max())
  }
}
