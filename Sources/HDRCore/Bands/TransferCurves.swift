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

/// Transfer functions of premultiplied alpha that keep luminance without coverage.
///
/// With a linear component p, alpha a and the transfer function E, the signal of a component up to a
/// times the peak is a E(p / a), as readers of premultiplied alpha expect. What exceeds it, e, adds
/// (1 - a) E(e), so that signals do not exceed 1; it is E(p) without coverage, which readers that
/// add the signal to the background show exactly on black. Signals above a are always such pixels.
struct EmissionCurves: Sendable {
  /// Curves of the components, in the direction of the conversion.
  let curves: [ComponentCurve]
  /// Largest value before the curves.
  let peak: Float
  /// Whether the curves yield signals; linear values otherwise.
  let yieldsSignal: Bool

  /// Converts premultiplied values to premultiplied values.
  ///
  /// - Parameter row: A row with alpha.
  func apply(to row: inout LinearRow) {
    var emitted = row
    let (before, after): (Float, Float) = yieldsSignal ? (0, 1) : (1, 0)
    row.red.splitEmission(into: &emitted.red, by: row.alpha, peak: peak, uncovered: before)
    row.green.splitEmission(into: &emitted.green, by: row.alpha, peak: peak, uncovered: before)
    row.blue.splitEmission(into: &emitted.blue, by: row.alpha, peak: peak, uncovered: before)
    row.apply(curves)
    emitted.apply(curves)
    row.red.joinEmission(emitted.red, by: row.alpha, uncovered: after)
    row.green.joinEmission(emitted.green, by: row.alpha, uncovered: after)
    row.blue.joinEmission(emitted.blue, by: row.alpha, uncovered: after)
  }
}

extension ColorEncoding {
  /// Whether premultiplied alpha of this encoding keeps luminance without coverage: PQ of RGB or of
  /// Y'CbCr with constant coefficients.
  var keepsEmission: Bool {
    transfer == .pq
      && (matrix == .identity || YCbCr(matrix: matrix, primaries: primaries) != nil)
  }
}

extension [Float] {
  fileprivate mutating func splitEmission(
    into emitted: inout [Float], by alpha: [Float], peak: Float, uncovered: Float
  ) {
    precondition(emitted.count == count && alpha.count == count)
    // SAFETY: all three rows are `count` long.
    unsafe pk_split_emission(&self, &emitted, alpha, count, peak, uncovered)
  }

  fileprivate mutating func joinEmission(_ emitted: [Float], by alpha: [Float], uncovered: Float) {
    precondition(emitted.count == count && alpha.count == count)
    // SAFETY: all three rows are `count` long.
    unsafe pk_join_emission(&self, emitted, alpha, count, uncovered)
  }
}

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
