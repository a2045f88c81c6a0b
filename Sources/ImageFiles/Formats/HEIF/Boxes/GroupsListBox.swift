// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
