// SPDX-License-Identifier: Apache-2.0
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
