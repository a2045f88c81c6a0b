// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Associations of properties with items, in order.
///
/// Source: ISO/IEC 23008-12, 9.3.3.
package struct ItemPropertyAssociationBox: LimitedBoxContent {
  package static let boxType: FourCC = "ipma"

  /// An association of a property with an item.
  package struct Association: Hashable, Sendable {
    /// Index in `ipco`, counted from 1; 0 for none.
    package var index: Int
    /// Whether a reader must support the property to display the item.
    package var isEssential: Bool

    package init(index: Int, isEssential: Bool) {
      self.index = index
      self.isEssential = isEssential
    }
  }

  /// Associations of one item.
  package struct Entry: Hashable, Sendable {
    package var itemID: UInt32
    package var associations: [Association]

    package init(itemID: UInt32, associations: [Association]) {
      self.itemID = itemID
      self.associations = associations
    }
  }

  package var entries: [Entry]

  package init(entries: [Entry]) { self.entries = entries }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader, limits: ImageLimits) throws(ImageError) {
    let header = try FullBoxHeader(parsing: &reader)
    try header.require(version: 0...1, reader)
    let hasWideIndices = header.flags & 1 == 1
    let count = Int(try reader.readBigEndian(as: UInt32.self))
    try limits.claim(count, "items with properties", reader)
    entries = []
    var total = 0
    for _ in 0..<count {
      var entry = Entry(
        itemID: try reader.readItemID(isWide: header.version == 1), associations: [])
      let associations = Int(try reader.readBigEndian(as: UInt8.self))
      total += associations
      try limits.claim(associations, total: total, "associated properties", reader)
      for _ in 0..<associations {
        let bits = try reader.readUnsigned(bytes: hasWideIndices ? 2 : 1)
        let essential: UInt64 = hasWideIndices ? 0x8000 : 0x80
        entry.associations.append(
          Association(index: Int(bits & (essential - 1)), isEssential: bits & essential != 0))
      }
      entries.append(entry)
    }
  }

  package func write(to writer: inout ByteWriter) {
    let isWide = entries.contains { $0.itemID > UInt16.max }
    let hasWideIndices = entries.contains { $0.associations.contains { $0.index > 127 } }
    FullBoxHeader(version: isWide ? 1 : 0, flags: hasWideIndices ? 1 : 0).write(to: &writer)
    writer.writeBigEndian(UInt32(entries.count))
    for entry in entries {
      writer.writeItemID(entry.itemID, isWide: isWide)
      writer.writeBigEndian(UInt8(entry.associations.count))
      for association in entry.associations {
        if hasWideIndices {
          writer.writeBigEndian(UInt16(association.index) | (association.isEssential ? 0x8000 : 0))
        } else {
          writer.writeBigEndian(UInt8(association.index) | (association.isEssential ? 0x80 : 0))
        }
      }
    }
  }
}
