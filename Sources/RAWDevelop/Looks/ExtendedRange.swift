// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// The curve that compresses linear values of 0...16 to the domain 0...1 of tables and curves, for
/// HDR profiles.
///
/// It is odd, for out-of-gamut colors; the formula of the specification has a pole at -1.
///
/// Source: DNG 1.7.1, ProfileDynamicRange.
enum ExtendedRange {
  static func compressed(_ linear: Double) -> Double {
    let size = abs(linear)
    return linear * (256 + size) / (256 * (1 + size))
  }

  static func expanded(_ value: Double) -> Double {
    let size = abs(value)
    let linear = 16 * (8 * size - 8 + sqrt(64 * size * size - 127 * size + 64))
    return value < 0 ? -linear : linear
  }
}
