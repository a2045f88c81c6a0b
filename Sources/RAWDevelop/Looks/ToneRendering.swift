// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// The tone curve of a look with the controls of a development.
struct ToneRendering: Hashable, Sendable {
  let curve: ToneSpline
  /// Exposure in stops; only negative values have an effect.
  let exposure: Double
  /// Amount of the curve: 0 for none, 1 for the curve of the profile.
  let boost: Double
  /// Brightness of shadows: 1 for the curve, 2 brighter, 0 darker.
  let boostShadow: Double
  /// Whether the curve includes values above white.
  let isHDR: Bool

  /// Upper limit of shadows in the output of the curve.
  private static let shadowEnd = 0.25
  /// Small enough for a monotonic curve.
  private static let shadowStrength = 0.4

  var isIdentity: Bool { boost == 0 && exposure >= 0 }

  func callAsFunction(_ linear: Double) -> Double {
    let exposed = Self.darkened(linear, by: exposure, isHDR: isHDR)
    guard boost > 0 else { return exposed }
    let curved: Double
    if isHDR {
      curved = ExtendedRange.expanded(curve(ExtendedRange.compressed(exposed)))
    } else {
      curved = min(max(curve(min(exposed, 1)), 0), 1)
    }
    let full = lifted(curved)
    return boost == 1 ? full : exposed + boost * (full - exposed)
  }

  /// Applies a negative exposure: white does not change, shadows are darkened in full.
  ///
  /// Source: Adobe's DNG SDK. In HDR, all values are darkened in full.
  private static func darkened(_ linear: Double, by stops: Double, isHDR: Bool) -> Double {
    guard stops < 0 else { return linear }
    let slope = exp2(stops)
    guard linear > 0.25, !isHDR else { return linear * slope }
    let a = 16.0 / 9 * (1 - slope)
    let b = slope - a / 2
    return (a * linear + b) * linear + 1 - a - b
  }

  /// Brightens shadows by a power that begins smoothly at their upper limit.
  private func lifted(_ linear: Double) -> Double {
    guard boostShadow != 1, linear > 0, linear < Self.shadowEnd else { return linear }
    let share = linear / Self.shadowEnd
    let power = (1 - boostShadow) * Self.shadowStrength * (1 - share) * (1 - share)
    return linear * pow(share, power)
  }
}

extension ColorPrimaries {
  /// Primaries of looks: ROMM RGB by the matrix of four digits in the standard, with rows scaled so
  /// that equal components are D50.
  ///
  /// Tables of profiles are made for this matrix. The matrix of the chromaticities differs by up to
  /// 7e-5, which is visible in renderings of saturated blues.
  ///
  /// Source: ISO 22028-2.
  static let look: ColorPrimaries = {
    let (x, y) = (Chromaticity.d50.x, Chromaticity.d50.y)
    let white = SIMD3(x / y, 1, (1 - x - y) / y)
    let rows = [
      SIMD3(0.7977, 0.1352, 0.0313), SIMD3(0.2880, 0.7119, 0.0001), SIMD3(0, 0, 0.8249),
    ].enumerated().map { index, row in row * (white[index] / row.sum()) }
    func chromaticity(_ column: Int) -> Chromaticity {
      let sum = rows[0][column] + rows[1][column] + rows[2][column]
      return Chromaticity(x: rows[0][column] / sum, y: rows[1][column] / sum)
    }
    return ColorPrimaries(
      red: chromaticity(0), green: chromaticity(1), blue: chromaticity(2), white: .d50)
  }()
}

/// The curve that compresses linear values of 0...16 to the domain 0...1 of tables and curves, for
/// HDR profiles.
///
/// It is odd, for out-of-gamut colors; the formula of the specification has a pole at -1.
///
/// Source: DNG 1.7.1, ProfileDynamicRange.
enum ExtendedRange {
  static func compressed(_ linear: Double) -> Double {
    let size = abs(linear)
    return linear * (256 + size) / (256 * (1 + size))
  }

  static func expanded(_ value: Double) -> Double {
    let size = abs(value)
    let linear = 16 * (8 * size - 8 + sqrt(64 * size * size - 127 * size + 64))
    return value < 0 ? -linear : linear
  }
}

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
