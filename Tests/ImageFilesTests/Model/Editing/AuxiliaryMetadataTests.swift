// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Metadata other than Exif, XMP and ICC") struct AuxiliaryMetadataTests {
  /// An image resource with an empty name.
  private static func resource(_ id: UInt16, _ data: [UInt8]) -> [UInt8] {
    Array("8BIM".utf8) + [UInt8(id >> 8), UInt8(id & 255), 0, 0, 0, 0, 0, UInt8(data.count)] + data
      + (data.count % 2 == 1 ? [0] : [])
  }

  /// A caption, IPTC 2:120.
  private static let caption: [UInt8] = [0x1C, 2, 120, 0, 5] + Array("Hello".utf8)
  private static let iptc = resource(0x0404, caption)
  private static let copyright = resource(0x040A, [1])
  private static let thumbnail = resource(0x040C, [9, 9, 9])
  private static let guides = resource(0x0408, [1])
  private static let profile = resource(0x040F, [7])

  /// The start of a JUMBF box of a type in APP11.
  private static func boxes(_ type: String) -> [UInt8] {
    JPEGFixtures.segment(
      0xEB,
      hex("4A50 0001 00000001 00000040") + Array("jumb".utf8) + hex("00000028")
        + Array(("jumd" + type).utf8))
  }

  private func auxiliary(_ segments: [UInt8]...) throws -> AuxiliaryMetadata {
    try JPEGFixtures.parse(JPEGFixtures.image(segments.flatMap { $0 })).primary.auxiliaryMetadata()
  }

  @Test func ofJPEG() throws {
    let found = try auxiliary(
      JPEGFixtures.segment(
        .photoshop, Self.thumbnail + Self.guides + Self.iptc + Self.profile + Self.copyright),
      JPEGFixtures.segment(.comment, Array("one".utf8)),
      JPEGFixtures.segment(.comment, Array("two".utf8)), Self.boxes("c2pa"),
      JPEGFixtures.segment(0xE4, [1, 2]), JPEGFixtures.segment(0xEC, [3]))
    #expect(found.resources == Self.iptc + Self.copyright)
    #expect(try found.iptc == Self.caption)
    #expect(found.comments == [Array("one".utf8), Array("two".utf8)])
    #expect(try found.portable == ["IPTC", "2 comments"])
    #expect(
      found.bound == [
        "Photoshop thumbnail", "1 Photoshop resource", "content credentials (C2PA)",
        "segments APP4, APP12",
      ])
  }

  @Test func littleOrNothing() throws {
    #expect(try auxiliary() == AuxiliaryMetadata())
    #expect(try auxiliary(Self.boxes("json")).bound == ["JUMBF metadata (APP11)"])
    let broken = try auxiliary(JPEGFixtures.segment(.photoshop, Array(Self.iptc.dropLast(3))))
    #expect(try broken.portable.isEmpty && broken.bound.count == 1)
    let other = try auxiliary(JPEGFixtures.segment(.photoshop, Self.copyright))
    #expect(try other.portable == ["Photoshop resources"] && other.bound.isEmpty)
    // Metadata that is stored elsewhere is not reported.
    #expect(
      try auxiliary(JPEGFixtures.segment(.photoshop, Self.profile)) == AuxiliaryMetadata())
  }

  /// An exceeded limit is not taken for resources without IPTC.
  @Test func budgetErrors() throws {
    var auxiliary = AuxiliaryMetadata()
    auxiliary.resources = Self.resource(0x0404, [UInt8](repeating: 0x41, count: 200))
    let found = auxiliary
    for read in [{ _ = try found.iptc }, { _ = try found.fitted(to: .avif, xmp: nil) }]
      as [() throws -> Void]
    {
      let error = #expect(throws: ImageError.self) {
        try Execution(budget: Execution.Budget(steps: 0)).perform(read)
      }
      #expect(error?.code.id == "budget/work-exceeded")
    }
  }

  /// Resources longer than a segment are read back unchanged.
  @Test func written() throws {
    var file = try JPEGFixtures.parse(
      JPEGFixtures.image(JPEGFixtures.segment(.comment, [0x41])))
    var auxiliary = AuxiliaryMetadata()
    let long = (0..<600).flatMap { _ in Self.resource(0x0404, [UInt8](repeating: 0x41, count: 200))
    }
    auxiliary.resources = long
    auxiliary.comments = [Array("new".utf8)]
    try file.primary.setAuxiliaryMetadata(auxiliary)
    let again = try JPEGFixtures.parse(try file.serialized().allBytes())
    #expect(again.primary.segments(.photoshop).count == 2)
    #expect(try again.primary.auxiliaryMetadata() == auxiliary)
    auxiliary.comments = [[UInt8](repeating: 0x41, count: 65_534)]
    #expect(throws: ImageError.self) { try file.primary.setAuxiliaryMetadata(auxiliary) }
  }

  /// A separate IPTC block is used only if the Photoshop resources do not contain IPTC.
  @Test func ofTIFF() throws {
    let found = try AuxiliaryMetadata(photoshop: nil, iptc: Self.caption)
    #expect(found.resources == Self.iptc)
    let both = try AuxiliaryMetadata(photoshop: Self.iptc, iptc: [1, 2])
    #expect(try both.iptc == Self.caption)
  }

  @Test func ofPNG() throws {
    var file = PNGFile(header: PNGHeader(width: 1, height: 1, bitDepth: 8, colorType: .gray))
    file.chunks.insert(PNGChunk(.text, Array("Author\0me".utf8)), at: 1)
    file.chunks.insert(PNGChunk(.text, hex("4DFC6865 00 41")), at: 2)
    file.chunks.insert(
      PNGChunk(.internationalText, Array("XML:com.adobe.xmp\0\0\0\0\0<x/>".utf8)), at: 3)
    file.chunks.insert(PNGChunk(.contentCredentials, [1]), at: 4)
    file.chunks.insert(PNGChunk(.text, Array("date:create\0today".utf8)), at: 5)
    let found = try file.auxiliaryMetadata()
    #expect(found.bound == ["PNG text (date:create)", "content credentials (C2PA)"])
    #expect(try found.portable == ["PNG text (Author, Mühe)"])
    #expect(found.texts == Array(file.chunks[1...2]))
  }

  /// All of them are read back from a new PNG file.
  @Test func writtenToPNG() throws {
    var auxiliary = AuxiliaryMetadata()
    auxiliary.resources = Self.iptc + Self.copyright
    auxiliary.comments = [[0x4D, 0xFC]]
    auxiliary.texts = [PNGChunk(.text, Array("Source\0camera".utf8))]
    var file = PNGFile(header: PNGHeader(width: 1, height: 1, bitDepth: 8, colorType: .gray))
    file.insert(PNGChunk(.imageData, [0]))
    try file.add(auxiliary)
    let again = try PNGFile(parsing: ByteSource(try file.serialized().allBytes()))
    let found = try again.auxiliaryMetadata()
    #expect(found.resources == auxiliary.resources)
    #expect(
      found.texts == auxiliary.texts
        + [PNGText(keyword: "Comment", bytes: Array("Mü".utf8)).chunk])
    #expect(found.comments.isEmpty && found.bound.isEmpty)
  }

  private static let title = PNGChunk(.text, [0x54, 0x69, 0x74, 0x6C, 0x65, 0, 0x4D, 0xFC])
  private static let source = PNGChunk(.text, Array("Source\0camera".utf8))
  private static let dublinCore = "http://purl.org/dc/elements/1.1/"
  private static let photoshop = "http://ns.adobe.com/photoshop/1.0/"

  private static func set(_ number: UInt8, _ text: String) -> [UInt8] {
    [0x1C, 2, number, 0, UInt8(text.utf8.count)] + Array(text.utf8)
  }

  /// Standard texts become properties of XMP; others are named.
  @Test func textsBecomeXMP() throws {
    var auxiliary = AuxiliaryMetadata()
    auxiliary.texts = [Self.title, Self.source]
    let kept = try auxiliary.fitted(to: .png, xmp: nil)
    #expect(kept.carried == auxiliary && kept.xmp == nil && kept.notices.isEmpty)
    let moved = try auxiliary.fitted(to: .jpeg, xmp: nil)
    #expect(moved.carried == AuxiliaryMetadata())
    let packet = try XMPPacket(parsing: try #require(moved.xmp))
    #expect(packet[XMPName(Self.dublinCore, "title")] == .array([.text("Mü")]))
    #expect(
      moved.notices.map(\.message) == ["not copied: PNG text (Source) (JPEG cannot store it)"])
  }

  @Test func iptcBecomesXMP() throws {
    var auxiliary = AuxiliaryMetadata()
    let sets =
      Self.set(0, "\u{0}\u{4}") + Self.set(25, "a") + Self.set(25, "b & c")
      + Self.set(55, "20230405") + Self.set(60, "060708+0900") + Self.set(105, "News")
    auxiliary.resources = PhotoshopResources(iptc: sets).bytes
    let moved = try auxiliary.fitted(to: .avif, xmp: nil)
    #expect(moved.notices.isEmpty)
    let packet = try XMPPacket(parsing: try #require(moved.xmp))
    #expect(
      packet[XMPName(Self.dublinCore, "subject")] == .array([.text("a"), .text("b & c")]))
    #expect(
      packet[XMPName(Self.photoshop, "DateCreated")] == .text("2023-04-05T06:07:08+09:00"))
    // XMP that has other values keeps them, and what is not copied is named.
    let again = try auxiliary.fitted(to: .avif, xmp: moved.xmp)
    #expect(again.xmp == moved.xmp && again.notices.isEmpty)
    auxiliary.resources = PhotoshopResources(iptc: Self.set(105, "Other")).bytes
    let other = try auxiliary.fitted(to: .avif, xmp: moved.xmp)
    #expect(other.xmp == moved.xmp)
    #expect(other.notices.map(\.message) == ["not copied: IPTC (AVIF cannot store it)"])
    // A data set without a property.
    auxiliary.resources = PhotoshopResources(iptc: sets + Self.set(7, "x")).bytes
    #expect(
      try auxiliary.fitted(to: .avif, xmp: nil).notices.map(\.message)
        == ["not copied: other fields of IPTC (AVIF cannot store it)"])
  }

  @Test func privateTexts() throws {
    var auxiliary = AuxiliaryMetadata()
    let place = PNGChunk(.text, Array("Comment\0+48.8577+002.2950/".utf8))
    auxiliary.texts = [Self.source, place, PNGChunk(.text, Array("City\0Paris".utf8))]
    #expect(try auxiliary.textsHaveLocation)
    var findings = PrivacyFindings()
    try auxiliary.removeTextsWithLocation(&findings)
    #expect(auxiliary.texts == [Self.source])
    #expect(try !auxiliary.textsHaveLocation)
    #expect(findings.all.count == 1)
  }
}
