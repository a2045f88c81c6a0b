/// Treatment of colors outside the target's primaries and peak.
public enum GamutMapping: String, Hashable, Sendable, CaseIterable {
  /// `GrayMix`: preserves luminance and approximately hue.
  case soft
  /// Clips each component to 0...peak, which changes hue and luminance.
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
/// With Y the luminance and v a component, r = max((Y - v) / Y) is 1 at the boundary of the
/// primaries and larger outside. A rational shoulder maps 0.9 to 0.9 and the largest r of the
/// source's primaries to 1; below 0.9 it is the identity. If primaries exceed the target's only
/// slightly, such as the red of P3 in BT.2020, the shoulder starts as far inside as they are
/// outside. Colors that are then above the peak are mixed with gray until they reach it.
package struct GrayMix: Hashable, Sendable {
  /// Luminance weights of the target's components.
  public let weights: SIMD3<Double>
  /// The largest r of colors within the source's primaries.
  public let reach: Double
  /// Largest r for which the mapping is the identity.
  public let knee: Double
  /// Rate at which the slope decreases above the knee.
  public let curvature: Double
  /// Linear value of the target's peak.
  public let peak: Double

  /// The knee for source primaries outside the target's.
  private static let softKnee = 0.9

  /// Prepares the mapping from one set of primaries to another.
  ///
  /// - Parameters:
  ///   - source: Primaries that contain the colors; colors outside are mapped to the boundary.
  ///   - target: The primaries of the result.
  ///   - peak: Linear value of the target's peak, 1.0 for reference white.
  public init(from source: ColorPrimaries, to target: ColorPrimaries, peak: Double) {
    weights = target.luminanceWeights
    reach = Self.reach(of: source, in: target)
    self.peak = peak
    // Rounding of matrices can exceed 1 even if no colors are out of gamut.
    let isInside = reach < 1 + 1e-6
    knee = isInside ? 1 : max(Self.softKnee, 2 - reach)
    curvature = isInside ? 0 : (reach - 1) / ((1 - knee) * (reach - knee))
  }

  /// Returns the largest r of colors within `source`, relative to the gray of `target`.
  ///
  /// r is a quotient of linear functions, so its maximum is at a primary.
  public static func reach(of source: ColorPrimaries, in target: ColorPrimaries) -> Double {
    let columns = source.conversion(to: target).transposed
    let weights = target.luminanceWeights
    return (0..<3).map { 1 - columns[row: $0].min() / (columns[row: $0] * weights).sum() }.max()
      ?? 1
  }

  /// Maps a color into the target gamut.
  ///
  /// - Parameter color: Red, green, blue of the target, not limited.
  /// - Returns: The color, with components of 0...peak except for rounding; black if its luminance
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
