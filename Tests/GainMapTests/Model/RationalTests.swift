// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Fractions") struct RationalTests {
  @Test func denominatorIsNotZero() {
    #expect(SignedRational(1, 0) == nil)
    #expect(SignedRational(-3, 4)?.value == -0.75)
  }

  /// Decimals of real files; the fractions of the first three equal those of libavif's conversion.
  @Test(
    arguments: [
      ("-0.256907", -256907, 1_000_000), ("0.953784", 119223, 125_000), ("0.015625", 1, 64),
      ("2.656715", 531343, 200_000), ("0", 0, 1), ("0.000000", 0, 1), ("-0.0", 0, 1),
      ("1e-07", 1, 10_000_000),
      (" +1.3\n", 13, 10), ("4.", 4, 1), (".5", 1, 2), ("1E3", 1000, 1),
      ("0.30000000000000000000000000", 3, 10),
    ] as [(String, Int32, UInt32)])
  func decimalsAreExact(text: String, numerator: Int32, denominator: UInt32) {
    #expect(SignedRational(decimal: text) == SignedRational(numerator, denominator))
  }

  @Test(arguments: [
    "", " ", "-", ".", "e5", "1e", "0x10", "nan", "inf", "1,5", "1 2", "--1", "1.2.3", "1e999999",
    "1e-9223372036854775808", "1e9223372036854775807",
    "3000000000", "1/64",
  ])
  func nonsenseIsNoNumber(text: String) {
    #expect(SignedRational(decimal: text) == nil)
  }

  @Test func tooManyDigitsAreNoNumber() {
    #expect(SignedRational(decimal: String(repeating: "1", count: 500)) == nil)
  }

  @Test func unsignedRefusesMinus() {
    #expect(UnsignedRational(decimal: "-1") == nil)
    #expect(UnsignedRational(decimal: "-0") == UnsignedRational(0, 1))
    #expect(UnsignedRational(decimal: "3000000000") == UnsignedRational(3_000_000_000, 1))
    #expect(UnsignedRational(approximating: -0.5) == nil)
  }

  @Test(
    arguments: [
      (1.0 / 3, "0.3333333333333333"), (2.3, "2.3"), (1e-7, "0.0000001"), (-0.25, "-0.25"),
      (0, "0"), (2_000_000_000, "2000000000"), (12.5, "12.5"), (-1e-9, "-0.000000001"),
    ] as [(Double, String)])
  func shortestDecimals(value: Double, text: String) throws {
    let fraction = try #require(SignedRational(approximating: value, tolerance: 0))
    #expect(fraction.decimal == text)
    #expect(SignedRational(decimal: text)?.value == value)
  }

  /// Every fraction is preserved by conversion to decimal text and back.
  @Test func decimalTextKeepsTheValue() throws {
    var random = SplitMix(seed: 11)
    for _ in 0..<20_000 {
      let numerator = Int32(truncatingIfNeeded: random.next() >> (random.next() % 32))
      let denominator = UInt32(truncatingIfNeeded: random.next() >> (random.next() % 32)) | 1
      let fraction = try #require(SignedRational(numerator, denominator))
      let back = try #require(SignedRational(decimal: fraction.decimal), "\(fraction)")
      // Some fractions do not have a unique Double, and a simpler fraction is equal to rounding
      // error.
      #expect(isClose(back.value, fraction.value, relative: 3e-10, absolute: 1e-10), "\(fraction)")
      if abs(numerator) < 1 << 25, denominator < 1 << 25 {
        #expect(back.value == fraction.value, "\(fraction)")
      }
    }
  }

  @Test func approximationsAreCloseAndSimple() throws {
    #expect(SignedRational(approximating: 0.33333333333) == SignedRational(1, 3))
    #expect(
      SignedRational(approximating: 2.287109, tolerance: 0) == SignedRational(2_287_109, 1_000_000))
    #expect(
      SignedRational(approximating: 9_646_899 / 4_194_304.0, tolerance: 0)
        == SignedRational(9_646_899, 4_194_304))
    #expect(SignedRational(approximating: 3e9) == nil)
    #expect(SignedRational(approximating: .nan) == nil)
    #expect(SignedRational(approximating: .infinity) == nil)
    #expect(SignedRational(approximating: 1e-300, tolerance: 0)?.value == 0)
    var random = SplitMix(seed: 5)
    for _ in 0..<5000 {
      let value = Double.random(in: -16...16, using: &random)
      let fraction = try #require(SignedRational(approximating: value))
      #expect(abs(fraction.value - value) <= 1e-9)
    }
  }
}
