// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@Suite("Shoulder as ST 2094-50") struct ShoulderExportTests {
  /// Source: the specification, section 10: the largest error in stops.
  @Test(
    arguments: [
      (1.0, [0.094, 0.029, 0.014, 0.008]), (2.3, [0.33, 0.12, 0.060, 0.037]),
      (4.0, [0.70, 0.27, 0.15, 0.093]),
    ] as [(Double, [Double])])
  func errors(stops: Double, expected: [Double]) throws {
    let content = Headroom(stops: stops)
    for (count, most) in zip(1..., expected) {
      let map = try AdaptiveToneMap.shoulder(content: content, alternateCount: count)
      #expect(map.alternates.count == count)
      var worst = 0.0
      for step in 0...200 {
        let display = Headroom(stops: stops * Double(step) / 200)
        let gain = map.gain(for: display)
        let shoulder = try RationalShoulder(content: content, display: display)
        for place in 1...400 {
          let light = content.ratio * Double(place) / 400
          let found = gain.stops(for: SIMD3(repeating: light)).x
          worst = max(worst, abs(found - log2(shoulder.gain(forMaximum: light))))
        }
      }
      #expect(worst <= most * 1.05, "\(count) alternates: \(worst)")
      #expect(worst > most * 0.5, "\(count) alternates: \(worst)")
    }
  }

  /// Recommendation of the standard: every curve ends at the headroom of its alternate.
  @Test func curvesEndAtTheirHeadroom() throws {
    let content = Headroom(stops: 3.7)
    let map = try AdaptiveToneMap.shoulder(content: content)
    #expect(map.peculiarities.isEmpty)
    for alternate in map.alternates {
      let end = alternate.curve.gain(ofLinear: content.ratio)
      #expect(isClose(end, alternate.headroom.stops - content.stops, absolute: 1e-12))
    }
  }

  @Test func contentWithoutHeadroom() throws {
    #expect(try AdaptiveToneMap.shoulder(content: .standard).alternates.isEmpty)
    #expect(try AdaptiveToneMap.shoulder(content: Headroom(stops: -1)).alternates.isEmpty)
  }

  @Test(arguments: [(6.1, 4), (.nan, 4), (2, 0), (2, 5)] as [(Double, Int)]) func impossible(
    stops: Double, count: Int
  ) {
    let error = #expect(throws: ImageError.self) {
      try AdaptiveToneMap.shoulder(content: Headroom(stops: stops), alternateCount: count)
    }
    #expect(error?.category == .invalidArgument)
  }
}
