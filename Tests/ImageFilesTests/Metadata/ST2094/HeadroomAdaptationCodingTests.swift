// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import ImageFiles
import TestSupport
import Testing

/// application_info of SMPTE ST 2094-50 compared with payloads of an independent program.
///
/// Eight of the payloads are from Skia's tests.
@Suite("ST 2094-50 payloads") struct HeadroomAdaptationCodingTests {
  private static let payloads = [
    "0000", "00800267", "00800001", "0080c350", "0040000080", "0040753080", "004059dc80",
    "00c001f44e200c7b0c42683c8c74361e460dac3d134042",
    "00c007d09c40140000000803e83e8000009c4046504650",
    "004059d8180000801403e805dc133d07d0138859d8",
    "00400000104e20400801f403e800004e2046507fd2", "00404e20180000c6927c30d400000027104650",
  ]

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
  }

  private static func parse(_ hex: String) throws(ImageError) -> HeadroomAdaptation {
    try HeadroomAdaptation(parsing: bytes(hex))
  }

  @Test(arguments: payloads) func roundTrip(hex: String) throws {
    let adaptation = try Self.parse(hex)
    #expect(try adaptation.serialized() == Self.bytes(hex))
    let message = try adaptation.t35Payload()
    #expect(message == [0xB5, 0x00, 0x90, 0x00, 0x01] + Self.bytes(hex))
    #expect(try HeadroomAdaptation(parsingT35: message) == adaptation)
    // Bytes after application_info belong to a later version.
    #expect(try Self.parse(hex + "ffff") == adaptation)
  }

  /// Messages in HEVC and AV1 bitstreams.
  @Test(arguments: payloads) func inBitstreams(hex: String) throws {
    let adaptation = try Self.parse(hex)
    let message = try adaptation.t35Payload()
    let sei = try HEVCSEIMessage.split(HEVCSEIMessage.unit(ofRegistered: message))
    #expect(try HeadroomAdaptation(parsingT35: try #require(sei.first).payload) == adaptation)
    let unit = try AV1OBU.split(AV1Metadata.unit(ofRegistered: message))[0]
    guard case .registered(let found) = try AV1Metadata(parsing: unit) else {
      Issue.record("no message")
      return
    }
    #expect(try HeadroomAdaptation(parsingT35: found) == adaptation)
  }

  /// Every truncation of a payload throws an error.
  @Test(arguments: payloads) func truncated(hex: String) {
    let whole = Self.bytes(hex)
    for count in 0..<whole.count {
      let error = #expect(throws: ImageError.self) {
        try HeadroomAdaptation(parsing: Array(whole.prefix(count)))
      }
      #expect(error?.category == .truncated)
    }
  }

  @Test func whites() throws {
    #expect(try Self.parse("0000").referenceWhite == nil)
    #expect(try Self.parse("00800267").referenceWhite == 123)
    #expect(try Self.parse("00800000").referenceWhite == 0.2)
    #expect(try Self.parse("0080ffff").referenceWhite == 10_000)
  }

  @Test func referenceWhite() throws {
    let map = try #require(try Self.parse("004059dc80").toneMap)
    #expect(map.method == .referenceWhite && map.baselineHeadroom == Headroom(stops: 2.3004))
  }

  @Test func clampOnly() throws {
    let map = try #require(
      try Self.parse("00c001f44e200c7b0c42683c8c74361e460dac3d134042").toneMap)
    guard case .alternates(let alternates, let primaries) = map.method else {
      Issue.record("no alternates")
      return
    }
    #expect(alternates.isEmpty && primaries.isClose(to: .bt601, tolerance: 1e-4))
    #expect(map.gain(for: .standard).isIdentity)
  }

  @Test func curve() throws {
    let map = try #require(
      try Self.parse("00c007d09c40140000000803e83e8000009c4046504650").toneMap)
    #expect(map.primaries == .displayP3 && map.baselineHeadroom == Headroom(stops: 4))
    let alternate = try #require(map.alternates.first)
    #expect(alternate.headroom == .standard && alternate.mixing == .maximumOnly)
    #expect(
      alternate.curve.points == [
        .init(light: 1, gain: 0, slope: 0), .init(light: 16, gain: -4, slope: 0),
      ])
    #expect(map.peculiarities.isEmpty)
  }

  @Test func inverseToneMapWithSlopes() throws {
    let map = try #require(try Self.parse("00400000104e20400801f403e800004e2046507fd2").toneMap)
    let alternate = try #require(map.alternates.first)
    #expect(alternate.headroom == Headroom(stops: 2) && alternate.mixing == .componentOnly)
    #expect(alternate.curve.points[1].gain == 2)
    #expect(abs(alternate.curve.points[1].slope - 3.4) < 1e-3)
  }

  @Test func mixings() throws {
    let pchip = try #require(
      try Self.parse("004059d8180000801403e805dc133d07d0138859d8").toneMap?.alternates.first)
    #expect(pchip.mixing == .balanced && pchip.curve.isPCHIP && pchip.curve.points.count == 3)
    let custom = try #require(
      try Self.parse("00404e20180000c6927c30d400000027104650").toneMap?.alternates.first)
    #expect(custom.mixing == AdaptiveToneMap.ComponentMixing(maximum: 0.75, minimum: 0.25))
  }

  /// Coefficients whose rounded quotients by their sum would not add up to 1: 0x03F7, 0x2710,
  /// 0x2C34, 0x0100; and equal mixings with different sums.
  @Test(arguments: [
    "00404e20180000fc03f727102c34010000000027104650",
    "00404e20280000c600010002000000271046502710c60002000400000027104650",
  ])
  func writtenAgain(hex: String) throws {
    let written = try Self.parse(hex).serialized()
    #expect(try HeadroomAdaptation(parsing: written).serialized() == written)
  }

  @Test(arguments: [
    ("0400", ImageError.Category.unsupported),  // Requires version 1.
    // An alternate at the baseline headroom, empty component mixing, identical primaries.
    ("00400000180000c000000000000000", .malformed), ("00404e20180000c000", .malformed),
    ("00404e200c00000000000000000000000000000000", .malformed),
  ])
  func malformed(hex: String, code: ImageError.Category) {
    let error = #expect(throws: ImageError.self) { try Self.parse(hex) }
    #expect(error?.category == code)
  }

  @Test func foreignMessages() throws {
    // HDR10+.
    #expect(try HeadroomAdaptation(parsingT35: [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04]) == nil)
    #expect(try HeadroomAdaptation(parsingT35: []) == nil)
  }

  /// The shoulder curve in four alternates with common mixing and different control points.
  @Test func shoulder() throws {
    let map = try AdaptiveToneMap.shoulder(content: Headroom(ratio: 1000 / 203.0))
    let written = try HeadroomAdaptation(toneMap: map).serialized()
    let read = try #require(try HeadroomAdaptation(parsing: written).toneMap)
    #expect(read.alternates.count == 4 && read.peculiarities.isEmpty)
    #expect(read.alternates.allSatisfy { $0.curve.points.count == 32 })
    var worst = 0.0
    for light in stride(from: 0.1, to: 5, by: 0.01) {
      for stops in stride(from: 0, to: 2.3, by: 0.1) {
        let color = SIMD3(repeating: light)
        let display = Headroom(stops: stops)
        let (shown, exact) = (read.gain(for: display), map.gain(for: display))
        worst = max(worst, abs(shown.stops(for: color).x - exact.stops(for: color).x))
      }
    }
    // Error due to rounding to the resolution of the format.
    #expect(worst < 1e-3)
  }

  @Test func profileTag() throws {
    let adaptation = HeadroomAdaptation(
      referenceWhite: 123,
      toneMap: AdaptiveToneMap(baselineHeadroom: Headroom(stops: 3), method: .referenceWhite))
    let bytes = try ICCProfile.generate(
      for: CICP(primaries: .bt2020, transfer: .pq), headroomAdaptation: adaptation)
    let profile = try ICCProfile(parsing: bytes)
    #expect(profile.notices.isEmpty)
    #expect(try profile.headroomAdaptation() == adaptation)
    let tag = try #require(profile.tag(.headroomAdaptation))
    #expect(
      Array(bytes[tag.range])
        == Array("hagc".utf8) + [0, 0, 0, 0, 0, 0, 0, 7] + Self.bytes("00c00267753080"))
    let plain = try ICCProfile(
      parsing: try ICCProfile.generate(for: CICP(primaries: .bt2020, transfer: .pq)))
    #expect(try plain.headroomAdaptation() == nil)
  }

  @Test(arguments: [-4.9, 1.5, .nan]) func coefficientsOutOfRange(coefficient: Double) throws {
    let curve = try AdaptiveToneMap.GainCurve([.init(light: 1, gain: 0, slope: 0)])
    let mixing = AdaptiveToneMap.ComponentMixing(red: 1, component: coefficient)
    let map = AdaptiveToneMap(
      baselineHeadroom: Headroom(stops: 2),
      method: .alternates(
        [.init(headroom: Headroom(stops: 0), mixing: mixing, curve: curve)], primaries: .bt2020))
    let error = #expect(throws: ImageError.self) {
      try HeadroomAdaptation(toneMap: map).serialized()
    }
    #expect(error?.code.english == "a coefficient of component mixing is {coefficient}, not 0...1")
  }
}
