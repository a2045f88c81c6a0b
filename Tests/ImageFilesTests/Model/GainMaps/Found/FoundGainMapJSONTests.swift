// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Gain map metadata as JSON") struct FoundGainMapJSONTests {
  private func found(
    _ channels: GainMapMetadata.Channels, also others: [FoundGainMap.Description] = []
  ) throws -> FoundGainMap {
    let metadata = try GainMapMetadata(
      channels: channels, baseHeadroom: try #require(UnsignedRational(3, 7)),
      alternateHeadroom: try #require(UnsignedRational(531_343, 200_000)),
      usesBaseColorSpace: false)
    let alternate = FoundGainMap.AlternateImage(
      cicp: CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant),
      icc: [0, 1, 2, 255],
      light: LightMetadata(contentLightLevel: .init(maximum: 1200, maximumAverage: 80)))
    return FoundGainMap(
      [
        FoundGainMap.Description(
          flavor: .xmp, metadata: metadata,
          numbers: [.init("gamma", "0.5", .xmp, from: "hdrgm:Gamma")])
      ] + others, layout: .init(width: 40, height: 30, componentCount: 3, bits: 10),
      alternate: alternate)
  }

  private var channel: GainMapMetadata.Channel {
    get throws {
      GainMapMetadata.Channel(
        minimum: try #require(SignedRational(.min, 4_000_000_000)),
        maximum: try #require(SignedRational(.max, 1_000_000_001)),
        gamma: try #require(UnsignedRational(.max, 4_294_967_294)),
        baseOffset: try #require(SignedRational(-1, 64)),
        alternateOffset: try #require(SignedRational(2, 128)))
    }
  }

  /// Fractions are preserved as in the file, reduced or not, up to the largest.
  @Test func nothingChanges() throws {
    let channel = try channel
    var other = channel
    other.maximum = SignedRational(3)
    for channels in [
      GainMapMetadata.Channels.one(channel), .three(red: channel, green: other, blue: channel),
    ] {
      var detached = try found(channels)
      detached.orientation = .rotated90
      let json = try detached.json()
      #expect(FoundGainMap.isJSON(json))
      #expect(try FoundGainMap(json: json) == detached)
    }
    let text = String(decoding: try found(.one(channel)).json(), as: UTF8.self)
    for word in [
      "\"hdrconvert/gainmap-metadata/1\"", "\"alternate_hdr_headroom\" : \"531343/200000\"",
      "\"base_offset\" : \"-1/64\"", "\"use_base_colour_space\" : false",
    ] {
      #expect(text.contains(word), "\(word)")
    }
  }

  @Test func orientationOfSamples() throws {
    var detached = try found(.one(try channel))
    detached.orientation = .rotated270
    let text = String(decoding: try detached.json(), as: UTF8.self)
    #expect(text.contains("\"orientation\" : 8"))
    let wrong = Array(text.replacing("\"orientation\" : 8", with: "\"orientation\" : 9").utf8)
    #expect(throws: ImageError.self) { try FoundGainMap(json: wrong) }
    let silent = Array(text.replacing("\"orientation\" : 8,", with: "").utf8)
    #expect(try FoundGainMap(json: silent).orientation == nil)
  }

  @Test func apple() throws {
    let map = try GainMapMetadata(appleHeadroom: Headroom(ratio: 4.880772), curve: .bt709)
    let found = FoundGainMap([.init(flavor: .apple, metadata: map, numbers: [])])
    let again = try #require(try FoundGainMap(json: try found.json()).metadata)
    #expect(again.appleCurve == .bt709)
    #expect(isClose(again.fullHeadroom.ratio, 4.880772, relative: 1e-15))
  }

  /// Metadata of a file with several flavors.
  @Test func severalFlavors() throws {
    let apple = FoundGainMap.Description(
      flavor: .apple, metadata: try GainMapMetadata(appleHeadroom: Headroom(ratio: 4)),
      numbers: [.init("headroom", "4", .makerNote, from: "maker note")])
    var detached = try found(.one(channel), also: [apple])
    detached.xmp = Array("<x:xmpmeta>ü</x:xmpmeta>".utf8)
    detached.makerNote = AppleMakerNote(hdrHeadroom: 82_317 / 54_194.0, hdrGain: nil)
    #expect(try FoundGainMap(json: try detached.json()) == detached)
    #expect(detached.carriers.map(\.flavor) == [.xmp, .apple])
    #expect(detached.notInJSON.isEmpty)
    detached.xmp = [0xFF, 0xFE]
    #expect(detached.notInJSON.map(\.category) == [.dropped])
  }

  /// Manually written JSON: decimals, and required keys only.
  @Test func decimals() throws {
    let detached = try FoundGainMap(
      json: Array(
        """
        {"schema": "hdrconvert/gainmap-metadata/1", "iso21496": {
          "base_hdr_headroom": 0, "alternate_hdr_headroom": "2.5", "use_base_colour_space": true,
          "channels": [{"gain_map_min": -0.5, "gain_map_max": "2.5", "gain_map_gamma": "1/1",
                        "base_offset": 0.015625, "alternate_offset": "0.015625"}]}}
        """.utf8))
    let metadata = try #require(detached.metadata)
    #expect(metadata.alternateHeadroom == UnsignedRational(5, 2))
    #expect(metadata.channels[0].minimum == SignedRational(-1, 2))
    #expect(metadata.channels[0].baseOffset == SignedRational(1, 64))
    #expect(detached.flavor == .iso)
  }

  @Test(arguments: [
    "", "{", "[]", "{}", #"{"schema": "other"}"#,
    #"{"schema": "hdrconvert/gainmap-metadata/1"}"#,
    #"{"schema": "hdrconvert/gainmap-metadata/1", "apple": {"headroomRatio": 0.5, "curve": "srgb"}}"#,
    #"{"schema": "hdrconvert/gainmap-metadata/1", "apple": {"headroomRatio": 1e300, "curve": "srgb"}}"#,
    #"{"schema": "hdrconvert/gainmap-metadata/1", "apple": {"headroomRatio": 4, "curve": "pq"}}"#,
    #"{"schema": "hdrconvert/gainmap-metadata/1", "iso21496": {"channels": []}}"#,
    """
    {"schema": "hdrconvert/gainmap-metadata/1", "apple": {"headroomRatio": 4, "curve": "srgb"},
     "others": [{"flavor": "mine", "apple": {"headroomRatio": 4, "curve": "srgb"}}]}
    """,
    """
    {"schema": "hdrconvert/gainmap-metadata/1", "apple": {"headroomRatio": 4, "curve": "srgb"},
     "others": [{"flavor": "iso"}]}
    """,
    """
    {"schema": "hdrconvert/gainmap-metadata/1", "iso21496": {
      "base_hdr_headroom": 0, "alternate_hdr_headroom": 1, "use_base_colour_space": true,
      "channels": [{"gain_map_min": "1/0", "gain_map_max": 1, "gain_map_gamma": 1,
                    "base_offset": 0, "alternate_offset": 0}]}}
    """,
    """
    {"schema": "hdrconvert/gainmap-metadata/1", "iso21496": {
      "base_hdr_headroom": 0, "alternate_hdr_headroom": 1, "use_base_colour_space": true,
      "channels": [{"gain_map_min": 2, "gain_map_max": 1, "gain_map_gamma": 1,
                    "base_offset": 0, "alternate_offset": 0}]}}
    """,
  ])
  func invalidJSON(_ text: String) {
    #expect(throws: ImageError.self) { _ = try FoundGainMap(json: Array(text.utf8)) }
  }

  @Test func metadataWithoutKeys() throws {
    var detached = try found(.one(try channel))
    #expect(detached.notInJSON.isEmpty)
    detached.alternate.light.diffuseWhite = 100
    #expect(detached.notInJSON.map(\.category) == [.dropped])
  }
}
