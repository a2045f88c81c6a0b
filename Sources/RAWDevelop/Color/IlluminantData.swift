// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

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
    guard bytes.count >= 2 else {
      throw directory.error(.rawLightSize, tag, ["size": bytes.count])
    }
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
