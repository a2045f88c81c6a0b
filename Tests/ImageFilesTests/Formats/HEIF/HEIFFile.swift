// SPDX-License-Identifier: Apache-2.0
import HDRCore
@testable import ImageFiles
import Testing
import TestSupport

@Suite("Extraction of images") struct StandaloneTests {
  @Test func tile() throws {
    let file = HEIFWriterTests.sample()
    let tile = try file.standalone(3)
    let again = try HEIFFile(parsing: ByteSource(tile.serialized()))
    #expect(again == tile)
    #expect(again.items.count == 1 && again.references.isEmpty && again.groups.isEmpty)
    #expect(try again.primaryItem.isHidden == false)
    #expect(try again.data(of: 1) == file.data(of: 3))
    #expect(again.properties(of: 1) == file.properties(of: 3))
    #expect(again.fileType == .avif(HEIFWriterTests.configuration))
  }

  @Test func grid() throws {
    let file = HEIFWriterTests.sample()
    let grid = try file.standalone(1)
    #expect(grid.items.map(\.type) == ["av01", "av01", "grid"])
    #expect(grid.items.map(\.isHidden) == [true, true, false])
    #expect(grid.references(from: 3, type: "dimg") == [1, 2])
    #expect(try grid.data(of: 3) == file.data(of: 1))
    #expect(grid.primaryItemID == 3)
  }

  @Test func auxiliary() throws {
    var file = HEIFWriterTests.sample()
    file.updateItem(2) { $0.setProperty("auxC", to: .auxiliaryType(.init(AuxiliaryTypeBox.alpha))) }
    #expect(try file.standalone(2).primaryItem.property(AuxiliaryTypeBox.self) == nil)
  }

  @Test func unrecognizedBytes() {
    var file = HEIFWriterTests.sample()
    #expect { try file.standalone(4) } throws: { ($0 as? ImageError)?.category == .invalidArgument }
    #expect { try file.standalone(99) } throws: { ($0 as? ImageError)?.category == .malformed }
    file.addReference("dimg", from: 1, to: [1])
    #expect { try file.standalone(1) } throws: { ($0 as? ImageError)?.category == .malformed }
  }
}

@Suite("Truncated and partly corrupt HEIF files") struct HEIFFileParsingTests {
  private let bytes: [UInt8]
  private let mediaData: Int

  init() throws {
    bytes = try HEIFWriterTests.sample().serialized()
    mediaData = try boxes(bytes[...])[2].content.lowerBound - 8
  }

  private func cut(_ missing: Int) throws(ImageError) -> HEIFFile {
    try HEIFFile(parsing: ByteSource(Array(bytes.dropLast(missing))))
  }

  /// Order of the media data: first tile, second tile, Exif, XMP.
  @Test(arguments: [
    (1, [5]), (4, [5]), (5, [4, 5]), (16, [4, 5]), (17, [3, 4, 5]), (117, [3, 4, 5]),
    (118, [2, 3, 4, 5]),
  ])
  func mediaDataIsReadAsFarAsItGoes(missing: Int, items: [UInt32]) throws {
    var file = try cut(missing)
    #expect(file.cutItems.map(\.id) == items)
    #expect(file.cutBox == .init(type: "mdat", offset: mediaData, missing: missing))
    #expect(file.notices == file.damage && file.damage.count == 1)
    let damage = file.damage[0]
    #expect(
      damage.code.english
        == "truncated: {missing} of {size byte} of '{type}' missing, with data of {items item}")
    #expect(damage.parameters["missing"] == .integer(missing))
    #expect(damage.parameters["size"] == .integer(bytes.count - mediaData))
    #expect(damage.parameters["type"] == .text("mdat"))
    for item in file.items {
      if items.contains(item.id) {
        #expect(throws: ImageError.self) { try file.data(of: item.id) }
      } else {
        #expect(try file.data(of: item.id) == cut(0).data(of: item.id))
      }
    }
    // A truncated item prevents serialization; without truncated items the file can be serialized.
    do {
      _ = try file.serialized()
      Issue.record("a file that is cut was written")
    } catch {
      #expect(error.category == .truncated)
    }
    #expect(
      try ImageFile(.heif(file)).wholePayloads().count == 3 - Set(items).intersection([2, 3]).count)
    for id in items { file.removeItem(id) }
    let again = try HEIFFile(parsing: ByteSource(try file.serialized()))
    #expect(again == file && again.notices.isEmpty)
  }

  /// A file with truncated `ftyp` or `meta` is rejected.
  @Test func boxesThatAreNeededAreWhole() throws {
    for length in 0..<mediaData {
      #expect(throws: ImageError.self) {
        try HEIFFile(parsing: ByteSource(Array(bytes.prefix(length))))
      }
    }
    // From here on, all structural boxes are complete.
    for length in mediaData..<bytes.count {
      let file = try HEIFFile(parsing: ByteSource(Array(bytes.prefix(length))))
      #expect(!file.cutItems.isEmpty)
    }
  }

  /// Unknown boxes are kept byte for byte, including a size that exceeds the file.
  @Test func otherBoxesStayAsTheyAre() throws {
    let video = box("mpvd", [UInt8](repeating: 7, count: 90)).dropLast(30)
    let file = try HEIFFile(parsing: ByteSource(bytes + video))
    #expect(file.cutBox == .init(type: "mpvd", offset: bytes.count, missing: 30))
    #expect(try file.serialized() == bytes + video)
  }

  /// The offsets in the tracks of a truncated sequence would be invalid.
  @Test func cutSequencesAreNotWritten() throws {
    let file = try HEIFFile(
      parsing: ByteSource(bytes + box("moov", [UInt8](repeating: 0, count: 90)).dropLast(30)))
    #expect(throws: ImageError.self) { try file.serialized() }
  }

  @Test func absurdSizesAreSurvived() throws {
    let giant = hex("00000001 6D646174 FFFFFFFFFFFFFFFF 0102")
    let file = try HEIFFile(parsing: ByteSource(bytes + giant))
    #expect(file.cutBox?.missing == Int.max - giant.count)
  }

  /// An unreadable property concerns only the items that use it.
  @Test func unreadablePropertiesConcernTheirItems() throws {
    var file = HEIFWriterTests.sample()
    let error = ImageError(.dataTruncated, ["needed": 2, "available": 0])
    let content = hex("6E636C78 0001")
    file.updateItem(3) {
      $0.properties.append(ItemProperty(.unreadable("colr", content: content, .init(error))))
    }
    let bytes = try file.serialized()
    let again = try HEIFFile(parsing: ByteSource(bytes))
    #expect(again == file)
    #expect(
      again.damage.map(\.code.english) == ["'{type}' of item {item} is not readable: {cause}"]
        && again.damage[0].parameters["item"] == .integer(3))
    // The box contains 6 of 11 bytes: color type and primaries, but not the transfer
    // characteristics.
    let begin = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("colr".utf8) + content) })
    let place = ImageError.Location(path: ["meta", "iprp", "ipco", "colr"], offset: begin + 10)
    #expect(again.damage.map(\.location) == [place])
    let failure = ImageError(.dataTruncated, ["needed": 2, "available": 0], at: place).inside(
      "item 3")
    #expect(throws: failure) {
      try again.item(3)?.requireReadableProperties()
    }
    try again.item(2)?.requireReadableProperties()
    #expect(again.item(3)?.properties.last?.contentBytes == content)
  }
}
