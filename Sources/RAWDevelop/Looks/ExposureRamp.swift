internal import Foundation

/// How exposure makes light brighter, and what it takes from shadows.
///
/// Source: DNG 1.7.1, chapter 6; for the smooth corner Adobe's SDK.
struct ExposureRamp: Hashable, Sendable {
  /// Light that becomes 0.
  let black: Double
  let slope: Double
  /// How far around black the ramp is round.
  let radius: Double
  /// What light ends at.
  let peak: Double

  /// - Parameters:
  ///   - stops: The exposure; a negative one leaves light as it is here.
  ///   - shadows: Light that becomes 0, as a share of white.
  ///   - peak: 1, or more for displays that show it.
  init(stops: Double, shadows: Double, peak: Double) {
    let white = exp2(-max(stops, 0))
    black = min(shadows, 0.99 * white)
    slope = 1 / (white - black)
    radius = min(black / 2, 1 / 16 / slope)
    self.peak = peak
  }

  /// Whether light stays as it is.
  var isIdentity: Bool { black == 0 && slope == 1 }

  func callAsFunction(_ light: Double) -> Double {
    let above = light - black
    guard above > -radius else { return 0 }
    guard above < radius else { return min(slope * above, peak) }
    return min(slope / (4 * radius) * (above + radius) * (above + radius), peak)
  }
}
