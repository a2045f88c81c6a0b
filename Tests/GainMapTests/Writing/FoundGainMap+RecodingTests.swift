import HDRCore
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Flavors that need other samples") struct FoundGainMapRecodingTests {
  private func found(
    _ meaning: GainMapMeaning, also others: [FoundGainMap.Description] = [], components: Int = 1
  ) -> FoundGainMap {
    let flavor: GainMapFlavor = if case .apple = meaning { .apple } else { .iso }
    var record = GainMapRecord(
      FoundGainMap.Description(flavor: flavor, meaning: meaning, numbers: []),
      layout: .init(width: 4, height: 3, componentCount: components, bits: 8))
    record.others = others
    return FoundGainMap(record)
  }

  private func line(stops: Double) throws -> GainMapMeaning {
    .parameters(
      try metadata(
        maximum: stops, gamma: 1, baseOffset: 0, alternateOffset: 0, alternateHeadroom: stops))
  }

  /// Half way, Apple's curve for 4x is at log2(1 + 3 · 0.214) stops, a line at 1.
  @Test func parametersForApple() throws {
    let map = found(try line(stops: 2))
    #expect(map.flavorsIfRecoded(for: [.apple]) == [.apple])
    // Parameters come within 0.0535 stops of Apple's curve for 4x (gainmap-conversion.md, route C).
    #expect(map.flavorsIfRecoded(for: [.iso, .apple]) == [.iso, .apple])
    #expect(map.flavorsIfRecoded(for: [.iso, .xmp]).isEmpty)
    // Not of that for 1024x.
    #expect(found(try line(stops: 10)).flavorsIfRecoded(for: [.iso, .apple]) == [.apple])
  }

  @Test func appleForParameters() throws {
    let far = found(.apple(try AppleGainMap(headroom: Headroom(stops: 10))))
    #expect(far.flavorsIfRecoded(for: [.iso, .apple]) == [.iso])
    #expect(far.flavorsIfRecoded(for: [.apple]).isEmpty)
    let near = found(.apple(try AppleGainMap(headroom: Headroom(ratio: 4))))
    #expect(near.flavorsIfRecoded(for: [.iso, .apple]).isEmpty)
  }

  /// Words that the file has stay; colors of gain are not for Apple's words, whatever the samples.
  @Test func whereItHelpsNothing() throws {
    let apple = FoundGainMap.Description(
      flavor: .apple, meaning: .apple(try AppleGainMap(headroom: Headroom(ratio: 4))), numbers: [])
    #expect(found(try line(stops: 2), also: [apple]).flavorsIfRecoded(for: [.apple]).isEmpty)
    let one = try metadata(maximum: 2, baseOffset: 0, alternateOffset: 0)
    let other = try metadata(maximum: 1, baseOffset: 0, alternateOffset: 0)
    let colored = try GainMapMetadata(
      channels: .three(red: one.channels[0], green: other.channels[0], blue: one.channels[0]),
      baseHeadroom: one.baseHeadroom, alternateHeadroom: one.alternateHeadroom,
      usesBaseColorSpace: true)
    #expect(found(.parameters(colored), components: 3).flavorsIfRecoded(for: [.apple]).isEmpty)
  }

  /// As in Samsung's HEIC: three components are coded, one gain is meant.
  @Test func oneGainInThreeComponents() throws {
    let map = found(try line(stops: 2), components: 3)
    #expect(map.flavorsIfRecoded(for: [.apple]) == [.apple])
    #expect(map.flavorsIfRecoded(for: [.iso, .apple]) == [.iso, .apple])
  }
}
