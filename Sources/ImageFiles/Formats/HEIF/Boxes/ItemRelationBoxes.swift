// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// References of a type from one item to others (a box in `iref`); their order is significant.
///
/// Source: ISO/IEC 14496-12, 8.11.12.
package struct ItemReference: Hashable, Sendable {
  /// Reference type: `dimg` from a derived image to its inputs, `auxl` from an auxiliary image to
  /// its master image, `cdsc` from metadata to the described item, `thmb` from a thumbnail to its
  /// master image, `prem` from a premultiplied image to its alpha.
  package var type: FourCC
  /// Identifier of the referring item.
  package var from: UInt32
  /// Identifiers of the referenced items, in order.
  package var to: [UInt32]

  package init(type: FourCC, from: UInt32, to: [UInt32]) {
    self.type = type
    self.from = from
    self.to = to
  }
}

/// All references between items.
///
/// Source: ISO/IEC 14496-12, 8.11.12.
package struct ItemReferenceBox: LimitedBoxContent {
  package static let boxType: FourCC = "iref"

  package var references: [ItemReference]
  /// Bytes after the fields of references, which are not written.
  var surplus: [UInt8] = []

  package init(references: [ItemReference]) { self.references = references }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader, limits: ImageLimits) throws(ImageError) {
    let header = try FullBoxHeader(parsing: &reader)
    try header.require(version: 0...1, reader)
    let isWide = header.version == 1
    references = []
    var total = 0
    while !reader.isAtEnd {
      let box = try BoxHeader(parsing: &reader, available: reader.remaining)
      var content = try reader.readSlice(box.contentSize)
      do throws(ImageError) {
        var reference = ItemReference(
          type: box.type, from: try content.readItemID(isWide: isWide), to: [])
        let count = Int(try content.readBigEndian(as: UInt16.self))
        total += 1 + count
        try limits.claim(1 + count, total: total, "references", content)
        for _ in 0..<count { reference.to.append(try content.readItemID(isWide: isWide)) }
        references.append(reference)
        surplus += content.readRest()
      } catch {
        throw error.inside(box.type.description)
      }
    }
  }

  package func write(to writer: inout ByteWriter) {
    let isWide = references.contains { $0.from > UInt16.max || $0.to.contains { $0 > UInt16.max } }
    FullBoxHeader(version: isWide ? 1 : 0).write(to: &writer)
    for reference in references {
      writer.writeBox(reference.type) { writer in
        writer.writeItemID(reference.from, isWide: isWide)
        writer.writeBigEndian(UInt16(reference.to.count))
        for id in reference.to { writer.writeItemID(id, isWide: isWide) }
      }
    }
  }
}

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

/// A group of items or tracks (a box in `grpl`).
///
/// Source: ISO/IEC 14496-12, 8.18.3 (EntityToGroupBox).
package struct EntityGroup: Hashable, Sendable {
  /// Grouping type: `altr` for alternatives in order of preference, `ster` for a stereo pair.
  package var type: FourCC
  /// Identifier of the group, which must differ from those of items and other groups.
  package var id: UInt32
  /// Identifiers of items, or of tracks of a sequence, in file order.
  package var entities: [UInt32]
  /// Extended type of a `uuid` group, 16 bytes; empty for others.
  private var userType: [UInt8] = []
  package var header: FullBoxHeader
  /// Additional data that the grouping type defines.
  package var unknown: [UInt8]

  /// Creates a group of items or tracks.
  package init(type: FourCC, id: UInt32, entities: [UInt32]) {
    self.type = type
    self.id = id
    self.entities = entities
    header = FullBoxHeader()
    unknown = []
  }

  @_lifetime(reader: copy reader)
  init(
    parsing reader: inout ByteReader, in box: BoxHeader, total: inout Int, limits: ImageLimits
  ) throws(ImageError) {
    type = box.type
    userType = box.userType ?? []
    header = try FullBoxHeader(parsing: &reader)
    id = try reader.readBigEndian()
    let count = Int(try reader.readBigEndian(as: UInt32.self))
    let (sum, overflow) = total.addingReportingOverflow(count)
    total = overflow ? .max : sum
    try limits.claim(1 + min(count, total), total: total, "members of groups", reader)
    entities = []
    for _ in 0..<count { entities.append(try reader.readBigEndian()) }
    unknown = reader.readRest()
  }

  func write(to writer: inout ByteWriter) {
    writer.writeBox(type) { writer in
      writer.write(userType)
      header.write(to: &writer)
      writer.writeBigEndian(id)
      writer.writeBigEndian(UInt32(entities.count))
      for entity in entities { writer.writeBigEndian(entity) }
      writer.write(unknown)
    }
  }
}

/// All entity groups of a file.
///
/// Source: ISO/IEC 14496-12, 8.18.2.
package struct GroupsListBox: LimitedBoxContent {
  package static let boxType: FourCC = "grpl"

  package var groups: [EntityGroup]

  package init(groups: [EntityGroup]) { self.groups = groups }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader, limits: ImageLimits) throws(ImageError) {
    groups = []
    var total = 0
    while !reader.isAtEnd {
      let box = try BoxHeader(parsing: &reader, available: reader.remaining)
      var content = try reader.readSlice(box.contentSize)
      do throws(ImageError) {
        groups.append(try EntityGroup(parsing: &content, in: box, total: &total, limits: limits))
      } catch {
        throw error.inside(box.type.description)
      }
    }
  }

  package func write(to writer: inout ByteWriter) {
    for group in groups { group.write(to: &writer) }
  }
}
