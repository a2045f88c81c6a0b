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

/// An illuminant that a file specifies by its chromaticity or its spectrum.
///
/// Source: DNG 1.7.1, IlluminantData1.
struct IlluminantData: Hashable, Sendable {
  let chromaticity: Chromaticity

  /// Limit of samples of a spectrum.
  private static let maximumSamples = 1000

  /// Reads the illuminant of set 0, 1 or 2; `nil` if the directory has none.
  ///
  /// - Throws: `.malformed` for invalid data.
  init?(_ directory: DNGDirectory, set: Int) throws(ImageError) {
    let tag = TIFFTag.illuminantData[set]
    guard let bytes = try directory.bytes(tag, atMost: 22 + 8 * Self.maximumSamples) else {
      return nil
    }
    guard bytes.count >= 2 else { throw directory.error(.rawLightSize, tag, ["size": bytes.count]) }
    var reader = ByteReader(bytes.span, byteOrder: directory.file.byteOrder)
    let type = try reader.readInteger(bytes: 2)
    let white: Chromaticity?
    switch type {
    case 0:
      guard reader.remaining >= 16 else {
        throw directory.error(.rawLightSize, tag, ["size": bytes.count])
      }
      white = Chromaticity(x: try reader.readRational(), y: try reader.readRational())
    case 1:
      let count = bytes.count >= 22 ? try reader.readInteger() : 0
      guard (2...Self.maximumSamples).contains(count), bytes.count >= 22 + 8 * count else {
        throw directory.error(
          .invalidValue, tag,
          [
            "field": "spectrum of the light source",
            "value": "\(bytes.count) bytes for \(count) samples",
          ])
      }
      let (start, step) = (try reader.readRational(), try reader.readRational())
      var samples: [Double] = []
      for _ in 0..<count { samples.append(try reader.readRational()) }
      white = Self.chromaticity(from: start, step: step, samples: samples)
    default:
      throw directory.error(
        .invalidValue, tag, ["field": "type of light source data", "value": type])
    }
    guard let white, white.isPlausible else {
      throw directory.error(
        .invalidValue, tag,
        [
          "field": "light source",
          "value": white.map { "\($0.x), \($0.y)" } ?? "spectrum without energy",
        ])
    }
    chromaticity = white
  }

  /// Chromaticity of a spectrum, interpolated linearly between its samples and 0 outside.
  ///
  /// - Parameters:
  ///   - start: Wavelength of the first sample, in nanometers.
  ///   - step: Nanometers between samples.
  ///   - samples: Relative power, at least two.
  /// - Returns: `nil` for a spectrum without visible energy.
  static func chromaticity(from start: Double, step: Double, samples: [Double]) -> Chromaticity? {
    guard start.isFinite, step.isFinite, step > 0, samples.allSatisfy({ $0.isFinite && $0 >= 0 })
    else { return nil }
    var sum = SIMD3<Double>.zero
    for wavelength in ColorMatchingFunctions.wavelengths {
      let place = (Double(wavelength) - start) / step
      guard (0...Double(samples.count - 1)).contains(place) else { continue }
      let index = min(Int(clamping: place), samples.count - 2)
      let share = place - Double(index)
      let power = samples[index] + share * (samples[index + 1] - samples[index])
      sum += power * ColorMatchingFunctions.xyz(at: wavelength)
    }
    let total = sum.sum()
    guard total > 0, total.isFinite else { return nil }
    return Chromaticity(x: sum.x / total, y: sum.y / total)
  }
}

/// Color matching functions of the standard observer.
///
/// Source: ISO/CIE 11664-1, the CIE 1931 standard colorimetric observer, from 360 nm to 830 nm.
enum ColorMatchingFunctions {
  static let wavelengths = 360...830
  /// Nanometers between two entries.
  static let step = 5

  /// X, Y and Z at a wavelength in nanometers, interpolated linearly.
  static func xyz(at wavelength: Int) -> SIMD3<Double> {
    let index = min((wavelength - wavelengths.lowerBound) / step, entries.count - 2)
    let start = wavelengths.lowerBound + index * step
    let share = Double(wavelength - start) / Double(step)
    return entries[index] + share * (entries[index + 1] - entries[index])
  }

