// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Removal of IPTC and of thumbnails") struct DroppedPartTests {
  private static let marker = PrivateCarrier.marker
  private static let text = PrivateCarrier.text

  /// A thumbnail that is not an image.
  private static let thumbnail = [0xFF, 0xD8] + text + [0xFF, 0xD9]

  private static func resource(_ id: UInt16, _ data: [UInt8]) -> [UInt8] {
    Array("8BIM".utf8) + [UInt8(id >> 8), UInt8(id & 255), 0, 0, 0, 0, 0, UInt8(data.count)] + data
      + (data.count % 2 == 1 ? [0] : [])
  }

  private static let iptc = resource(
    0x0404, [0x1C, 2, 120, 0, UInt8(text.count)] + text)
  private static let digest = resource(0x0425, text + [0, 0, 0, 0, 0, 0])
  private static let flag = resource(0x040A, [1])

  /// Exif with an artist, and with a thumbnail if `isMarked`.
  private static func exif(isMarked: Bool) -> [UInt8] {
    let artist = Array("Jane\0Doe".utf8)
    let size = UInt8(thumbnail.count)
    return hex("4D4D002A 00000008 0001 013B 0002 00000008 0000001A")
      + [0, 0, 0, isMarked ? 0x22 : 0] + artist
      + (isMarked
        ? hex("0002 0201 0004 00000001 00000040 0202 0004 00000001 000000") + [size]
          + hex("00000000") + thumbnail : [])
  }

  private static func jpeg(_ segments: [UInt8]...) -> [UInt8] {
    JPEGFixtures.image(segments.flatMap { $0 })
  }

  private static func edited(
    _ bytes: [UInt8], _ change: (inout MetadataEdit) -> Void
  ) throws -> EditedFile {
    var edit = MetadataEdit()
    change(&edit)
    return try ImageFile(parsing: ByteSource(bytes)).edited(by: edit)
  }

  private static func isMarked(_ bytes: [UInt8]) -> Bool {
    LocationFixtures.contains(bytes, text)
  }

  // MARK: IPTC

  @Test func `IPTC leaves JPEG, and other resources stay`() throws {
    let exif = JPEGFixtures.segment(.exif, Self.exif(isMarked: false))
    let file = Self.jpeg(
      exif, JPEGFixtures.segment(.photoshop, Self.iptc + Self.flag + Self.digest))
    let edited = try Self.edited(file) { $0.dropsIPTC = true }
    let expected = Self.jpeg(exif, JPEGFixtures.segment(.photoshop, Self.flag))
    #expect(try edited.bytes.allBytes() == expected)
    #expect(edited.notices.isEmpty && edited.removedParts == ["iptc"])
    let again = try Self.edited(expected) { $0.dropsIPTC = true }
    #expect(again.isUnchanged && again.removedParts.isEmpty)
    let bare = try Self.edited(Self.jpeg(exif, JPEGFixtures.segment(.photoshop, Self.iptc))) {
      $0.dropsIPTC = true
    }
    #expect(try bare.bytes.allBytes() == Self.jpeg(exif))
  }

  @Test func `IPTC leaves the gain map of a file, whose place is corrected`() throws {
    let map = JPEGFixtures.image(
      JPEGFixtures.segment(.isoGainMap, [0, 0, 0, 0]), JPEGFixtures.segment(.photoshop, Self.iptc))
    let file =
      JPEGFixtures.image(JPEGFixtures.segment(.xmp, JPEGFixtures.directory(length: map.count)))
      + map
    let edited = try Self.edited(file) { $0.dropsIPTC = true }
    #expect(try !Self.isMarked(edited.bytes.allBytes()))
    #expect(edited.payloads.count == 2)
  }

  @Test func `IPTC leaves directories of Exif`() throws {
    var directory = NewTIFFDirectory()
    directory.set(.make, undefined: Array("Maker\0".utf8), type: .ascii)
    directory.set(.iptc, undefined: Self.text, type: .undefined)
    directory.set(.photoshop, undefined: Self.iptc + Self.flag, type: .undefined)
    var notices: [Notice] = []
    let exif = directory.serialized(order: .bigEndian)
    let rest = try DroppedPart.iptc.removed(fromExif: exif, &notices)
    #expect(!Self.isMarked(rest) && notices.isEmpty)
    let block = try ExifBlock(parsing: rest)
    #expect(block.main[.iptc] == nil)
    #expect(try block.text(.make) == "Maker")
    let entry = try #require(block.main[.photoshop])
    #expect(try block.structure.bytes(of: entry) == Self.flag)
  }

  @Test(arguments: ["Raw profile type iptc", "Raw profile type 8bim"])
  func `IPTC leaves texts of PNG`(keyword: String) throws {
    func raw(_ bytes: [UInt8]) throws -> PNGChunk {
      let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      let text = Array("\niptc\n\(bytes.count)\n\(digits)\n".utf8)
      return PNGChunk(.compressedText, Array((keyword + "\0\0").utf8) + (try Zlib.deflate(text)))
    }
    for rest in [[], Self.flag] {
      var file = try PNGFile(parsing: ByteSource(try PNGFileTests.pixel()))
      file.chunks.insert(PNGChunk(.text, Array("Author\0Jane".utf8)), at: 1)
      file.chunks.insert(try raw(Self.iptc + rest), at: 2)
      let edited = try Self.edited(file.serialized().allBytes()) { $0.dropsIPTC = true }
      guard case .png(let again) = edited.file.container else {
        Issue.record("not PNG")
        return
      }
      let found = try again.auxiliaryMetadata()
      #expect(found.resources == (rest.isEmpty ? nil : rest))
      #expect(found.texts.count == 1)
    }
  }

  @Test func `IPTC that is unreadable is an error`() {
    let broken = Self.jpeg(JPEGFixtures.segment(.photoshop, Array(Self.iptc.dropLast(3))))
    #expect(throws: ImageError.self) { try Self.edited(broken) { $0.dropsIPTC = true } }
  }

  // MARK: Thumbnails

  private static let xmp = PrivateCarrier.xmp("Thumbnails", of: "http://ns.adobe.com/xap/1.0/")

  @Test func `thumbnails leave JPEG`() throws {
    let jfif = Array("JFIF\0".utf8) + hex("0102 00 0001 0001")
    let file = Self.jpeg(
      JPEGFixtures.segment(0xE0, jfif + [3, 1] + Self.text.prefix(9)),
      JPEGFixtures.segment(0xE0, Array("JFXX\0".utf8) + [0x10] + Self.text),
      JPEGFixtures.segment(.exif, Self.exif(isMarked: true)), JPEGFixtures.segment(.xmp, Self.xmp),
      JPEGFixtures.segment(.photoshop, Self.resource(0x040C, Self.text) + Self.flag))
    let edited = try Self.edited(file) { $0.dropsThumbnails = true }
    let bytes = try edited.bytes.allBytes()
    #expect(!LocationFixtures.contains(bytes, Array(Self.text.prefix(9))))
    guard case .jpeg(let jpeg) = edited.file.container else {
      Issue.record("not JPEG")
      return
    }
    #expect(
      JPEGFixtures.roles(jpeg.primary).prefix(4) == [.jfif, .exif, .xmp, .photoshop])
    #expect(jpeg.primary.segments(.jfif).first?.payload == jfif + [0, 0])
    #expect(try jpeg.primary.exif.map { try ExifBlock(parsing: $0) }?.thumbnail == nil)
    #expect(LocationFixtures.contains(bytes, Array("Jane".utf8)))
    #expect(jpeg.primary.segments(.photoshop).first?.body == Self.flag)
    #expect(try Self.edited(bytes) { $0.dropsThumbnails = true }.isUnchanged)
  }

  /// A preview of the multi-picture directory is removed, another image stays.
  @Test(arguments: [0x01_0001, 0x01_0002, 0x02_0002] as [UInt32])
  func `previews of a multi-picture directory`(type: UInt32) throws {
    let other = JPEGFixtures.image(JPEGFixtures.segment(.comment, Self.text))
    func primary(_ size: Int) -> [UInt8] {
      var format = MultiPictureFormat(count: 2)
      format.entries[0].size = UInt32(size)
      format.entries[1].attributes = type
      (format.entries[1].size, format.entries[1].offset) = (
        UInt32(other.count), UInt32(max(size - 10, 0))
      )
      return Self.jpeg(JPEGFixtures.segment(.multiPicture, format.serialized()))
    }
    let file = primary(primary(0).count) + other
    let edited = try Self.edited(file) { $0.dropsThumbnails = true }
    let isPreview = type >> 16 == 1
    #expect(edited.isUnchanged == !isPreview)
    #expect(edited.payloads.count == (isPreview ? 1 : 2))
    #expect(try edited.bytes.allBytes() == (isPreview ? Self.jpeg() : file))
  }

  @Test func `thumbnail items leave HEIF, and the images stay`() throws {
    var file = try HEIFFileMetadataEditTests.file()
    file.removeItems([7, 8])
    #expect(file.references.contains { $0.type == "thmb" && $0.from == 6 })
    file.addExif(PrivateCarrier.owner, describing: [6])
    file.addExif(Self.exif(isMarked: true), describing: [1])
    let edited = try Self.edited(file.serialized()) { $0.dropsThumbnails = true }
    guard case .heif(let again) = edited.file.container else {
      Issue.record("not HEIF")
      return
    }
    #expect(again.item(6) == nil)
    #expect(!again.references.contains { $0.type == "thmb" })
    #expect(again.items.count { $0.type == "Exif" } == 1)
    #expect(try !Self.isMarked(edited.bytes.allBytes()))
    let names = try file.codedPayloads().map(\.name).filter { !$0.hasPrefix("item 6 ") }
    #expect(edited.payloads.map(\.after.name) == names)
  }

  /// A tile that the image needs stays, the tiles and the alpha of the thumbnail alone do not.
  @Test func `tiles of a thumbnail`() throws {
    var file = try HEIFFileMetadataEditTests.file()
    file.removeItems([7, 8])
    let data = ItemData.file([SourceBytes([0, 0, 0, 1])])
    let own = file.addItem("unci", isHidden: true, data: data)
    let shared = file.addItem("unci", isHidden: true, data: data)
    let alpha = file.addItem("unci", isHidden: true, data: data)
    file.addReference("dimg", from: 6, to: [own, shared, shared])
    file.addReference("dimg", from: 1, to: [shared])
    file.addReference("auxl", from: alpha, to: [6])
    _ = try file.remove(.thumbnails)
    #expect([6, own, alpha].allSatisfy { file.item($0) == nil })
    #expect(file.item(shared) != nil && file.item(1) != nil)
  }

  @Test func `thumbnails leave JPEG XL, with the data of a JPEG file`() throws {
    func file(_ boxes: [UInt8]...) -> [UInt8] {
      JPEGXLFile.signature + PrivateCarrier.box("ftyp", JPEGXLFile.fileType)
        + boxes.joined() + PrivateCarrier.box("jxlc", JPEGXLFileTests.codestream)
    }
    let edited = try Self.edited(
      file(
        PrivateCarrier.box("Exif", [0, 0, 0, 0] + Self.exif(isMarked: true)),
        PrivateCarrier.box("xml ", Self.xmp), PrivateCarrier.box("jbrd", [1]))
    ) { $0.dropsThumbnails = true }
    let bytes = try edited.bytes.allBytes()
    #expect(!Self.isMarked(bytes) && LocationFixtures.contains(bytes, Array("Jane".utf8)))
    #expect(!LocationFixtures.contains(bytes, Array("jbrd".utf8)))
    #expect(edited.notices.map(\.category) == [.dropped])
  }

  /// Samples of an uncompressed thumbnail are set to zero.
  @Test func `strips of a thumbnail`() throws {
    let bytes =
      hex(
        """
        4D4D002A 00000008
        0001 0112 0003 00000001 00010000 0000001A
        0002 0111 0004 00000001 00000038 0117 0004 00000001 0000000A 00000000
        """) + Self.text
    var notices: [Notice] = []
    let rest = try DroppedPart.thumbnails.removed(fromExif: bytes, &notices)
    #expect(!Self.isMarked(rest) && notices.isEmpty)
    #expect(try ExifBlock(parsing: rest).structure.directories.count == 1)
  }
}
