internal import HDRCore

/// A white, and how a camera sees it.
struct CameraWhite: Hashable, Sendable {
  let chromaticity: Chromaticity
  /// The camera's colors of the white, of which the largest is 1.
  let camera: SIMD3<Double>
  /// The camera's colors, divided by those of white, to XYZ under D50, with (1, 1, 1) as white; as near
  /// to white as can be for a white that no light has.
  let balancedToXYZ: Matrix3x3

  /// What the cones of an eye may be scaled by.
  ///
  /// Extreme temperatures and tints lead beyond what lights have, where the response to blue passes
  /// through 0; without limits, colors there turn into their opposites.
  private static let coneScales = 0.1...10.0

  /// Sees a white of this chromaticity.
  ///
  /// Source: DNG 1.7.1, chapter 6, "Camera to XYZ (D50) Transform"; for the limits Adobe's SDK.
  init(_ chromaticity: Chromaticity, _ profile: CameraProfile) {
    self.chromaticity = chromaticity
    let mixed = profile.mixed(for: chromaticity)
    let response = mixed.xyzToCamera * chromaticity.xyz
    let share = response / response.max()
    camera = share.clamped(
      lowerBound: SIMD3(repeating: 0.001), upperBound: SIMD3(repeating: 1))
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

  /// Finds the white that a camera sees as these colors.
  ///
  /// Which matrices hold depends on the white that is looked for, so that it is found by steps.
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
  /// Whether this can be a white at all.
  var isPlausible: Bool { x > 0.001 && y > 0.001 && x + y < 0.999 }
}
