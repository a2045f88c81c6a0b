// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Swapping baseline and alternate image") struct GainMapMetadataSwappingTests {
  /// libavif's pair of files: the same gain map with either image as the baseline.
  @Test func seinePair() throws {
    var notices: [Notice] = []
    let item = hex(
      """
      00 00000000 c0 0000000000000001 0000000d0000000a
      fffc1475000f4240 00137cf9000f4240 0001d1b70001e848 0000000100000040 0000000100000040
      ffff33cf00030d40 00137d13000f4240 0002df3b00030d40 0000000100000040 0000000100000040
      fffeee490003d090 00138011000f4240 000703bf0007a120 0000000100000040 0000000100000040
      """)
    let sdrBase = try ISO21496Payload(parsingToneMapItem: item, notices: &notices).metadata
    var expected = item
    expected[5] = 0x80
    expected.replaceSubrange(6..<22, with: hex("0000000d0000000a 0000000000000001"))
    #expect(ISO21496Payload(sdrBase.swapped).toneMapItem == expected)
    #expect(sdrBase.swapped.swapped == sdrBase)
  }

  @Test func swappedTwiceIsUnchanged() throws {
    let metadata = try metadata(
      minimum: -1, gamma: 0.7, baseOffset: 0.01, alternateOffset: 0.02, baseHeadroom: 0.5)
    #expect(metadata.swapped != metadata)
    #expect(metadata.swapped.swapped == metadata)
    #expect(metadata.swapped.isBaseHDR)
  }

  /// Both directions give each display the same linear values, up to a constant if offsets differ.
  @Test(arguments: [0.0, 0.01])
  func renderingsAreTheSame(difference: Double) throws {
    let forward = try metadata(
      minimum: -0.5, maximum: 2.5, gamma: 0.8, baseOffset: 0.01, alternateOffset: 0.01 + difference)
    let (there, back) = (
      (forward), (forward.swapped)
    )
    for sample in [0.0, 0.3, 0.9] {
      let logGain = there.logGain(ofSample: sample, component: 0)
      let sdr = 0.4
      let hdr = there.applied(to: sdr, logGain: logGain, weight: 1, component: 0)
      for stops in [0.25, 1, 1.75] {
        let display = Headroom(stops: stops)
        let one = there.applied(
          to: sdr, logGain: logGain, weight: there.weight(for: display), component: 0)
        let other = back.applied(
          to: hdr, logGain: logGain, weight: back.weight(for: display), component: 0)
        #expect(isClose(other - one, difference, absolute: 1e-12))
      }
      #expect(back.weight(for: .standard) == -1)
      let again = back.applied(to: hdr, logGain: logGain, weight: -1, component: 0)
      #expect(isClose(again, sdr))
    }
  }

  @Test func primariesThatMakeNoDifference() throws {
    let free = try metadata(usesBaseColorSpace: false)
    #expect(free.usingBaseColorSpace(mapIsGray: true)?.usesBaseColorSpace == true)
    #expect(free.usingBaseColorSpace(mapIsGray: false) == nil)
    let bound = try metadata(baseOffset: 0.1, alternateOffset: 0.2, usesBaseColorSpace: false)
    #expect(bound.usingBaseColorSpace(mapIsGray: true) == nil)
    // A matrix with row sums of 1 commutes with a gain that is equal for all components.
    let meaning = free
    let color = SIMD3(0.7, 0.2, 0.05)
    let matrix = ColorPrimaries.displayP3.conversion(to: .bt2020)
    func brightened(_ color: SIMD3<Double>) -> SIMD3<Double> {
      var result = color
      for component in 0..<3 {
        result[component] = meaning.applied(
          to: color[component], logGain: 1.3, weight: 1, component: component)
      }
      return result
    }
    let difference = matrix * brightened(color) - brightened(matrix * color)
    #expect((difference * difference).sum() < 1e-24)
  }

  @Test func equalChannelsCollapse() throws {
    let one = try metadata()
    let channel = one.channels[0]
    var unreduced = channel
    unreduced.gamma = try #require(UnsignedRational(2, 2))
    func three(_ green: GainMapMetadata.Channel) throws -> GainMapMetadata {
      try GainMapMetadata(
        channels: .three(red: channel, green: green, blue: channel),
        baseHeadroom: one.baseHeadroom, alternateHeadroom: one.alternateHeadroom,
        usesBaseColorSpace: true)
    }
    #expect(try three(unreduced).collapsed == one)
    unreduced.gamma = UnsignedRational(2)
    #expect(try three(unreduced).collapsed == three(unreduced))
  }
}
