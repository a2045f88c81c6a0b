internal import HDRCore

/// A bounds-checked cursor over the bits of a JPEG XL header, lowest bit first.
///
/// Source: ISO/IEC 18181-1, 9.2 (field types).
struct JXLBitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// u(n), n at most 32.
  mutating func read(_ count: Int) throws(ImageError) -> Int {
    guard count <= 8 * bytes.count - position else {
      throw ImageError(.truncated, "needs \(count) bits, has \(8 * bytes.count - position)")
    }
    var value = 0
    for bit in 0..<count {
      value |= Int(bytes[position >> 3] >> UInt8(position & 7) & 1) << bit
      position += 1
    }
    return value
  }

  mutating func readFlag() throws(ImageError) -> Bool { try read(1) == 1 }

  mutating func skip(_ count: Int) throws(ImageError) {
    for start in stride(from: 0, to: count, by: 32) { _ = try read(min(32, count - start)) }
  }

  /// One of the four distributions of a U32 field: a base and a number of bits added to it.
  mutating func readU32(
    _ a: (Int, Int), _ b: (Int, Int), _ c: (Int, Int), _ d: (Int, Int)
  ) throws(ImageError) -> Int {
    let (base, bits) = [a, b, c, d][try read(2)]
    return base + (try read(bits))
  }

  mutating func readEnum() throws(ImageError) -> Int {
    try readU32((0, 0), (1, 0), (2, 4), (18, 6))
  }

  /// A half-precision number.
  ///
  /// - Throws: `.malformed` for what is no number.
  mutating func readF16() throws(ImageError) -> Double {
    let bits = try read(16)
    let (sign, exponent, mantissa) = (bits >> 15, bits >> 10 & 31, Double(bits & 1023))
    guard exponent != 31 else { throw ImageError(.malformed, "a number that is not finite") }
    let magnitude =
      exponent == 0
      ? mantissa * 0x1p-24
      : Double(sign: .plus, exponent: exponent - 15, significand: 1 + mantissa / 1024)
    return sign == 1 ? -magnitude : magnitude
  }
}
