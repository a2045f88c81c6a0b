// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import HDRCore

@Suite("Lanczos filter") struct FilterTapsTests {
  static let sizes = [
    (1, 1), (1, 5), (5, 1), (2, 3), (3, 2), (7, 4), (4, 7), (100, 33), (33, 100), (64, 63),
    (63, 64), (640, 3), (97, 41),
  ]

  /// Source: the formula of Duchon's paper, evaluated with Python's math module.
  @Test(arguments: [
    (0, 1), (0.5, 0.607_927_101_854_026_6), (1, 0), (1.5, -0.135_094_911_523_117),
    (2.5, 0.024_317_084_074_161_06), (3, 0), (-0.5, 0.607_927_101_854_026_6), (7, 0),
  ])
  func weight(distance: Double, expected: Double) {
    #expect(abs(Lanczos.weight(at: distance) - expected) <= 1e-15)
  }

  @Test(arguments: sizes) func weightsSumTo1(sizes: (Int, Int)) {
    let taps = FilterTaps(from: sizes.0, to: sizes.1)
    for index in 0..<taps.count {
      let sum = taps.weights[index * taps.taps..<(index + 1) * taps.taps].reduce(0, +)
      #expect(abs(sum - 1) <= 1e-5, "sum \(index)")
    }
  }

  /// A ramp shows whether centers are aligned, except near its ends, where samples are repeated.
  @Test(arguments: [(90, 30), (100, 33), (30, 90), (64, 63)]) func keepsRamps(sizes: (Int, Int)) {
    let (count, step) = (sizes.1, Double(sizes.0) / Double(sizes.1))
    let filtered = FilterTaps(from: sizes.0, to: count).filtered((0..<sizes.0).map { Double($0) })
    let edge = max(Int(clamping: 4 / min(step, 1)), 4)
    for index in edge..<count - edge {
      // The error of the Lanczos sum between samples is up to 1 %, and so is the error of the
      // position.
      #expect(abs(filtered[index] - ((Double(index) + 0.5) * step - 0.5)) <= 0.02 * max(step, 1))
    }
  }

  @Test(arguments: sizes) func neverLeavesTheRange(sizes: (Int, Int)) {
    let taps = FilterTaps(from: sizes.0, to: sizes.1)
    for place in 0..<sizes.0 {
      var samples = [Double](repeating: 0.25, count: sizes.0)
      samples[place] = 49
      for value in taps.filtered(samples) {
        #expect(0.25...49 ~= value, "a light at \(place) makes \(value)")
      }
    }
  }

  /// Without the restriction to two lobes, the third lobe would cause a bright line next to an
  /// edge.
  @Test func drawsNoRings() {
    let edge = (0..<60).map { $0 < 30 ? 0.0 : 1.0 }
    let filtered = FilterTaps(from: 60, to: 20).filtered(edge)
    #expect(filtered == filtered.sorted())
  }

  /// The mean is preserved if sums are not clamped.
  @Test func keepsTheMean() {
    let samples = (0..<300).map { 1 + 0.5 * Double(($0 * $0) % 17) / 17 }
    let filtered = FilterTaps(from: 300, to: 75).filtered(samples)
    let (before, after) = (samples.reduce(0, +) / 300, filtered.reduce(0, +) / 75)
    #expect(abs(after / before - 1) <= 0.002)
  }
}
