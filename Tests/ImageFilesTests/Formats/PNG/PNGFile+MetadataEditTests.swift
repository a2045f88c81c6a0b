// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import ImageFiles

@Suite("Editing PNG") struct PNGFileMetadataEditTests {
  private func edited(
    _ edit: MetadataEdit, of bytes: [UInt8]
  ) throws -> (file: PNGFile, edited: EditedFile) {
    let edited = try ImageFile(parsing: ByteSource(bytes)).edited(by: edit)
    return (try PNGFile(parsing: ByteSource(edited.bytes.allBytes())), edited)
  }

  private static var supported: MetadataEdit {
    var edit = HEIFFileMetadataEditTests.light()
    (edit.contentColorVolume, edit.referenceEnvironment) = (.keep, .keep)
    edit.ambientEnvironment = .keep
    return edit
  }

  @Test func light() throws {
    var (file, edited) = try edited(Self.supported, of: PNGFileTests.pixel(PNGFileTests.pq))
    #expect(edited.after.light.contentLightLevel == .init(maximum: 1000, maximumAverage: 203))
    #expect(edited.after.light.masteringDisplay == HEIFItemLightMetadataTests.full.masteringDisplay)
    #expect(edited.after.light.diffuseWhite == 203)
    #expect(edited.notices.isEmpty)
    #expect(try edited.proof().map(\.name) == ["IDAT"])
    let types = file.chunks.map(\.type.description)
    #expect(types == ["IHDR", "cICP", "cLLI", "mDCV", "iTXt", "IDAT", "IEND"])
    var edit = MetadataEdit()
    (edit.contentLightLevel, edit.masteringDisplay, edit.diffuseWhite) = (.drop, .drop, .drop)
    (file, edited) = try self.edited(edit, of: edited.bytes.allBytes())
    #expect(edited.after.light == LightMetadata())
  }

  @Test func refusals() throws {
    var edits = [HEIFFileMetadataEditTests.light(), MetadataEdit(), MetadataEdit()]
    edits[1].item = 2
    edits[2].codePoints = .set(CICP(primaries: .init(rawValue: 300), transfer: .pq))
    for edit in edits {
      let error = #expect(throws: ImageError.self) {
        _ = try edited(edit, of: PNGFileTests.pixel(PNGFileTests.pq))
      }
      #expect(error?.category == .invalidArgument)
    }
    let error = #expect(throws: ImageError.self) {
      _ = try edited(edits[0], of: PNGFileTests.pixel())
    }
    #expect(error?.code.id == "metadata/not-storable")
    #expect(error?.parameters == ["container": "PNG", "items": ["cclv", "reve", "amve"]])
  }

  @Test func color() throws {
    var edit = MetadataEdit()
    edit.codePoints = .set(
      CICP(primaries: .bt2020, transfer: .hlg, matrix: .bt2020NonConstant))
    let gray = try edited(edit, of: PNGFileTests.pixel(PNGFileTests.pq)).edited
    #expect(gray.after.codePoints == CICP(primaries: .bt2020, transfer: .hlg))
    #expect(gray.notices.map(\.category) == [.dropped])
    edit.codePoints = .drop
    edit.masteringDisplay = Self.supported.masteringDisplay
    #expect(
      try edited(edit, of: gray.bytes.allBytes()).edited.notices.map(\.category) == [.nonconforming]
    )
    // An RGB profile for a gray image.
    edit.profile = .set(try ICCProfile.generate(for: CICP(primaries: .bt2020, transfer: .pq)))
    let error = #expect(throws: ImageError.self) {
      _ = try edited(edit, of: PNGFileTests.pixel())
    }
    #expect(error?.code.english == "a profile for '{profile}' does not fit an image of '{image}'")
    #expect(error?.parameters == ["profile": "RGB ", "image": "GRAY"])
  }

  @Test func orientationIsInExif() throws {
    var edit = MetadataEdit()
    edit.orientation = .set(.rotated180)
    var edited = try edited(edit, of: PNGFileTests.pixel()).edited
    #expect(edited.after.exif == ExifBlock.minimal(orientation: .rotated180))
    // Setting or dropping Exif does not change the orientation.
    edit = MetadataEdit()
    edit.exif = .set(LocationFixtures.exif)
    edited = try self.edited(edit, of: edited.bytes.allBytes()).edited
    #expect(edited.after.orientation == .rotated180)
    edit.exif = .drop
    edited = try self.edited(edit, of: edited.bytes.allBytes()).edited
    #expect(edited.after.exif == ExifBlock.minimal(orientation: .rotated180))
    #expect(edited.notices.count == 1)
    edit.orientation = .drop
    edited = try self.edited(edit, of: edited.bytes.allBytes()).edited
    #expect(edited.after.exif == nil)
  }

  @Test func location() throws {
    let text = PNGText(keyword: "exif:GPSLatitude", bytes: Array("15.1234567".utf8)).chunk
    var file = try PNGFile(parsing: ByteSource(PNGFileTests.pixel(text)))
    file.setExif(LocationFixtures.exif)
    file.setXMP(LocationFixtures.xmp)
    let bytes = try file.serialized().allBytes()
    #expect(LocationFixtures.isShown(in: bytes))
    var edit = MetadataEdit()
    edit.dropsLocation = true
    let edited = try edited(edit, of: bytes).edited
    #expect(!LocationFixtures.isShown(in: try edited.bytes.allBytes()))
    #expect(edited.before.hasLocation && !edited.after.hasLocation)
    #expect(edited.after.orientation == .rotated90)
    #expect(try self.edited(edit, of: edited.bytes.allBytes()).edited.isUnchanged)
  }

  @Test func textIsDropped() throws {
    let text = PNGText(keyword: "Author", bytes: Array("Jane".utf8)).chunk
    var file = try PNGFile(parsing: ByteSource(PNGFileTests.pixel(text)))
    file.setXMP(LocationFixtures.xmp)
    var edit = MetadataEdit()
    edit.dropsPersonalData = true
    let edited = try edited(edit, of: file.serialized().allBytes()).edited
    #expect(!LocationFixtures.contains(try edited.bytes.allBytes(), Array("Jane".utf8)))
    // Its XMP does not have a property that readers need.
    #expect(edited.after.xmp == nil)
    #expect(try self.edited(edit, of: edited.bytes.allBytes()).edited.isUnchanged)
  }

  /// The name of a profile that signals PQ stays; others are replaced.
  @Test(arguments: [("ITUR_2100_PQ_FULL", "ITUR_2100_PQ_FULL"), ("of Jane", "ICC profile")])
  func namesOfProfiles(old: String, new: String) throws {
    var file = try PNGFile(parsing: ByteSource(PNGFileTests.pixel()))
    let profile = ICCProfileTests.profile(ICCProfileTests.sRGBColorants)
    try file.setProfile(profile, name: old)
    var edit = MetadataEdit()
    edit.dropsPersonalData = true
    let edited = try edited(edit, of: file.serialized().allBytes()).file
    #expect(try edited.profile()?.name == new)
    #expect(try edited.profile()?.bytes == profile)
  }
}
