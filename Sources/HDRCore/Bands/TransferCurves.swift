internal import Foundation

/// Transfer functions as the row kernels want them.
///
/// For HLG these are the curves of the camera side, between signal and scene light; the OOTF
/// between scene and display light is `OOTFTable`.
extension ColorEncoding {
  /// Signals reach up to 16 in float files with a gamma; PQ ends at `PQ.maximumSignal`.
  private static let signalOctaves = -16..<4
  /// Light from far below the first 16-bit code of any curve to far above white.
  private static let lightOctaves = -36..<8
  /// Luminances from far below the first 16-bit code of PQ to its peak, cd/m².
  private static let luminanceOctaves = -28..<14

  /// The curves from signal to light that a conversion needs.
  ///
  /// - Parameters:
  ///   - format: Layout of the samples; integers are never far beyond 1.
  ///   - function: Function of the linear value, applied in the same step.
  /// - Returns: None where signal is light, one for all components, or one for each.
  func curvesToLight(
    from format: ImageLayout, followedBy function: (@Sendable (Double) -> Double)?
  ) -> [ComponentCurve] {
    if transfer == .srgb, !format.isFloatingPoint, function == nil { return [.srgbToLight] }
    // Full range has no codes above 1: what division by coverage makes of rounded codes beyond is
    // noise of coding, which displays clip.
    let endsAtPeak = !format.isFloatingPoint && isFullRange
    let largest: Float =
      switch transfer {
      case .pq: endsAtPeak ? 1 : Float(PQ.maximumSignal)
      case .hlg where endsAtPeak: 1
      default: .greatestFiniteMagnitude
      }
    return transfer.componentsThatDiffer.map { component in
      .sampled(
        SampledFunction(
          octaves: Self.signalOctaves, stepsPerOctave: transfer.stepsPerSignalOctave,
          largest: largest
        ) { signal in
          let light = componentLight(ofSignal: signal, component: component)
          return function?(light) ?? light
        })
    }
  }

  /// The curves from light to signal that a conversion needs.
  ///
  /// - Parameter format: Layout of the samples; for integers, linear values are in range.
  /// - Returns: None where signal is light, one for all components, or one for each.
  func curvesToSignal(in format: ImageLayout) -> [ComponentCurve] {
    if transfer == .srgb, !format.isFloatingPoint { return [.lightToSRGB] }
    let octaves = transfer == .pq ? lightOctaves(Self.luminanceOctaves) : Self.lightOctaves
    return transfer.componentsThatDiffer.map { component in
      .sampled(
        SampledFunction(octaves: octaves, stepsPerOctave: 128) {
          componentSignal(ofLight: $0, component: component)
        })
    }
  }

  /// Octaves of light, in units of reference white, that hold octaves of luminance, cd/m².
  func lightOctaves(_ luminance: Range<Int>) -> Range<Int> {
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
