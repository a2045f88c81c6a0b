internal import Foundation

/// The curve that brings light of 0...16 to the 0...1 of tables and curves, for profiles that are
/// meant for high dynamic range.
///
/// It is mirrored below 0, where colors beyond primaries are: the specification's own ends at -1.
///
/// Source: DNG 1.7.1, ProfileDynamicRange.
enum ExtendedRange {
  static func compressed(_ light: Double) -> Double {
    let size = abs(light)
    return light * (256 + size) / (256 * (1 + size))
  }

  static func expanded(_ value: Double) -> Double {
    let size = abs(value)
    let light = 16 * (8 * size - 8 + sqrt(64 * size * size - 127 * size + 64))
    return value < 0 ? -light : light
  }
}
