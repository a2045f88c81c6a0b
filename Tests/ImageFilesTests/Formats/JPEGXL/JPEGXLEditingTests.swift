// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("JPEG XL editing") struct JPEGXLEditingTests {
  private static let packet = XMPPacket.packet(diffuseWhite: 203)

  private func reparsed(_ file: JPEGXLFile) throws(ImageError) -> JPEGXLFile {
    try JPEGXLFile(parsing: ByteSource(file.spliced()))
  }

  @Test func bareCodestreamGetsBoxes() throws {
    var file = try JPEGXLFile(parsing: ByteSource(JPEGXLFileTests.codestream))
    #expect(try file.spliced().allBytes() == JPEGXLFileTests.codestream)
    file.setXMP(Self.packet)
    file.setExif([0x4D, 0x4D])
    file.setBox("jhgm", [1, 2, 3], followsCodestream: true)
    let written = try reparsed(file)
    #expect(written.boxes.map(\.type) == ["JXL ", "ftyp", "xml ", "Exif", "jxlc", "jhgm"])
    #expect(try written.xmp() == Self.packet)
    #expect(try written.exif() == [0x4D, 0x4D])
    #expect(try written.wholeCodestream() == JPEGXLFileTests.codestream)
    #expect(try written.boxes("jhgm")[0].content.bytes() == [1, 2, 3])
  }

  /// Other boxes, compressed ones and parts of the codestream are copied.
  @Test func otherBoxesAreKept() throws {
    var file = try JPEGXLFileTests.parse(
      JPEGXLFileTests.box("jxll", [10]), JPEGXLFileTests.box("brob", Array("jumb".utf8) + [1]),
      JPEGXLFileTests.box("xml ", [1]),
      JPEGXLFileTests.box("jxlp", [0, 0, 0, 0] + JPEGXLFileTests.codestream.prefix(2)),
      JPEGXLFileTests.box("jxlp", [0x80, 0, 0, 1] + JPEGXLFileTests.codestream.dropFirst(2)))
    let original = try file.spliced().allBytes()
    #expect(try original == file.source.allBytes())
    file.setXMP(Self.packet)
    let written = try reparsed(file)
    #expect(
      written.boxes.map(\.type) == ["JXL ", "ftyp", "jxll", "jumb", "xml ", "jxlp", "jxlp"])
    #expect(try written.level() == 10)
    #expect(written.boxes("jumb").map(\.isCompressed) == [true])
    #expect(try written.wholeCodestream() == JPEGXLFileTests.codestream)
    file.setXMP(nil)
    #expect(try reparsed(file).xmp() == nil)
  }

  @Test func metadataEdits() throws {
    let bytes =
      JPEGXLFileTests.signature
      + JPEGXLFileTests.box("jbrd", [1]) + JPEGXLFileTests.box("jxlc", JPEGXLFileTests.codestream)
    let file = try ImageFile(parsing: ByteSource(bytes))
    var edit = MetadataEdit()
    edit.diffuseWhite = .set(300)
    let edited = try file.edited(by: edit)
    #expect(edited.after.light.diffuseWhite == 300)
    let reconstruction =
      "dropped: data for the exact reconstruction of the JPEG file, with its metadata"
    #expect(edited.notices.map(\.code.english) == [reconstruction])
    var all = MetadataEdit()
    all.dropsPersonalData = true
    #expect(try file.edited(by: all).notices.map(\.code.english) == [reconstruction])
    #expect(try edited.proof().map(\.name) == ["codestream"])
    edit = MetadataEdit()
    edit.masteringDisplay = .set(
      .init(primaries: .bt2020, maximumLuminance: 1000, minimumLuminance: 0.01))
    #expect(throws: ImageError.self) { try file.edited(by: edit) }
  }

  /// The format does not have a box for light levels, so that they are in XMP.
  @Test func lightLevels() throws {
    let level = LightMetadata.ContentLightLevel(maximum: 1000.5, maximumAverage: 100)
    var edit = MetadataEdit()
    edit.contentLightLevel = .set(level)
    let file = try ImageFile(parsing: ByteSource(JPEGXLFileTests.codestream))
    let edited = try file.edited(by: edit)
    #expect(edited.after.light.contentLightLevel == level)
    #expect(try edited.file.primaryImage().light.contentLightLevel == level)
    var again = MetadataEdit()
    again.diffuseWhite = .set(300)
    let kept = try edited.file.edited(by: again)
    #expect(kept.after.light.contentLightLevel == level && kept.after.light.diffuseWhite == 300)
    again.contentLightLevel = .drop
    let dropped = try kept.file.edited(by: again)
    #expect(dropped.after.light.contentLightLevel == nil && dropped.after.light.diffuseWhite == 300)
  }

  /// Color encodings that are written are read back.
  @Test(arguments: [CICP.Primaries.bt709, .bt2020, .displayP3], [CICP.Transfer.srgb, .pq, .hlg])
  func colorEncodings(primaries: CICP.Primaries, transfer: CICP.Transfer) throws {
    let cicp = CICP(primaries: primaries, transfer: transfer, matrix: .identity, isFullRange: true)
    let bytes = try #require(JPEGXLColorEncoding.serialized(cicp))
    #expect(try JPEGXLColorEncoding(parsing: bytes).cicp == cicp)
  }
}
