// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// An append-only buffer of bytes.
package struct ByteWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package var count: Int { bytes.count }

  package mutating func writeBigEndian<T: FixedWidthInteger>(_ value: T) {
    for shift in stride(from: T.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> T(shift)))
    }
  }

  package mutating func writeLittleEndian<T: FixedWidthInteger>(_ value: T) {
    writeBigEndian(value.byteSwapped)
  }

  /// Appends the low `size` bytes of an unsigned integer, big-endian.
  package mutating func writeUnsigned(_ value: UInt64, bytes size: Int) {
    for index in stride(from: size - 1, through: 0, by: -1) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index)))
    }
  }

  package mutating func write(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Appends the UTF-8 bytes of `text`, with a final zero byte if `isTerminated` is true.
  package mutating func write(_ text: String, isTerminated: Bool = false) {
    bytes.append(contentsOf: text.utf8)
    if isTerminated { bytes.append(0) }
  }

  /// Overwrites a big-endian integer, for sizes that are known only after their content is written.
  package mutating func overwriteBigEndian<T: FixedWidthInteger>(_ value: T, at offset: Int) {
    for index in 0..<T.bitWidth / 8 {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> T(T.bitWidth - 8 * (index + 1)))
    }
  }
}

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

extension RandomAccessCollection<UInt8> where Index == Int {
  /// The code units of text in UTF-16; an odd last byte is ignored.
  ///
  /// - Parameter isBigEndian: Whether the first byte of a unit is the high one.
  /// - Returns: The units.
  func utf16Units(isBigEndian: Bool) -> [UInt16] {
    stride(from: startIndex, to: endIndex - 1, by: 2).map { index in
      let (first, second) = (UInt16(self[index]), UInt16(self[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
  }
}
