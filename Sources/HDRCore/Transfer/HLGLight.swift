// SPDX-License-Identifier: Apache-2.0
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
