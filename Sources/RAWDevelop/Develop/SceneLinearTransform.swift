// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore

/// Matrix from white-balanced camera colors to scene-linear values.
struct SceneLinearTransform: Sendable {
  /// White-balance gains of red, green and blue.
  let gains: SIMD3<Float>
  /// Elements of the matrix, row by row, including exposure.
  private let matrix: [Float]
  /// The matrix in double precision.
  let conversion: Matrix3x3

  /// Conversion to linear BT.2020 with 1.0 at the saturation of the sensor, before exposure.
  init(_ parameters: DevelopmentParameters, _ development: RawDevelopment) {
    let profile = parameters.profiles.all[0]
    let gains = parameters.white(development, profile).map(\.gains) ?? .one
    self.init(
      parameters, development, profile: profile, gains: gains, primaries: .bt2020,
      stops: development.exposure + development.sceneExposure)
  }

  /// - Parameters:
  ///   - parameters: Parameters of the file.
  ///   - development: White balance.
  ///   - profile: A profile of the file.
  ///   - gains: Gains that the camera colors have been multiplied by.
  ///   - primaries: Primaries of the output.
  ///   - stops: Exposure.
  init(
    _ parameters: DevelopmentParameters, _ development: RawDevelopment, profile: RenderingProfile,
    gains: SIMD3<Float>, primaries: ColorPrimaries, stops: Double
  ) {
    let exposure = Matrix3x3(diagonal: SIMD3(repeating: exp2(stops)))
    self.gains = gains
    guard let white = parameters.white(development, profile) else {
      conversion = exposure
      matrix = exposure.elements.map(Float.init)
      return
    }
    let adapted = ChromaticAdaptation.bradford.matrix(from: .d50, to: primaries.white)
    let rebalanced = Matrix3x3(diagonal: SIMD3<Double>(white.gains / gains))
    let toPrimaries = primaries.xyzToRGB * adapted * white.balancedToXYZ * rebalanced
    conversion = exposure * toPrimaries
    matrix = conversion.elements.map(Float.init)
  }

  func apply(to row: inout LinearRow) { row.multiply(by: matrix) }
}

extension CameraWhite {
  /// White-balance gains of red, green and blue.
  var gains: SIMD3<Float> { SIMD3<Float>(SIMD3(repeating: 1) / camera) }
}
