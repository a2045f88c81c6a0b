// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Editing JPEG") struct JPEGFileMetadataEditTests {
  private func edited(
    _ edit: MetadataEdit, of bytes: [UInt8]
  ) throws -> (file: JPEGFile, edited: EditedFile) {
    let edited = try ImageFile(parsing: ByteSource(bytes)).edited(by: edit)
    return (try JPEGFile(parsing: ByteSource(edited.bytes.allBytes())), edited)
  }

  private static var metadata: MetadataEdit {
    var edit = MetadataEdit()
    edit.exif = .set(LocationFixtures.exif)
    edit.xmp = .set(LocationFixtures.xmp)
    edit.diffuseWhite = .set(100)
    return edit
  }

  /// Expects both directories to refer to the gain map after edits of preceding data.
  private func expectDirectories(_ file: JPEGFile) throws {
    let map = try #require(file.images.last?.stored)
    let (format, header) = try #require(try file.primary.multiPicture())
    #expect(header + Int(format.entries[1].offset) == map.lowerBound)
    #expect(Int(format.entries[1].size) == map.count)
    #expect(Int(format.entries[0].size) == file.primary.stored?.count)
    let xmp = try XMPPacket(parsing: #require(file.primary.segments(.xmp).first?.body))
    #expect(xmp.containerItems.map(\.length) == [0, map.count])
    #expect(file.notices.isEmpty)
  }

  @Test(arguments: [TIFFFile.ByteOrder.bigEndian, .littleEndian])
  func metadataInFrontOfAGainMap(order: TIFFFile.ByteOrder) throws {
    let edit = Self.metadata
    let bytes = JPEGFixtures.gainMapFile(order: order, trailer: [7, 7, 7])
    let (file, edited) = try edited(edit, of: bytes)
    try expectDirectories(file)
    #expect(edited.after.light.diffuseWhite == 100)
    #expect(
      try edited.proof().map(\.name) == ["image 0", "image 1", "trailer 1 (unknown)"])
    // The primary image was upright and remains upright.
    #expect(edited.after.orientation == .upright)
    #expect(try ExifBlock(parsing: #require(edited.after.exif)).text(.make) == "Camer")
  }

  @Test func metadataOfTheGainMap() throws {
    var edit = Self.metadata
    edit.item = 1
    let (file, edited) = try edited(edit, of: JPEGFixtures.gainMapFile())
    try expectDirectories(file)
    #expect(file.primary.exif == nil && file.images[1].exif != nil)
    #expect(edited.after.light.diffuseWhite == 100)
  }

  @Test func xmpKeepsTheDirectory() throws {
    var edit = MetadataEdit()
    edit.xmp = .drop
    let (file, edited) = try edited(edit, of: JPEGFixtures.gainMapFile())
    try expectDirectories(file)
    #expect(edited.notices.count == 1)
  }

  @Test func refusals() throws {
    let error = #expect(throws: ImageError.self) {
      _ = try edited(HEIFFileMetadataEditTests.light(), of: JPEGFixtures.gainMapFile())
    }
    #expect(error?.code.id == "metadata/not-storable")
    #expect(error?.parameters["items"] == ["clli", "mdcv", "cclv", "reve", "amve"].diagnosticValue)
    var edit = MetadataEdit()
    edit.item = 2
    let missing = #expect(throws: ImageError.self) {
      _ = try edited(edit, of: JPEGFixtures.gainMapFile())
    }
    #expect(missing?.code.id == "image-index-invalid")
    #expect(missing?.parameters == ["number": 2, "count": 2])
  }

  @Test func orientation() throws {
    var edit = Self.metadata
    edit.orientation = .set(.mirrored)
    let edited = try edited(edit, of: JPEGFixtures.image()).edited
    #expect(edited.after.orientation == .mirrored)
    let xmp = try XMPPacket(parsing: #require(edited.after.xmp))
    #expect(xmp[XMPName("http://ns.adobe.com/tiff/1.0/", "Orientation")]?.text == "2")
  }

  /// IPTC with a city and a caption, its digest, and a copy of Exif.
  private static let resources = hex(
    """
    3842494D 0404 0000 00000014 1C025A0005 3135313233 1C02780005 4869746865
    3842494D 0425 0000 00000004 AABBCCDD
    3842494D 03ED 0000 00000001 0100
    """)

  @Test func locationEverywhere() throws {
    let metadata =
      JPEGFixtures.segment(.exif, LocationFixtures.exif)
      + JPEGFixtures.segment(.xmp, LocationFixtures.xmp)
    let bytes =
      JPEGFixtures.image(
        metadata, JPEGFixtures.segment(.photoshop, Self.resources)) + JPEGFixtures.image(metadata)
    #expect(LocationFixtures.isShown(in: bytes))
    var edit = MetadataEdit()
    edit.dropsLocation = true
    let (file, edited) = try edited(edit, of: bytes)
    let clean = try edited.bytes.allBytes()
    #expect(!LocationFixtures.isShown(in: clean))
    #expect(!LocationFixtures.contains(clean, Array("15123".utf8)))
    #expect(LocationFixtures.contains(clean, Array("Hithe".utf8)))
    #expect(file.images.count == 2 && file.images.allSatisfy { $0.exif != nil })
    #expect(edited.before.hasLocation && !edited.after.hasLocation)
    #expect(try self.edited(edit, of: clean).edited.isUnchanged)
  }

  @Test func textOfAllImages() throws {
    let text =
      JPEGFixtures.segment(.photoshop, Self.resources)
      + JPEGFixtures.segment(.comment, Array("by Jane".utf8))
    let bytes =
      JPEGFixtures.image(JPEGFixtures.segment(.exif, LocationFixtures.exif), text)
      + JPEGFixtures.image(text)
    var edit = MetadataEdit()
    edit.dropsPersonalData = true
    let (file, edited) = try edited(edit, of: bytes)
    #expect(file.images.count == 2 && file.images[0].exif != nil)
    for image in file.images {
      #expect(image.segments(.photoshop).isEmpty && image.segments(.comment).isEmpty)
    }
    #expect(try self.edited(edit, of: edited.bytes.allBytes()).edited.isUnchanged)
  }

  @Test func locationInExtendedXMP() throws {
    var file = try JPEGFile(parsing: ByteSource(JPEGFixtures.image()))
    let filler = String(repeating: "x.", count: 45_000)
    try file.primary.setXMP(
      JPEGFixtures.xmp(
        """
        <rdf:Description xmlns:a="http://a/" a:big="\(filler)" \
        xmlns:exif="http://ns.adobe.com/exif/1.0/">\
        <exif:GPSLatitude>15.1234567</exif:GPSLatitude></rdf:Description>
        """))
    #expect(!file.primary.segments(.extendedXMP).isEmpty)
    var edit = MetadataEdit()
    edit.dropsLocation = true
    let edited = try edited(edit, of: file.serialized().allBytes()).edited
    #expect(!LocationFixtures.isShown(in: try edited.bytes.allBytes()))
    let xmp = try XMPPacket(parsing: #require(edited.after.xmp))
    #expect(xmp[XMPName("http://a/", "big")]?.text?.count == 90_000)
    #expect(edited.before.hasLocation && edited.notices.isEmpty)
  }

  @Test func extendedXMPThatNobodyNames() throws {
    let bytes = JPEGFixtures.image(
      JPEGFixtures.segment(
        .extendedXMP, [UInt8](repeating: 0x41, count: 40) + Array("GPSLatitude".utf8)))
    var edit = MetadataEdit()
    edit.dropsLocation = true
    let edited = try edited(edit, of: bytes).edited
    #expect(edited.notices.map(\.category) == [.dropped])
    #expect(!LocationFixtures.isShown(in: try edited.bytes.allBytes()))
  }
}
