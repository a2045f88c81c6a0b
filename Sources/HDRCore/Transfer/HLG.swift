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

extension HLG {
  /// A display for HLG signals; its values are not checked.
  public struct Display: Hashable, Sendable {
    /// Luminance of full signal, in cd/m².
    public var peakLuminance: Double
    /// Luminance of signal 0, in cd/m²; below `peakLuminance`.
    public var blackLuminance: Double
    /// System gamma: the exponent of the OOTF.
    public var gamma: Double

    /// Makes a display with the system gamma for its peak and surround.
    ///
    /// - Parameters:
    ///   - peakLuminance: Luminance of full signal, in cd/m²; above 0.
    ///   - blackLuminance: Luminance of signal 0, in cd/m².
    ///   - ambientLuminance: Luminance of the surround in cd/m², above 0; by default that of the
    ///     reference viewing environment.
    public init(
      peakLuminance: Double, blackLuminance: Double = 0,
      ambientLuminance: Double = referenceSurround
    ) {
      self.init(
        peakLuminance: peakLuminance, blackLuminance: blackLuminance,
        gamma: systemGamma(peak: peakLuminance, ambient: ambientLuminance))
    }

    /// Makes a display with a given system gamma.
    public init(peakLuminance: Double, blackLuminance: Double = 0, gamma: Double) {
      self.peakLuminance = peakLuminance
      self.blackLuminance = blackLuminance
      self.gamma = gamma
    }

    /// The reference display of HLG images and of conversion to PQ: 1000 cd/m², no black lift,
    /// gamma 1.2.
    ///
    /// Source: BT.2100, table 5, note 5f; BT.2408, section 6.2.
    public static let reference = Display(peakLuminance: 1000)
  }

  /// Luminance of the surround in the reference viewing environment: 5 cd/m².
  ///
  /// Source: BT.2100, table 3.
  public static let referenceSurround = 5.0

  /// System gamma of a display, continuous in its peak.
  ///
  /// In the reference surround this is the formula of BT.2100 in its range of 400...2000 cd/m².
  /// Outside that range, gamma continues from its end at the rate of BT.2390, a factor of 1.111 for
  /// each doubling of the peak. In other surrounds, which only BT.2390 specifies, it is the formula
  /// of BT.2390. The two differ by at most 0.012 in the range and agree at 1000 cd/m².
  ///
  /// Source: BT.2100, table 5, note 5f; Report ITU-R BT.2390.
  ///
  /// - Parameters:
  ///   - peak: Luminance of full signal in cd/m², above 0.
  ///   - ambient: Luminance of the surround in cd/m², above 0.
  /// - Returns: The exponent of the OOTF.
  public static func systemGamma(peak: Double, ambient: Double = referenceSurround) -> Double {
    guard ambient == referenceSurround else { return extendedGamma(peak: peak, ambient: ambient) }
    let nominal = min(max(peak, 400), 2000)
    return nominalGamma(peak: nominal) * pow(1.111, log2(peak / nominal))
  }

  /// System gamma in the reference surround, for peaks of 400...2000 cd/m²; others are not limited.
  ///
  /// Source: BT.2100, table 5, note 5f.
  public static func nominalGamma(peak: Double) -> Double { 1.2 + 0.42 * log10(peak / 1000) }

  /// System gamma for any peak and any surround above 0, both in cd/m².
  ///
  /// Source: Report ITU-R BT.2390.
  public static func extendedGamma(peak: Double, ambient: Double = referenceSurround) -> Double {
    1.2 * pow(1.111, log2(peak / 1000)) * pow(0.98, log2(ambient / referenceSurround))
  }
}

extension HLG {
  /// Returns the display light of `signal` on the reference display, in units of reference white.
  ///
  /// Without black lift and clipping, so that signals outside 0...1 are preserved.
  ///
  /// - Parameters:
  ///   - signal: Red, green, blue.
  ///   - referenceWhite: Luminance of 1.0 in the result, in cd/m².
  ///   - weights: Luminance weight of each component; by default those of BT.2020.
  /// - Returns: Display light, 1.0 for reference white; black if its luminance is not above 0.
  public static func linearValue(
    ofSignal signal: SIMD3<Double>, referenceWhite: Double,
    weights: SIMD3<Double> = luminanceWeights
  ) -> SIMD3<Double> {
    let display = Display.reference
    let light = ootf(
      inverseOETF(signal), peak: display.peakLuminance, gamma: display.gamma, weights: weights)
    return light / referenceWhite
  }

  /// Returns the signal for display light `light` on the reference display.
  ///
  /// A saturated color can require signal above 1 although its components do not exceed the peak:
  /// pure BT.2020 blue at 1000 cd/m² requires 1.09.
  ///
  /// - Parameters:
  ///   - light: Red, green, blue in units of reference white.
  ///   - referenceWhite: Luminance of 1.0 in `light`, in cd/m².
  ///   - weights: Luminance weight of each component; by default those of BT.2020.
  /// - Returns: Red, green, blue signal; that of black if the luminance of `light` is not above 0.
  public static func signal(
    ofLinear light: SIMD3<Double>, referenceWhite: Double,
    weights: SIMD3<Double> = luminanceWeights
  ) -> SIMD3<Double> {
    let display = Display.reference
    return oetf(
      inverseOOTF(
        light * referenceWhite, peak: display.peakLuminance, gamma: display.gamma,
        weights: weights))
  }

  /// Returns the PQ signal with the display light of `signal`, in BT.2020, on the reference
  /// display.
  ///
  /// The conversion is lossless: HLG in range does not exceed 1000 cd/m², PQ signal 0.7518.
  ///
  /// Source: BT.2408, section 6.2.
  public static func pqSignal(ofHLG signal: SIMD3<Double>) -> SIMD3<Double> {
    let luminance = linearValue(ofSignal: signal, referenceWhite: 1)
    return SIMD3(
      PQ.inverseEOTF(luminance.x), PQ.inverseEOTF(luminance.y), PQ.inverseEOTF(luminance.z))
  }

  /// Returns the HLG signal with the display light of the PQ signal `signal`, in BT.2020.
  ///
  /// Luminances above 1000 cd/m² must be tone mapped before; this function returns signal above 1.
  ///
  /// Source: BT.2408, sections 6.3 and 6.4.
  public static func hlgSignal(ofPQ signal: SIMD3<Double>) -> SIMD3<Double> {
    let luminance = SIMD3(PQ.eotf(signal.x), PQ.eotf(signal.y), PQ.eotf(signal.z))
    return HLG.signal(ofLinear: luminance, referenceWhite: 1)
  }
}
