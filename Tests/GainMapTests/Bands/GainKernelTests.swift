// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import GainMap
@testable import HDRCore
@testable import ImageFiles

/// The kernels of `gain.c` compared with the C library in double precision.
@Suite("Gain kernels") struct GainKernelTests {
  /// The relative accuracy is kept for gains close to 1.
  @Test func gainMinusOne() {
    var logGains: [Float] = [0, 1, -1, 16, -16, 64, -64, 0.5, -0.5, 1.5]
    for exponent in stride(from: -30.0, through: 6, by: 0.01) {
      logGains += [Float(exp2(exponent)), Float(-exp2(exponent))]
    }
    var gain = [Float](repeating: 0, count: logGains.count)
    gain.assignGainMinus1(between: logGains, logGains, share: 0.3, bias: 0)
    for (logGain, value) in zip(logGains, gain) {
      let expected = expm1(Double(logGain) * M_LN2)
      #expect(isClose(Double(value), expected, relative: 3e-7), "\(logGain)")
    }
    #expect(gain[0] == 0 && gain[1] == 1 && gain[2] == -0.5)
  }

  @Test func gainBetweenRows() {
    let (above, below): ([Float], [Float]) = ([0, 1, -2], [1, 3, -1])
    var gain: [Float] = [0, 0, 0]
    gain.assignGainMinus1(between: above, below, share: 0.5, bias: 0.5)
    for (value, expected) in zip(gain, [1, 2.5, -1]) {
      #expect(isClose(Double(value), exp2(expected) - 1, relative: 3e-7))
    }
    gain.assignGainMinus1(between: [.nan, .infinity, -.infinity], below, share: 0, bias: 0)
    #expect(gain.allSatisfy { $0.isFinite })
  }

  /// Small linear values keep their precision with much larger offsets.
  @Test func smallLightBesideLargeOffsets() {
    var light: [Float] = [0, 1e-6, 0.001, 0.5]
    light.apply(gainMinus1: [0, 0.1, 1e-4, 3], baseOffset: 6.5, offsetDifference: 0)
    let expected = [0, 0.650_001_1, 0.001_650_1, 21.5]
    for (value, expected) in zip(light, expected) {
      #expect(isClose(Double(value), expected, relative: 2e-7))
    }
  }

  @Test func positionsAreAligned() {
    // Two samples over four: centers at -0.25, 0.25, 0.75, 1.25.
    let doubled = LinearPositions(from: 2, to: 4)
    #expect((0..<4).map { doubled[$0].share } == [0, 0.25, 0.75, 1])
    var row = [Float](repeating: 0, count: 4)
    doubled.resample([4, 8], into: &row)
    #expect(row == [4, 5, 7, 8])
    let same = LinearPositions(from: 5, to: 5)
    #expect((0..<5).allSatisfy { Float(same[$0].above) + same[$0].share == Float($0) })
    let one = LinearPositions(from: 1, to: 3)
    var flat = [Float](repeating: 0, count: 3)
    one.resample([7], into: &flat)
    #expect(flat == [7, 7, 7])
    #expect((0..<3).allSatisfy { one[$0].below == 0 })
  }
}
