// SPDX-License-Identifier: Apache-2.0
public import Platform

extension FixedWidthInteger {
  /// The number without its fraction, limited to the range of the type.
  ///
  /// - Parameters:
  ///   - value: Any number; infinite ones become the ends of the range.
  ///   - undefined: The result for NaN.
  @inlinable
  package init(clamping value: Double, undefined: Self = 0) {
    if value >= 0x1p63 {
      self.init(clamping: value < 0x1p64 ? truncatedToUInt64(value) : .max)
    } else if value > -0x1p63 {
      self.init(clamping: truncatedToInt64(value))
    } else {
      self = value.isNaN ? undefined : .min
    }
  }

  /// The number without its fraction, limited to the range of the type; see the conversion of `Double`.
  @inlinable
  package init(clamping value: Float, undefined: Self = 0) {
    self.init(clamping: Double(value), undefined: undefined)
  }
}

// The conversions of the standard library end the program for NaN, which passes `min(max(value, 0), peak)`, and
// for numbers outside of the range. These overloads hide them in all files that import HDRCore. They are
// deprecated, and warnings are errors, so that the compiler refuses each conversion that is neither
// `init(clamping:)` nor `init(exactly:)`. Those of the protocol hide conversions to a generic type, and to
// types without an overload here, such as UInt128.

extension BinaryInteger {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Double) { self = Self(exactly: value.rounded(.towardZero)) ?? 0 }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Float) { self.init(Double(value)) }
}

extension Int {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Float) { self.init(clamping: value) }
}

extension Int8 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Float) { self.init(clamping: value) }
}

extension Int16 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Float) { self.init(clamping: value) }
}

extension Int32 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Float) { self.init(clamping: value) }
}

extension Int64 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Float) { self.init(clamping: value) }
}

extension UInt {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Float) { self.init(clamping: value) }
}

extension UInt8 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Float) { self.init(clamping: value) }
}

extension UInt16 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Float) { self.init(clamping: value) }
}

extension UInt32 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Float) { self.init(clamping: value) }
}

extension UInt64 {
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Double) { self.init(clamping: value) }
  @available(*, deprecated, message: "use init(clamping:) or init(exactly:)")
  package init(_ value: Float) { self.init(clamping: value) }
}
