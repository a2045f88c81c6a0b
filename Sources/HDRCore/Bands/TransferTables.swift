internal import Foundation

/// A transfer function as the row kernels want it.
///
/// For HLG these are the curves of the camera side, between signal and scene light; the OOTF
/// between scene and display light is `OOTFTable`.
struct TransferTables: Sendable {
  /// Signal to light: none where signal is light, one for all components, or one for each.
  let decoding: [ComponentCurve]
  /// Light to signal, likewise.
  let encoding: [ComponentCurve]

  /// Signals reach up to 16 in float files with a gamma; PQ ends at `PQ.maximumSignal`.
  private static let signalOctaves = -16..<4
  /// Light from far below the first 16-bit code of any curve to far above white.
  private static let lightOctaves = -36..<8
  /// Luminances from far below the first 16-bit code of PQ to its peak, cd/m².
  private static let luminanceOctaves = -28..<14

  /// Samples the curves of `color` that a conversion needs.
  ///
  /// - Parameters:
  ///   - color: The curves.
  ///   - endsAtPeak: Whether PQ and HLG signals above 1 are noise of coding, which displays clip.
  ///   - isCoded: Whether signals come from integers, which are never far beyond 1.
  ///   - function: What light goes through in the same step.
  init(
    decodingOf color: ColorEncoding, endsAtPeak: Bool, isCoded: Bool,
    followedBy function: (@Sendable (Double) -> Double)?
  ) {
    encoding = []
    if color.transfer == .srgb, isCoded, function == nil {
      decoding = [.srgbToLight]
      return
    }
    let largest: Float =
      switch color.transfer {
      case .pq: endsAtPeak ? 1 : Float(PQ.maximumSignal)
      case .hlg where endsAtPeak: 1
      default: .greatestFiniteMagnitude
      }
    decoding = color.transfer.componentsThatDiffer.map { component in
      .sampled(
        SampledFunction(
          octaves: Self.signalOctaves, stepsPerOctave: color.transfer.stepsPerSignalOctave,
          largest: largest
        ) { signal in
          let light = color.componentLight(ofSignal: signal, component: component)
          return function?(light) ?? light
        })
    }
  }

  /// Samples the curves of `color` that a conversion needs.
  ///
  /// - Parameters:
  ///   - color: The curves.
  ///   - isCoded: Whether signals become integers, and light is in their range.
  init(encodingOf color: ColorEncoding, isCoded: Bool) {
    decoding = []
    if color.transfer == .srgb, isCoded {
      encoding = [.lightToSRGB]
      return
    }
    let octaves =
      color.transfer == .pq ? color.lightOctaves(Self.luminanceOctaves) : Self.lightOctaves
    encoding = color.transfer.componentsThatDiffer.map { component in
      .sampled(
        SampledFunction(octaves: octaves, stepsPerOctave: 128) {
          color.componentSignal(ofLight: $0, component: component)
        })
    }
  }
}

extension TransferFunction {
  /// Samples of light in an octave of signal: straight lines between them are off by less than a
  /// hundred-thousandth of the light.
  fileprivate var stepsPerSignalOctave: Int {
    switch self {
    case .srgb, .bt1886, .gamma: 256
    default: 1024
    }
  }

  /// The components that need a curve of their own: none, one for all three, or three.
  fileprivate var componentsThatDiffer: Range<Int> {
    switch self {
    case .linear: 0..<0
    case .sampled: 0..<3
    default: 0..<1
    }
  }
}

extension ColorEncoding {
  /// Octaves of light, in units of reference white, that hold octaves of luminance, cd/m².
  fileprivate func lightOctaves(_ luminance: Range<Int>) -> Range<Int> {
    // Beyond these no light of either kind fits single precision.
    let white = min(max(log2(referenceWhite), -64), 64)
    return luminance.lowerBound - Int(white.rounded(.up))..<luminance.upperBound
      - Int(white.rounded(.down))
  }

  /// Light of a component of signal; scene light for HLG.
  func componentLight(ofSignal signal: Double, component: Int) -> Double {
    transfer == .hlg
      ? HLG.inverseOETF(signal)
      : transfer.light(ofSignal: signal, component: component, referenceWhite: referenceWhite)
  }

  /// Signal of a component of light; of scene light for HLG.
  func componentSignal(ofLight light: Double, component: Int) -> Double {
    transfer == .hlg
      ? HLG.oetf(light)
      : transfer.signal(ofLight: light, component: component, referenceWhite: referenceWhite)
  }
}

/// HLG's OOTF on the reference display: a gain for each pixel that depends on its luminance.
struct OOTFTable: Sendable {
  private let weights: SIMD3<Float>
  private let gain: SampledFunction

  private init(color: ColorEncoding, octaves: Range<Int>, gain: (Double) -> Double) {
    weights = SIMD3<Float>(color.hlgLuminanceWeights)
    self.gain = SampledFunction(
      octaves: octaves, stepsPerOctave: 256, below: .constant, definition: gain)
  }

  /// Scene light to display light, in units of reference white.
  init(displayFor color: ColorEncoding) {
    let display = HLG.Display.reference
    let peak = display.peakLuminance / color.referenceWhite
    self.init(color: color, octaves: -40..<8) { sceneLuminance in
      HLG.ootf(SIMD3(repeating: sceneLuminance), peak: peak, gamma: display.gamma).x
        / sceneLuminance
    }
  }

  /// Display light, in units of reference white, to scene light.
  init(sceneFor color: ColorEncoding) {
    let display = HLG.Display.reference
    let peak = display.peakLuminance / color.referenceWhite
    self.init(color: color, octaves: color.lightOctaves(-32..<16)) { displayLuminance in
      HLG.inverseOOTF(SIMD3(repeating: displayLuminance), peak: peak, gamma: display.gamma).x
        / displayLuminance
    }
  }

  /// Applies the gain; `scratch` is as wide as the row.
  func apply(to row: inout LightRow, scratch: inout [Float]) {
    row.luminance(weights, into: &scratch)
    gain.apply(to: &scratch)
    row.multiply(byGain: scratch)
  }
}

extension ColorEncoding {
  /// BT.2100's weights for BT.2020, else those of the primaries: luminance is the same light.
  var hlgLuminanceWeights: SIMD3<Double> {
    primaries == .bt2020 ? HLG.luminanceWeights : primaries.luminanceWeights
  }
}
