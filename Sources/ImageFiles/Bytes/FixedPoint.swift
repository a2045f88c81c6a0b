// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Conversion of physical quantities to the integers that files store.
enum FixedPoint {
  /// Returns `value` in multiples of `unit`, rounded to nearest and clamped to the range of the
  /// type.
  static func unsigned<T: FixedWidthInteger & UnsignedInteger>(
    _ value: Double, unit: Double
  ) -> T {
    clamped((value / unit).rounded())
  }

  /// Returns `value` in multiples of `unit`, rounded up, and clamped to the range of the type.
  ///
  /// Values within 0.001 of a multiple are rounded to it.
  ///
  /// Source: H.274 defines light levels as upper bounds.
  static func upperBound<T: FixedWidthInteger & UnsignedInteger>(
    _ value: Double, unit: Double
  ) -> T {
    let (scaled, nearest) = (value / unit, (value / unit).rounded())
    return clamped(abs(scaled - nearest) < 1e-3 ? nearest : scaled.rounded(.up))
  }

  private static func clamped<T: FixedWidthInteger & UnsignedInteger>(_ value: Double) -> T {
    guard value > 0 else { return 0 }
    return T(exactly: value) ?? T.max
  }
}
