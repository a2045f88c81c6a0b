// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels
internal import Platform

/// Transfer functions in the form of the row kernels.
///
/// For HLG these are the OETF and its inverse, between signal and scene light; the OOTF between
/// scene light and display light is `OOTFTable`.
extension ColorEncoding {
  /// Signals reach 16 in float files with a gamma; PQ ends at `PQ.maximumSignal`.
  private static let signalOctaves = -16..<4
  /// Linear values from far below the first 16-bit code of any curve to far above white.
  private static let lightOctaves = -36..<8
  /// Luminances from far below the first 16-bit code of PQ to its peak, cd/m².
  private static let luminanceOctaves = -28..<14

  /// Curves from signal to linear values that a conversion needs.
  ///
  /// - Parameters:
  ///   - format: Layout of the samples; integers are never far beyond 1.
  ///   - function: Function of the linear value, applied in the same step.
  /// - Returns: No curves if the signal is linear, one for all components, or one for each.
  func curvesToLight(
    from format: ImageLayout, followedBy function: (@Sendable (Double) -> Double)?
  ) -> [ComponentCurve] {
    if transfer == .srgb, !format.isFloatingPoint, function == nil { return [.srgbToLight] }
    // Full range does not have codes above 1. Larger values come from dividing rounded codes by
    // alpha; displays clip them.
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

  /// Curves from linear values to signal that a conversion needs.
  ///
  /// - Parameter format: Layout of the samples; for integers, linear values are in range.
  /// - Returns: No curves if the signal is linear, one for all components, or one for each.
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

  /// Octaves of linear values, in units of reference white, that contain octaves of luminance in
  /// cd/m².
  func lightOctaves(_ luminance: Range<Int>) -> Range<Int> {
    // Outside this range linear values do not fit single precision.
    let white = min(max(log2(referenceWhite), -64), 64)
    return luminance.lowerBound - Int(clamping: white.rounded(.up))..<luminance.upperBound
      - Int(clamping: white.rounded(.down))
  }

  /// Linear value of a component of signal; scene-linear for HLG.
  func componentLight(ofSignal signal: Double, component: Int) -> Double {
    transfer == .hlg
      ? HLG.inverseOETF(signal)
      : transfer.linearValue(ofSignal: signal, component: component, referenceWhite: referenceWhite)
  }

  /// Signal of a linear component; of a scene-linear one for HLG.
  func componentSignal(ofLight light: Double, component: Int) -> Double {
    transfer == .hlg
      ? HLG.oetf(light)
      : transfer.signal(ofLinear: light, component: component, referenceWhite: referenceWhite)
  }
}

extension TransferFunction {
  /// Samples per octave of signal; the relative error of linear interpolation between them is below
  /// 0.00001.
  fileprivate var stepsPerSignalOctave: Int {
    switch self {
    case .srgb, .bt1886, .gamma: 256
    default: 1024
    }
  }

  /// The components that need separate curves: none, one for all three, or three.
  fileprivate var componentsThatDiffer: Range<Int> {
    switch self {
    case .linear: 0..<0
    case .sampled: 0..<3
    default: 0..<1
    }
  }
}

/// A function of one component, in the form of the row kernels.
enum ComponentCurve: Sendable {
  case sampled(SampledFunction<Float>)
  /// `SRGB.eotf`, for signals from -4 to 4; other signals are clamped.
  case srgbToLight
  /// `SRGB.inverseEOTF`, for linear values from 0 to 1; other values are clamped.
  case lightToSRGB

  func apply(to row: inout [Float]) {
    switch self {
    case .sampled(let function): function.apply(to: &row)
    case .srgbToLight: unsafe Self.apply(pk_srgb_to_light, to: &row)
    case .lightToSRGB: unsafe Self.apply(pk_light_to_srgb, to: &row)
    }
  }

  private static func apply(
    _ kernel: (UnsafeMutablePointer<Float>, Int) -> Void, to row: inout [Float]
  ) {
    unsafe row.withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return }
      // SAFETY: the kernel touches exactly `count` elements.
      unsafe kernel(start, row.count)
    }
  }
}
