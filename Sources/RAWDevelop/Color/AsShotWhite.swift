// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

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
