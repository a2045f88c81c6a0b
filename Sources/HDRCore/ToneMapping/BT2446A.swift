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

  /// What `luma(ofLuma:)` multiplies luma by; its limit at 0.
  func lumaGain(_ luma: Double) -> Double { lumaGain(luma, isAboveStep: luma > step) }

  /// What luma is multiplied by on one side of the step.
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
}
