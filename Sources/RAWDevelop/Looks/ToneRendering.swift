internal import Foundation

/// The tone curve of a look, with what its user makes of it.
struct ToneRendering: Hashable, Sendable {
  let curve: ToneSpline
  /// In stops; light above white stays at most white only below 0.
  let exposure: Double
  /// 0 is no curve, 1 the profile's.
  let boost: Double
  /// 1 leaves shadows as the curve has them, 2 brightens them, 0 darkens them.
  let boostShadow: Double
  /// Whether the curve is for light above white too.
  let isHDR: Bool

  /// Where shadows end, as the curve has them.
  private static let shadowEnd = 0.25
  /// Small enough for the curve to rise everywhere.
  private static let shadowStrength = 0.4

  var isIdentity: Bool { boost == 0 && exposure >= 0 }

  func callAsFunction(_ light: Double) -> Double {
    let exposed = Self.darkened(light, by: exposure, isHDR: isHDR)
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

  /// Light with a negative exposure: white stays white, shadows get as dark as they should.
  ///
  /// Source: Adobe's DNG SDK. Where white is no limit, all light gets as dark.
  private static func darkened(_ light: Double, by stops: Double, isHDR: Bool) -> Double {
    guard stops < 0 else { return light }
    let slope = exp2(stops)
    guard light > 0.25, !isHDR else { return light * slope }
    let a = 16.0 / 9 * (1 - slope)
    let b = slope - a / 2
    return (a * light + b) * light + 1 - a - b
  }

  /// A power of shadows that begins smoothly below their end.
  private func lifted(_ light: Double) -> Double {
    guard boostShadow != 1, light > 0, light < Self.shadowEnd else { return light }
    let share = light / Self.shadowEnd
    let power = (1 - boostShadow) * Self.shadowStrength * (1 - share) * (1 - share)
    return light * pow(share, power)
  }
}
