// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

/// Properties of all gain maps, for random values and for the extremes of a payload.
@Suite("Properties of gain maps") struct GainMapPropertyTests {
  private static func random(_ seed: UInt64) throws -> GainMapMetadata {
    var random = SplitMix(seed: seed)
    func number(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound
        + (range.upperBound - range.lowerBound) * Double(random.next() >> 11) / Double(1 << 53)
    }
    func channel() throws -> GainMapMetadata.Channel {
      let (first, second) = (number(-4...4), number(-4...4))
      return GainMapMetadata.Channel(
        minimum: try #require(SignedRational(approximating: min(first, second))),
        maximum: try #require(SignedRational(approximating: max(first, second))),
        gamma: try #require(UnsignedRational(approximating: number(0.05...8))),
        baseOffset: try #require(SignedRational(approximating: number(-0.1...0.2))),
        alternateOffset: try #require(SignedRational(approximating: number(-0.1...0.2))))
    }
    let isColor = random.next() & 1 == 1
    return try GainMapMetadata(
      channels: isColor
        ? .three(red: try channel(), green: try channel(), blue: try channel())
        : .one(try channel()),
      baseHeadroom: try #require(UnsignedRational(approximating: number(0...4))),
      alternateHeadroom: try #require(UnsignedRational(approximating: number(0...4))),
      usesBaseColorSpace: random.next() & 1 == 1)
  }

  /// Parsing restores the serialized values, negative offsets included.
  @Test(arguments: 1...50 as ClosedRange<UInt64>) func payloads(seed: UInt64) throws {
    let metadata = try Self.random(seed)
    var notices: [Notice] = []
    let bytes = ISO21496Payload(metadata).serialized
    #expect(bytes.count == (metadata.channels.all.count == 3 ? 141 : 61))
    #expect(try ISO21496Payload(parsing: bytes, notices: &notices).metadata == metadata)
    let item = ISO21496Payload(metadata).toneMapItem
    #expect(try ISO21496Payload(parsingToneMapItem: item, notices: &notices).metadata == metadata)
    // Fewer bytes are an error and are not interpreted differently.
    for length in 0..<bytes.count {
      #expect(throws: ImageError.self, "\(length) bytes") {
        _ = try ISO21496Payload(parsing: Array(bytes[..<length]), notices: &notices)
      }
    }
    // More bytes are ignored, as by libultrahdr and Skia, with a notice. After five zeros, one additional leading
    // byte is a known writer error, which is accepted.
    let first = bytes[4] == 0 ? 2 : 1
    for extra in first...90 {
      notices = []
      let longer = bytes + [UInt8](repeating: 1, count: extra)
      let read = try ISO21496Payload(parsing: longer, notices: &notices)
      #expect(read.metadata == metadata, "\(extra) more bytes")
      #expect(notices.contains { $0.code.id == "gain-map/trailing-bytes-ignored" })
    }
  }

  /// Layouts of 37 and 77 bytes with a common denominator, which occur in files but not in the
  /// standard.
  @Test(arguments: [1, 3]) func commonDenominators(channelCount: Int) throws {
    func field(_ value: Int32) -> [UInt8] {
      let bits = UInt32(bitPattern: value)
      return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
    }
    let flags: UInt8 = 0x48 | (channelCount == 3 ? 0x80 : 0)
    var bytes: [UInt8] = [0, 0, 0, 0, flags] + field(1000) + field(0) + field(2500)
    for _ in 0..<channelCount {
      bytes += field(-500) + field(2500) + field(1000) + field(16) + field(-16)
    }
    #expect(bytes.count == (channelCount == 3 ? 77 : 37))
    var notices: [Notice] = []
    let metadata = try ISO21496Payload(parsing: bytes, notices: &notices).metadata
    #expect(metadata.channels.all.count == channelCount)
    #expect(metadata.alternateHeadroom.value == 2.5)
    #expect(metadata.channels[2].alternateOffset.value == -0.016)
    #expect(notices.contains { $0.code.id == "gain-map/common-denominator" })
    // In a `tmap` item, a version byte precedes the payload.
    let item = try ISO21496Payload(parsingToneMapItem: [0] + bytes, notices: &notices)
    #expect(item.metadata == metadata)
    // The layout ends where that of the standard begins: other lengths are too short or another layout.
    let complete = channelCount == 3 ? 141 : 61
    for length in 0...90 where length != bytes.count {
      let other = Array((bytes + [UInt8](repeating: 1, count: 60)).prefix(length))
      let read = try? ISO21496Payload(parsing: other, notices: &notices).metadata
      // 58 bytes are the layout of a draft.
      let hasTrailingBytes = bytes.count..<complete ~= length && length != 58
      #expect((read == metadata) == hasTrailingBytes, "\(length) bytes")
      #expect(read == nil || length >= bytes.count, "\(length) bytes")
    }
  }

