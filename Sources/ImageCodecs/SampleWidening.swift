internal import ImageFiles

extension UInt16 {
  /// A sample of `bits` bits in `depth` bits, its upper bits repeated below.
  ///
  /// 0 and the largest code stay what they are; shifting right gives the sample back.
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
