// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@Suite("Conversion of floating-point numbers to integers") struct FloatToIntegerTests {
  /// C's conversion, which rounds toward zero, and the ends of the range.
  @Test func numbersAreLimited() {
    for value in [0, -0.0, 0.9, -0.9, 1.5, -128.5, 254.999, 1e9, -1e9, 0x1p52 + 0.5] {
      #expect(Int(clamping: value) == Int(exactly: value.rounded(.towardZero)))
    }
    #expect(UInt8(clamping: 255.9) == 255 && UInt8(clamping: 256.0) == 255)
    #expect(UInt8(clamping: -0.9) == 0 && UInt8(clamping: -1.0) == 0)
    #expect(Int8(clamping: -128.9) == -128 && Int8(clamping: -129.0) == -128)
    #expect(Int(clamping: 0x1p63) == .max && Int(clamping: -0x1p63) == .min)
    #expect(Int(clamping: 0x1p63.nextDown) == 0x7FFF_FFFF_FFFF_FC00)
    #expect(UInt64(clamping: 0x1p63) == 1 << 63 && UInt64(clamping: 0x1p64) == .max)
    #expect(Int32(clamping: Float.greatestFiniteMagnitude) == .max)
    #expect(Int16(clamping: -Float.infinity) == .min && Int(clamping: Double.infinity) == .max)
  }

  @Test func notANumberIsTheGivenValue() {
    #expect(Int(clamping: Double.nan) == 0 && UInt16(clamping: -Float.nan) == 0)
    #expect(Int(clamping: Double.nan, undefined: -1) == -1)
  }
}
