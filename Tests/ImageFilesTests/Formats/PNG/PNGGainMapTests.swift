// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

/// Gain maps in PNG, put together byte by byte in the layout of Skia's SkPngEncoder.
@Suite("Gain maps of PNG files") struct PNGGainMapTests {
  private static let payload = GainMapInventoryTests.payload

  /// A PNG file of 4 x 3 pixels, with chunks in front of IDAT and after it.
  private static func png(
    _ chunks: [(String, [UInt8])] = [], after: [(String, [UInt8])] = [],
    color: UInt8 = 2, depth: UInt8 = 8
  ) throws -> [UInt8] {
    let channels = [0: 1, 2: 3, 4: 2, 6: 4][Int(color)] ?? 1
    let row = [0] + [UInt8](repeating: 100, count: 4 * channels * Int(depth) / 8)
    let all =
      [("IHDR", [0, 0, 0, 4, 0, 0, 0, 3, depth, color, 0, 0, 0])] + chunks
      + [("IDAT", try Zlib.deflate(row + row + row))] + after + [("IEND", [])]
    return PNGFile.signature + all.flatMap { chunk($0.0, $0.1) }
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    func bytes(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xFF) } }
    let body = Array(name.utf8) + data
    return bytes(UInt32(data.count)) + body + bytes(Zlib.crc32(body))
  }

  private static func map(_ chunks: [(String, [UInt8])]? = nil) throws -> [UInt8] {
    try png(chunks ?? [("gmAP", payload)], color: 0)
  }

  private func file(
    _ chunks: [(String, [UInt8])], after: [(String, [UInt8])] = []
  ) throws -> ImageFile {
    try ImageFile(parsing: ByteSource(try Self.png(chunks, after: after)))
  }

  private func codes(_ file: ImageFile) throws -> [String] {
    try file.gainMaps().notices.map(\.code.id)
  }

  @Test func layoutOfSkia() throws {
    let file = try file([("gmAP", [0, 0, 0, 0]), ("gdAT", try Self.map())])
    let map = try #require(try file.gainMaps().applicable)
    #expect(map.location == .chunk)
    #expect(map.layout == .init(width: 4, height: 3, componentCount: 1, bits: 8))
    #expect(map.flavors == [.iso])
    #expect(map.metadata?.alternateHeadroom.value == 2)
    #expect(map.metadata?.channels[0].baseOffset.value == 0.015625)
    #expect(try codes(file) == [])
    #expect(try file.contents().isHighDynamicRange)
    #expect(try file.standaloneFile(ofGainMapAt: map.location).allBytes() == Self.map())
  }

  /// Skia does not require the version; metadata in front of the gain map are read with a notice.
  @Test func variants() throws {
    let silent = try file([("gdAT", try Self.map())])
    #expect(try silent.gainMaps().applicable?.metadata?.alternateHeadroom.value == 2)
    let outside = try file([("gmAP", Self.payload), ("gdAT", try Self.map([]))])
    #expect(try outside.gainMaps().applicable?.metadata?.alternateHeadroom.value == 2)
    #expect(try codes(outside) == ["gain-map/metadata-misplaced"])
    let padded = try file([("gdAT", try Self.map([("gmAP", Self.payload + [1, 2])]))])
    #expect(try padded.gainMaps().applicable != nil)
    #expect(try codes(padded) == ["gain-map/trailing-bytes-ignored"])
  }

  /// The gain is in the primaries of the profile of the gain map, in Skia sRGB without one.
  @Test func alternatePrimaries() throws {
    var payload = Self.payload
    payload[4] = 0
    let profile = try ICCProfile.generate(
      for: CICP(primaries: .displayP3, transfer: .srgb, matrix: .identity))
    var map = try PNGFile(parsing: ByteSource(try Self.png([("gmAP", payload)])))
    try map.setProfile(profile)
    let marked = try file([("gdAT", try map.serialized().allBytes())])
    let found = try #require(try marked.gainMaps().applicable)
    let primaries = try #require(found.alternate.specifiedPrimaries)
    #expect(ColorPrimaries(.displayP3)?.isClose(to: primaries, tolerance: 1e-3) == true)
    let srgb = try file([("gdAT", try Self.png([("gmAP", payload), ("sRGB", [0])]))])
    #expect(try srgb.gainMaps().applicable?.alternate.specifiedPrimaries == .bt709)
    // With the primaries of the baseline image, the profile does not have an effect.
    map.set(PNGChunk(.gainMapMetadata, Self.payload))
    let base = try file([("gdAT", try map.serialized().allBytes())])
    #expect(try base.gainMaps().applicable?.alternate == .init())
  }

  @Test func unreadable() throws {
    let announced = try file([("gmAP", [0, 0, 0, 0])])
    #expect(try announced.gainMaps().maps.isEmpty)
    #expect(try codes(announced) == ["gain-map/announced-missing"])
    let silent = try file([("gdAT", try Self.map([]))])
    #expect(try silent.gainMaps().applicable == nil)
    #expect(try codes(silent) == ["gain-map/description-unreadable"])
    for bytes in [[1, 2, 3], Array(try Self.map().dropLast(20)), Array(PNGFile.signature)] {
      let cut = try file([("gmAP", [0, 0, 0, 0]), ("gdAT", bytes)])
      #expect(try codes(cut) == ["gain-map/unreadable"])
      #expect(throws: ImageError.self) { try cut.describingGainMap(in: [.iso]) }
      // An edit does not copy it silently.
      var edit = MetadataEdit()
      edit.orientation = .set(.rotated180)
      let edited = try cut.edited(by: edit)
      #expect(edited.notices.contains { $0.code.id == "gain-map/unreadable-bytes-dropped" })
      #expect(try edited.file.gainMaps().notices.isEmpty)
    }
  }

  /// Readers stop at IDAT; edits move what follows it, or drop what cannot be read.
  @Test func afterTheSamples() throws {
    let version: (String, [UInt8]) = ("gmAP", [0, 0, 0, 0])
    let metadata: (String, [UInt8]) = ("gmAP", Self.payload)
    let map: (String, [UInt8]) = ("gdAT", try Self.map())
    let silent: (String, [UInt8]) = ("gdAT", try Self.map([]))
    for (first, late) in [
      ([], [version, map]), ([version], [map]), ([], [map]), ([metadata], [silent]),
      ([], [metadata, silent]), ([], [("gdAT", [1, 2, 3]), map]),
    ] {
      let file = try file(first, after: late)
      #expect(try file.gainMaps().maps.isEmpty)
      for change in [
        { $0.correctsStructure = true }, { $0.orientation = .set(.rotated180) },
        { $0.dropsPersonalData = true },
      ] as [(inout MetadataEdit) -> Void] {
        var edit = MetadataEdit()
        change(&edit)
        let edited = try file.edited(by: edit)
        #expect(edited.notices.map(\.code.id) == ["gain-map/chunks-arranged"])
        #expect(try codes(edited.file) == [])
        #expect(try edited.file.standaloneFile(ofGainMapAt: .chunk).allBytes() == map.1)
      }
    }
    let unreadable = try file([version], after: [("gdAT", [1, 2, 3])])
    var edit = MetadataEdit()
    edit.dropsLocation = true
    let edited = try unreadable.edited(by: edit)
    #expect(edited.notices.map(\.code.id) == ["gain-map/unreadable-bytes-dropped"])
    #expect(try codes(edited.file) == [])
  }

  /// Edits leave one gain map, with its metadata where Android reads them.
  @Test func edited() throws {
    var edit = MetadataEdit()
    edit.dropsLocation = true
    let map = try Self.map()
    let version: (String, [UInt8]) = ("gmAP", [0, 0, 0, 0])
    for chunks in [
      [version, ("gdAT", map), ("gdAT", map)],
      [("gmAP", Self.payload), ("gdAT", try Self.map([]))],
    ] {
      let file = try file(chunks)
      let edited = try file.edited(by: edit)
      #expect(edited.notices.map(\.code.id) == ["gain-map/chunks-arranged"])
      #expect(try codes(edited.file) == [])
      #expect(try edited.file.standaloneFile(ofGainMapAt: .chunk).allBytes() == map)
      #expect(try edited.file.edited(by: edit).isUnchanged)
    }
    // Metadata that Android does not read are not counted for viewers.
    let misplaced = try file([("gmAP", Self.payload), ("gdAT", try Self.map([]))])
    #expect(try misplaced.gainMaps().applicable?.usableFlavors == [])
    let silent = try file([("gdAT", try Self.map([]))]).edited(by: edit)
    #expect(
      silent.notices.map(\.code.english) == [
        "dropped: gain map, which cannot be applied: {cause}; this is the baseline image"
      ])
    #expect(try silent.file.gainMaps().maps.isEmpty)
  }

  /// Bytes that readers ignore are removed with the private data, the gain map is not.
  @Test func trailingBytes() throws {
    var edit = MetadataEdit()
    edit.dropsPersonalData = true
    let file = try file([
      ("gmAP", [0, 0, 0, 0, 9]), ("gdAT", try Self.map([("gmAP", Self.payload + [1, 2])])),
    ])
    let edited = try file.edited(by: edit)
    #expect(try edited.file.gainMaps().applicable != nil)
    #expect(try codes(edited.file) == [])
    #expect(try edited.file.standaloneFile(ofGainMapAt: .chunk).allBytes() == Self.map())
  }

  @Test func anImageThatIsAGainMap() throws {
    let file = try ImageFile(parsing: ByteSource(try Self.map()))
    #expect(try file.gainMaps().applicable == nil)
    #expect(try codes(file) == ["gain-map/without-base"])
    #expect(try file.detachedGainMap().metadata?.alternateHeadroom.value == 2)
  }

  /// Metadata edits keep the gain map byte for byte.
  @Test func edits() throws {
    let map = try Self.map()
    let file = try file([("gmAP", [0, 0, 0, 0]), ("gdAT", map)])
    var edit = MetadataEdit()
    edit.orientation = .set(.rotated90)
    let edited = try file.edited(by: edit)
    #expect(edited.payloads.map(\.before.name) == ["IDAT", "IDAT of the gain map"])
    #expect(try edited.file.standaloneFile(ofGainMapAt: .chunk).allBytes() == map)
    let flat = try file.droppingGainMaps()
    #expect(flat.before == [.iso] && flat.after == [])
    #expect(try flat.file.contents().isHighDynamicRange == false)
  }

  /// The layout is that of Skia, and metadata of the file of the gain map are not copied.
  @Test func joining() throws {
    let base = try file([("sRGB", [1])])
    let source = try ImageFile(
      parsing: ByteSource(
        try Self.png(
          [("sRGB", [0]), ("gmAP", Self.payload)], after: [("tEXt", Array("a\0b".utf8))])))
    let joined = try base.joining(source, try source.detachedGainMap())
    guard case .png(let png) = joined.file.container else {
      Issue.record("no PNG file")
      return
    }
    #expect(png.chunks.map(\.type.description) == ["IHDR", "sRGB", "gmAP", "gdAT", "IDAT", "IEND"])
    #expect(png.chunks[2].content == .bytes([0, 0, 0, 0]))
    let map = try #require(try png.gainMapImage())
    #expect(map.chunks.map(\.type.description) == ["IHDR", "gmAP", "IDAT", "IEND"])
    #expect(try map.gainMapPayload == Self.payload)
    #expect(joined.reencodedPayloads.isEmpty)
    #expect(throws: ImageError.self) {
      try base.joining(source, try source.detachedGainMap(), in: [.iso, .xmp])
    }
  }
}
