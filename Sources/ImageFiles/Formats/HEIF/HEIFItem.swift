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

extension HEIFItem {
  /// Code points of the first `nclx` color description; `nil` if missing.
  package var cicp: CICP? {
    for property in properties {
      if case .colorInformation(.nclx(let cicp)) = property.box { return cicp }
    }
    return nil
  }

  /// The first ICC profile that is not empty; `nil` if missing.
  package var icc: [UInt8]? {
    for property in properties {
      switch property.box {
      case .colorInformation(.unrestrictedICC(let profile)),
        .colorInformation(.restrictedICC(let profile)):
        if !profile.isEmpty { return profile }
      default: continue
      }
    }
    return nil
  }

  /// Whether the item has an ICC profile of 0 bytes, which `icc` skips.
  package var hasEmptyProfile: Bool {
    properties.contains {
      $0.box == .colorInformation(.unrestrictedICC([]))
        || $0.box == .colorInformation(.restrictedICC([]))
    }
  }

  /// Replaces all color descriptions, including those of other types; a profile precedes code
  /// points.
  ///
  /// - Parameters:
  ///   - cicp: Code points for `nclx`; `nil` for none.
  ///   - icc: An ICC profile for `prof`; `nil` for none.
  package mutating func setColor(cicp: CICP?, icc: [UInt8]?) {
    var colors: [ItemProperty] = []
    if let icc { colors.append(ItemProperty(.colorInformation(.unrestrictedICC(icc)))) }
    if let cicp { colors.append(ItemProperty(.colorInformation(.nclx(cicp)))) }
    let first = properties.firstIndex { $0.type == ColorInformationBox.boxType }
    properties.removeAll { $0.type == ColorInformationBox.boxType }
    let rank = ItemProperty.Box.colorInformation(.unrestrictedICC([])).rank
    let place = first ?? properties.firstIndex { $0.box.rank > rank } ?? properties.endIndex
    properties.insert(contentsOf: colors, at: place)
  }
}

/// Mapping of HDR metadata to item properties of HEIF and AVIF.
extension HEIFItem {
  /// Returns all HDR metadata of the item.
  ///
  /// Properties that cannot be parsed, or whose values the standards define as unknown, are omitted
  /// with a notice. Of several properties of a type, the last one is used.
  ///
  /// - Parameters:
  ///   - transfer: Transfer function, which scales `cclv`; if `nil`, that of `nclx` or of the ICC
  ///     profile.
  ///   - notices: Receives a notice for each omitted property.
  /// - Returns: The HDR metadata.
  package func lightMetadata(
    transfer: CICP.Transfer? = nil, notices: inout [Notice]
  ) -> LightMetadata {
    var hdr = LightMetadata()
    let scale = ContentVolumeScale(transfer.known ?? declaredTransfer)
    for property in properties {
      do throws(ImageError) {
        switch property.box {
        case .metadata(let metadata):
          try (metadata.content as? any LightItem)?.store(in: &hdr, scale: scale)
        case .unknown(let type, _, let content) where Self.lightTypes.contains(type):
          throw ImageError(
            .invalidValue, ["field": "'\(type)'", "value": "\(content.count) bytes"])
        default: break
        }
      } catch {
        notices.append(
          Notice(
            .irregular, "ignored: {cause}", ["cause": error],
            at: .init(path: ["item \(id)", property.type.description])))
      }
    }
    return hdr
  }

  /// Replaces all HDR metadata of the item.
  ///
  /// - Parameters:
  ///   - hdr: Metadata to store; missing values are removed.
  ///   - transfer: Transfer function, which scales `cclv`; if `nil`, that of `nclx` or of the ICC
  ///     profile.
  package mutating func setLightMetadata(_ hdr: LightMetadata, transfer: CICP.Transfer? = nil) {
    let scale = ContentVolumeScale(transfer.known ?? declaredTransfer)
    for item in LightMetadata.items {
      setProperty(item.boxType, to: item.property(of: hdr, scale: scale))
    }
  }

  /// The transfer function of `nclx`, or else that of the ICC profile.
  var declaredTransfer: CICP.Transfer? {
    (cicp?.transfer).known ?? icc.flatMap { try? ICCProfile(parsing: $0) }?.cicp?.transfer
  }

  /// Types of the properties that store light metadata.
  package static let lightTypes = Set(LightMetadata.items.map { $0.boxType })
}

/// Scale of the luminances in `cclv`.
///
/// Source: ITU-T H.274, content colour volume SEI message: linear values of the transfer function.
package struct ContentVolumeScale {
  private let transfer: CICP.Transfer?

  package init(_ transfer: CICP.Transfer?) { self.transfer = transfer }

  /// Returns the luminance in cd/m² of a stored value.
  ///
  /// For HLG, scene-linear values are converted with the OOTF of the reference display. Linear
  /// values of transfer functions other than PQ and HLG are relative to reference white.
  func luminance(_ stored: UInt32) -> Double {
    let steps = Double(stored)
    switch transfer {
    case .pq?: return steps * 10_000 / 1e7
    case .hlg?: return HLG.ootf(.init(repeating: steps / 1e7), peak: peak, gamma: gamma).x
    default: return steps * ColorEncoding.defaultReferenceWhite / 1e7
    }
  }

  /// Returns the nearest stored value of a luminance in cd/m².
  func stored(_ luminance: Double) -> UInt32 {
    let light: Double =
      switch transfer {
      case .pq?: luminance / 10_000
      case .hlg?: HLG.inverseOOTF(.init(repeating: luminance), peak: peak, gamma: gamma).x
      default: luminance / ColorEncoding.defaultReferenceWhite
      }
    return FixedPoint.unsigned(light, unit: 1e-7)
  }

  private var peak: Double { HLG.Display.reference.peakLuminance }
  private var gamma: Double { HLG.Display.reference.gamma }
}

extension CICP.Transfer? {
  /// The transfer function; `nil` for one that is unspecified.
  fileprivate var known: CICP.Transfer? { self == .unspecified ? nil : self }
}

extension HEIFItem {
  /// Orientation that results from `irot` and `imir` of the item, in their order.
  package var orientation: Orientation {
    var transformation = SquareTransformation.identity
    for property in properties { transformation.apply(property.box) }
    return transformation.orientation
  }
}
