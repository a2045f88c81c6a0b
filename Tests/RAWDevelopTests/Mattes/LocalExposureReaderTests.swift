// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Local exposure") struct LocalExposureReaderTests {
  /// A mask of 4x2 over 8x4 pixels: nothing on the left, all on the right.
  private static func file() -> SyntheticDNG {
    var mask = RawMatteTests.mask()
    mask.chunks = [[0, 0, 255, 255, 0, 0, 255, 255]]
    return RawMatteTests.file([mask])
  }

  private static func light(
    _ exposures: [RawDevelopment.LocalExposure], stripHeight: Int = 40, isStandard: Bool = false
  ) throws -> [[Float]] {
    var development = isStandard ? RawDevelopment() : .sceneLinear
    if isStandard { development.extendedDynamicRangeAmount = 0 }
    development.localExposures = exposures
    return try file().document(development).light(stripHeight: stripHeight)[0]
  }

  @Test("exposure follows the mask, which is interpolated between samples")
  func followsMask() throws {
    let plain = try Self.light([])
    let local = try Self.light([.init(matte: "skin", stops: 2)])
    // The image begins in the third column. Centers of samples are at 1, 3, 5 and 7.
    let coverage: [Float] = [0, 0.25, 0.75, 1, 1, 1]
    for (row, before) in zip(local, plain) {
      for (x, value) in row.enumerated() {
        #expect(abs(value - before[x] * exp2(2 * coverage[x])) < 1e-5 * value)
      }
    }
  }

  @Test("in the look for standard displays, linear values change, up to white")
  func signal() throws {
    let plain = try Self.light([], isStandard: true)
    let local = try Self.light([.init(matte: "skin", stops: 1)], isStandard: true)
    for (row, before) in zip(local, plain) {
      let expected = SRGB.inverseEOTF(min(2 * SRGB.eotf(Double(before[5])), 1))
      #expect(abs(Double(row[5]) - expected) < 1e-5 && abs(row[0] - before[0]) < 1e-5)
    }
    let white = try Self.light([.init(matte: "skin", stops: 9)], isStandard: true)
    #expect(white.allSatisfy { $0[5] == 1 })
  }

  @Test("exposures add up, 0 stops change nothing, and strips have no effect")
  func arithmetic() throws {
    let plain = try Self.light([])
    #expect(try Self.light([.init(matte: "skin", stops: 0)]) == plain)
    let both = try Self.light([
      .init(matte: "skin", stops: 1.5), .init(matte: RawMatteTests.skin, stops: -0.5),
    ])
    let one = try Self.light([.init(matte: "skin", stops: 1)])
    for (a, b) in zip(both.joined(), one.joined()) { #expect(abs(a - b) < 1e-5 * b) }
    #expect(try Self.light([.init(matte: "skin", stops: 1)], stripHeight: 1) == one)
  }

  @Test("unknown mattes and exposures out of range are errors")
  func refusals() throws {
    let missing = #expect(throws: ImageError.self) {
      try Self.light([.init(matte: "hair", stops: 1)])
    }
    #expect(missing?.code.id == "raw/matte-unknown")
    #expect(missing?.parameters["mattes"] == ["skin"].diagnosticValue)
    let huge = #expect(throws: ImageError.self) {
      try Self.light([.init(matte: "skin", stops: .infinity)])
    }
    #expect(huge?.category == .invalidArgument)
  }
}
