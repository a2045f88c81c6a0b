// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Locations of the data of items.
///
/// Source: ISO/IEC 14496-12, 8.11.3.
package struct ItemLocationBox: LimitedBoxContent {
  package static let boxType: FourCC = "iloc"

  /// Construction method: origin of the offsets of an item.
  package enum ConstructionMethod: UInt8, Hashable, Sendable {
    /// The start of the file.
    case fileOffset = 0
    /// The content of `idat`.
    case itemDataOffset = 1
    /// The data of another item, referenced by `iloc`.
    case itemOffset = 2
  }

  /// A range of bytes.
  package struct Extent: Hashable, Sendable {
    /// Number of the `iloc` reference, counted from 1; 0 if not stored.
    package var index: UInt64
    /// Offset, including the base offset.
    package var offset: UInt64
    /// Length in bytes; 0 for all remaining bytes.
    package var length: UInt64

    package init(index: UInt64 = 0, offset: UInt64, length: UInt64) {
      self.index = index
      self.offset = offset
      self.length = length
    }
  }

  /// The location of one item.
  package struct Entry: Hashable, Sendable {
    package var itemID: UInt32
    package var method: ConstructionMethod
    /// Index in the data reference box, counted from 1; 0 for this file.
    package var dataReferenceIndex: UInt16
    package var extents: [Extent]

    package init(
      itemID: UInt32, method: ConstructionMethod = .fileOffset, dataReferenceIndex: UInt16 = 0,
      extents: [Extent]
    ) {
      self.itemID = itemID
      self.method = method
      self.dataReferenceIndex = dataReferenceIndex
      self.extents = extents
    }
  }

  package var entries: [Entry]

  package init(entries: [Entry]) { self.entries = entries }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader, limits: ImageLimits) throws(ImageError) {
    let header = try FullBoxHeader(parsing: &reader)
    try header.require(version: 0...2, reader)
    let sizes: UInt16 = try reader.readBigEndian()
    let offsetSize = try Self.checked(sizes >> 12, reader)
    let lengthSize = try Self.checked(sizes >> 8 & 0xF, reader)
    let baseOffsetSize = try Self.checked(sizes >> 4 & 0xF, reader)
    let indexSize = header.version == 0 ? 0 : try Self.checked(sizes & 0xF, reader)
    let isWide = header.version == 2
    let count = Int(try reader.readItemID(isWide: isWide))
    try limits.claim(count, "items with a location", reader)
    entries = []
    var extentCount = 0
    for _ in 0..<count {
      let id = try reader.readItemID(isWide: isWide)
      var method = ConstructionMethod.fileOffset
      if header.version > 0 {
        let bits: UInt16 = try reader.readBigEndian()
        guard let known = ConstructionMethod(rawValue: UInt8(bits & 0xF)) else {
          throw reader.error(
            .unsupported, "construction method {method} of item {item} is not supported",
            ["method": bits & 0xF, "item": id])
        }
        method = known
      }
      var entry = Entry(
        itemID: id, method: method, dataReferenceIndex: try reader.readBigEndian(), extents: [])
      let base = try reader.readUnsigned(bytes: baseOffsetSize)
      let extents = Int(try reader.readBigEndian(as: UInt16.self))
      extentCount += extents
      try limits.claim(extents, total: extentCount, "extents", reader)
      for _ in 0..<extents {
        let index = try reader.readUnsigned(bytes: indexSize)
        let relative = try reader.readUnsigned(bytes: offsetSize)
        let (offset, overflow) = base.addingReportingOverflow(relative)
        guard !overflow else {
          throw reader.error(
            .malformed, "base {base} and offset {offset} of item {item} are too large",
            ["base": base, "offset": relative, "item": id])
        }
        let length = try reader.readUnsigned(bytes: lengthSize)
        entry.extents.append(Extent(index: index, offset: offset, length: length))
      }
      entries.append(entry)
    }
  }

  private static func checked(
    _ size: UInt16, _ reader: borrowing ByteReader
  ) throws(ImageError) -> Int {
    guard size == 0 || size == 4 || size == 8 else {
      throw reader.error(.invalidValue, ["field": "field size", "value": size])
    }
    return Int(size)
  }

  package func write(to writer: inout ByteWriter) {
    let extents = entries.lazy.flatMap(\.extents)
    let widest = extents.map { max($0.offset, $0.length) }.max() ?? 0
    write(to: &writer, offsetSize: widest > UInt32.max ? 8 : 4)
  }

  /// Writes offsets and lengths of `offsetSize` bytes, in the lowest version that can store the
  /// entries.
  func write(to writer: inout ByteWriter, offsetSize: Int) {
    let isWide = entries.contains { $0.itemID > UInt16.max } || entries.count > UInt16.max
    let hasMethods = entries.contains { $0.method != .fileOffset }
    let hasIndices = entries.contains { $0.extents.contains { $0.index > 0 } }
    let version: UInt8 = isWide ? 2 : hasMethods || hasIndices ? 1 : 0
    FullBoxHeader(version: version).write(to: &writer)
    writer.writeBigEndian(UInt8(offsetSize << 4 | offsetSize))
    let indexSize = hasIndices ? offsetSize : 0
    writer.writeBigEndian(UInt8(indexSize))
    writer.writeItemID(UInt32(entries.count), isWide: isWide)
    for entry in entries {
      writer.writeItemID(entry.itemID, isWide: isWide)
      if version > 0 { writer.writeBigEndian(UInt16(entry.method.rawValue)) }
      writer.writeBigEndian(entry.dataReferenceIndex)
      writer.writeBigEndian(UInt16(entry.extents.count))
      for extent in entry.extents {
        writer.writeUnsigned(extent.index, bytes: indexSize)
        writer.writeUnsigned(extent.offset, bytes: offsetSize)
        writer.writeUnsigned(extent.length, bytes: offsetSize)
      }
    }
  }
}

extension ImageLimits {
  /// Debits elements from the budget of the current operation.
  ///
  /// Throws `.limitExceeded` if the budget does not suffice, or `total`, the number of such elements
  /// in the file so far, exceeds `items`.
  func claim(
    _ count: Int, total: Int? = nil, _ what: String, _ reader: borrowing ByteReader
  ) throws(ImageError) {
    guard total ?? count <= items else {
      throw reader.error(.tooManyElements, ["elements": "\(what)", "limit": items])
    }
    try Execution.current.budget.debit(
      elements: count, of: what, at: .init(offset: reader.fileOffset))
  }
}
