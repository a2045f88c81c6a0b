// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Properties, and their associations with items.
///
/// Source: ISO/IEC 23008-12, 9.3.
struct ItemPropertiesBox {
  /// Properties of `ipco`, in order.
  var properties: [ItemProperty] = []
  /// Associations of all `ipma` boxes.
  var associations: [ItemPropertyAssociationBox.Entry] = []
  /// Other boxes, with the file offset of their content.
  var others: [(header: BoxHeader, offset: Int)] = []

  @_lifetime(reader: copy reader)
  init(parsing reader: inout ByteReader, limits: ImageLimits) throws(ImageError) {
    var hasContainer = false
    while !reader.isAtEnd {
      let box = try BoxHeader(parsing: &reader, available: reader.remaining)
      var content = try reader.readSlice(box.contentSize)
      do throws(ImageError) {
        switch box.type {
        case "ipco":
          guard !hasContainer else { throw content.error(.duplicateElement, ["element": "box"]) }
          hasContainer = true
          try readProperties(&content, limits: limits)
        case ItemPropertyAssociationBox.boxType:
          associations += try ItemPropertyAssociationBox(parsing: &content, limits: limits).entries
          try limits.claim(0, total: associations.count, "items with properties", content)
        default: others.append((box, content.fileOffset))
        }
      } catch {
        throw error.inside(box.type.description)
      }
    }
  }

  @_lifetime(reader: copy reader)
  private mutating func readProperties(
    _ reader: inout ByteReader, limits: ImageLimits
  ) throws(ImageError) {
    while !reader.isAtEnd {
      let box = try BoxHeader(parsing: &reader, available: reader.remaining)
      var content = try reader.readSlice(box.contentSize)
      let path = ["meta", "iprp", "ipco", box.type.description]
      properties.append(ItemProperty(parsing: box, at: path, content: &content))
      try limits.claim(1, total: properties.count, "properties", content)
    }
  }
}
