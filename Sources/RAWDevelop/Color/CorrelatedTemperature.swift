// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore

/// A white point as correlated color temperature and tint.
///
/// Source: A. R. Robertson, "Computation of correlated color temperature and distribution
/// temperature", JOSA 58 (1968); its table in Wyszecki and Stiles, "Color Science", with the
/// misprint at 325 reciprocal megakelvin corrected. The unit of tint is the one of the Adobe DNG SDK.
struct CorrelatedTemperature: Hashable, Sendable {
  var kelvin: Double
  /// Distance from the Planckian locus in the CIE 1960 diagram times 3000; positive for greenish
  /// illuminants.
  var tint: Double

  private static let tintScale = -3000.0

  init(kelvin: Double, tint: Double) {
    self.kelvin = kelvin
    self.tint = tint
  }

  /// Temperature and tint of a white point; at least 1667 kelvin.
  init(_ white: Chromaticity) {
    let uv = UV(white)
    let lines = Self.isotherms
    var last = lines[0].distance(to: uv)
    var index = 1
    while index < lines.count - 1, lines[index].distance(to: uv) > 0 {
      last = lines[index].distance(to: uv)
      index += 1
    }
    let here = -min(lines[index].distance(to: uv), 0)
    // Position of the white point between two isotherms: 0 on the second, 1 on the first.
    let share = index == 1 ? 0 : here / (last + here)
    let (first, second) = (lines[index - 1], lines[index])
    kelvin = 1e6 / (first.megakelvins * share + second.megakelvins * (1 - share))
    let (origin, direction) = Self.mix(first, second, share)
    tint = ((uv.u - origin.u) * direction.u + (uv.v - origin.v) * direction.v) * Self.tintScale
  }

  /// Chromaticity of the white point.
  var chromaticity: Chromaticity {
    let reciprocal = 1e6 / kelvin
    let lines = Self.isotherms
    var index = 1
    while index < lines.count - 1, reciprocal >= lines[index].megakelvins { index += 1 }
    let (first, second) = (lines[index - 1], lines[index])
    let share = (second.megakelvins - reciprocal) / (second.megakelvins - first.megakelvins)
    let (origin, direction) = Self.mix(first, second, share)
    let offset = tint / Self.tintScale
    return UV(u: origin.u + direction.u * offset, v: origin.v + direction.v * offset).chromaticity
  }

  /// A point on the Planckian locus, and the direction of its isotherm.
  private static func mix(
    _ first: Isotherm, _ second: Isotherm, _ share: Double
  ) -> (origin: UV, direction: UV) {
    func mixed(_ a: Double, _ b: Double) -> Double { a * share + b * (1 - share) }
    let u = mixed(first.direction.u, second.direction.u)
    let v = mixed(first.direction.v, second.direction.v)
    let length = hypot(u, v)
    return (
      UV(u: mixed(first.origin.u, second.origin.u), v: mixed(first.origin.v, second.origin.v)),
      UV(u: u / length, v: v / length)
    )
  }

  /// Coordinates of the CIE 1960 diagram.
  private struct UV {
    var u: Double
    var v: Double

    init(u: Double, v: Double) {
      self.u = u
      self.v = v
    }

    init(_ white: Chromaticity) {
      let divisor = 1.5 - white.x + 6 * white.y
      u = 2 * white.x / divisor
      v = 3 * white.y / divisor
    }

    var chromaticity: Chromaticity {
      let divisor = u - 4 * v + 2
      return Chromaticity(x: 1.5 * u / divisor, y: v / divisor)
    }
  }

  private struct Isotherm {
    var megakelvins: Double
    var origin: UV
    /// Of length 1, toward magenta.
    var direction: UV

    init(_ megakelvins: Double, _ u: Double, _ v: Double, slope: Double) {
      self.megakelvins = megakelvins
      origin = UV(u: u, v: v)
      let length = hypot(1, slope)
      direction = UV(u: 1 / length, v: slope / length)
    }

    /// Positive for warmer white points.
    func distance(to uv: UV) -> Double {
      (uv.v - origin.v) * direction.u - (uv.u - origin.u) * direction.v
    }
  }

  private static let isotherms = [
    Isotherm(0, 0.18006, 0.26352, slope: -0.24341),
    Isotherm(10, 0.18066, 0.26589, slope: -0.25479),
    Isotherm(20, 0.18133, 0.26846, slope: -0.26876),
    Isotherm(30, 0.18208, 0.27119, slope: -0.28539),
    Isotherm(40, 0.18293, 0.27407, slope: -0.30470),
    Isotherm(50, 0.18388, 0.27709, slope: -0.32675),
    Isotherm(60, 0.18494, 0.28021, slope: -0.35156),
    Isotherm(70, 0.18611, 0.28342, slope: -0.37915),
    Isotherm(80, 0.18740, 0.28668, slope: -0.40955),
    Isotherm(90, 0.18880, 0.28997, slope: -0.44278),
    Isotherm(100, 0.19032, 0.29326, slope: -0.47888),
    Isotherm(125, 0.19462, 0.30141, slope: -0.58204),
    Isotherm(150, 0.19962, 0.30921, slope: -0.70471),
    Isotherm(175, 0.20525, 0.31647, slope: -0.84901),
    Isotherm(200, 0.21142, 0.32312, slope: -1.0182),
    Isotherm(225, 0.21807, 0.32909, slope: -1.2168),
    Isotherm(250, 0.22511, 0.33439, slope: -1.4512),
    Isotherm(275, 0.23247, 0.33904, slope: -1.7298),
    Isotherm(300, 0.24010, 0.34308, slope: -2.0637),
    Isotherm(325, 0.24792, 0.34655, slope: -2.4681),
    Isotherm(350, 0.25591, 0.34951, slope: -2.9641),
    Isotherm(375, 0.26400, 0.35200, slope: -3.5814),
    Isotherm(400, 0.27218, 0.35407, slope: -4.3633),
    Isotherm(425, 0.28039, 0.35577, slope: -5.3762),
    Isotherm(450, 0.28863, 0.35714, slope: -6.7262),
    Isotherm(475, 0.29685, 0.35823, slope: -8.5955),
    Isotherm(500, 0.30505, 0.35907, slope: -11.324),
    Isotherm(525, 0.31320, 0.35968, slope: -15.628),
    Isotherm(550, 0.32129, 0.36011, slope: -23.325),
    Isotherm(575, 0.32931, 0.36038, slope: -40.770),
    Isotherm(600, 0.33724, 0.36051, slope: -116.45),
  ]
}
