// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Identifier of the primary item.
///
/// Source: ISO/IEC 14496-12, 8.11.4.
package struct PrimaryItemBox: BoxContent {
  package static let boxType: FourCC = "pitm"

  package var itemID: UInt32

  package init(itemID: UInt32) { self.itemID = itemID }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    let header = try FullBoxHeader(parsing: &reader)
    try header.require(version: 0...1, reader)
    itemID = try reader.readItemID(isWide: header.version == 1)
  }

  package func write(to writer: inout ByteWriter) {
    let isWide = itemID > UInt16.max
    FullBoxHeader(version: isWide ? 1 : 0).write(to: &writer)
    writer.writeItemID(itemID, isWide: isWide)
  }
}

extension ByteReader {
  /// Reads an item identifier of 16 or 32 bits, depending on the version of the box.
  @_lifetime(self: copy self)
  mutating func readItemID(isWide: Bool) throws(ImageError) -> UInt32 {
    UInt32(truncatingIfNeeded: try readUnsigned(bytes: isWide ? 4 : 2))
  }
}

extension ByteWriter {
  mutating func writeItemID(_ id: UInt32, isWide: Bool) {
    writeUnsigned(UInt64(id), bytes: isWide ? 4 : 2)
  }
}
