/// Physical quantities as the integers that files hold.
enum FixedPoint {
  /// `value` in multiples of `unit`, to the nearest one; what does not fit goes to the nearest end.
  static func unsigned<T: FixedWidthInteger & UnsignedInteger>(
    _ value: Double, unit: Double
  ) -> T {
    clamped((value / unit).rounded())
  }

  /// `value` in multiples of `unit`, rounded up as upper bounds are, unless it is one already.
  ///
  /// Source: H.274 calls light levels upper bounds.
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
