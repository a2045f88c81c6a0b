internal import Foundation

/// The curve that brings light of 0...16 to the 0...1 of tables and curves, for profiles that are
/// meant for high dynamic range.
///
/// Source: DNG 1.7.1, ProfileDynamicRange.
enum ExtendedRange {
  static func compressed(_ light: Double) -> Double {
    light * (256 + light) / (256 * (1 + light))
  }

  static func expanded(_ value: Double) -> Double {
    16 * (8 * value - 8 + sqrt(64 * value * value - 127 * value + 64))
  }
}
