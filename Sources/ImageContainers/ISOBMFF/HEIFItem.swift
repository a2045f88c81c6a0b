package import HDRCore

/// One item of a file: a coded or derived picture, or metadata.
public struct HEIFItem: Equatable, Sendable {
  public var id: UInt32
  /// `hvc1` and `av01` for coded pictures; `grid`, `iovl`, `iden` and `tmap` for derived ones;
  /// `Exif`, `mime` and `uri ` for metadata.
  public var type: FourCC
  /// Name of the item; usually empty.
  public var name: String
  /// Flags of the item's entry; bit 0 is `isHidden`.
  public var flags: UInt32
  /// Index of the protection scheme; 0 for an unprotected item.
  public var protectionIndex: UInt16
  /// Media type of a `mime` item.
  public var contentType: String?
  /// HTTP content encoding of a `mime` item.
  public var contentEncoding: String?
  /// What kind of data a `uri ` item holds.
  public var uriType: String?
  /// Bytes of the item's entry beyond the fields known here.
  public var unknown: [UInt8]
  /// In the order of the file, which means something.
  public var properties: [ItemProperty]
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

  /// Whether the item is only an ingredient of others.
  ///
  /// Source: ISO/IEC 23008-12, 6.4.2.
  public var isHidden: Bool {
    get { flags & 1 == 1 }
    set { flags = newValue ? flags | 1 : flags & ~1 }
  }

  /// Whether the item says something and shows nothing: Exif, XMP and the like.
  package var isMetadata: Bool { ["Exif", "mime", "uri "].contains(type) }

  /// Whether the item is a picture; a tone map only says how to look at two others.
  package var isPicture: Bool { !isMetadata && type != "tmap" }

  /// The first property of a kind: `item.property(ImageSpatialExtentsBox.self)`.
  package func property<Content: BoxContent>(_ type: Content.Type) -> Content? {
    for property in properties {
      if let content = property.box.content as? Content { return content }
    }
    return nil
  }

  /// Why properties of the item cannot be read, of those whose kind is known.
  package var unreadableProperties: [(type: FourCC, error: ImageError)] {
    properties.compactMap {
      if case .unreadable(let type, _, let failure) = $0.box { (type, failure.error) } else { nil }
    }
  }

  /// Fails if a property of the item cannot be read, so that nobody knows how it is shown.
  ///
  /// - Throws: What is wrong with the first such property of which item.
  package func requireReadableProperties() throws(ImageError) {
    if let (_, error) = unreadableProperties.first { throw error.inside("item \(id)") }
  }

  /// Essential properties that are not understood here; an item with such must not be shown.
  public var unknownEssentialProperties: [ItemProperty] {
    properties.filter {
      if case .unknown = $0.box { return $0.isEssential }
      return false
    }
  }
}

/// Where the data of an item is.
package enum ItemData: Equatable, Sendable {
  /// Nowhere: the item has no location.
  case absent
  /// In the file beside `meta`, usually in `mdat`; the parts belong together in this order, and none
  /// is empty.
  case file([SourceBytes])
  /// In `idat` inside `meta`, where small things go.
  case itemDataBox([SourceBytes])
  /// Cut from the data of other items.
  case items([ItemLocationBox.Extent])
  /// In another file; the location is kept as it is.
  case external(ItemLocationBox.Entry)

  /// New data for `mdat`.
  public static func file(_ bytes: [UInt8]) -> ItemData {
    .file(bytes.isEmpty ? [] : [SourceBytes(bytes)])
  }

  /// New data for `idat`.
  public static func itemDataBox(_ bytes: [UInt8]) -> ItemData {
    .itemDataBox(bytes.isEmpty ? [] : [SourceBytes(bytes)])
  }
}