  /// Applying and removing the full gain, and swapping twice, restore the original.
  @Test(arguments: 1...50 as ClosedRange<UInt64>) func swaps(seed: UInt64) throws {
    let metadata = try Self.random(seed)
    #expect(metadata.swapped.swapped == metadata)
    guard !metadata.isIdentity else { return }
    let (there, back) = (
      (metadata), (metadata.swapped)
    )
    let base = Headroom(stops: metadata.baseHeadroom.value)
    let alternate = Headroom(stops: metadata.alternateHeadroom.value)
    #expect(there.weight(for: alternate) == -back.weight(for: base))
    for light in [0, 0.01, 0.5, 1, 6] {
      for sample in [0, 0.2, 1.0] {
        let logGain = there.logGain(ofSample: sample, component: 1)
        #expect(logGain == back.logGain(ofSample: sample, component: 1))
        let made = there.applied(
          to: light, logGain: logGain, weight: there.weight(for: alternate), component: 1)
        let again = back.applied(
          to: made, logGain: logGain, weight: back.weight(for: base), component: 1)
        #expect(isClose(again, light, relative: 1e-9, absolute: 1e-9))
      }
    }
  }

  /// Empty range, equal offsets and equal headrooms: linear values are unchanged.
  @Test func identities() throws {
    let flat =
      try metadata(minimum: 0, maximum: 0, alternateHeadroom: 2)
    let equal =
      try metadata(maximum: 3, baseHeadroom: 1.5, alternateHeadroom: 1.5)
    for light in [0, 1e-6, 0.3, 1, 50] {
      for sample in [0, 0.5, 1.0] {
        let gain = flat.logGain(ofSample: sample, component: 0)
        #expect(gain == 0)
        #expect(
          isClose(
            flat.applied(to: light, logGain: gain, weight: 1, component: 0), light,
            relative: 1e-12, absolute: 1e-15))
        for stops in [0, 1.5, 8] {
          let weight = equal.weight(for: Headroom(stops: stops))
          #expect(weight == 0)
          #expect(
            equal.applied(
              to: light, logGain: equal.logGain(ofSample: sample, component: 0), weight: weight,
              component: 0) == light)
        }
      }
    }
  }

  /// For gamma from the smallest to the largest fraction, the gain is finite, monotonic and in
  /// range.
  @Test(arguments: [(1, .max), (1, 1000), (1, 1), (1000, 1), (.max, 1)] as [(UInt32, UInt32)])
  func gammas(numerator: UInt32, denominator: UInt32) throws {
    let usual = try metadata(minimum: -1, maximum: 3)
    var channel = usual.channels[0]
    channel.gamma = try #require(UnsignedRational(numerator, denominator))
    let extreme =
      (try GainMapMetadata(
        channels: .one(channel), baseHeadroom: usual.baseHeadroom,
        alternateHeadroom: usual.alternateHeadroom, usesBaseColorSpace: true))
    var last = -Double.infinity
    for code in 0...255 {
      let gain = extreme.logGain(ofSample: Double(code) / 255, component: 0)
      #expect(gain.isFinite && gain >= -1 && gain <= 3 && gain >= last)
      last = gain
    }
    #expect(extreme.logGain(ofSample: 0, component: 0) == -1)
    #expect(extreme.logGain(ofSample: 1, component: 0) == 3)
  }
}
