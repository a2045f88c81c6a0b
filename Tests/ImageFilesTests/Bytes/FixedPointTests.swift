// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ImageFiles

@Suite("Fixed point") struct FixedPointTests {
  @Test(arguments: [
    (0.0, UInt16(0)), (-1, 0), (.nan, 0), (0.708, 35400), (0.70801, 35401), (1.31070, .max),
    (1e300, .max), (.infinity, .max),
  ])
  func nearestMultiple(value: Double, expected: UInt16) {
    #expect(FixedPoint.unsigned(value, unit: 2e-5) == expected)
  }

  /// Values within rounding error of a multiple are kept; others are rounded up.
  @Test(arguments: [
    (1000.0, UInt16(1000)), (1000.0004, 1000), (1000.1, 1001), (-1, 0), (.nan, 0), (1e9, .max),
  ])
  func upperBound(value: Double, expected: UInt16) {
    #expect(FixedPoint.upperBound(value, unit: 1) == expected)
  }
}
