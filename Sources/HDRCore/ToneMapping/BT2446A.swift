// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Method A of BT.2446: HDR to SDR with a film-like, darker look, designed for SDR in a dim room.
///
/// The method operates on luma and color differences of a gamma-2.4 signal, so saturation depends
/// on lightness and components may be out of the display's range; gamut mapping follows.
///
/// The report converts to SDR of 100 cd/m². For a display with headroom, this type uses the same
/// formulas with a peak of 100 cd/m² times the headroom, up to the headroom of the content, at
/// which it becomes the identity. The discontinuity there is that of the method, which does not
/// converge to the identity.
///
/// Source: Report ITU-R BT.2446, section 4.
package struct BT2446A: HeadroomMapping, Hashable {
  package let range: ToneRange
  private let rhoHDR: Double
  private let rhoSDR: Double

  /// Luminance of SDR white in the report, in cd/m².
  package static let standardWhite = 100.0

  /// Prepares the operator from content to a display.
  ///
  /// - Parameters:
  ///   - content: Headroom of the content; values below 1 count as 1.
  ///   - display: Headroom of the display, at least 1.
  ///   - referenceWhite: Luminance of linear 1.0 in the content, in cd/m².
  /// - Throws: `.invalidArgument` for a display below reference white and for headrooms that are
  ///   not numbers.
  package init(
    content: Headroom, display: Headroom,
    referenceWhite: Double = ColorEncoding.defaultReferenceWhite
  ) throws(ImageError) {
    range = try ToneRange(content: content, display: display)
    rhoHDR = Self.rho(range.contentPeak * referenceWhite)
    rhoSDR = Self.rho(range.displayPeak * Self.standardWhite)
  }

  package var displayPeak: Double { range.displayPeak }
  package var contentPeak: Double? { range.contentPeak }
  package var isIdentity: Bool { range.isIdentity }

  /// Returns the luma for a display.
  ///
  /// - Parameter luma: Luma of the content, 1.0 at its peak; at least 0.
  /// - Returns: Luma of the display, 1.0 at its peak.
  package func luma(ofLuma luma: Double) -> Double {
    self.luma(ofLuma: luma, isAboveStep: luma > step)
  }

  /// The curve continued from one side of its step.
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

  /// Luma at which the report's formulas are discontinuous, by a thousandth of the signal.
  var step: Double { (pow(rhoHDR, 0.7399) - 1) / (rhoHDR - 1) }

  /// Ratio of `luma(ofLuma:)` to luma; at 0, its limit.
  func lumaGain(_ luma: Double) -> Double { lumaGain(luma, isAboveStep: luma > step) }

  /// Gain of luma on one side of the step.
  func lumaGain(_ luma: Double, isAboveStep: Bool) -> Double {
    guard luma > 0 else { return 1.0770 * log(rhoSDR) / (rhoSDR - 1) * (rhoHDR - 1) / log(rhoHDR) }
    return self.luma(ofLuma: luma, isAboveStep: isAboveStep) / luma
  }

  /// Returns R'G'B' for a display.
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
    let green = (toneMapped - Self.weights.x * red - Self.weights.z * blue) / Self.weights.y
    return SIMD3(red, green, blue)
  }

  /// Maps a linear color.
  ///
  /// - Parameter color: Red, green, blue in BT.2020, 1.0 for reference white. NaN becomes 0,
  ///   infinite values the content's peak.
  /// - Returns: The color, 1.0 for the SDR white at which the display shows reference white;
  ///   unchanged if it does not have positive components.
  package func toneMapped(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let color = color.finite(infinity: range.contentPeak)
    guard !isIdentity, color.max() > 0 else { return color }
    let signal = self.signal(
      ofSignal: color.map { contentSignal(ofLight: min($0, range.contentPeak)) })
    return signal.map { Gamma.eotf($0, exponent: 2.4) * range.displayPeak }
  }

  /// Returns one component of R'G'B' of the content, 1.0 at its peak.
  func contentSignal(ofLight light: Double) -> Double {
    Gamma.inverseEOTF(light / range.contentPeak, exponent: 2.4)
  }

  static let weights = YCbCr.bt2020.weights
  static let chromaScale = (blue: 1.8814, red: 1.4746)

  private static func rho(_ peak: Double) -> Double { 1 + 32 * pow(peak / 10_000, 1 / 2.4) }

  /// On displays with headroom, middle tones become brighter up to the step.
  package var notice: Notice? {
    guard !isIdentity, displayPeak > 1 else { return nil }
    return Notice(
      .irregular,
      "bt2446a is defined for displays without headroom: with more, middle tones become "
        + "brighter, and drop abruptly at the {content}x of the content; other operators are "
        + "continuous",
      ["content": (range.contentPeak * 10).rounded() / 10])
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
        octaves: -36..<Int(clamping: log2(content)) + 1, stepsPerOctave: 256,
        largest: Float(content)
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
  /// Method A of BT.2446: film-like and darker, designed for SDR in a dim room.
  ///
  /// On displays with headroom it brightens mid-tones, and drops abruptly at the headroom of the
  /// content; a notice states that.
  ///
  /// Source: Report ITU-R BT.2446, section 4.
  public static let bt2446a = ToneMapOperator(
    "bt2446a",
    "film-like and darker; for displays without headroom, as it brightens middle tones on others"
  ) { (content, display, referenceWhite) throws(ImageError) in
    try BT2446A(content: content.headroom, display: display, referenceWhite: referenceWhite)
  }
}
