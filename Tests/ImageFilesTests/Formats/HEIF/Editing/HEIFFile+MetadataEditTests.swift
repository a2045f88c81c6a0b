// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Editing HEIF and AVIF") struct HEIFFileMetadataEditTests {
  static let full = HEIFItemLightMetadataTests.full

  /// An edit that sets all HDR metadata.
  static func light(item: UInt32? = nil) -> MetadataEdit {
    var edit = MetadataEdit()
    edit.item = item
    edit.contentLightLevel = full.contentLightLevel.map { .set($0) } ?? .keep
    edit.masteringDisplay = full.masteringDisplay.map { .set($0) } ?? .keep
    edit.contentColorVolume = full.contentColorVolume.map { .set($0) } ?? .keep
    edit.diffuseWhite = .set(203)
    edit.referenceEnvironment = full.referenceEnvironment.map { .set($0) } ?? .keep
    edit.ambientEnvironment = full.ambientEnvironment.map { .set($0) } ?? .keep
    return edit
  }

  /// A file with a grid (1) of two tiles (2, 3), a gain map (4), a tone map (5) and a thumbnail
  /// (6).
  ///
  /// Exif (7) and XMP (8) with a location describe the grid and the tone map. The data of each coded image are
  /// an OBU of a frame.
  static func file() throws -> HEIFFile {
    let color = ItemProperty.Box.colorInformation(
      .nclx(CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)))
    let size = ItemProperty.Box.imageSpatialExtents(HEIFWriterTests.size)
    let coded: [ItemProperty.Box] = [size, .av1Configuration(HEIFWriterTests.configuration)]
    var file = HEIFFile(fileType: .avif(HEIFWriterTests.configuration, hasGainMap: true))
    let rotated = ItemProperty.Box.imageRotation(.init(quarterTurns: 3))
    file.addItem(
      "grid", properties: [size, color, rotated],
      data: .itemDataBox(ImageGrid(rows: 1, columns: 2, width: 64, height: 24).bytes))
    for index in 0..<2 {
      file.addItem(
        "av01", isHidden: true, properties: coded + [color],
        data: .file([UInt8](repeating: UInt8(0x30 + index), count: 100 + index)))
    }
    file.addItem("av01", isHidden: true, properties: coded + [rotated], data: .file([0x30, 2, 3]))
    file.addItem("tmap", properties: [size, color], data: .itemDataBox(toneMap))
    file.addItem("av01", isHidden: true, properties: coded, data: .file([0x30, 5]))
    file.addReference("dimg", from: 1, to: [2, 3])
    file.addReference("dimg", from: 5, to: [1, 4])
    file.addReference("thmb", from: 6, to: [1])
    file.addExif(LocationFixtures.exif, describing: [1, 5])
    file.addXMP(LocationFixtures.xmp, describing: [1, 5])
    file.addGroup("altr", of: [5, 1])
    file.primaryItemID = 1
    return try HEIFFile(parsing: ByteSource(file.serialized()))
  }

  /// Metadata of ISO 21496-1: headrooms of 0 and 2 stops, a gain of 0 to 2 stops, and offsets of 1/64.
  private static let toneMap = hex(
    """
    00 0000 0000 40 00000000 00000001 00000002 00000001 00000000 00000001 00000002 00000001
    00000001 00000001 00000001 00000040 00000001 00000040
    """)

  /// Edits, serializes and parses a file.
  private func edited(
    _ edit: MetadataEdit, of file: HEIFFile? = nil
  ) throws -> (HEIFFile, EditedFile) {
    let edited = try ImageFile(.heif(file ?? Self.file())).edited(by: edit)
    return (try HEIFFile(parsing: ByteSource(edited.bytes.allBytes())), edited)
  }

  @Test func lightOfThePrimaryOnly() throws {
    let (file, edited) = try edited(Self.light())
    var notices: [Notice] = []
    #expect(file.item(1)?.lightMetadata(notices: &notices) == Self.full)
    #expect(file.properties(of: 5) == (try Self.file().properties(of: 5)))
    #expect(notices.isEmpty && edited.notices.isEmpty && !edited.isUnchanged)
    #expect(edited.before.light == LightMetadata() && edited.after.light == Self.full)
    let proof = try edited.proof()
    #expect(proof.map(\.name).first == "item 1 'grid'")
    #expect(proof.map(\.count) == [8, 100, 101, 3, 62, 2])
    #expect(proof.allSatisfy { $0.before == $0.after })
    #expect(proof[3].after == SHA256.hexadecimal([0x30, 2, 3]))
    // HDR metadata precedes transformative properties.
    #expect(file.properties(of: 1).last?.type == "irot")
  }

  @Test func lightOfTheAlternate() throws {
    let (file, edited) = try edited(Self.light(item: 5))
    var notices: [Notice] = []
    #expect(file.item(5)?.lightMetadata(notices: &notices) == Self.full)
    #expect(file.properties(of: 1) == (try Self.file().properties(of: 1)))
    #expect(edited.after.light == Self.full)
  }

  @Test func dropsWhatWasSet() throws {
    var (file, _) = try edited(Self.light())
    var edit = MetadataEdit()
    (edit.contentLightLevel, edit.masteringDisplay, edit.contentColorVolume) = (.drop, .drop, .drop)
    (edit.diffuseWhite, edit.referenceEnvironment, edit.ambientEnvironment) = (.drop, .drop, .drop)
    (file, _) = try edited(edit, of: file)
    #expect(file == (try Self.file()))
  }

  @Test func nothingToChange() throws {
    var edit = MetadataEdit()
    edit.contentLightLevel = .drop
    let file = try Self.file()
    let edited = try ImageFile(.heif(file)).edited(by: edit)
    #expect(edited.isUnchanged && edited.before == edited.after)
    #expect(try edited.bytes.allBytes() == file.layout.origin?.source.allBytes())
  }

  @Test func colorReachesTheTilesButNobodyElse() throws {
    var edit = MetadataEdit()
    let cicp = CICP(primaries: .bt2020, transfer: .hlg, matrix: .bt2020NonConstant)
    edit.codePoints = .set(cicp)
    let profile = try ICCProfile.generate(for: cicp)
    edit.profile = .set(profile)
    var (file, edited) = try edited(edit)
    #expect([1, 2, 3].allSatisfy { file.item($0)?.cicp == cicp })
    #expect(file.item(5)?.cicp?.transfer == .pq)
    #expect(file.item(1)?.icc == profile && file.item(2)?.icc == nil)
    #expect(edited.after.codePoints == cicp && edited.after.profile == profile)
    (edit.codePoints, edit.profile) = (.drop, .drop)
    (file, edited) = try self.edited(edit, of: file)
    #expect([1, 2, 3].allSatisfy { file.item($0)?.cicp == nil })
    #expect(file.item(1)?.icc == nil)
  }

  @Test(arguments: Orientation.allCases) func turnsWhatBelongsTogether(new: Orientation) throws {
    var edit = MetadataEdit()
    edit.orientation = .set(new)
    let (file, edited) = try edited(edit)
    #expect(file.item(1)?.orientation == new && file.item(4)?.orientation == new)
    // The thumbnail was stored upright; its orientation relative to the image is kept.
    #expect(file.item(6)?.orientation == Orientation.rotated270.followed(by: new))
    #expect(file.item(5)?.orientation == .upright)
    #expect(edited.after.orientation == new)
    #expect(try ExifBlock(parsing: file.exif(ofItem: 7)).orientation == new)
    let xmp = try XMPPacket(parsing: file.data(of: 8))
    #expect(xmp[XMPName("http://ns.adobe.com/tiff/1.0/", "Orientation")]?.text == "\(new.rawValue)")
  }

  @Test func rotatesANamedImageAlone() throws {
    var edit = MetadataEdit()
    edit.item = 4
    edit.orientation = .drop
    let (file, _) = try edited(edit)
    #expect(file.item(4)?.orientation == .upright && file.item(1)?.orientation == .rotated90)
  }

  @Test func location() throws {
    #expect(LocationFixtures.isShown(in: try Self.file().serialized()))
    var edit = MetadataEdit()
    edit.dropsLocation = true
    let (file, edited) = try edited(edit)
    #expect(!LocationFixtures.isShown(in: try edited.bytes.allBytes()))
    #expect(edited.before.hasLocation && !edited.after.hasLocation)
    #expect(try ExifBlock(parsing: file.exif(ofItem: 7)).text(.make) == "Camer")
    #expect(file.references(from: 7, type: "cdsc") == [1, 5])
  }

  @Test func exifAndXMPOfTheFile() throws {
    var edit = MetadataEdit()
    edit.exif = .set(Array("Exif\0\0".utf8) + ExifBlock.minimal(orientation: .upright))
    edit.xmp = .set(JPEGFixtures.xmp("<rdf:Description/>"))
    var (file, edited) = try edited(edit)
    // The image keeps its orientation, regardless of the orientation in the new block.
    #expect(edited.after.exif == ExifBlock.minimal(orientation: .rotated90))
    #expect(edited.after.xmp == JPEGFixtures.xmp("<rdf:Description/>"))
    #expect(file.references(from: 7, type: "cdsc") == [1, 5])
    #expect(!LocationFixtures.isShown(in: try edited.bytes.allBytes()))
    (edit.exif, edit.xmp) = (.drop, .drop)
    (file, edited) = try self.edited(edit, of: file)
    #expect(file.items.map(\.id) == [1, 2, 3, 4, 5, 6])
    #expect(edited.after.exif == nil && edited.after.xmp == nil)
  }

  @Test func exifOfANamedImageOnly() throws {
    var edit = MetadataEdit()
    edit.item = 5
    edit.exif = .set(ExifBlock.minimal(orientation: .upright))
    edit.xmp = .drop
    let (file, edited) = try edited(edit)
    #expect(try file.exif(ofItem: 7) == LocationFixtures.exif)
    #expect(file.references(from: 7, type: "cdsc") == [1])
    #expect(file.metadataItems(describing: 5, type: "Exif").count == 1)
    #expect(file.references(from: 8, type: "cdsc") == [1])
    #expect(edited.after.exif == ExifBlock.minimal(orientation: .upright))
  }

  @Test func xmpOfOtherImagesIsNamedIfItStays() throws {
    var edit = MetadataEdit()
    (edit.item, edit.xmp) = (4, .drop)
    let (_, other) = try edited(edit)
    #expect(other.isUnchanged && other.notices.map(\.code) == [.xmpOfOthersKept])
    edit.item = nil
    let (_, primary) = try edited(edit)
    #expect(!primary.isUnchanged && primary.notices.isEmpty)
  }

  @Test(arguments: [7, 99] as [UInt32]) func unrecognizedBytes(item: UInt32) throws {
    let error = #expect(throws: ImageError.self) { _ = try edited(Self.light(item: item)) }
    #expect(error?.category == .invalidArgument)
  }

  @Test func refusesWhatCannotBeRead() throws {
    var edits = [MetadataEdit(), MetadataEdit(), MetadataEdit()]
    edits[0].exif = .set([1, 2, 3])
    edits[1].xmp = .set(Array("<a><b></a>".utf8))
    edits[2].profile = .set([UInt8](repeating: 0, count: 200))
    for edit in edits {
      let error = #expect(throws: ImageError.self) { _ = try edited(edit) }
      #expect(error?.category == .invalidArgument)
    }
  }

  @Test func metadataThatHidesALocation() throws {
    var file = try Self.file()
    file.addXMP(Array("<broken".utf8), describing: [4])
    var edit = MetadataEdit()
    edit.dropsLocation = true
    let error = #expect(throws: ImageError.self) { _ = try file.apply(edit) }
    #expect(error?.category == .malformed && error?.location.path.first == "item 10")
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func conflictWithTheBitstream() throws {
    let file = try HEIFFile(
      parsing: Corpus.source("avif-hdr/netflix-cosmos1000-hlg10-420.avif"))
    var edit = MetadataEdit()
    edit.codePoints = .set(CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant))
    #expect(try edited(edit, of: file).1.notices.map(\.category) == [.conflict])
  }
}
