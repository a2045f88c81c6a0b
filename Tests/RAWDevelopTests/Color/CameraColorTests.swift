// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import RAWDevelop

@Suite("Correlated temperature") struct CorrelatedTemperatureTests {
  /// Source: colour-science 0.4, `uv_to_CCT_Robertson1968`; tint is 3000 times its distance.
  @Test(arguments: [
    (0.3127, 0.329, 6503.707, 0.003257), (0.3457, 0.3585, 5000.707, 0.003188),
    (0.44757, 0.40745, 2855.755, 0.000003), (0.299, 0.3149, 7506.449, 0.003250),
    (0.36, 0.34, 4372.662, -0.011684), (0.33, 0.36, 5600.544, 0.010517),
    (0.26, 0.27, 15354.47, 0.003963),
  ])
  func whites(x: Double, y: Double, kelvin: Double, distance: Double) {
    let found = CorrelatedTemperature(Chromaticity(x: x, y: y))
    #expect(abs(found.kelvin - kelvin) < 2e-4 * kelvin)
    #expect(abs(found.tint - 3000 * distance) < 0.05)
  }

  @Test(
    "temperatures and tints round-trip",
    arguments: [1800, 2850, 4000, 5003, 6500, 12_000, 40_000.0])
  func roundTrip(kelvin: Double) {
    for tint in [-40.0, 0, 25] {
      let light = CorrelatedTemperature(kelvin: kelvin, tint: tint)
      let back = CorrelatedTemperature(light.chromaticity)
      #expect(abs(back.kelvin - kelvin) < 2e-3 * kelvin)
      #expect(abs(back.tint - tint) < 0.1)
    }
  }

  @Test("white points beyond the table have the temperature of its end")
  func ends() {
    #expect(CorrelatedTemperature(Chromaticity(x: 0.24, y: 0.234)).kelvin >= 1e5)
    #expect(CorrelatedTemperature(Chromaticity(x: 0.6, y: 0.38)).kelvin.isFinite)
  }
}

@Suite("Camera color") struct CameraColorTests {
  /// A Canon EOS 6D's matrices.
  private static let warm = CalibrationSet(
    illuminant: CorrelatedTemperature(kelvin: 2850, tint: 0),
    color: Matrix3x3(
      SIMD3(0.7546, -0.1435, -0.0929), SIMD3(-0.3846, 1.1488, 0.2692),
      SIMD3(-0.0332, 0.1209, 0.637)),
    forward: Matrix3x3(
      SIMD3(0.7763, 0.0065, 0.1815), SIMD3(0.2364, 0.8351, -0.0715),
      SIMD3(-0.0059, -0.4228, 1.2538)),
    camera: .identity)
  private static let cold = CalibrationSet(
    illuminant: CorrelatedTemperature(kelvin: 6500, tint: 0),
    color: Matrix3x3(
      SIMD3(0.7034, -0.0804, -0.1014), SIMD3(-0.442, 1.2564, 0.2058),
      SIMD3(-0.0851, 0.1994, 0.5758)),
    forward: Matrix3x3(
      SIMD3(0.7464, 0.1044, 0.1135), SIMD3(0.2648, 0.9173, -0.182),
      SIMD3(0.0113, -0.2154, 1.0292)),
    camera: .identity)

  private static func withoutForward(_ set: CalibrationSet) -> CalibrationSet {
    var set = set
    set.forward = nil
    return set
  }

  @Test("the neutral of a camera becomes white, with and without forward matrices")
  func neutral() {
    for sets in [
      [Self.warm, Self.cold], [Self.warm, Self.cold].map(Self.withoutForward), [Self.cold],
    ] {
      let profile = CameraProfile(sets: sets, analogBalance: SIMD3(2.1, 1, 1.4))
      for neutral in [SIMD3(0.6, 1, 0.5), SIMD3(1, 0.997, 0.996), SIMD3(0.9, 1, 0.3)] {
        let white = CameraWhite(neutral: neutral, profile)
        #expect((white.camera - neutral / neutral.max()).magnitude < 1e-5)
        let xyz = white.balancedToXYZ * SIMD3(1, 1, 1)
        #expect((xyz - Chromaticity.d50.xyz).magnitude < 1e-6)
      }
    }
  }

  @Test("a white point is found from its camera components")
  func iteration() {
    let profile = CameraProfile(sets: [Self.warm, Self.cold])
    for (x, y) in [(0.3127, 0.329), (0.4, 0.39), (0.3457, 0.3585)] {
      let seen = CameraWhite(Chromaticity(x: x, y: y), profile)
      let found = CameraWhite(neutral: seen.camera * 0.7, profile).chromaticity
      #expect(abs(found.x - x) < 1e-6 && abs(found.y - y) < 1e-6)
    }
  }

  private static let kelvins = [1667.0, 2000, 2500, 3226, 5000, 12_000, 100_000]

