internal import Foundation

/// Hybrid log-gamma.
///
/// The camera's curve works on each component; the display's OOTF raises luminance to the system
/// gamma and so mixes the components. Colors are red, green, blue in BT.2020 primaries unless
/// `weights` says otherwise.
///
/// Source: Recommendation ITU-R BT.2100, table 5; system gamma outside 400...2000 cd/m² and for
/// other surrounds Report ITU-R BT.2390.
public enum HLG {
  /// Share of red, green and blue in luminance, in the four digits that BT.2100 prints.
  public static let luminanceWeights = SIMD3(0.2627, 0.6780, 0.0593)

  // MARK: Camera

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
  /// - Parameter signal: Nonlinear signal; odd symmetry below 0, continued above 1, where
  ///   narrow-range overshoots of 109 % mean scene light of 1.64.
  /// - Returns: Scene light, 1.0 for full signal.
  public static func inverseOETF(_ signal: Double) -> Double {
    let size = abs(signal)
    let scene = size <= 0.5 ? size * size / 3 : (exp((size - c) / a) + b) / 12
    return signal < 0 ? -scene : scene
  }

  /// The camera's curve on each component.
  public static func oetf(_ scene: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(oetf(scene.x), oetf(scene.y), oetf(scene.z))
  }

  /// The inverse of the camera's curve on each component.
  public static func inverseOETF(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(inverseOETF(signal.x), inverseOETF(signal.y), inverseOETF(signal.z))
  }

  // MARK: Display

  /// Light that a display shows for scene light.
  ///
  /// - Parameters:
  ///   - scene: Scene light, 1.0 for full signal.
  ///   - peak: Luminance of scene light 1.0, cd/m².
  ///   - gamma: System gamma.
  ///   - weights: Share of each component in luminance; for other primaries than BT.2020,
  ///     their `luminanceWeights`.
  /// - Returns: Display light in cd/m²; black where the scene's luminance is not above 0.
  public static func ootf(
    _ scene: SIMD3<Double>, peak: Double, gamma: Double,
    weights: SIMD3<Double> = luminanceWeights
  ) -> SIMD3<Double> {
    let luminance = (scene * weights).sum()
    guard luminance > 0 else { return .zero }
    return peak * pow(luminance, gamma - 1) * scene
  }

  /// Scene light for which a display shows `display`.
  ///
  /// - Parameters:
  ///   - display: Display light, cd/m².
  ///   - peak: Luminance of scene light 1.0, cd/m².
  ///   - gamma: System gamma.
  ///   - weights: Share of each component in luminance.
  /// - Returns: Scene light; black where the luminance of `display` is not above 0.
  public static func inverseOOTF(
    _ display: SIMD3<Double>, peak: Double, gamma: Double,
    weights: SIMD3<Double> = luminanceWeights
  ) -> SIMD3<Double> {
    let light = display / peak
    let luminance = (light * weights).sum()
    guard luminance > 0 else { return .zero }
    return pow(luminance, (1 - gamma) / gamma) * light
  }

  /// Light in cd/m² that `display` shows for `signal`, with its black lifted.
  ///
  /// As in the standard, lifted signals below 0 are 0: this is what a display does.
  /// `light(ofSignal:)` keeps them.
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
