internal import Foundation
internal import HDRCore

/// From a camera's white-balanced colors to the light of the scene.
struct SceneLinearTransform: Sendable {
  /// What makes white of the camera's colors (1, 1, 1).
  let gains: SIMD3<Float>
  /// To the primaries, with the exposure, row after row.
  private let matrix: [Float]

  /// Linear BT.2020, whose 1.0 is where the sensor saturates, times the exposure that is wanted.
  init(_ parameters: DevelopmentParameters, _ development: RawDevelopment) {
    let profile = parameters.profiles.all[0]
    let gains = parameters.white(development, profile).map(\.gains) ?? .one
    self.init(
      parameters, development, profile: profile, gains: gains, primaries: .bt2020,
      stops: development.exposure)
  }

  /// - Parameters:
  ///   - parameters: What the file says.
  ///   - development: Which white is wanted.
  ///   - profile: One of the file's.
  ///   - gains: What the camera's colors have been multiplied by.
  ///   - primaries: Of the light.
  ///   - stops: The exposure.
  init(
    _ parameters: DevelopmentParameters, _ development: RawDevelopment, profile: RenderingProfile,
    gains: SIMD3<Float>, primaries: ColorPrimaries, stops: Double
  ) {
    let exposure = Matrix3x3(diagonal: SIMD3(repeating: exp2(stops)))
    self.gains = gains
    guard let white = parameters.white(development, profile) else {
      matrix = exposure.elements.map(Float.init)
      return
    }
    let adapted = ChromaticAdaptation.bradford.matrix(from: .d50, to: primaries.white)
    let rebalanced = Matrix3x3(diagonal: SIMD3<Double>(white.gains / gains))
    let toPrimaries = primaries.xyzToRGB * adapted * white.balancedToXYZ * rebalanced
    matrix = (exposure * toPrimaries).elements.map(Float.init)
  }

  func apply(to row: inout LightRow) { row.multiply(by: matrix) }
}

extension CameraWhite {
  /// What makes white of the camera's colors (1, 1, 1).
  var gains: SIMD3<Float> { SIMD3<Float>(SIMD3(repeating: 1) / camera) }
}