  /// Among the cameras' matrices those of a Blackmagic Pocket Cinema Camera, without forward ones.
  @Test("no valid white balance inverts colors", arguments: kelvins)
  func extremeWhites(kelvin: Double) {
    let pocket = CameraProfile(sets: [
      CalibrationSet(
        illuminant: CorrelatedTemperature(kelvin: 2850, tint: 0),
        color: Matrix3x3(
          SIMD3(1.31197, -0.49679, 0.01156), SIMD3(-0.41723, 1.44237, 0.04528),
          SIMD3(0.06723, 0.2171, 0.72651)), forward: nil, camera: .identity),
      CalibrationSet(
        illuminant: CorrelatedTemperature(kelvin: 6500, tint: 0),
        color: Matrix3x3(
          SIMD3(1.00885, -0.27351, -0.08258), SIMD3(-0.48997, 1.34441, 0.11174),
          SIMD3(-0.06406, 0.32997, 0.53917)), forward: nil, camera: .identity),
    ])
    let others = [[Self.warm, Self.cold], [Self.warm, Self.cold].map(Self.withoutForward)]
    for profile in [pocket] + others.map({ CameraProfile(sets: $0) }) {
      for tint in stride(from: -150.0, through: 150, by: 2.5) {
        let asked = CorrelatedTemperature(kelvin: kelvin, tint: tint).chromaticity
        let white = CameraWhite(asked, profile)
        let matrix = white.balancedToXYZ
        #expect(matrix.isFinite && matrix.determinant > 0, "tint \(tint)")
        #expect(white.camera.min() >= 0.001 && white.camera.max() == 1, "tint \(tint)")
      }
    }
  }

  /// The definition, step by step: Adobe's DNG SDK, `MapWhiteMatrix` and `SetWhiteXY`.
  @Test("cone scales are limited to 0.1 to 10, and camera components of white to 0.001 to 1")
  func pinnedWhite() {
    let profile = CameraProfile(sets: [Self.withoutForward(Self.warm)])
    let white = CorrelatedTemperature(kelvin: 1667, tint: 150).chromaticity
    let bradford = Matrix3x3(
      SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367),
      SIMD3(0.0389, -0.0685, 1.0296))
    let ratio = (bradford * white.xyz) / (bradford * Chromaticity.d50.xyz)
    #expect(ratio.z < 0)
    let adaptation =
      bradford.inverse * Matrix3x3(diagonal: SIMD3(ratio.x, ratio.y, 0.1)) * bradford
    let response = Self.warm.color * white.xyz
    #expect(response.z < 0)
    let camera = SIMD3(response.x, response.y, 0.001 * response.max()) / response.max()
    let fromXYZ = Self.warm.color * adaptation
    let largest = (fromXYZ * Chromaticity.d50.xyz).max()
    let expected =
      Matrix3x3(diagonal: SIMD3(repeating: largest)) * fromXYZ.inverse * Matrix3x3(diagonal: camera)
    let found = CameraWhite(white, profile)
    #expect((found.camera - camera).magnitude < 1e-12)
    for (value, wanted) in zip(found.balancedToXYZ.elements, expected.elements) {
      #expect(abs(value - wanted) < 1e-12)
    }
  }

  @Test("limits do not change the adaptation to usual white points")
  func usualWhites() {
    for kelvin in [2000.0, 2850, 5000, 6504, 20_000] {
      let white = CorrelatedTemperature(kelvin: kelvin, tint: 5).chromaticity
      let bradford = ChromaticAdaptation.bradford
      #expect(
        bradford.matrix(from: .d50, to: white, scaling: 0.1...10)
          == bradford.matrix(from: .d50, to: white))
    }
  }

  @Test("two illuminants are interpolated by reciprocal temperature, without extrapolation")
  func twoLights() {
    let profile = CameraProfile(sets: [Self.cold, Self.warm])
    func mixed(_ kelvin: Double) -> Double {
      let white = CorrelatedTemperature(kelvin: kelvin, tint: 0).chromaticity
      return profile.mixed(for: white).xyzToCamera[0, 0]
    }
    #expect(abs(mixed(2000) - 0.7546) < 1e-9 && abs(mixed(9000) - 0.7034) < 1e-9)
    let (here, warm, cold): (Double, Double, Double) = (1 / 4000, 1 / 2850, 1 / 6500)
    let weight: Double = (here - cold) / (warm - cold)
    let expected: Double = 0.7034 + weight * (0.7546 - 0.7034)
    #expect(abs(mixed(4000) - expected) < 1e-5)
  }

  /// Worked out with the formula of the specification sheet.
  @Test("three illuminants are weighted by distance")
  func threeLights() {
    var middle = Self.cold
    middle.illuminant = CorrelatedTemperature(kelvin: 4500, tint: 0)
    middle.color = Matrix3x3(diagonal: SIMD3(0.5, 1, 0.5))
    let profile = CameraProfile(sets: [middle, Self.cold, Self.warm])
    func mixed(_ kelvin: Double) -> Double {
      let white = CorrelatedTemperature(kelvin: kelvin, tint: 0).chromaticity
      return profile.mixed(for: white).xyzToCamera[0, 0]
    }
    #expect(abs(mixed(2850) - 0.7546) < 1e-4)
    #expect(abs(mixed(4500) - 0.5) < 1e-4)
    #expect(abs(mixed(6500) - 0.7034) < 1e-4)
    let near: [Double] = [2850, 4500, 6500].map { kelvin in
      let distance = 1500 / kelvin - 0.3
      return 1 / (distance * distance + 1e-8)
    }
    let smooth: [Double] = near.map { weight in
      let share = weight / near.reduce(0, +)
      return min(max((share * share * (3 - 2 * share) - 0.02) / 0.98, 0), 1)
    }
    let sum = smooth.reduce(0, +)
    let expected = (smooth[0] * 0.7546 + smooth[1] * 0.5 + smooth[2] * 0.7034) / sum
    #expect(abs(mixed(5000) - expected) < 1e-4)
  }

  @Test("a rounded forward matrix maps white to white")
  func roundedForward() {
    let white = (Self.warm.forward ?? .identity) * SIMD3(1, 1, 1)
    #expect((white - Chromaticity.d50.xyz).magnitude < 1e-12)
  }
}

extension SIMD3<Double> {
  fileprivate var magnitude: Double { (self * self).sum().squareRoot() }
}
