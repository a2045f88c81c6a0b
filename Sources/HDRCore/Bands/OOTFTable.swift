// SPDX-License-Identifier: Apache-2.0
/// OOTF of HLG on the reference display: a gain for each pixel that depends on its luminance.
struct OOTFTable: Sendable {
  private let weights: SIMD3<Float>
  private let gain: SampledFunction<Float>

  private init(color: ColorEncoding, octaves: Range<Int>, gain: (Double) -> Double) {
    weights = SIMD3<Float>(color.hlgLuminanceWeights)
    self.gain = SampledFunction(
      octaves: octaves, stepsPerOctave: 256, below: .constant, definition: gain)
  }

  /// Scene-linear values to display-linear values, in units of reference white.
  init(displayFor color: ColorEncoding) {
    let display = HLG.Display.reference
    let peak = display.peakLuminance / color.referenceWhite
    self.init(color: color, octaves: -40..<8) { sceneLuminance in
      HLG.ootf(SIMD3(repeating: sceneLuminance), peak: peak, gamma: display.gamma).x
        / sceneLuminance
    }
  }

  /// Display-linear values, in units of reference white, to scene-linear values.
  init(sceneFor color: ColorEncoding) {
    let display = HLG.Display.reference
    let peak = display.peakLuminance / color.referenceWhite
    self.init(color: color, octaves: color.lightOctaves(-32..<16)) { displayLuminance in
      HLG.inverseOOTF(SIMD3(repeating: displayLuminance), peak: peak, gamma: display.gamma).x
        / displayLuminance
    }
  }

  /// Applies the gain; `scratch` is as wide as the row.
  func apply(to row: inout LinearRow, scratch: inout [Float]) {
    row.luminance(weights, into: &scratch)
    gain.apply(to: &scratch)
    row.multiply(byGain: scratch)
  }
}

extension ColorEncoding {
  /// BT.2100's weights for BT.2020, otherwise those of the primaries, so that luminance is
  /// preserved.
  var hlgLuminanceWeights: SIMD3<Double> {
    primaries == .bt2020 ? HLG.luminanceWeights : primaries.luminanceWeights
  }
}
