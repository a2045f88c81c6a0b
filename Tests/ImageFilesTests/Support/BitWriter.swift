// SPDX-License-Identifier: Apache-2.0
import ImageFiles

/// Writes bitstream headers bit by bit, for tests of their parsers.
struct BitWriter {
  private(set) var bits: [Bool] = []

  mutating func write(_ value: UInt32, bits count: Int) {
    for shift in stride(from: count - 1, through: 0, by: -1) {
      bits.append(value >> UInt32(shift) & 1 == 1)
    }
  }

  mutating func write(_ flags: Bool...) { bits += flags }

  /// ue(v), ITU-T H.265, 9.2.
  mutating func writeExpGolomb(_ values: UInt32...) {
    for value in values {
      let length = UInt32.bitWidth - (value + 1).leadingZeroBitCount
      write(0, bits: length - 1)
      write(value + 1, bits: length)
    }
  }

  /// The bits with a stop bit, padded with zeros.
  var bytes: [UInt8] {
    var all = bits + [true]
    while all.count % 8 != 0 { all.append(false) }
    return stride(from: 0, to: all.count, by: 8).map { start in
      all[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }
  }
}
