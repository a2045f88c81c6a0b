// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

/// The default operator over keys, contents and displays.
@Suite("Adaptive shoulder") struct AdaptiveShoulderTests {
  private static let keys = [0.0, 0.1, 0.4, 0.5, 0.51, 0.7, 1, 2, 8]
  private static let contents = [0.02, 0.3, 1, 1.41, 1.42, 2.3, 4, 6]

  private static func shoulder(
    _ content: Double, _ key: Double?, _ display: Double
  ) throws -> RationalShoulder {
    try RationalShoulder(
      adaptingTo: ToneMapOperator.ContentStatistics(headroom: Headroom(stops: content), key: key),
      display: Headroom(stops: display))
  }

  /// Gains in stops, on a grid from black to the content's peak.
  private static func stops(_ shoulder: RationalShoulder) -> [Double] {
    (1...100).map { step in
      log2(shoulder.gain(forMaximum: shoulder.range.contentPeak * pow(Double(step) / 100, 3)))
    }
  }

  /// Mid-tones: one stop per stop of the key above 0.5, at most 1.5 and half the headroom.
  @Test(
    arguments: [
      (3, nil, 0), (3, 0.1, 0), (3, 0.5, 0), (3, 0.7, log2(1.4)), (3, 1, 1), (3, 4, 1.5),
      (1, 1, 0.5),
      (0.1, 1, 0.05),
    ] as [(Double, Double?, Double)])
  func midtones(content: Double, key: Double?, darkening: Double) throws {
    let shoulder = try Self.shoulder(content, key, 0)
    #expect(isClose(-log2(shoulder.gain), darkening, absolute: 1e-12))
    #expect(isClose(shoulder.mapped(0.1), 0.1 * exp2(-darkening)))
    #expect(shoulder.mapped(shoulder.range.contentPeak) == 1)
  }

  /// With the headroom of reference-white tone mapping, mid-tones are those of the image.
  @Test func displaysWithHeadroom() throws {
    for key in Self.keys {
      let adapted = try Self.shoulder(4, key, log2(8 / 3.0))
      #expect(
        adapted
          == (try RationalShoulder(
            content: Headroom(stops: 4), display: Headroom(ratio: 8 / 3.0))))
      #expect(try Self.shoulder(4, key, 4).isIdentity)
    }
  }

  /// Curves rise with the linear value, and with the display's headroom without jumps.
  @Test func followsTheDisplay() throws {
    for content in Self.contents {
      for key in Self.keys {
        var previous: [Double] = []
        for step in 0...200 {
          let display = content * Double(step) / 200
          let shoulder = try Self.shoulder(content, key, display)
          let shown = zip(1..., Self.stops(shoulder)).map { $1 + 3 * log2(Double($0) / 100) }
          #expect(zip(shown, shown.dropFirst()).allSatisfy(<))
          for (now, before) in zip(shown, previous) {
            #expect(now >= before - 1e-12 && now - before < 1.3 * content / 200 + 1e-12)
          }
          previous = shown
        }
        #expect(previous == (1...100).map { 3 * log2(Double($0) / 100) })
      }
    }
  }

  /// Neighbors of a burst, whose keys and headrooms differ by little, differ by little.
  @Test func doesNotJump() throws {
    for content in Self.contents {
      for display in [0, 0.2, 1, 2].filter({ $0 < content }) {
        for key in Self.keys {
          let found = Self.stops(try Self.shoulder(content, key, display))
          let brighter = Self.stops(try Self.shoulder(content, key * 1.01, display))
          for (one, other) in zip(found, brighter) { #expect(abs(one - other) < 0.016) }
          let higher = try Self.shoulder(content + 0.01, key, display)
          let lower = try Self.shoulder(content, key, display)
          for light in [0.1, 0.5, 0.9].map({ $0 * lower.range.contentPeak }) {
            #expect(
              abs(log2(lower.gain(forMaximum: light) / higher.gain(forMaximum: light))) < 0.03)
          }
        }
      }
    }
  }

  /// The slope does not jump at the knee, and values above the content's peak show the display's.
  @Test func isSmooth() throws {
    let shoulder = try Self.shoulder(3, 0.8, 0)
    let step = 1e-6
    let below = shoulder.mapped(shoulder.knee) - shoulder.mapped(shoulder.knee - step)
    let above = shoulder.mapped(shoulder.knee + step) - shoulder.mapped(shoulder.knee)
    #expect(isClose(above, below, relative: 1e-4))
    #expect(shoulder.mapped(9) == 1)
  }

  /// Errors of metadata for other programs, in stops.
  @Test(arguments: [(1, 0.02), (1.8, 0.045), (2.3, 0.09), (3, 0.09), (4, 0.16)])
  func asMetadata(stops: Double, most: Double) throws {
    for key in [0.1, 0.7, 2.0] {
      let content = ToneMapOperator.ContentStatistics(headroom: Headroom(stops: stops), key: key)
      let map = try AdaptiveToneMap.adaptive(content: content)
      #expect(map.alternates.count == 4 && map.peculiarities.isEmpty)
      var worst = 0.0
      for step in 0...60 {
        let display = Headroom(stops: stops * Double(step) / 60)
        let (gain, shoulder) = (
          map.gain(for: display), try RationalShoulder(adaptingTo: content, display: display)
        )
        for place in 1...200 {
          let light = content.headroom.ratio * Double(place) / 200
          let found = gain.stops(for: SIMD3(repeating: light)).x
          worst = max(worst, abs(found - log2(shoulder.gain(forMaximum: light))))
        }
      }
      #expect(worst <= most, "key \(key): \(worst)")
    }
  }

  @Test func contentWithoutHeadroom() throws {
    let none = ToneMapOperator.ContentStatistics(headroom: .standard, key: 0.9)
    #expect(try AdaptiveToneMap.adaptive(content: none).alternates.isEmpty)
    #expect(try RationalShoulder(adaptingTo: none, display: .standard).isIdentity)
    #expect(throws: ImageError.self) { try Self.shoulder(.nan, 0.5, 0) }
    #expect(throws: ImageError.self) { try Self.shoulder(2, 0.5, -1) }
  }
}
