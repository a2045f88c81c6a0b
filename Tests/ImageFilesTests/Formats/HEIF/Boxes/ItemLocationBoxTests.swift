// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Item locations") struct ItemLocationBoxTests {
  func parse(_ digits: String) throws(ImageError) -> ItemLocationBox {
    let bytes = hex(digits)
    var reader = ByteReader(bytes.span)
    let box = try ItemLocationBox(parsing: &reader)
    guard reader.isAtEnd else {
      throw reader.error(.unsupportedValue, ["field": "bytes left", "value": reader.remaining])
    }
    return box
  }

  /// The first two are the forms of libavif (no base offset) and libheif (extents relative to it).
  @Test(arguments: [
    "00000000 44 00 0001 0001 0000 0001 00000100 00000020",
    "00000000 44 40 0001 0001 0000 00000100 0001 00000000 00000020",
    "00000000 04 40 0001 0001 0000 00000100 0001 00000020",
    "00000000 88 80 0001 0001 0000 0000000000000080 0001 0000000000000080 0000000000000020",
    "01000000 44 00 0001 0001 0000 0000 0001 00000100 00000020",
    "02000000 44 00 00000001 00000001 0000 0000 0001 00000100 00000020",
  ])
  func fieldSizes(digits: String) throws {
    #expect(
      try parse(digits).entries == [.init(itemID: 1, extents: [.init(offset: 256, length: 32)])])
  }

  @Test func methodsAndExtents() throws {
    let box = try parse(
      "01000000 44 04 0002 0001 0001 0000 0001 00000000 00000004 00000008"
        + "0002 0002 0003 0002 00000001 00000000 00000000 00000002 00000001 00000002")
    #expect(
      box.entries == [
        .init(itemID: 1, method: .itemDataOffset, extents: [.init(offset: 4, length: 8)]),
        .init(
          itemID: 2, method: .itemOffset, dataReferenceIndex: 3,
          extents: [
            .init(index: 1, offset: 0, length: 0), .init(index: 2, offset: 1, length: 2),
          ]),
      ])
    var writer = ByteWriter()
    box.write(to: &writer)
    let bytes = writer.bytes
    var reader = ByteReader(bytes.span)
    #expect(try ItemLocationBox(parsing: &reader) == box)
  }

  @Test func versionsThatAreWritten() {
    func header(_ entry: ItemLocationBox.Entry) -> [UInt8] {
      Array(ItemLocationBox(entries: [entry]).boxBytes[8..<14])
    }
    let extent = ItemLocationBox.Extent(offset: 1, length: 1)
    #expect(header(.init(itemID: 1, extents: [extent])) == hex("00000000 4400"))
    #expect(
      header(.init(itemID: 1, method: .itemDataOffset, extents: [extent])) == hex("01000000 4400"))
    #expect(header(.init(itemID: 0x10000, extents: [extent])) == hex("02000000 4400"))
    #expect(
      header(.init(itemID: 1, extents: [.init(offset: 1 << 32, length: 1)])) == hex("00000000 8800")
    )
    #expect(
      header(
        .init(itemID: 1, method: .itemOffset, extents: [.init(index: 1, offset: 0, length: 0)]))
        == hex("01000000 4404"))
  }

  @Test(arguments: [
    ("00000000 34 00 0000", ImageError.Category.malformed),
    ("03000000 44 00 0000", .unsupported),
    ("01000000 44 00 0001 0001 0003 0000 0001 00000100 00000020", .unsupported),
    ("00000000 44 00 0001 0001 0000 0002 00000100 00000020", .truncated),
    (
      "00000000 88 80 0001 0001 0000 FFFFFFFFFFFFFFFF 0001 0000000000000001 0000000000000020",
      .malformed
    ),
    ("02000000 00 00 FFFFFFFF", .limitExceeded),
    // Extents without fields do not have bytes, so only the limit applies.
    ("00000000 00 00 0002 0001 0000 FFFF 0002 0000 FFFF", .limitExceeded),
  ])
  func errors(digits: String, code: ImageError.Category) {
    #expect { try parse(digits) } throws: { ($0 as? ImageError)?.category == code }
  }
}
