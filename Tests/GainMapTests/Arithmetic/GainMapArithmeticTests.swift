// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Gain map arithmetic") struct GainMapArithmeticTests {
  @Test func weightVectors() throws {
    for row in try VectorTable("iso21496_weight").rows {
      let (base, alternate) = (row["baseline_headroom_log2"], row["alternate_headroom_log2"])
      let meaning =
        try metadata(baseHeadroom: base, alternateHeadroom: alternate)
      let weight = meaning.weight(for: Headroom(stops: row["target_headroom_log2"]))
      #expect(isClose(weight, row["weight"], absolute: 1e-12), "\(row.name)")
    }
  }

  @Test func applyVectors() throws {
    for row in try VectorTable("iso21496_apply").rows {
      let meaning =
        try metadata(
          minimum: row["gain_min_log2"], maximum: row["gain_max_log2"], gamma: row["gamma"],
          baseOffset: row["base_offset"], alternateOffset: row["alternate_offset"],
          baseHeadroom: row["baseline_headroom"], alternateHeadroom: row["alternate_headroom"])
      let weight = meaning.weight(for: Headroom(stops: row["target_headroom"]))
      let logGain = meaning.logGain(ofSample: row["gain_sample_0_1"], component: 0)
      #expect(isClose(weight, row["weight"], absolute: 1e-12), "\(row.name)")
      #expect(isClose(logGain, row["gain_log2"], relative: 1e-9, absolute: 1e-9), "\(row.name)")
      let light = meaning.applied(
        to: row["base_linear"], logGain: logGain, weight: weight, component: 0)
      #expect(isClose(light, row["result_linear"], relative: 1e-8, absolute: 1e-9), "\(row.name)")
    }
  }

  /// Worked examples of an iPhone 17 Pro and of libavif's `seine` pair.
  @Test func workedExamples() throws {
    let phone = try metadata(
      minimum: -0.001963, maximum: 2.287109, gamma: 0.825684, baseOffset: 1e-5,
      alternateOffset: 1e-5, alternateHeadroom: 2.287109)
    let meaning = phone
    let logGain = meaning.logGain(ofSample: 128 / 255.0, component: 2)
    #expect(isClose(logGain, 0.991463, absolute: 5e-7))
    for (display, light) in [(0, 0.5), (1, 0.675257), (1.5, 0.784726), (2.287109, 0.994110)] {
      let weight = meaning.weight(for: Headroom(stops: display))
      let applied = meaning.applied(to: 0.5, logGain: logGain, weight: weight, component: 0)
      #expect(isClose(applied, light, absolute: 1e-6), "\(display) stops")
    }
    let hdrBase =
      try metadata(
        minimum: -0.256907, maximum: 1.277177, gamma: 0.953784, baseHeadroom: 1.3,
        alternateHeadroom: 0)
    let gain = hdrBase.logGain(ofSample: 200 / 255.0, component: 0)
    for (display, light) in [(1.3, 0.968292), (0.65, 0.696648), (0, 0.5)] {
      let weight = hdrBase.weight(for: Headroom(stops: display))
      let applied = hdrBase.applied(to: 0.968292, logGain: gain, weight: weight, component: 0)
      #expect(isClose(applied, light, absolute: 1e-6), "\(display) stops")
    }
  }

  /// A gain map without gain leaves the image unchanged, for any display and sample.
  @Test(arguments: [0.0, 0.5, 1])
  func identityMap(sample: Double) throws {
    let meaning =
      try metadata(minimum: 0, maximum: 0, alternateHeadroom: 1)
    for display in [0.0, 0.3, 1, 5] {
      let weight = meaning.weight(for: Headroom(stops: display))
      let light = meaning.applied(
        to: 0.37, logGain: meaning.logGain(ofSample: sample, component: 1), weight: weight,
        component: 1)
      #expect(isClose(light, 0.37, relative: 1e-15))
    }
  }

  @Test func equalHeadroomsAreNoGain() throws {
    let meaning =
      try metadata(baseOffset: 0.1, alternateOffset: 0.2, baseHeadroom: 2, alternateHeadroom: 2)
    #expect(meaning.weight(for: Headroom(stops: 2)) == 0)
    #expect(meaning.weight(for: Headroom(stops: 9)) == 0)
    #expect(meaning.applied(to: 0.25, logGain: 1, weight: 0, component: 0) == 0.25)
  }

  /// At the extremes of gamma the curve is a step: all samples give the minimum, or all but 0 the
  /// maximum.
  @Test func gammaExtremes() throws {
    let channel = GainMapMetadata.Channel(
      minimum: .init(-1), maximum: .init(3), gamma: try #require(UnsignedRational(1, .max)),
      baseOffset: .init(0), alternateOffset: .init(0))
    #expect(channel.logGain(ofSample: 0.9999) == -1)
    #expect(channel.logGain(ofSample: 1) == 3)
    var other = channel
    other.gamma = UnsignedRational(.max)
    #expect(other.logGain(ofSample: 0) == -1)
    #expect(isClose(other.logGain(ofSample: 1 / 255.0), 3, absolute: 1e-7))
    for sample in stride(from: -0.5, through: 1.5, by: 0.25) {
      for channel in [channel, other] {
        #expect((-1...3).contains(channel.logGain(ofSample: sample)))
      }
    }
  }

  /// Conversions of a sample to gain and of linear values by gain are inverted exactly.
  @Test func inverses() throws {
    var random = SplitMix(seed: 3)
    for _ in 0..<2000 {
      let minimum = Double.random(in: -4...1, using: &random)
      let channel = try metadata(
        minimum: minimum, maximum: minimum + Double.random(in: 0.1...6, using: &random),
        gamma: Double.random(in: 0.2...4, using: &random),
        baseOffset: Double.random(in: 0.001...1, using: &random),
        alternateOffset: Double.random(in: 0.001...1, using: &random)
      ).channels[0]
      let sample = Double.random(in: 0...1, using: &random)
      let logGain = channel.logGain(ofSample: sample)
      #expect(isClose(channel.sample(ofLogGain: logGain), sample, absolute: 1e-9))
      let base = Double.random(in: 0...1, using: &random)
      let alternate = Double.random(in: 0...10, using: &random)
      let gain = channel.logGain(from: base, to: alternate, isBaseHDR: false)
      let back =
        (base + channel.baseOffset.value) * exp2(gain) - channel.alternateOffset.value
      #expect(isClose(back, alternate, relative: 1e-9, absolute: 1e-9))
      #expect(channel.logGain(from: base, to: alternate, isBaseHDR: true) == -gain)
    }
  }

  /// Negative offsets are valid; they reduce the linear value to which the gain is applied.
  @Test func negativeOffsets() throws {
    let meaning =
      try metadata(baseOffset: -0.01, alternateOffset: -0.02, alternateHeadroom: 2)
    let light = meaning.applied(to: 0.26, logGain: 2, weight: 1, component: 0)
    #expect(isClose(light, (0.26 - 0.01) * 4 + 0.02))
  }

  /// Apple gain map: no gain at 0, full gain at 1; the weight applies to the logarithm.
  @Test(arguments: [(GainMapMetadata.AppleCurve.srgb, 1.8377), (.bt709, 2.0148)])
  func appleMap(curve: GainMapMetadata.AppleCurve, gain: Double) throws {
    let map = try GainMapMetadata(appleHeadroom: Headroom(ratio: 4.880772), curve: curve)
    let meaning = map
    #expect(map.logGain(ofSample: 0, component: 0) == 0)
    #expect(isClose(exp2(map.logGain(ofSample: 1, component: 0)), 4.880772))
    let logGain = meaning.logGain(ofSample: 128 / 255.0, component: 1)
    #expect(isClose(exp2(logGain), gain, absolute: 5e-5))
    #expect(isClose(map.sample(ofLogGain: logGain, component: 0), 128 / 255.0, relative: 1e-9))
    let weight = meaning.weight(for: Headroom(stops: 1))
    let light = meaning.applied(to: 1, logGain: logGain, weight: weight, component: 0)
    if curve == .srgb { #expect(isClose(light, 1.3048, absolute: 5e-5)) }
    #expect(meaning.weight(for: Headroom(ratio: 8)) == 1)
  }
}
