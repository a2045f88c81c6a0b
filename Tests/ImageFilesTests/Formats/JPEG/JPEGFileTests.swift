// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("JPEG files") struct JPEGFileTests {
  typealias F = JPEGFixtures

  @Test func imagesAreFoundWithoutAnyDirectory() throws {
    let bytes = F.image() + F.image(F.segment(.jfif, [])) + F.image()
    let file = try F.parse(bytes)
    #expect(file.images.map { $0.stored?.lowerBound } == [0, 36, 81])
    #expect(file.trailers == [])
    #expect(try file.serialized().allBytes() == bytes)
  }

  @Test func trailersAreTold() throws {
    let video = hex("00000014") + Array("ftypmp42".utf8) + [UInt8](repeating: 7, count: 40)
    let block = Array("private data".utf8)
    let samsung =
      block + Array("SEFH".utf8) + hex("6B000000 01000000 0000 0100") + [12, 0, 0, 0, 12, 0, 0, 0]
      + hex("18000000") + Array("SEFT".utf8)
    let bytes = F.image() + [0, 0, 0] + F.image() + video + samsung
    let file = try F.parse(bytes)
    #expect(file.images.count == 2)
    #expect(file.trailers.map(\.content) == [.padding, .video, .samsung])
    #expect(file.trailers[2].range == bytes.count - samsung.count..<bytes.count)
    #expect(try file.serialized().allBytes() == bytes)
    let odd = try F.parse(F.image() + Array("something".utf8))
    #expect(odd.trailers.map(\.content) == [.unknown])
  }

  /// A Samsung data block: type, name and content.
  private static func block(_ name: String, _ content: [UInt8]) -> [UInt8] {
    hex("0000 300A") + [UInt8(name.utf8.count), 0, 0, 0] + Array(name.utf8) + content
  }

  /// Samsung data with a directory; blocks in order.
  private static func samsung(_ blocks: [[UInt8]]) -> [UInt8] {
    func field(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
    var directory = Array("SEFH".utf8) + field(107) + field(blocks.count)
    for index in blocks.indices {
      let distance = blocks[index...].reduce(0) { $0 + $1.count }
      directory += hex("0000 300A") + field(distance) + field(blocks[index].count)
    }
    return blocks.joined() + directory + field(directory.count) + Array("SEFT".utf8)
  }

  @Test func samsungsDataHaveNames() throws {
    let video = Self.block(
      "MotionPhoto_Data", hex("00000010") + Array("ftypmp42".utf8) + [0, 0, 0, 0])
    let time = Self.block("Image_UTC_Data", Array("1788746908069".utf8))
    let still = ImageFile(.jpeg(try F.parse(F.image() + Self.samsung([time]))))
    #expect(try !still.containsVideo)
    #expect(try still.attachments == ["Samsung metadata (Image_UTC_Data)"])
    let motion = ImageFile(.jpeg(try F.parse(F.image() + Self.samsung([time, video]))))
    #expect(try motion.containsVideo)
    #expect(
      try motion.attachments == ["Samsung metadata (Image_UTC_Data)", "video (MotionPhoto_Data)"])
    let nameless = ImageFile(
      .jpeg(try F.parse(F.image() + Self.samsung([Self.block("\u{7}", [1])]))))
    #expect(try nameless.attachments == ["Samsung metadata"] && !nameless.containsVideo)
    let padded = ImageFile(.jpeg(try F.parse(F.image() + [0, 0, 0])))
    #expect(try padded.attachments.isEmpty)
  }

  /// Files with many trailers or images do not take quadratic time or exhaust the stack.
  @Test func manyFollowers() throws {
    let empty = Array("SEFH".utf8) + hex("6B000000 00000000 0C000000") + Array("SEFT".utf8)
    let trailers = try F.parse(F.image() + Array(repeatElement(empty, count: 50_000).joined()))
    #expect(trailers.trailers.map(\.content) == [.unknown, .samsung])
    let images = try F.parse(Array(repeatElement(F.image(), count: 1000).joined()))
    #expect(images.images.count == 257)
    #expect(images.trailers.count == 1)
  }

  @Test(arguments: [TIFFFile.ByteOrder.bigEndian, .littleEndian])
  func editsKeepDirectoriesRight(order: TIFFFile.ByteOrder) throws {
    let bytes = F.gainMapFile(order: order, trailer: [1, 2, 3, 4, 5])
    var file = try F.parse(bytes)
    #expect(file.notices == [])
    #expect(try file.serialized().allBytes() == bytes)

    try file.primary.setExif(ExifBlock.minimal(orientation: .rotated90))
    guard case .image(var map) = file.appendices[0] else {
      Issue.record("no map")
      return
    }
    try map.setISOGainMap([UInt8](repeating: 0, count: 1000))
    file.appendices[0] = .image(map)
    let edited = try file.serialized().allBytes()
    let again = try F.parse(edited)
    #expect(again.notices == [])
    #expect(Array(edited.suffix(5)) == [1, 2, 3, 4, 5])

    let (format, header) = try #require(try again.primary.multiPicture())
    #expect(format.byteOrder == order)
    let map2 = try #require(again.images[1].stored)
    #expect(header + Int(format.entries[1].offset) == map2.lowerBound)
    #expect(format.entries.map { Int($0.size) } == again.images.map { $0.stored?.count })
    let xmp = try XMPPacket(parsing: try #require(again.primary.segments(.xmp).first).body)
    #expect(xmp.containerItems[1].length == map2.count)
    #expect(
      again.images.map { image in image.scans.map { Array(edited[$0]) } }
        == file.images.map { image in image.scans.map { Array(bytes[$0]) } })
  }

  @Test func wrongDirectoriesAreRepairedWithTheFirstEdit() throws {
    var bytes = F.gainMapFile()
    let index = try #require(try F.parse(bytes).primary.segments(.multiPicture).first?.stored)
    bytes[index.upperBound - 5] ^= 0x40  // In the offset of the gain map.
    var file = try F.parse(bytes)
    #expect(file.images.count == 2)
    #expect(file.notices.map(\.code.id) == ["mpf/entry-without-image"])
    #expect(try file.serialized().allBytes() == bytes)
    try file.primary.setExif([1])
    #expect(try F.parse(file.serialized().allBytes()).notices == [])
  }

  @Test func furtherDirectoriesAreNotWritten() throws {
    var file = try F.parse(F.gainMapFile())
    let index = try #require(F.roles(file.primary).firstIndex(of: .multiPicture))
    file.primary.parts.insert(.segment(JPEGSegment(.multiPicture, body: [1, 2, 3])), at: index + 1)
    try file.primary.setExif([1])
    let again = try F.parse(file.serialized().allBytes())
    #expect(again.images.count == 2 && again.notices == [])
    #expect(again.primary.segments(.multiPicture).count == 1)
  }

  @Test func imagesBehindSomethingElseAreFoundThroughDirectories() throws {
    let map = F.image()
    let head = F.segment(.xmp, F.directory(length: map.count, padding: 6))
    let file = try F.parse(F.image(head) + Array("gap!!!".utf8) + map)
    #expect(file.images.count == 2)
    #expect(file.trailers.map(\.content) == [.unknown])
    #expect(file.containerItems.count == 1)
  }

  @Test func addedImagesGetADirectory() throws {
    var file = try F.parse(F.image(F.segment(.jfif, [1])) + [9, 9])
    let map = F.image([0xFF], F.segment(.comment, Array("map".utf8)))
    try file.insertBehindFirst(JPEGImage(parsing: ByteSource(map)))
    let bytes = try file.serialized().allBytes()
    var again = try F.parse(bytes)
    #expect(again.notices == [])
    #expect(F.roles(again.primary).prefix(2) == [.jfif, .multiPicture])
    #expect(again.images[1].segments(.comment).map(\.body) == [Array("map".utf8)])
    #expect(again.trailers.map(\.range.count) == [2])
    let (format, header) = try #require(try again.primary.multiPicture())
    #expect(format.entries.map(\.attributes) == [0x30000, 0])
    #expect(header + Int(format.entries[1].offset) == again.images[1].stored?.lowerBound)

    again.appendices.removeFirst()
    let single = try F.parse(again.serialized().allBytes())
    #expect(single.images.count == 1)
    #expect(F.roles(single.primary).prefix(2) == [.jfif, .other])
  }

  @Test func brokenFollowersAreKept() throws {
    let bytes = F.image() + hex("FFD8 FFE0 FFFF 00")
    let file = try F.parse(bytes)
    #expect(file.images.count == 1)
    #expect(file.trailers.map(\.content) == [.unknown])
    #expect(file.notices.count == 1)
    #expect(try file.serialized().allBytes() == bytes)
  }

  @Test func survivesDamage() throws {
    let bytes = F.gainMapFile(trailer: Array("SEFT".utf8))
    let primary = try #require(try F.parse(bytes).primary.stored)
    for broken in Damage.truncations(of: Array(bytes[primary])) {
      #expect(throws: ImageError.self) { try F.parse(broken) }
    }
    for broken in Damage.mutations(of: bytes, count: 1000) {
      guard var file = try? F.parse(broken) else { continue }
      #expect((try? file.serialized().allBytes()) == broken)
      var notices: [Notice] = []
      _ = try? file.primary.xmp(notices: &notices)
      _ = file.primary.profile(notices: &notices)
      guard (try? file.primary.setExif([1, 2, 3])) != nil,
        let edited = try? file.serialized().allBytes()
      else { continue }
      #expect((try? F.parse(edited)) != nil)
    }
  }
}
