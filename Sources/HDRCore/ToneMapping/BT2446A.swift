internal import Foundation

/// Method A of BT.2446: HDR to SDR with a film-like, darker look, tuned for SDR in a dim room.
///
/// Works on luma and color differences of a gamma-2.4 signal, so saturation changes with lightness
/// and components may leave the display's range; gamut mapping brings them back.
///
/// The report converts to an SDR of 100 cd/m². For a display with headroom this type takes the same
/// formulas with a peak of 100 cd/m² times the headroom, up to the headroom of the content, from
/// where on nothing changes. The step there is the method's: it does not become the identity.
///
/// Source: Report ITU-R BT.2446, section 4.
package struct BT2446A: HeadroomMapping, Hashable {
  package let range: ToneRange
  private let rhoHDR: Double
  private let rhoSDR: Double

  /// Luminance of the report's SDR white, cd/m².
  package static let standardWhite = 100.0

  /// The operator from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; taken as 1 if less.
  ///   - display: Headroom of the display, at least 1.
  ///   - referenceWhite: Luminance of light 1.0 in the content, cd/m².
  /// - Throws: `.invalidArgument` for a display below reference white and for what is not a number.
  package init(
    content: Headroom, display: Headroom,
    referenceWhite: Double = LightMetadata.defaultDiffuseWhite
  ) throws(ImageError) {
    range = try ToneRange(content: content, display: display)
    rhoHDR = Self.rho(range.contentPeak * referenceWhite)
    rhoSDR = Self.rho(range.displayPeak * Self.standardWhite)
  }

  package var displayPeak: Double { range.displayPeak }
  package var contentPeak: Double? { range.contentPeak }
  package var isIdentity: Bool { range.isIdentity }

  /// Luma for a display.
  ///
  /// - Parameter luma: Luma of the content, 1.0 at its peak; not below 0.
  /// - Returns: Luma of the display, 1.0 at its peak.
  package func luma(ofLuma luma: Double) -> Double {
    self.luma(ofLuma: luma, isAboveStep: luma > step)
  }

  /// The curve as it goes on from one side of its step.
  private func luma(ofLuma luma: Double, isAboveStep: Bool) -> Double {
    let perceptual = log(1 + (rhoHDR - 1) * luma) / log(rhoHDR)
    let compressed =
      switch perceptual {
      case _ where !isAboveStep: 1.0770 * perceptual
      case ..<0.9909: -1.1510 * perceptual * perceptual + 2.7811 * perceptual - 0.6302
      default: 0.5 * perceptual + 0.5
      }
    return (pow(rhoSDR, compressed) - 1) / (rhoSDR - 1)
  }

  /// Luma at which the report's formulas do not meet: by a thousandth of the signal.
  var step: Double { (pow(rhoHDR, 0.7399) - 1) / (rhoHDR - 1) }

  /// Factor that `luma(ofLuma:)` multiplies luma by; its limit at 0.
  func lumaGain(_ luma: Double) -> Double { lumaGain(luma, isAboveStep: luma > step) }

  /// Factor of luma on one side of the step.
  func lumaGain(_ luma: Double, isAboveStep: Bool) -> Double {
    guard luma > 0 else {
      return 1.0770 * log(rhoSDR) / (rhoSDR - 1) * (rhoHDR - 1) / log(rhoHDR)
    }
    return self.luma(ofLuma: luma, isAboveStep: isAboveStep) / luma
  }

  /// R'G'B' for a display.
  ///
  /// - Parameter signal: R'G'B' of the content in BT.2020, 1.0 at its peak, gamma 2.4.
  /// - Returns: R'G'B' of the display, 1.0 at its peak, gamma 2.4.
  package func signal(ofSignal signal: SIMD3<Double>) -> SIMD3<Double> {
    let luma = max((signal * Self.weights).sum(), 0)
    let gain = lumaGain(luma)
    let chromaGain = gain / 1.1
    let cb = chromaGain * (signal.z - luma) / Self.chromaScale.blue
    let cr = chromaGain * (signal.x - luma) / Self.chromaScale.red
    let toneMapped = gain * luma - max(0.1 * cr, 0)
    let red = toneMapped + Self.chromaScale.red * cr
    let blue = toneMapped + Self.chromaScale.blue * cb
    let green =
      (toneMapped - Self.weights.x * red - Self.weights.z * blue) / Self.weights.y
    return SIMD3(red, green, blue)
  }

  /// A color of light, mapped.
  ///
  /// - Parameter color: Red, green, blue in BT.2020, 1.0 for reference white. NaN is black,
  ///   infinite light the content's peak.
  /// - Returns: The color, 1.0 for the SDR white that the display shows reference white at; a color
  ///   without positive components as it is.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let color = color.finite(infinity: range.contentPeak)
    guard !isIdentity, color.max() > 0 else { return color }
    let signal = self.signal(
      ofSignal: color.map { contentSignal(ofLight: min($0, range.contentPeak)) })
    return signal.map { Gamma.eotf($0, exponent: 2.4) * range.displayPeak }
  }

  /// One component of R'G'B' of the content, 1.0 at its peak.
  func contentSignal(ofLight light: Double) -> Double {
    Gamma.inverseEOTF(light / range.contentPeak, exponent: 2.4)
  }

  static let weights = YCbCr.bt2020.weights
  static let chromaScale = (blue: 1.8814, red: 1.4746)

  private static func rho(_ peak: Double) -> Double { 1 + 32 * pow(peak / 10_000, 1 / 2.4) }

  /// With headroom, middle tones become brighter up to the step.
  package var notice: Notice? {
    guard !isIdentity, displayPeak > 1 else { return nil }
    return Notice(
      .bt2446aOnHDRDisplay, ["content": (range.contentPeak * 10).rounded() / 10])
  }

  package var componentFunction: (@Sendable (Double) -> Double)? {
    guard !isIdentity else { return nil }
    return { contentSignal(ofLight: $0) }
  }

  package func onRows(isBegun: Bool) -> RowToneMap {
    let content = range.contentPeak
    let toSignal =
      isBegun
      ? nil
      : SampledFunction(
        octaves: -36..<Int(log2(content)) + 1, stepsPerOctave: 256, largest: Float(content)
      ) { contentSignal(ofLight: $0) }
    let gain = SampledFunction(
      octaves: -16..<4, stepsPerOctave: 256, largest: Float(1 / step), below: .constant,
      limitFromBelow: { lumaGain($0 * step, isAboveStep: $0 > 1) }
    ) { lumaGain($0 * step, isAboveStep: $0 >= 1) }
    return RowToneMap(
      .bt2446a(
        RowToneMap.MethodA(
          toSignal: toSignal, gain: gain, step: Float(step),
          displayPeak: Float(range.displayPeak))))
  }
}

extension ToneMapOperator {
  /// `BT2446A`.
  public static let bt2446a = ToneMapOperator(
    "bt2446a",
    "film-like and darker; for displays without headroom, as it brightens middle tones on others"
  ) { (content, display, referenceWhite) throws(ImageError) in
    try BT2446A(content: content, display: display, referenceWhite: referenceWhite)
  }
}
