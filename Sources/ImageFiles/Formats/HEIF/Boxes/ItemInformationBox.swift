// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Type and name of an item.
///
/// Source: ISO/IEC 14496-12, 8.11.6, versions 2 and 3.
package struct ItemInformationEntry: BoxContent {
  package static let boxType: FourCC = "infe"

  /// Item flags; bit 0: not intended to be displayed on its own.
  package var flags: UInt32
  package var itemID: UInt32
  package var protectionIndex: UInt16
  package var itemType: FourCC
  package var name: String
  /// Media type of a `mime` item.
  package var contentType: String?
  /// HTTP content encoding of a `mime` item.
  package var contentEncoding: String?
  /// URI that identifies the data of a `uri ` item.
  package var uriType: String?
  /// Bytes after the known fields.
  package var unknown: [UInt8]

  package init(
    itemID: UInt32, itemType: FourCC, name: String = "", flags: UInt32 = 0,
    protectionIndex: UInt16 = 0, contentType: String? = nil, contentEncoding: String? = nil,
    uriType: String? = nil, unknown: [UInt8] = []
  ) {
    self.flags = flags
    self.itemID = itemID
    self.protectionIndex = protectionIndex
    self.itemType = itemType
    self.name = name
    self.contentType = contentType
    self.contentEncoding = contentEncoding
    self.uriType = uriType
    self.unknown = unknown
  }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    let header = try FullBoxHeader(parsing: &reader)
    try header.require(version: 2...3, reader)
    flags = header.flags
    itemID = try reader.readItemID(isWide: header.version == 3)
    protectionIndex = try reader.readBigEndian()
    itemType = FourCC(rawValue: try reader.readBigEndian())
    name = try reader.readCString(isTerminated: false)
    switch itemType {
    case "mime":
      contentType = try reader.readCString(isTerminated: false)
      contentEncoding = reader.isAtEnd ? nil : try reader.readCString(isTerminated: false)
    case "uri ":
      uriType = try reader.readCString(isTerminated: false)
    default: break
    }
    unknown = reader.readRest()
  }

  package func write(to writer: inout ByteWriter) {
    let isWide = itemID > UInt16.max
    FullBoxHeader(version: isWide ? 3 : 2, flags: flags).write(to: &writer)
    writer.writeItemID(itemID, isWide: isWide)
    writer.writeBigEndian(protectionIndex)
    writer.writeBigEndian(itemType.rawValue)
    writer.write(name, isTerminated: true)
    if itemType == "mime" {
      writer.write(contentType ?? "", isTerminated: true)
      if let contentEncoding { writer.write(contentEncoding, isTerminated: true) }
    }
    if itemType == "uri " { writer.write(uriType ?? "", isTerminated: true) }
    writer.write(unknown)
  }
}

/// The items of a file.
///
/// Source: ISO/IEC 14496-12, 8.11.6.
package struct ItemInformationBox: LimitedBoxContent {
  package static let boxType: FourCC = "iinf"

  package var entries: [ItemInformationEntry]

  package init(entries: [ItemInformationEntry]) { self.entries = entries }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader, limits: ImageLimits) throws(ImageError) {
    let header = try FullBoxHeader(parsing: &reader)
    try header.require(version: 0...1, reader)
    let count = Int(try reader.readItemID(isWide: header.version == 1))
    try limits.claim(count, "items", reader)
    entries = []
    for _ in 0..<count {
      let box = try BoxHeader(parsing: &reader, available: reader.remaining)
      guard box.type == ItemInformationEntry.boxType else {
        throw reader.error(
          .malformed, "box '{type}' where '{expected}' is expected",
          ["type": "\(box.type)", "expected": "item entry"])
      }
      var content = try reader.readSlice(box.contentSize)
      do throws(ImageError) {
        entries.append(try ItemInformationEntry(parsing: &content))
      } catch {
        throw error.inside("infe")
      }
    }
  }

  package func write(to writer: inout ByteWriter) {
    let isWide = entries.count > UInt16.max
    FullBoxHeader(version: isWide ? 1 : 0).write(to: &writer)
    writer.writeItemID(UInt32(entries.count), isWide: isWide)
    for entry in entries { writer.write(entry.boxBytes) }
  }
}

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

/// The handler of a `meta` box: `pict` for still images.
///
/// Source: ISO/IEC 14496-12, 8.4.3.
package struct HandlerBox: BoxContent {
  package static let boxType: FourCC = "hdlr"

  package var handlerType: FourCC
  /// Bytes after the handler type, verbatim: three reserved words and the name, which some writers
  /// do not terminate.
  package var rest: [UInt8]
  private var header: FullBoxHeader
  private var preDefined: UInt32

  /// The handler of still images.
  package static let images = HandlerBox(handlerType: "pict")

  package init(handlerType: FourCC) {
    self.handlerType = handlerType
    rest = [UInt8](repeating: 0, count: 13)
    header = FullBoxHeader()
    preDefined = 0
  }

  /// The handler without its name.
  package var unnamed: HandlerBox { HandlerBox(handlerType: handlerType) }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    header = try FullBoxHeader(parsing: &reader)
    preDefined = try reader.readBigEndian()
    handlerType = FourCC(rawValue: try reader.readBigEndian())
    rest = reader.readRest()
  }

  package func write(to writer: inout ByteWriter) {
    header.write(to: &writer)
    writer.writeBigEndian(preDefined)
    writer.writeBigEndian(handlerType.rawValue)
    writer.write(rest)
  }
}