  private static let entries: [SIMD3<Double>] = [
    SIMD3(0.000_129_9, 0.000_003_917, 0.000_606_1),
    SIMD3(0.000_232_1, 0.000_006_965, 0.001_086),
    SIMD3(0.000_414_9, 0.000_012_39, 0.001_946),
    SIMD3(0.000_741_6, 0.000_022_02, 0.003_486),
    SIMD3(0.001_368, 0.000_039, 0.006_450_001),
    SIMD3(0.002_236, 0.000_064, 0.010_549_99),
    SIMD3(0.004_243, 0.00012, 0.020_050_01),
    SIMD3(0.00765, 0.000_217, 0.03621),
    SIMD3(0.01431, 0.000_396, 0.067_850_01),
    SIMD3(0.02319, 0.00064, 0.1102),
    SIMD3(0.04351, 0.00121, 0.2074),
    SIMD3(0.07763, 0.00218, 0.3713),
    SIMD3(0.13438, 0.004, 0.6456),
    SIMD3(0.21477, 0.0073, 1.039_050_1),
    SIMD3(0.2839, 0.0116, 1.3856),
    SIMD3(0.3285, 0.01684, 1.62296),
    SIMD3(0.34828, 0.023, 1.74706),
    SIMD3(0.34806, 0.0298, 1.7826),
    SIMD3(0.3362, 0.038, 1.77211),
    SIMD3(0.3187, 0.048, 1.7441),
    SIMD3(0.2908, 0.06, 1.6692),
    SIMD3(0.2511, 0.0739, 1.5281),
    SIMD3(0.19536, 0.09098, 1.28764),
    SIMD3(0.1421, 0.1126, 1.0419),
    SIMD3(0.09564, 0.13902, 0.812_950_1),
    SIMD3(0.057_950_01, 0.1693, 0.6162),
    SIMD3(0.03201, 0.20802, 0.46518),
    SIMD3(0.0147, 0.2586, 0.3533),
    SIMD3(0.0049, 0.323, 0.272),
    SIMD3(0.0024, 0.4073, 0.2123),
    SIMD3(0.0093, 0.503, 0.1582),
    SIMD3(0.0291, 0.6082, 0.1117),
    SIMD3(0.06327, 0.71, 0.078_249_99),
    SIMD3(0.1096, 0.7932, 0.057_250_01),
    SIMD3(0.1655, 0.862, 0.04216),
    SIMD3(0.225_749_9, 0.914_850_1, 0.02984),
    SIMD3(0.2904, 0.954, 0.0203),
    SIMD3(0.3597, 0.9803, 0.0134),
    SIMD3(0.433_449_9, 0.994_950_1, 0.008_749_999),
    SIMD3(0.512_050_1, 1.0, 0.005_749_999),
    SIMD3(0.5945, 0.995, 0.0039),
    SIMD3(0.6784, 0.9786, 0.002_749_999),
    SIMD3(0.7621, 0.952, 0.0021),
    SIMD3(0.8425, 0.9154, 0.0018),
    SIMD3(0.9163, 0.87, 0.001_650_001),
    SIMD3(0.9786, 0.8163, 0.0014),
    SIMD3(1.0263, 0.757, 0.0011),
    SIMD3(1.0567, 0.6949, 0.001),
    SIMD3(1.0622, 0.631, 0.0008),
    SIMD3(1.0456, 0.5668, 0.0006),
    SIMD3(1.0026, 0.503, 0.00034),
    SIMD3(0.9384, 0.4412, 0.00024),
    SIMD3(0.854_449_9, 0.381, 0.00019),
    SIMD3(0.7514, 0.321, 0.0001),
    SIMD3(0.6424, 0.265, 0.00005),
    SIMD3(0.5419, 0.217, 0.00003),
    SIMD3(0.4479, 0.175, 0.00002),
    SIMD3(0.3608, 0.1382, 0.00001),
    SIMD3(0.2835, 0.107, 0.0),
    SIMD3(0.2187, 0.0816, 0.0),
    SIMD3(0.1649, 0.061, 0.0),
    SIMD3(0.1212, 0.04458, 0.0),
    SIMD3(0.0874, 0.032, 0.0),
    SIMD3(0.0636, 0.0232, 0.0),
    SIMD3(0.04677, 0.017, 0.0),
    SIMD3(0.0329, 0.01192, 0.0),
    SIMD3(0.0227, 0.00821, 0.0),
    SIMD3(0.01584, 0.005_723, 0.0),
    SIMD3(0.011_359_16, 0.004_102, 0.0),
    SIMD3(0.008_110_916, 0.002_929, 0.0),
    SIMD3(0.005_790_346, 0.002_091, 0.0),
    SIMD3(0.004_109_457, 0.001_484, 0.0),
    SIMD3(0.002_899_327, 0.001_047, 0.0),
    SIMD3(0.002_049_19, 0.00074, 0.0),
    SIMD3(0.001_439_971, 0.00052, 0.0),
    SIMD3(0.000_999_949_3, 0.000_361_1, 0.0),
    SIMD3(0.000_690_078_6, 0.000_249_2, 0.0),
    SIMD3(0.000_476_021_3, 0.000_171_9, 0.0),
    SIMD3(0.000_332_301_1, 0.00012, 0.0),
    SIMD3(0.000_234_826_1, 0.000_084_8, 0.0),
    SIMD3(0.000_166_150_5, 0.00006, 0.0),
    SIMD3(0.000_117_413, 0.000_042_4, 0.0),
    SIMD3(0.000_083_075_3, 0.00003, 0.0),
    SIMD3(0.000_058_706_5, 0.000_021_2, 0.0),
    SIMD3(0.000_041_509_9, 0.000_014_99, 0.0),
    SIMD3(0.000_029_353_3, 0.000_010_6, 0.0),
    SIMD3(0.000_020_673_8, 0.000_007_465_7, 0.0),
    SIMD3(0.000_014_559_8, 0.000_005_257_8, 0.0),
    SIMD3(0.000_010_254, 0.000_003_702_9, 0.0),
    SIMD3(0.000_007_221_5, 0.000_002_607_8, 0.0),
    SIMD3(0.000_005_085_9, 0.000_001_836_6, 0.0),
    SIMD3(0.000_003_581_7, 0.000_001_293_4, 0.0),
    SIMD3(0.000_002_522_5, 0.000_000_910_9, 0.0),
    SIMD3(0.000_001_776_5, 0.000_000_641_5, 0.0),
    SIMD3(0.000_001_251_1, 0.000_000_451_8, 0.0),
  ]
}
