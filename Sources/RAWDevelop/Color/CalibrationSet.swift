// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Calibration of a camera under one illuminant.
///
/// Source: DNG 1.7.1, chapter 6, "Mapping Camera Color Space to CIE XYZ Space".
struct CalibrationSet: Hashable, Sendable {
  /// The illuminant; `nil` if unspecified.
  var illuminant: CorrelatedTemperature?
  /// CIE XYZ to the colors of the reference camera.
  var color: Matrix3x3
  /// White-balanced colors of a reference camera to XYZ under D50, with (1, 1, 1) as white.
  var forward: Matrix3x3?
  /// Colors of the reference camera to those of this one.
  var camera: Matrix3x3
  /// Color corrections after the matrices.
  var hueSatMap: HueSatMap?
  /// Code of the illuminant in CalibrationIlluminant.
  var illuminantCode: Int?

  init(
    illuminant: CorrelatedTemperature?, color: Matrix3x3, forward: Matrix3x3?, camera: Matrix3x3,
    hueSatMap: HueSatMap? = nil, illuminantCode: Int? = nil
  ) {
    self.illuminant = illuminant
    self.hueSatMap = hueSatMap
    self.illuminantCode = illuminantCode
    self.color = color
    self.camera = camera
    self.forward = forward.map { matrix in
      // Rounded matrices of some makers do not map white to D50.
      Matrix3x3(diagonal: Chromaticity.d50.xyz / (matrix * SIMD3(1, 1, 1))) * matrix
    }
  }

  /// Reads set 0, 1 or 2; `nil` if the directory has no such color matrix.
  ///
  /// - Parameters:
  ///   - directory: Directory of the profile.
  ///   - set: Number of the set.
  ///   - main: Directory with the calibration of the camera itself; `nil` if that belongs to other
  ///     matrices.
  ///   - notices: Receives a notice for each invalid value; only the first color matrix is
  ///     required.
  /// - Throws: `.malformed` for an invalid first color matrix, `.unsupported` for a camera without
  ///   exactly three colors.
  init?(
    _ directory: DNGDirectory, set: Int, camera main: DNGDirectory?, _ notices: inout [Notice]
  ) throws(ImageError) {
    let read = { () throws(ImageError) -> Matrix3x3? in
      guard let matrix = try Self.matrix(directory, .colorMatrix[set]) else { return nil }
      guard matrix.inverse.isFinite else {
        throw directory.error(.rawMatrixSingular, .colorMatrix[set], ["matrix": "ColorMatrix"])
      }
      return matrix
    }
    guard let color = set == 0 ? try read() : try notices.recover(read) else { return nil }
    let camera = try notices.recover { () throws(ImageError) -> Matrix3x3? in
      guard let main, let matrix = try Self.matrix(main, .cameraCalibration[set])
      else { return nil }
      guard matrix.inverse.isFinite else {
        throw main.error(
          .rawMatrixSingular, .cameraCalibration[set], ["matrix": "CameraCalibration"])
      }
      return matrix
    }
    let forward = try notices.recover { () throws(ImageError) -> Matrix3x3? in
      guard let matrix = try Self.matrix(directory, .forwardMatrix[set]) else { return nil }
      guard (matrix * SIMD3(1, 1, 1)).min() > 0 else {
        throw directory.error(
          .malformed, "ForwardMatrix does not map to white", .forwardMatrix[set])
      }
      return matrix
    }
    let illuminantCode = try directory.optionalInteger(.calibrationIlluminant[set], &notices)
    let illuminant = try notices.recover { () throws(ImageError) in
      try Self.illuminant(illuminantCode, directory, set)
    }
    let hueSatMap = try notices.recover { () throws(ImageError) in
      try HueSatMap(
        directory, dimensions: .profileHueSatMapDims, data: .profileHueSatMapData[set],
        encoding: .profileHueSatMapEncoding)
    }
    self.init(
      illuminant: illuminant, color: color, forward: forward, camera: camera ?? .identity,
      hueSatMap: hueSatMap,
      illuminantCode: illuminantCode)
  }

  private static func matrix(
    _ directory: DNGDirectory, _ tag: TIFFTag
  ) throws(ImageError) -> Matrix3x3? {
    guard let values = try directory.numbers(tag, atMost: 16) else { return nil }
    guard values.count == 9 else {
      throw directory.error(
        .unsupported, "the color matrix has {count element} instead of 9", tag,
        ["count": values.count])
    }
    return Matrix3x3(
      SIMD3(values[0], values[1], values[2]), SIMD3(values[3], values[4], values[5]),
      SIMD3(values[6], values[7], values[8]))
  }

  /// Source: DNG 1.7.1, CalibrationIlluminant1.
  private static func illuminant(
    _ source: Int?, _ directory: DNGDirectory, _ set: Int
  ) throws(ImageError) -> CorrelatedTemperature? {
    guard source == 255 else {
      return source.flatMap(LightSource.temperature).map { .init(kelvin: $0, tint: 0) }
    }
    return try IlluminantData(directory, set: set).map { CorrelatedTemperature($0.chromaticity) }
  }
}

/// Light sources of Exif.
enum LightSource {
  /// Correlated color temperature in kelvin, the middle of a range; `nil` if unknown.
  ///
  /// Source: Exif 3.0, tag LightSource; the middles are those of the DNG SDK.
  static func temperature(_ code: Int) -> Double? {
    switch code {
    case 3, 17: 2850  // Tungsten, illuminant A.
    case 24: 3200
    case 23: 5000  // D50.
    case 1, 4, 9, 18, 20: 5500  // Daylight, flash, fine weather, illuminant B, D55.
    case 10, 19, 21: 6500  // Cloudy, illuminant C, D65.
    case 11, 22: 7500  // Shade, D75.
    case 12: 6400  // Fluorescent: daylight,
    case 13: 5050  // day white,
    case 2, 14: 4150  // cool white,
    case 15: 3525  // white,
    case 16: 2925  // warm white.
    default: nil
    }
  }
}
