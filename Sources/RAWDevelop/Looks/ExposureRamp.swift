// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Linear ramp for positive exposure and black subtraction.
///
/// Source: DNG 1.7.1, chapter 6; Adobe DNG SDK for the smooth corner.
struct ExposureRamp: Hashable, Sendable {
  /// Linear value that becomes 0.
  let black: Double
  let slope: Double
  /// Half width of the smooth corner around black.
  let radius: Double
  /// Upper limit of the output.
  private(set) var peak: Double

  /// - Parameters:
  ///   - stops: Exposure; a negative one has no effect in the ramp.
  ///   - shadows: Linear value that becomes 0, as a share of white.
  ///   - peak: Upper limit of the output, at least 1.
  init(stops: Double, shadows: Double, peak: Double) {
    let white = exp2(-max(stops, 0))
    black = min(shadows, 0.99 * white)
    slope = 1 / (white - black)
    radius = min(black / 2, 1 / 16 / slope)
    self.peak = peak
  }

  /// The ramp with another upper limit.
  func limited(to peak: Double) -> ExposureRamp {
    var ramp = self
    ramp.peak = peak
    return ramp
  }

  func callAsFunction(_ linear: Double) -> Double {
    let above = linear - black
    guard above > -radius else { return 0 }
    guard above < radius else { return min(slope * above, peak) }
    return min(slope / (4 * radius) * (above + radius) * (above + radius), peak)
  }
}
