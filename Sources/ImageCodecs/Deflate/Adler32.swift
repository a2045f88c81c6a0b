// SPDX-License-Identifier: Apache-2.0
#if PNG || TIFF || EXR
internal import CLibDeflate

/// The checksum of zlib streams.
///
/// Source: RFC 1950, section 9.
struct Adler32 {
  private(set) var value: UInt32 = 1

  init() {}

  init(_ bytes: [UInt8]) {
    // SAFETY: libdeflate reads all bytes of the buffer.
    value = unsafe bytes.withUnsafeBytes {
      unsafe libdeflate_adler32(1, $0.baseAddress, $0.count)
    }
  }

  /// Appends `count` bytes with the given checksum.
  mutating func append(_ next: Adler32, count: Int) {
    let modulus: UInt64 = 65521
    let (low, high) = (UInt64(value & 0xFFFF), UInt64(value >> 16))
    let (nextLow, nextHigh) = (UInt64(next.value & 0xFFFF), UInt64(next.value >> 16))
    // The sums of the next bytes start at `low` and `high` instead of 1 and 0.
    let shift = low + modulus - 1
    let newLow = (nextLow + shift) % modulus
    let newHigh = (nextHigh + high + UInt64(count) % modulus * (shift % modulus)) % modulus
    value = UInt32(truncatingIfNeeded: newHigh << 16 | newLow)
  }
}
#endif
