internal import HDRCore
internal import ImageContainers

/// The white that the camera chose.
///
/// Source: DNG 1.7.1, AsShotNeutral and AsShotWhiteXY.
enum AsShotWhite {
  /// - Returns: What the directory says; D55 with a notice if it says nothing.
  /// - Throws: `.malformed` for a white that there cannot be.
  static func read(
    _ directory: DNGDirectory, _ profile: CameraProfile, _ notices: inout [Notice]
  ) throws(ImageError) -> CameraWhite {
    if let neutral = try directory.numbers(.asShotNeutral, atMost: 4) {
      guard neutral.count == 3, neutral.allSatisfy({ $0 > 0 }) else {
        throw directory.malformed(.asShotNeutral, "\(neutral)")
      }
      return CameraWhite(neutral: SIMD3(neutral[0], neutral[1], neutral[2]), profile)
    }
    if let white = try directory.numbers(.asShotWhiteXY, atMost: 2) {
      guard white.count == 2, Chromaticity(x: white[0], y: white[1]).isPlausible else {
        throw directory.malformed(.asShotWhiteXY, "\(white)")
      }
      return CameraWhite(Chromaticity(x: white[0], y: white[1]), profile)
    }
    notices.append(
      Notice(
        .assumed, "the file does not say what white is; taken as daylight of 5500 kelvin",
        at: .init(path: directory.path)))
    return CameraWhite(CorrelatedTemperature(kelvin: 5500, tint: 0).chromaticity, profile)
  }
}
