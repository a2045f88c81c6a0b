// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

/// Corpus files whose container can be edited.
private let editableFiles =
  readableFiles
  + Corpus.files(
    in: ["jpeg-apple", "jpeg-iso", "jpeg-uhdr", "png-hdr"], extensions: ["jpg", "png"])

@Suite("Editing corpus files", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct EditingCorpusTests {
  /// Sets all metadata that the container can store; `edited` compares the coded data.
  @Test(arguments: editableFiles) func setsAndDrops(name: String) throws {
    let file = try ImageFile(parsing: Corpus.source(name))
    var edit = MetadataEdit()
    edit.diffuseWhite = .set(100)
    edit.orientation = .set(.transversed)
    edit.exif = .set(LocationFixtures.exif)
    if case .heif = file.container {
      edit = HEIFFileMetadataEditTests.light()
      edit.codePoints = .set(CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant))
    }
    edit.xmp = .set(LocationFixtures.xmp)
    let edited = try file.edited(by: edit)
    #expect(edited.after.light.diffuseWhite == (edit.diffuseWhite == .set(100) ? 100 : 203))
    #expect(edited.after.hasLocation && !edited.payloads.isEmpty)
    if case .heif = file.container { #expect(edited.after.light == HEIFFileMetadataEditTests.full) }
    edit = MetadataEdit()
    edit.dropsLocation = true
    let again = try ImageFile(parsing: ByteSource(edited.bytes)).edited(by: edit)
    #expect(!again.after.hasLocation)
    #expect(
      !LocationFixtures.isShown(in: try again.bytes.allBytes()))
  }

  /// Extracted images can be parsed and have the coded data of the file.
  @Test(arguments: readableFiles) func extractsImages(name: String) throws {
    let file = try HEIFFile(parsing: Corpus.source(name))
    for item in file.items where ["hvc1", "av01", "grid"].contains(item.type) {
      let bytes = try ImageFile(.heif(file)).standaloneFile(ofItem: item.id)
      let alone = try HEIFFile(parsing: ByteSource(bytes))
      #expect(try alone.data(of: alone.primaryItem.id) == file.data(of: item.id))
    }
  }
}
