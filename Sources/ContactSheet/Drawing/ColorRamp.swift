// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// A color ramp in OKLab with uniformly rising lightness.
///
/// Source: Ottosson, "A perceptual color space for image processing" (2020).
struct ColorRamp: Sendable {
  /// A color by lightness, chroma and hue in degrees.
  struct Stop: Sendable {
    var lightness: Double
    var chroma: Double
    var hue: Double
  }

  private let stops: [Stop]

  /// Black through violet, red and orange to a pale yellow.
  static let heat = ColorRamp([
    Stop(lightness: 0.06, chroma: 0.00, hue: 290), Stop(lightness: 0.24, chroma: 0.11, hue: 295),
    Stop(lightness: 0.42, chroma: 0.16, hue: 345), Stop(lightness: 0.60, chroma: 0.19, hue: 388),
    Stop(lightness: 0.78, chroma: 0.16, hue: 425), Stop(lightness: 0.97, chroma: 0.06, hue: 465),
  ])

  init(_ stops: [Stop]) {
    precondition(stops.count > 1, "a ramp runs between two colors")
    self.stops = stops
  }

  /// The color at `position`, 0...1, as sRGB signal.
  func signal(at position: Double) -> SIMD3<Double> {
    let place = min(max(position, 0), 1) * Double(stops.count - 1)
    let index = min(Int(clamping: place), stops.count - 2)
    let share = place - Double(index)
    let (from, to) = (stops[index], stops[index + 1])
    func mixed(_ part: KeyPath<Stop, Double>) -> Double {
      from[keyPath: part] + (to[keyPath: part] - from[keyPath: part]) * share
    }
    let hue = mixed(\.hue) * .pi / 180
    let light = Self.light(
      SIMD3(mixed(\.lightness), mixed(\.chroma) * cos(hue), mixed(\.chroma) * sin(hue)))
    return SIMD3(
      SRGB.inverseEOTF(min(max(light.x, 0), 1)), SRGB.inverseEOTF(min(max(light.y, 0), 1)),
      SRGB.inverseEOTF(min(max(light.z, 0), 1)))
  }

  /// Linear sRGB of OKLab.
  private static func light(_ lab: SIMD3<Double>) -> SIMD3<Double> {
    let root =
      Matrix3x3(
        SIMD3(1, 0.3963377774, 0.2158037573), SIMD3(1, -0.1055613458, -0.0638541728),
        SIMD3(1, -0.0894841775, -1.2914855480)) * lab
    return Matrix3x3(
      SIMD3(4.0767416621, -3.3077115913, 0.2309699292),
      SIMD3(-1.2684380046, 2.6097574011, -0.3413193965),
      SIMD3(-0.0041960863, -0.7034186147, 1.7076147010)) * (root * root * root)
  }
}
