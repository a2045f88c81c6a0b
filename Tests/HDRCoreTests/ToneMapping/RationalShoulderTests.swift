// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("Rational shoulder") struct RationalShoulderTests {
  private static func shoulder(_ content: Double, _ display: Double) throws -> RationalShoulder {
    try RationalShoulder(content: Headroom(ratio: content), display: Headroom(ratio: display))
  }

  private static let headrooms = [1, 1.2, 1.5, 2, 3, 4, 4.926, 8, 12, 20, 49.26]

  @Test func equalsVectors() throws {
    for row in try VectorTable("shoulder_curve").rows {
      let shoulder = try RationalShoulder(
        content: Headroom(ratio: row["content_headroom_linear"]),
        display: Headroom(ratio: row["display_headroom_linear"]), kneeShare: row["knee_j"])
      let (light, mapped) = (row["x_in"], row["y_out"])
      #expect(isClose(shoulder.mapped(light), mapped), "\(row.name)")
      #expect(isClose(shoulder.gain(forMaximum: light) * light, mapped), "\(row.name)")
    }
  }

  /// Source: the specification's summary of the operator.
  @Test func referenceWhiteOnADisplayWithoutHeadroom() throws {
    #expect(isClose(try Self.shoulder(1000 / 203, 1).mapped(1), 0.765, absolute: 5e-4))
    #expect(isClose(try Self.shoulder(1e9, 1).mapped(1), 0.75, absolute: 1e-6))
  }

  @Test func rises() throws {
    for content in Self.headrooms {
      for display in Self.headrooms {
        let shoulder = try Self.shoulder(content, display)
        var previous = -1.0
        for step in 0...400 {
          let light = content * Double(step) / 400
          let mapped = shoulder.mapped(light)
          #expect(mapped > previous)
          previous = mapped
        }
        #expect(isClose(previous, min(content, display)))
      }
    }
  }

  @Test func risesSmoothlyWithTheDisplay() throws {
    for content in Self.headrooms {
      for share in [0.1, 0.3, 0.6, 0.9, 1] {
        var previous = 0.0
        for step in 0...5000 {
          let display = 1 + Double(step) / 1000
          let mapped = try Self.shoulder(content, display).mapped(share * content)
          #expect(mapped >= previous * (1 - 1e-15))
          if step > 0 { #expect(mapped - previous < 2e-3 * mapped) }
          previous = mapped
        }
      }
    }
  }

  @Test func nothingChangesBelowTheKneeOrOnALargerDisplay() throws {
    let shoulder = try Self.shoulder(8, 2)
    for light in [-1, 0, 0.2, 1] {
      #expect(shoulder.mapped(light) == light)
      #expect(shoulder.gain(forMaximum: light) == 1)
    }
    for display in [8, 8 * (1 - 1e-7), 9] {
      let identity = try Self.shoulder(8, display)
      #expect(identity.isIdentity)
      #expect(identity.mapped(30) == 30)
      #expect(identity.toneMapped(SIMD3(7.5, -1, 0)) == SIMD3(7.5, -1, 0))
    }
  }

  @Test func colorsKeepTheirRatios() throws {
    let mapped = try Self.shoulder(4.926, 1).toneMapped(SIMD3(3, 1.5, -0.3))
    #expect(isClose(mapped / mapped.x, SIMD3(1, 0.5, -0.1)))
    #expect(mapped.x < 1)
  }

  @Test func oddLight() throws {
    let shoulder = try Self.shoulder(4, 2)
    #expect(shoulder.mapped(100) == 2)
    #expect(shoulder.toneMapped(SIMD3(.nan, 0.5, .nan)) == SIMD3(0, 0.5, 0))
    #expect(shoulder.toneMapped(SIMD3(.infinity, 0, 0)) == SIMD3(2, 0, 0))
    #expect(shoulder.toneMapped(SIMD3(-1, -2, 0)) == SIMD3(-1, -2, 0))
  }

  @Test func contentWithoutHeadroomIsUnchanged() throws {
    #expect(try Self.shoulder(0.5, 1).isIdentity)
    #expect(try Self.shoulder(0, 1).isIdentity)
  }

  @Test(arguments: [(2, 0.9), (2, .nan), (.infinity, 2), (.nan, 2)])
  func impossibleHeadroomsAreRefused(content: Double, display: Double) {
    let error = #expect(throws: ImageError.self) { try Self.shoulder(content, display) }
    #expect(error?.category == .invalidArgument)
  }
}
