// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import ImageFiles

@Suite("ICC curves") struct ICCCurveTests {
  /// Values of each function on both sides of its breakpoint, computed by hand.
  @Test(arguments: [
    (0, [2.0], 0.5, 0.25),
    (1, [2.0, 2, -0.5], 0.5, 0.25), (1, [2.0, 2, -0.5], 0.2, 0),
    (2, [2.0, 2, -0.5, 0.1], 0.5, 0.35), (2, [2.0, 2, -0.5, 0.1], 0.2, 0.1),
    (3, [2.0, 1, 0, 0.25, 0.3], 0.5, 0.25), (3, [2.0, 1, 0, 0.25, 0.3], 0.2, 0.05),
    (4, [2.0, 1, 0, 0.25, 0.3, 0.1, 0.2], 0.5, 0.35),
    (4, [2.0, 1, 0, 0.25, 0.3, 0.1, 0.2], 0.2, 0.25),
    (0, [-1.0], 0.5, 1), (0, [2.0], 7, 1), (0, [2.0], -7, 0),
  ])
  func functions(function: Int, parameters: [Double], signal: Double, light: Double) {
    let curve = ICCCurve.parametric(function: function, parameters: parameters)
    #expect(abs(curve.linearValue(ofSignal: signal) - light) < 1e-12)
  }

  @Test func tablesAreInterpolated() {
    let curve = ICCCurve.table([0, 13107, 65535])
    #expect(abs(curve.linearValue(ofSignal: 0.25) - 0.1) < 1e-12)
    #expect(abs(curve.linearValue(ofSignal: 0.75) - 0.6) < 1e-12)
    #expect(curve.linearValue(ofSignal: 1) == 1)
    #expect(curve.sampled?.samples == [0, 0.2, 1])
    #expect(ICCCurve.table([5, 3]).sampled == nil)
  }

  @Test func sRGBIsRecognized() {
    #expect(ICCCurve.srgb.isSRGB)
    // Apple's parameters with three digits.
    let apple = [2.4, 0.948, 0.052, 0.077, 0.039]
    #expect(ICCCurve.parametric(function: 3, parameters: apple).isSRGB)
    let table = (0..<1024).map {
      UInt16(clamping: (SRGB.eotf(Double($0) / 1023) * 65535).rounded())
    }
    #expect(ICCCurve.table(table).isSRGB)
    #expect(!ICCCurve.parametric(function: 0, parameters: [2.2]).isSRGB)
    #expect(!ICCCurve.identity.isSRGB)
    #expect(!ICCCurve.table(table.map { $0 / 2 }).isSRGB)
  }

  @Test func transfers() {
    func transfer(_ curve: ICCCurve) -> TransferFunction? {
      ICCMatrixModel(red: .one, green: .one, blue: .one, curves: [curve, curve, curve]).transfer
    }
    #expect(transfer(.srgb) == .srgb)
    #expect(transfer(.identity) == .linear)
    #expect(transfer(.parametric(function: 0, parameters: [1])) == .linear)
    #expect(transfer(.parametric(function: 0, parameters: [2.2])) == .gamma(2.2))
    #expect(transfer(.parametric(function: 0, parameters: [-1])) == nil)
    #expect(transfer(.table([9, 3])) == nil)
    guard case .sampled(let curves) = transfer(.table([0, 100, 65535])) else {
      Issue.record("not sampled")
      return
    }
    #expect(curves.red.samples.count == 3)
  }

  /// Samples of a parametric curve deviate from it by less than a quarter of a 16-bit code value.
  @Test func sampling() throws {
    let curve = ICCCurve.parametric(function: 2, parameters: [2.2, 0.9, 0.1, 0])
    let sampled = try #require(curve.sampled)
    for index in 0...5000 {
      let signal = Double(index) / 5000
      let difference = sampled.linearValue(ofSignal: signal) - curve.linearValue(ofSignal: signal)
      #expect(abs(difference) < 0.25 / 65535)
    }
  }
}
