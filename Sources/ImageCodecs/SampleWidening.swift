// SPDX-License-Identifier: Apache-2.0
internal import ImageFiles

extension UInt16 {
  /// A sample of `bits` bits widened to `depth` bits by repeating its upper bits.
  ///
  /// 0 and the largest code value are preserved; a right shift restores the sample.
  ///
  /// Source: PNG Third Edition, 12.4, "left bit replication".
  func widened(from bits: Int, to depth: Int) -> UInt16 {
    var result = UInt32(self) << UInt32(depth - bits)
    var filled = bits
    while filled < depth {
      result |= result >> UInt32(filled)
      filled *= 2
    }
    return UInt16(truncatingIfNeeded: result)
  }
}
