// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Flavors that require requantized samples") struct FoundGainMapReencodingTests {
  private func found(
    _ metadata: GainMapMetadata, also others: [FoundGainMap.Description] = [], components: Int = 1
  ) -> FoundGainMap {
    FoundGainMap(
      [.init(flavor: metadata.isApple ? .apple : .iso, metadata: metadata, numbers: [])] + others,
      layout: .init(width: 4, height: 3, componentCount: components, bits: 8))
  }

  private func line(stops: Double) throws -> GainMapMetadata {
    try metadata(
      maximum: stops, gamma: 1, baseOffset: 0, alternateOffset: 0, alternateHeadroom: stops)
  }

  /// At half the range, Apple's curve for 4x is log2(1 + 3 · 0.214) stops, a linear one 1 stop.
  @Test func isoMetadataForApple() throws {
    let map = found(try line(stops: 2))
    #expect(map.flavorsIfRequantized(for: [.apple]) == [.apple])
    // ISO 21496-1 approximates Apple's curve for 4x to 0.0535 stops (gainmap-conversion.md, route
    // C).
    #expect(map.flavorsIfRequantized(for: [.iso, .apple]) == [.iso, .apple])
    #expect(map.flavorsIfRequantized(for: [.iso, .xmp]).isEmpty)
    // It does not approximate the curve for 1024x.
    #expect(found(try line(stops: 10)).flavorsIfRequantized(for: [.iso, .apple]) == [.apple])
  }

  @Test func appleForParameters() throws {
    let far = found(try GainMapMetadata(appleHeadroom: Headroom(stops: 10)))
    #expect(far.flavorsIfRequantized(for: [.iso, .apple]) == [.iso])
    #expect(far.flavorsIfRequantized(for: [.apple]).isEmpty)
    let near = found(try GainMapMetadata(appleHeadroom: Headroom(ratio: 4)))
    #expect(near.flavorsIfRequantized(for: [.iso, .apple]).isEmpty)
  }

  /// Apple metadata of the file is kept; Apple gain maps are gray, whatever the samples.
  @Test func withoutEffect() throws {
    let apple = FoundGainMap.Description(
      flavor: .apple, metadata: try GainMapMetadata(appleHeadroom: Headroom(ratio: 4)), numbers: [])
    #expect(found(try line(stops: 2), also: [apple]).flavorsIfRequantized(for: [.apple]).isEmpty)
    let one = try metadata(maximum: 2, baseOffset: 0, alternateOffset: 0)
    let other = try metadata(maximum: 1, baseOffset: 0, alternateOffset: 0)
    let colored = try GainMapMetadata(
      channels: .three(red: one.channels[0], green: other.channels[0], blue: one.channels[0]),
      baseHeadroom: one.baseHeadroom, alternateHeadroom: one.alternateHeadroom,
      usesBaseColorSpace: true)
    #expect(found(colored, components: 3).flavorsIfRequantized(for: [.apple]).isEmpty)
  }

  /// As in Samsung's HEIC, three components with equal gain are encoded.
  @Test func oneGainInThreeComponents() throws {
    let map = found(try line(stops: 2), components: 3)
    #expect(map.flavorsIfRequantized(for: [.apple]) == [.apple])
    #expect(map.flavorsIfRequantized(for: [.iso, .apple]) == [.iso, .apple])
  }
}
