extension HLG {
  /// Display light of `signal` on the reference display, in units of reference white.
  ///
  /// No black lift and no clamp: signals outside 0...1 keep their meaning.
  ///
  /// - Parameters:
  ///   - signal: Red, green, blue.
  ///   - referenceWhite: Luminance of 1.0 in the result, cd/m².
  ///   - weights: Share of each component in luminance; BT.2020's unless given.
  /// - Returns: Display light, 1.0 for reference white; black where its luminance is not above 0.
  public static func light(
    ofSignal signal: SIMD3<Double>, referenceWhite: Double,
    weights: SIMD3<Double> = luminanceWeights
  ) -> SIMD3<Double> {
    let display = Display.reference
    let light = ootf(
      inverseOETF(signal), peak: display.peakLuminance, gamma: display.gamma, weights: weights)
    return light / referenceWhite
  }

  /// Signal for which the reference display shows `light`, in units of reference white.
  ///
  /// A saturated color can need signal above 1 though none of its components exceeds the peak:
  /// pure BT.2020 blue at 1000 cd/m² needs 1.09.
  ///
  /// - Parameters:
  ///   - light: Red, green, blue.
  ///   - referenceWhite: Luminance of 1.0 in `light`, cd/m².
  ///   - weights: Share of each component in luminance; BT.2020's unless given.
  /// - Returns: Red, green, blue signal; that of black where the luminance of `light` is not above
  ///   0.
  public static func signal(
    ofLight light: SIMD3<Double>, referenceWhite: Double,
    weights: SIMD3<Double> = luminanceWeights
  ) -> SIMD3<Double> {
    let display = Display.reference
    return oetf(
      inverseOOTF(
        light * referenceWhite, peak: display.peakLuminance, gamma: display.gamma,
        weights: weights))
  }

  /// PQ signal that makes the same light as `signal` does on the reference display.
  ///
  /// Nothing is lost: in-range HLG never exceeds 1000 cd/m², PQ signal 0.7518.
  ///
  /// Source: BT.2408, section 6.2.
  public static func pqSignal(ofHLG signal: SIMD3<Double>) -> SIMD3<Double> {
    let luminance = light(ofSignal: signal, referenceWhite: 1)
    return SIMD3(
      PQ.inverseEOTF(luminance.x), PQ.inverseEOTF(luminance.y), PQ.inverseEOTF(luminance.z))
  }

  /// HLG signal that makes the same light on the reference display as `signal` does.
  ///
  /// Light above 1000 cd/m² must be tone mapped before; here it only gives signal above 1.
  ///
  /// Source: BT.2408, sections 6.3 and 6.4.
  public static func hlgSignal(ofPQ signal: SIMD3<Double>) -> SIMD3<Double> {
    let luminance = SIMD3(PQ.eotf(signal.x), PQ.eotf(signal.y), PQ.eotf(signal.z))
    return HLG.signal(ofLight: luminance, referenceWhite: 1)
  }
}
