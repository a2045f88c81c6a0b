// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Numbers of DNG in the byte order of the reader; floating-point numbers are finite.
extension ByteReader {
  /// An integer of 32 bits, or of another number of bytes.
  @_lifetime(self: copy self)
  mutating func readInteger(bytes size: Int = 4) throws(ImageError) -> Int {
    Int(try readUnsigned(bytes: size))
  }

  @_lifetime(self: copy self)
  mutating func readFiniteFloat() throws(ImageError) -> Float {
    let value = Float(bitPattern: UInt32(truncatingIfNeeded: try readUnsigned(bytes: 4)))
    guard value.isFinite else { throw error(.valueNotFinite, ["field": "number", "value": value]) }
    return value
  }

  @_lifetime(self: copy self)
  mutating func readFiniteDouble() throws(ImageError) -> Double {
    let value = Double(bitPattern: try readUnsigned(bytes: 8))
    guard value.isFinite else { throw error(.valueNotFinite, ["field": "number", "value": value]) }
    return value
  }

  @_lifetime(self: copy self)
  mutating func readFiniteDoubles(_ count: Int) throws(ImageError) -> [Double] {
    var values: [Double] = []
    for _ in 0..<count { values.append(try readFiniteDouble()) }
    return values
  }

  /// Finite floats, whose bytes must be available before memory is allocated.
  @_lifetime(self: copy self)
  mutating func readFiniteFloats(_ count: Int) throws(ImageError) -> [Float] {
    let (size, overflow) = count.multipliedReportingOverflow(by: 4)
    guard !overflow, size <= remaining else {
      throw error(
        .malformed, "truncated: {count number} in {available byte}",
        ["count": count, "available": remaining])
    }
    var values: [Float] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try readFiniteFloat()) }
    return values
  }

  /// Two integers of 32 bits as a quotient; infinite or not a number for a denominator of 0.
  @_lifetime(self: copy self)
  mutating func readRational() throws(ImageError) -> Double {
    Double(try readUnsigned(bytes: 4)) / Double(try readUnsigned(bytes: 4))
  }
}
