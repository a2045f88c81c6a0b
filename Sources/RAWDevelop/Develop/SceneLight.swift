internal import Foundation
internal import HDRCore
internal import PixelKernels

/// From a camera's white-balanced colors to the light of the scene in linear BT.2020.
struct SceneLight: Sendable {
  /// What makes white of the camera's colors (1, 1, 1).
  let gains: SIMD3<Float>
  private let highlights: RawDevelopment.Highlights
  /// To BT.2020, with the exposure, row after row.
  private let matrix: [Float]

  init(_ plan: DevelopmentPlan, _ development: RawDevelopment) {
    let stops =
      development.isSceneLinear
      ? 0
      : development.baselineExposure
        ?? plan.baselineExposure + plan.profiles.all[0].baselineExposureOffset
    let exposure = Matrix3x3(diagonal: SIMD3(repeating: exp2(stops)))
    highlights = development.highlights
    guard let white = plan.white(development) else {
      gains = SIMD3(repeating: 1)
      matrix = exposure.elements.map(Float.init)
      return
    }
    gains = SIMD3<Float>(SIMD3(repeating: 1) / white.camera)
    let adapted = ChromaticAdaptation.bradford.matrix(from: .d50, to: .d65)
    let toBT2020 = ColorPrimaries.bt2020.xyzToRGB * adapted * white.balancedToXYZ
    matrix = (exposure * toBT2020).elements.map(Float.init)
  }

  func apply(to row: inout LightRow) {
    switch highlights {
    case .clip:
      unsafe row.withPointers { red, green, blue, count in
        // SAFETY: the rows are `count` long.
        unsafe _ = pk_limit(red, green, blue, count, 1)
      }
    case .keep: break
    case .reconstruct:
      unsafe row.withPointers { red, green, blue, count in
        // SAFETY: the rows are `count` long.
        unsafe pk_raw_reconstruct(red, green, blue, count, gains.x, gains.y, gains.z)
      }
    }
    row.multiply(by: matrix)
  }
}
