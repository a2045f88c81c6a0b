internal import HDRCore

/// A bounds-checked cursor over the bits of a JPEG XL header, lowest bit first.
struct JPEGXLBitReader {
  /// One of the four ways to code an integer; two bits choose.
  enum Distribution {
    case value(UInt32)
    /// So many bits, added to the offset.
    case bits(Int, offset: UInt32 = 0)
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// An unsigned integer of `count` bits, 0...32.
  mutating func read(_ count: Int) throws(ImageError) -> UInt32 {
    guard count <= 8 * bytes.count - position else {
      throw ImageError(
        .bitsTruncated, ["needed": count, "available": 8 * bytes.count - position],
        at: .init(offset: position / 8))
    }
    var value: UInt32 = 0
    for index in 0..<count {
      value |= UInt32(bytes[position >> 3] >> UInt8(position & 7) & 1) << UInt32(index)
      position += 1
    }
    return value
  }

  mutating func readFlag() throws(ImageError) -> Bool { try read(1) == 1 }

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

  /// A number of 16 bits.
  ///
  /// Source: ISO/IEC 18181-1, 9.2.6: F16, which is finite.
  mutating func readFloat() throws(ImageError) -> Double {
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
