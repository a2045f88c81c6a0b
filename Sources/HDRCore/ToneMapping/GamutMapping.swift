/// Treatment of colors outside the target's primaries and peak.
public enum GamutMapping: String, Hashable, Sendable, CaseIterable {
  /// `GrayMix`: keeps luminance and, nearly, hue.
  case soft
  /// Each component is cut off at 0 and at the peak: nearest color, but hue and luminance move.
  case clip

  /// A short description of the effect.
  public var summary: String {
    switch self {
    case .soft: "mixes them with gray"
    case .clip: "clips each component"
    }
  }
}

/// Gamut mapping by mixing colors with the gray of their luminance.
///
/// With Y the luminance and v a component, r = max((Y - v) / Y) is 1 on the boundary of the
/// primaries and more outside. A rational shoulder takes 0.9 and the largest r of the source's
/// primaries to 0.9 and 1; below, nothing changes. Of primaries that reach hardly beyond the
/// target's, as P3's red does beyond BT.2020, the shoulder starts as far inside as they reach out.
/// Colors that are then above the peak are mixed with gray until they are not.
package struct GrayMix: Hashable, Sendable {
  /// Share of each component of the target in luminance.
  public let weights: SIMD3<Double>
  /// The largest r of colors within the source's primaries.
  public let reach: Double
  /// r up to which nothing changes.
  public let knee: Double
  /// How fast the slope falls above the knee.
  public let curvature: Double
  /// Light that the target's peak shows.
  public let peak: Double

  /// The knee where the source's primaries reach beyond the target's.
  private static let softKnee = 0.9

  /// The mapping from one set of primaries to another.
  ///
  /// - Parameters:
  ///   - source: The primaries that hold the colors; beyond them all colors end on the boundary.
  ///   - target: The primaries of the result.
  ///   - peak: Light that the target's peak shows, 1.0 for reference white.
  public init(from source: ColorPrimaries, to target: ColorPrimaries, peak: Double) {
    weights = target.luminanceWeights
    reach = Self.reach(of: source, in: target)
    self.peak = peak
    // The same primaries through another set's matrices: no colors outside, but rounding.
    let isInside = reach < 1 + 1e-6
    knee = isInside ? 1 : max(Self.softKnee, 2 - reach)
    curvature = isInside ? 0 : (reach - 1) / ((1 - knee) * (reach - knee))
  }

  /// The largest r of colors within `source`, from the gray of `target`.
  ///
  /// r is a quotient of linear functions, so it is largest at a primary.
  public static func reach(of source: ColorPrimaries, in target: ColorPrimaries) -> Double {
    let columns = source.conversion(to: target).transposed
    let weights = target.luminanceWeights
    return (0..<3).map { 1 - columns[row: $0].min() / (columns[row: $0] * weights).sum() }.max()
      ?? 1
  }

  /// A color within the target.
  ///
  /// - Parameter color: Red, green, blue of the target, not limited.
  /// - Returns: The color, with components of 0...peak but for rounding; black where its luminance
  ///   is not above 0.
  public func mapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let gray = min((color * weights).sum(), peak)
    guard gray > 0 else { return .zero }
    let ratio = (gray - color.min()) / gray
    let inside = ratio > knee ? gray + (color - gray) * (shoulder(ratio) / ratio) : color
    let brightest = inside.max()
    guard brightest > peak else { return inside }
    return gray + (inside - gray) * ((peak - gray) / (brightest - gray))
  }

  private func shoulder(_ ratio: Double) -> Double {
    guard ratio < reach else { return 1 }
    let excess = ratio - knee
    return knee + excess / (1 + curvature * excess)
  }
}
