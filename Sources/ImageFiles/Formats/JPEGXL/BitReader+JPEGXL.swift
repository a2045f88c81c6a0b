// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Field types of JPEG XL headers.
extension BitReader {
  /// One of the four distributions of a U32 field, selected by two bits.
  enum Distribution {
    case value(UInt32)
    /// A field of this many bits, to which the offset is added.
    case bits(Int, offset: UInt32 = 0)
  }

  /// Reads a U32 field.
  ///
  /// Source: ISO/IEC 18181-1, 9.2.1: U32.
  mutating func read(
    _ a: Distribution, _ b: Distribution, _ c: Distribution, _ d: Distribution
  ) throws(ImageError) -> UInt32 {
    switch [a, b, c, d][Int(try read(2))] {
    case .value(let value): return value
    // The sum fits 32 bits for all distributions in use.
    case .bits(let count, let offset): return offset &+ (try read(count))
    }
  }

  /// Reads a U64 field.
  ///
  /// Source: ISO/IEC 18181-1, 9.2.2: U64.
  mutating func readVariable() throws(ImageError) -> UInt64 {
    switch try read(2) {
    case 0: return 0
    case 1: return 1 + UInt64(try read(4))
    case 2: return 17 + UInt64(try read(8))
    default: break
    }
    var value = UInt64(try read(12))
    var shift: UInt64 = 12
    while try readFlag() {
      guard shift < 60 else { return value | UInt64(try read(4)) << shift }
      value |= UInt64(try read(8)) << shift
      shift += 8
    }
    return value
  }

  /// Reads an enumerated field.
  ///
  /// Source: ISO/IEC 18181-1, 9.2.5: Enum.
  mutating func readEnumeration() throws(ImageError) -> UInt32 {
    try read(.value(0), .value(1), .bits(4, offset: 2), .bits(6, offset: 18))
  }

  /// Reads a finite half-precision number.
  ///
  /// Source: ISO/IEC 18181-1, 9.2.6: F16.
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

  /// Skips the extensions of a header.
  ///
  /// Source: ISO/IEC 18181-1, 9.3: Extensions.
  mutating func skipExtensions() throws(ImageError) {
    let extensions = try readVariable()
    var size = 0
    for _ in 0..<extensions.nonzeroBitCount {
      let (sum, overflow) = size.addingReportingOverflow(Int(clamping: try readVariable()))
      size = overflow ? .max : sum
    }
    try skip(size)
  }

  /// Skips the bits before the next byte.
  mutating func alignToByte() throws(ImageError) { try skip(-position & 7) }
}
