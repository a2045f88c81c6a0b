// SPDX-License-Identifier: Apache-2.0

/// Writes fields of JPEG XL headers, whose least significant bit comes first.
struct JPEGXLBitWriter {
  /// The bytes, padded with zeros.
  private(set) var bytes: [UInt8] = []
  /// Number of bits written.
  private(set) var count = 0

  mutating func write(_ value: UInt32, bits: Int) {
    for bit in 0..<bits {
      if count.isMultiple(of: 8) { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> UInt32(bit) & 1) << UInt8(count % 8)
      count += 1
    }
  }

  mutating func write(_ flag: Bool) { write(flag ? 1 : 0, bits: 1) }

  /// Source: ISO/IEC 18181-1, 9.2.5: Enum.
  mutating func writeEnumeration(_ value: UInt32) {
    switch value {
    case 0, 1: write(value, bits: 2)
    case 2..<18:
      write(2, bits: 2)
      write(value - 2, bits: 4)
    default:
      write(3, bits: 2)
      write(value - 18, bits: 6)
    }
  }

  /// Copies bits of other fields.
  ///
  /// - Precondition: `range` is within the bits of `bytes`.
  mutating func copy(_ range: Range<Int>, of bytes: [UInt8]) {
    for bit in range { write(UInt32(bytes[bit / 8] >> UInt8(bit % 8) & 1), bits: 1) }
  }
}
