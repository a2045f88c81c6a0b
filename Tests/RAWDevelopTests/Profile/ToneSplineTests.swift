// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import RAWDevelop

@Suite("Tone curves") struct ToneSplineTests {
  @Test("a natural spline passes through its points, and is linear beyond")
  func spline() {
    let curve = ToneSpline([(0, 0), (1, 1), (2, 0)])
    #expect(curve(0) == 0 && curve(1) == 1 && curve(2) == 0)
    // y = 1.5 x - 0.5 x^3 up to the middle.
    #expect(abs(curve(0.5) - 0.6875) < 1e-12 && abs(curve(1.5) - 0.6875) < 1e-12)
    #expect(abs(curve(3) + 1.5) < 1e-12 && curve(-1) == 0)
    #expect(abs(ToneSpline([(0, 0), (1, 1)])(0.3) - 0.3) < 1e-15)
  }

  /// Values of the curve that Adobe's SDK uses, measured with dng_validate.
  @Test(arguments: [(0.01, 0.0083), (0.05, 0.077), (0.18, 0.388), (0.5, 0.805), (0.9, 0.983)])
  func standard(linear: Double, shown: Double) {
    #expect(abs(ToneSpline.standard(linear) - shown) < 6e-4)
  }

  @Test func standardIsMonotonic() {
    var last = -1.0
    for step in 0...10_000 {
      let shown = ToneSpline.standard(Double(step) / 10_000)
      #expect(shown > last)
      last = shown
    }
    #expect(last == 1)
  }

  @Test("renderings of a curve are monotonic", arguments: [0, 0.3, 1], [0, 0.5, 1, 2])
  func rendering(boost: Double, shadow: Double) {
    for exposure in [-3.0, 0] {
      let tone = ToneRendering(
        curve: .standard, exposure: exposure, boost: boost, boostShadow: shadow, isHDR: false)
      let values = (0...4096).map { tone(Double($0) / 4096) }
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
      #expect(values[0] == 0 && abs((values.last ?? 0) - 1) < 1e-12)
    }
  }

  @Test("the extended range round-trips")
  func extendedRange() {
    #expect(ExtendedRange.compressed(16) == 1 && ExtendedRange.compressed(0) == 0)
    for light in [0.001, 0.18, 1, 4, 16] {
      #expect(abs(ExtendedRange.expanded(ExtendedRange.compressed(light)) - light) < 1e-12 * 16)
    }
  }
}
