internal import HDRCore

/// Fields of JPEG XL headers.
extension BitReader {
  /// One of the four ways to code an integer, which two bits select.
  enum Distribution {
    case value(UInt32)
    /// A field of this many bits, added to the offset.
    case bits(Int, offset: UInt32 = 0)
  }

  /// Source: ISO/IEC 18181-1, 9.2.1: U32.
  mutating func read(
    _ a: Distribution, _ b: Distribution, _ c: Distribution, _ d: Distribution
  ) throws(ImageError) -> UInt32 {
    switch [a, b, c, d][Int(try read(2))] {
    case .value(let value): return value
    // No table has an offset and a number of bits that exceed 32 bits together.
    case .bits(let count, let offset): return offset &+ (try read(count))
    }
  }

  /// Source: ISO/IEC 18181-1, 9.2.5: Enum.
  mutating func readEnumeration() throws(ImageError) -> UInt32 {
    try read(.value(0), .value(1), .bits(4, offset: 2), .bits(6, offset: 18))
  }

  /// A half-precision number.
  ///
  /// Source: ISO/IEC 18181-1, 9.2.6: F16, which is finite.
  mutating func readHalf() throws(ImageError) -> Double {
    let bits = try read(16)
    let (sign, exponent, mantissa) = (bits >> 15, bits >> 10 & 31, Double(bits & 1023))
    guard exponent < 31 else {
      throw ImageError(.invalidValue, ["field": "half-precision number", "value": "not finite"])
    }
    let magnitude =
      exponent == 0
      ? Double(sign: .plus, exponent: -24, significand: mantissa)
      : Double(sign: .plus, exponent: Int(exponent) - 25, significand: 1024 + mantissa)
    return sign == 1 ? -magnitude : magnitude
  }
}
