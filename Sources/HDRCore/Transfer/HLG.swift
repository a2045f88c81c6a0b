// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Hybrid log-gamma.
///
/// The OETF applies to each component; the OOTF of the display raises luminance to the system gamma
/// and therefore mixes the components. Colors are red, green, blue in BT.2020 primaries unless
/// `weights` specifies otherwise.
///
/// Source: Recommendation ITU-R BT.2100, table 5; system gamma outside 400...2000 cd/m² and for
/// other surrounds Report ITU-R BT.2390.
public enum HLG {
  /// Luminance weights of red, green and blue of BT.2020, with four digits as in BT.2100.
  public static let luminanceWeights = SIMD3(0.2627, 0.6780, 0.0593)

  // MARK: OETF

  /// Signal of one component of scene light.
  ///
  /// - Parameter scene: Scene light, 1.0 for full signal; odd symmetry below 0, continued above 1.
  /// - Returns: Nonlinear signal.
  public static func oetf(_ scene: Double) -> Double {
    let size = abs(scene)
    let signal = size <= 1 / 12.0 ? (3 * size).squareRoot() : a * log(12 * size - b) + c
    return scene < 0 ? -signal : signal
  }

  /// Scene light of one component of signal.
  ///
  /// - Parameter signal: Nonlinear signal; odd symmetry below 0, continued above 1. Narrow-range
  ///   overshoots of 109 % correspond to scene light of 1.64.
  /// - Returns: Scene light, 1.0 for full signal.
  public static func inverseOETF(_ signal: Double) -> Double {
    let size = abs(signal)
    let scene = size <= 0.5 ? size * size / 3 : (exp((size - c) / a) + b) / 12
    return signal < 0 ? -scene : scene
  }

  /// The OETF of each component.
  public static func oetf(_ scene: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(oetf(scene.x), oetf(scene.y), oetf(scene.z))
  }

  /// The inverse OETF of each component.
  public static func inverseOETF(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(inverseOETF(signal.x), inverseOETF(signal.y), inverseOETF(signal.z))
  }

  // MARK: OOTF and EOTF

  /// Returns the display light for scene light.
  ///
  /// - Parameters:
  ///   - scene: Scene light, 1.0 for full signal.
  ///   - peak: Luminance of scene light 1.0, in cd/m².
  ///   - gamma: System gamma, such as `systemGamma(peak:ambient:)`.
  ///   - weights: Luminance weight of each component; for primaries other than BT.2020, their
  ///     `luminanceWeights`.
  /// - Returns: Display light in cd/m²; black if the luminance of `scene` is not above 0.
  public static func ootf(
    _ scene: SIMD3<Double>, peak: Double, gamma: Double,
    weights: SIMD3<Double> = luminanceWeights
  ) -> SIMD3<Double> {
    let luminance = (scene * weights).sum()
    guard luminance > 0 else { return .zero }
    return peak * pow(luminance, gamma - 1) * scene
  }

  /// Returns the scene light for display light.
  ///
  /// - Parameters:
  ///   - display: Display light, in cd/m².
  ///   - peak: Luminance of scene light 1.0, in cd/m²; above 0.
  ///   - gamma: System gamma, above 0.
  ///   - weights: Luminance weight of each component, as for `ootf(_:peak:gamma:weights:)`.
  /// - Returns: Scene light; black if the luminance of `display` is not above 0.
  public static func inverseOOTF(
    _ display: SIMD3<Double>, peak: Double, gamma: Double,
    weights: SIMD3<Double> = luminanceWeights
  ) -> SIMD3<Double> {
    let light = display / peak
    let luminance = (light * weights).sum()
    guard luminance > 0 else { return .zero }
    return pow(luminance, (1 - gamma) / gamma) * light
  }

  /// Returns the display light for `signal`, with black lift.
  ///
  /// As in the standard, lifted signals below 0 are clipped to 0;
  /// `linearValue(ofSignal:referenceWhite:weights:)` does not clip them.
  ///
  /// - Parameters:
  ///   - signal: Red, green, blue in BT.2020; above 1, the curve continues.
  ///   - display: The display; its peak above 0, its black at least 0 and below the peak.
  /// - Returns: Display light in cd/m².
  public static func eotf(_ signal: SIMD3<Double>, display: Display) -> SIMD3<Double> {
    let beta = (3 * pow(display.blackLuminance / display.peakLuminance, 1 / display.gamma))
      .squareRoot()
    let lifted = (signal * (1 - beta) + beta).clamped(
      lowerBound: .zero, upperBound: SIMD3(repeating: .infinity))
    return ootf(inverseOETF(lifted), peak: display.peakLuminance, gamma: display.gamma)
  }

  private static let a = 0.178_832_77
  private static let b = 1 - 4 * a
  private static let c = 0.5 - a * log(4 * a)
}
