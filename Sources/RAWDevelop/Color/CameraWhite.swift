// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// A white point in CIE coordinates and in the colors of a camera.
struct CameraWhite: Hashable, Sendable {
  let chromaticity: Chromaticity
  /// Camera components of the white point; the largest is 1.
  let camera: SIMD3<Double>
  /// White-balanced camera colors to CIE XYZ under D50: (1, 1, 1) becomes D50, approximately for
  /// white points that no light source has.
  let balancedToXYZ: Matrix3x3

  /// Limits of the scales of cone responses.
  ///
  /// Extreme temperatures and tints lie beyond real light sources, where the response to blue
  /// passes through 0; without limits, colors would be inverted there.
  private static let coneScales = 0.1...10.0

  /// A white point of known chromaticity.
  ///
  /// Source: DNG 1.7.1, chapter 6, "Camera to XYZ (D50) Transform"; Adobe DNG SDK
  /// for the limits.
  init(_ chromaticity: Chromaticity, _ profile: CameraProfile) {
    self.chromaticity = chromaticity
    let mixed = profile.mixed(for: chromaticity)
    let response = mixed.xyzToCamera * chromaticity.xyz
    let share = response / response.max()
    camera = share.clamped(lowerBound: SIMD3(repeating: 0.001), upperBound: SIMD3(repeating: 1))
    let toXYZ: Matrix3x3
    if let forward = mixed.forward {
      let reference = mixed.cameraToReference * camera
      toXYZ =
        forward * Matrix3x3(diagonal: SIMD3(repeating: 1) / reference) * mixed.cameraToReference
    } else {
      let adapted =
        mixed.xyzToCamera
        * ChromaticAdaptation.bradford.matrix(
          from: .d50, to: chromaticity, scaling: Self.coneScales)
      let scale = (adapted * Chromaticity.d50.xyz).max()
      toXYZ = Matrix3x3(diagonal: SIMD3(repeating: scale)) * adapted.inverse
    }
    balancedToXYZ = toXYZ * Matrix3x3(diagonal: camera)
  }

  /// The white point that has these camera components.
  ///
  /// The matrices depend on the white point itself, so that it is found iteratively.
  init(neutral: SIMD3<Double>, _ profile: CameraProfile) {
    var white = Chromaticity.d50
    for step in 1...30 {
      let xyz = profile.mixed(for: white).xyzToCamera.inverse * neutral
      let next = Chromaticity(x: xyz.x / xyz.sum(), y: xyz.y / xyz.sum())
      guard next.isPlausible else { break }
      if abs(next.x - white.x) + abs(next.y - white.y) < 1e-7 { break }
      white =
        step < 30
        ? next : Chromaticity(x: (white.x + next.x) / 2, y: (white.y + next.y) / 2)
    }
    self.init(white, profile)
  }
}

extension Chromaticity {
  /// Whether this can be a white point.
  var isPlausible: Bool { x > 0.001 && y > 0.001 && x + y < 0.999 }
}

/// White point that the camera selected.
///
/// Source: DNG 1.7.1, AsShotNeutral and AsShotWhiteXY.
enum AsShotWhite: Hashable, Sendable {
  /// Camera components of white.
  case neutral(SIMD3<Double>)
  case chromaticity(Chromaticity)

  /// Reads the white point of a directory; D55 with a notice if it is missing or impossible.
  init(_ directory: DNGDirectory, _ notices: inout [Notice]) throws(ImageError) {
    let neutral = try directory.optionalNumbers(.asShotNeutral, atMost: 4, &notices) {
      $0.count == 3 && $0.allSatisfy { $0 > 0 }
    }
    if let neutral {
      self = .neutral(SIMD3(neutral[0], neutral[1], neutral[2]))
      return
    }
    let white = try directory.optionalNumbers(.asShotWhiteXY, atMost: 2, &notices) {
      $0.count == 2 && Chromaticity(x: $0[0], y: $0[1]).isPlausible
    }
    if let white {
      self = .chromaticity(Chromaticity(x: white[0], y: white[1]))
      return
    }
    notices.append(
      Notice(
        .assumed, "assumed: daylight of {kelvin kelvin} as white (not specified)", ["kelvin": 5500],
        at: .init(path: directory.path)))
    self = .chromaticity(CorrelatedTemperature(kelvin: 5500, tint: 0).chromaticity)
  }

  /// Camera components of white; `nil` if the file stores a chromaticity.
  var neutral: [Double]? {
    if case .neutral(let neutral) = self { [neutral.x, neutral.y, neutral.z] } else { nil }
  }

  /// The white point in the colors of a camera.
  func white(_ profile: CameraProfile) -> CameraWhite {
    switch self {
    case .neutral(let neutral): CameraWhite(neutral: neutral, profile)
    case .chromaticity(let chromaticity): CameraWhite(chromaticity, profile)
    }
  }
}
