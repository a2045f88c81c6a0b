// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Description of the content of a single box.
struct BoxFields {
  let header: BoxHeader
  /// Type of the parent box.
  let parent: FourCC?
  let limits: ImageLimits

  @_lifetime(reader: copy reader)
  func fields(_ reader: inout ByteReader) throws(ImageError) -> [StructureNode.Field] {
    switch parent {
    case "ipco":
      return ItemProperty(parsing: header, at: [header.type.description], content: &reader).fields
    case "iref":
      return []
    case "grpl":
      var total = 0
      let group = try EntityGroup(parsing: &reader, in: header, total: &total, limits: limits)
      return [
        .init("group", "\(group.id)"),
        .init("entities", StructureNode.list(group.entities.map(String.init))),
      ]
    default: return try ownFields(&reader)
    }
  }

  @_lifetime(reader: copy reader)
  private func ownFields(_ reader: inout ByteReader) throws(ImageError) -> [StructureNode.Field] {
    var fields: [StructureNode.Field] = []
    switch header.type {
    case "ftyp":
      let box = try FileTypeBox(parsing: &reader)
      fields.add("major brand", "\(box.majorBrand)")
      fields.add("brands", box.compatibleBrands.map(\.description).joined(separator: ", "))
    case "hdlr":
      fields.add("handler", "\(try HandlerBox(parsing: &reader).handlerType)")
    case "pitm":
      fields.add("item", try PrimaryItemBox(parsing: &reader).itemID)
    case "infe":
      let entry = try ItemInformationEntry(parsing: &reader)
      fields.add("item", entry.itemID)
      fields.add("type", "\(entry.itemType)")
      if entry.flags & 1 == 1 { fields.add("hidden", "yes") }
      if !entry.name.isEmpty { fields.add("name", entry.name) }
      fields.add("content type", entry.contentType)
      fields.add("uri", entry.uriType)
    case "iloc":
      fields.add("items", try ItemLocationBox(parsing: &reader, limits: limits).entries.count)
    case "ipma":
      fields.add("items", try ItemPropertyAssociationBox(parsing: &reader).entries.count)
    case MinimizedImageBox.boxType:
      let head = try reader.readBytes(min(reader.remaining, MinimizedImageBox.longestHeader))
      try describe(MinimizedImageBox(parsing: head, size: header.contentSize), &fields)
    case "uuid":
      fields.add("uuid", header.userType.map(Self.hexadecimal))
    case "brob":
      fields.add("holds", "\(FourCC(rawValue: try reader.readBigEndian())), Brotli")
    case "jxlp":
      let index: UInt32 = try reader.readBigEndian()
      fields.add("part", index & 0x7FFF_FFFF)
      if index >> 31 == 1 { fields.add("last", "yes") }
    case "jxll":
      fields.add("level", try reader.readBigEndian(as: UInt8.self))
    default: break
    }
    return fields
  }

  private func describe(_ box: MinimizedImageBox, _ fields: inout [StructureNode.Field]) {
    fields.add("image", "\(box.image.width)x\(box.image.height), \(box.image.bitDepth) bits")
    if let map = box.gainMap { fields.add("gain map", "\(map.image.width)x\(map.image.height)") }
    for (chunk, range) in box.chunks.sorted(by: { $0.value.lowerBound < $1.value.lowerBound }) {
      fields.add(chunk.rawValue, "\(range.count) bytes at \(range.lowerBound)")
    }
  }

  static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
