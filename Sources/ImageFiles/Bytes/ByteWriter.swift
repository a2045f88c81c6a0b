// SPDX-License-Identifier: Apache-2.0
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
