// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import ImageFiles

/// Builds a box.
func box(_ type: FourCC, _ content: [UInt8]...) -> [UInt8] {
  var writer = ByteWriter()
  writer.writeBox(type) { writer in
    for part in content { writer.write(part) }
  }
  return writer.bytes
}

/// Returns types and content ranges of consecutive boxes.
func boxes(_ bytes: ArraySlice<UInt8>) throws -> [(type: FourCC, content: Range<Int>)] {
  var found: [(type: FourCC, content: Range<Int>)] = []
  var offset = bytes.startIndex
  while offset < bytes.endIndex {
    var reader = ByteReader(Array(bytes[offset...]).span, fileOffset: offset)
    let header = try BoxHeader(parsing: &reader, available: bytes.endIndex - offset)
    let start = offset + header.headerSize
    found.append((header.type, start..<start + header.contentSize))
    offset = start + header.contentSize
  }
  return found
}

/// A file with one item of 8 bytes, with a layout of other writers.
struct RawFile {
  var itemType: FourCC = "av01"
  var payload = hex("0102030405060708")
  /// Boxes of `meta` after the usual ones.
  var metaBoxes: [UInt8] = []
  /// Number of associations of the item; two are stored.
  var associationCount: UInt8 = 2
  var primaryID: UInt8 = 1

  static let fileType = box("ftyp", hex("61766966 00000000 61766966 6D696631"))

  /// Returns `meta` with the item's data at a file offset.
  func meta(dataOffset: Int) -> [UInt8] {
    var offset = ByteWriter()
    offset.writeBigEndian(UInt32(dataOffset))
    let entry = box("infe", hex("02000000 0001 0000"), Array(itemType.description.utf8), [0])
    return box(
      "meta", hex("00000000"),
      box("hdlr", hex("00000000 00000000 70696374 000000000000000000000000 00")),
      box("pitm", hex("00000000 00"), [primaryID]),
      box(
        "iloc", hex("00000000 4400 0001 0001 0000 0001"), offset.bytes,
        hex("000000"), [UInt8(payload.count)]),
      box("iinf", hex("00000000 0001"), entry),
      box(
        "iprp",
        box(
          "ipco", box("ispe", hex("00000000 00000040 00000030")),
          box("av1C", hex("81004C00"))),
        box("ipma", hex("00000000 00000001 0001"), [associationCount], hex("01 82"))),
      metaBoxes)
  }

  /// The usual order: `ftyp`, `meta`, `mdat`.
  var bytes: [UInt8] {
    let size = Self.fileType.count + meta(dataOffset: 0).count
    return Self.fileType + meta(dataOffset: size + 8) + box("mdat", payload)
  }
}
