// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// An item of a file: a coded image, a derived image, or metadata.
///
/// Source: ISO/IEC 14496-12, 8.11.6 (ItemInfoEntry).
package struct HEIFItem: Equatable, Sendable {
  /// Identifier of the item in its file.
  package var id: UInt32
  /// Item type, such as `hvc1` and `av01` for coded images; `grid`, `iovl`, `iden` and `tmap` for
  /// derived ones; `Exif`, `mime` and `uri ` for metadata.
  package var type: FourCC
  /// Name of the item; usually empty.
  package var name: String
  /// Flags of the item's entry; bit 0 is `isHidden`.
  package var flags: UInt32
  /// Index of the protection scheme; 0 for an unprotected item.
  package var protectionIndex: UInt16
  /// Media type of a `mime` item, `application/rdf+xml` for XMP; `nil` for other items.
  package var contentType: String?
  /// HTTP content encoding of a `mime` item; `nil` or empty if its data are not compressed.
  package var contentEncoding: String?
  /// URI that identifies the data of a `uri ` item; `nil` for other items.
  package var uriType: String?
  /// Bytes of the item's entry after the known fields.
  package var unknown: [UInt8]
  /// Properties in file order, which is significant.
  package var properties: [ItemProperty]
  package var data: ItemData

  package init(
    id: UInt32, type: FourCC, name: String = "", isHidden: Bool = false,
    contentType: String? = nil, contentEncoding: String? = nil, uriType: String? = nil,
    properties: [ItemProperty] = [], data: ItemData = .absent
  ) {
    self.id = id
    self.type = type
    self.name = name
    flags = isHidden ? 1 : 0
    protectionIndex = 0
    self.contentType = contentType
    self.contentEncoding = contentEncoding
    self.uriType = uriType
    unknown = []
    self.properties = properties
    self.data = data
  }

  init(_ entry: ItemInformationEntry) {
    id = entry.itemID
    type = entry.itemType
    name = entry.name
    flags = entry.flags
    protectionIndex = entry.protectionIndex
    contentType = entry.contentType
    contentEncoding = entry.contentEncoding
    uriType = entry.uriType
    unknown = entry.unknown
    properties = []
    data = .absent
  }

  var informationEntry: ItemInformationEntry {
    ItemInformationEntry(
      itemID: id, itemType: type, name: name, flags: flags, protectionIndex: protectionIndex,
      contentType: contentType, contentEncoding: contentEncoding, uriType: uriType,
      unknown: unknown)
  }

  /// Whether the item is not intended to be displayed on its own.
  ///
  /// Source: ISO/IEC 23008-12, 6.4.2.
  package var isHidden: Bool {
    get { flags & 1 == 1 }
    set { flags = newValue ? flags | 1 : flags & ~1 }
  }

  /// Whether the item is metadata: Exif, XMP or `uri `.
  package var isMetadata: Bool { ["Exif", "mime", "uri "].contains(type) }

  /// Whether the item is an image; `tmap` items are not, since they only combine two images.
  package var isImage: Bool { !isMetadata && type != "tmap" }

  /// Returns the first property of a type, for example
  /// `item.property(ImageSpatialExtentsBox.self)`.
  package func property<Content: BoxContent>(_ type: Content.Type) -> Content? {
    for property in properties {
      if let content = property.box.content as? Content { return content }
    }
    return nil
  }

  /// Known properties of the item that cannot be parsed, with their errors.
  package var unreadableProperties: [(type: FourCC, error: ImageError)] {
    properties.compactMap {
      if case .unreadable(let type, _, let failure) = $0.box { (type, failure.error) } else { nil }
    }
  }

  /// Throws if a property of the item cannot be parsed, since its presentation is then undefined.
  ///
  /// - Throws: The error of the first such property, with the item in its path.
  package func requireReadableProperties() throws(ImageError) {
    if let (_, error) = unreadableProperties.first { throw error.inside("item \(id)") }
  }

  /// Unsupported essential properties; an item with such a property must not be displayed.
  package var unknownEssentialProperties: [ItemProperty] {
    properties.filter {
      if case .unknown = $0.box { return $0.isEssential }
      return false
    }
  }
}

/// Location of the data of an item.
package enum ItemData: Equatable, Sendable {
  /// The item does not have a location.
  case absent
  /// Outside `meta`, usually in `mdat`; the parts are concatenated in order, and none is empty.
  case file([SourceBytes])
  /// In `idat` inside `meta`, for small data.
  case itemDataBox([SourceBytes])
  /// Parts of the data of other items.
  case items([ItemLocationBox.Extent])
  /// In another file; the location is kept verbatim.
  case external(ItemLocationBox.Entry)

  /// Creates new data for `mdat`.
  package static func file(_ bytes: [UInt8]) -> ItemData {
    .file(bytes.isEmpty ? [] : [SourceBytes(bytes)])
  }

  /// Creates new data for `idat`.
  package static func itemDataBox(_ bytes: [UInt8]) -> ItemData {
    .itemDataBox(bytes.isEmpty ? [] : [SourceBytes(bytes)])
  }
}
