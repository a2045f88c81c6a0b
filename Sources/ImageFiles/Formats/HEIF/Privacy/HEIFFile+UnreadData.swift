// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// JPEG images in items.
extension HEIFFile {
  /// Edits the images of JPEG items; items that cannot be parsed stay as they are.
  mutating func editJPEGItems(
    _ edit: (inout JPEGImage) throws(ImageError) -> Void
  ) throws(ImageError) {
    var edited = PayloadResults<SourceBytes?>()
    for item in items where item.type == "jpeg" {
      try editData(of: item.id, &edited) { file throws(ImageError) in
        guard let old = try ifReadable(try file.data(of: item.id)),
          var image = try ifReadable(try JPEGImage(parsing: ByteSource(old)))
        else { return nil }
        try edit(&image)
        let new = try image.serialized().allBytes()
        return new == old ? nil : new
      }
    }
  }
}

/// Bytes of images that readers ignore.
extension HEIFFile {
  /// Removes user data from bitstreams, bytes after the fields of derived images and after JPEG images,
  /// and images that cannot be parsed.
  ///
  /// Images of sequences, and those whose layers have sizes in a property, stay as they are.
  ///
  /// - Parameters:
  ///   - keepsImages: Whether images without a configuration stay if they are auxiliary or others need them.
  ///   - isRemoved: Whether bytes with a name are removed.
  ///   - note: Called with the names of bytes that stay.
  /// - Throws: The error of parsing an image that others need; errors of `isRemoved`, and of reading
  ///   and replacing the data.
  mutating func removeIgnoredBytes(
    keepingImages keepsImages: Bool = false,
    _ isRemoved: (String, [UInt8]) throws(ImageError) -> Bool, noting note: (String) -> Void
  ) throws(ImageError) {
    var edits: [ImageItemSyntax: PayloadResults<ImageDataEdit>] = [:]
    let inputs = references.filter { $0.type == "dimg" }.flatMap(\.to)
    let needed = Set(inputs + [primaryItemID].compactMap { $0 })
    let auxiliary = Set(references.filter { $0.type == "auxl" }.map(\.from))
    var removed: Set<UInt32> = []
    for item in items {
      guard let syntax = syntax(of: item) else { continue }
      var isFixed = layout.movie != nil || item.properties.contains { $0.type == "a1lx" }
      if case .refused = syntax { isFixed = false }
      let edit = try edits[syntax, default: .init()].result(of: item.id, in: self) {
        () throws(ImageError) in
        try withoutIgnoredBytes(item, syntax) { name, bytes throws(ImageError) in
          if isFixed { note(name) }
          return isFixed ? false : try isRemoved(name, bytes)
        }
      }
      switch edit {
      case .kept: break
      case .replaced(let parts): try replaceData(of: item.id, with: parts)
      case .removed(let error):
        let isNeeded = needed.contains(item.id)
        if keepsImages, error.code == .heifConfigurationMissing,
          isNeeded || auxiliary.contains(item.id)
        {
          continue
        }
        guard !isNeeded else { throw error.inside("item \(item.id)") }
        removed.insert(item.id)
      }
    }
    removeItems(removed)
  }

  private enum ImageDataEdit {
    case kept
    case replaced([SourceBytes])
    /// The data cannot be parsed.
    case removed(ImageError)
  }

  private func withoutIgnoredBytes(
    _ item: HEIFItem, _ syntax: ImageItemSyntax,
    _ isRemoved: (String, [UInt8]) throws(ImageError) -> Bool
  ) throws(ImageError) -> ImageDataEdit {
    guard let bytes = try ifReadable(try data(of: item.id)) else { return .kept }
    let ignored: [Range<Int>]
    do throws(ImageError) {
      ignored = try syntax.ignoredRanges(in: bytes)
    } catch {
      guard !error.endsJob else { throw error }
      let name = "item \(item.id) of type '\(item.type)'"
      return try isRemoved(name, bytes) ? .removed(error) : .kept
    }
    var ranges: [Range<Int>] = []
    for range in ignored {
      let name = "\(range.count) ignored bytes of item \(item.id)"
      if try isRemoved(name, Array(bytes[range])) { ranges.append(range) }
    }
    return ranges.isEmpty ? .kept : .replaced(try dataParts(of: item.id).removing(ranges))
  }
}

extension HEIFItem {
  /// Whether the item is a coded or a derived image; items of other types are not needed.
  ///
  /// Source: ISO/IEC 23008-12, annexes A, B, E, H, K and L; ISO/IEC 23001-17; AV1 Image File Format;
  /// ISO/IEC 21496-1, annex D; the list of codes of the MP4 registration authority.
  var isKnownImage: Bool {
    [
      "hvc1", "hev1", "hvt1", "lhv1", "lhe1", "av01", "avc1", "svc1", "mvc1", "vvc1", "vvn1",
      "evc1",
      "jpeg", "j2k1", "j2ki", "unci", "mski", "grid", "iden", "iovl", "tmap", "tili",
    ].contains(type)
  }
}

/// Boxes, names and bytes that are not part of an item.
extension HEIFFile {
  /// Items that are metadata or of an unknown type, unless a known image is derived from them.
  var itemsThatReadersDoNotNeed: [HEIFItem] {
    let primary = [primaryItemID].compactMap(\.self)
    let known = Set(items.filter(\.isKnownImage).map(\.id) + primary)
    let inputs = references.filter { $0.type == "dimg" && known.contains($0.from) }
    let needed = Set(inputs.flatMap(\.to) + primary)
    return items.filter { $0.isMetadata || !$0.isKnownImage && !needed.contains($0.id) }
  }

  /// Whether a box is kept when locations are removed.
  func keeps(_ box: OpaqueBox, _ findings: inout PrivacyFindings) throws(ImageError) -> Bool {
    try findings.keeps("box '\(box.type)'", in: [box.content.range], of: box.content.source)
  }

  /// Removes locations from boxes of `meta`, names, unused properties, and bytes without an item.
  mutating func removeLocationFromUnreadData(_ findings: inout PrivacyFindings) throws(ImageError) {
    if layout.surplus.contains(where: { $0 != 0 }) {
      findings.drop("\(layout.surplus.count) bytes after the fields of boxes")
      layout.surplus = []
    }
    try removeLocationFromMetaBoxes(&findings)
    for index in items.indices
    where try LocationEvidence.isPresent(in: Array(items[index].name.utf8)) {
      findings.drop("name of item \(items[index].id)")
      items[index].name = ""
    }
    for index in items.indices
    where try !findings.keeps("entry of item \(items[index].id)", items[index].unknown) {
      items[index].unknown = []
    }
    if try LocationEvidence.isPresent(in: handler.rest) {
      findings.drop("name of the handler")
      handler = handler.unnamed
    } else if !LocationEvidence.isText(handler.rest.dropFirst(12)) {
      // A name follows reserved bytes.
      findings.keep(["name of the handler"])
    }
    var unused: Set<ItemProperty> = []
    for property in layout.unusedProperties
    where try findings.keeps("property '\(property.type)'", property.contentBytes) {
      unused.insert(property)
    }
    layout.unusedProperties = unused
    for index in groups.indices
    where try !findings.keeps("group '\(groups[index].type)'", groups[index].unknown) {
      groups[index].unknown = []
    }
    guard layout.movie == nil, !layout.omitsUnusedData else { return }
    let boxes = layout.topLevel.compactMap { box -> SourceBytes? in
      if case .mediaData(let box) = box { box.content } else { nil }
    }
    let used = SortedRanges(joining: layout.claims.map(\.range))
    for data in boxes + [layout.itemData].compactMap({ $0 }) {
      for range in used.removed(from: data.range.clamped(to: 0..<data.source.count)) {
        let part = range.lowerBound - data.offset..<range.upperBound - data.offset
        try removeLocation(from: data.slice(part), &findings)
      }
    }
  }

  private mutating func removeLocation(
    from bytes: SourceBytes, _ findings: inout PrivacyFindings
  ) throws(ImageError) {
    let name = "\(bytes.count) bytes of media data without an item"
    if try !findings.keeps(name, in: [bytes.range], of: bytes.source) {
      layout.omitsUnusedData = true
    }
  }

  private mutating func removeLocationFromMetaBoxes(
    _ findings: inout PrivacyFindings
  ) throws(ImageError) {
    var meta: [HEIFLayout.MetaBox] = []
    for box in layout.meta {
      guard case .other(let other) = box else {
        meta.append(box)
        continue
      }
      // The location of data in other files is a text.
      let content = other.content
      let isRead = try other.type == "dinf" ? true : other.isReadableXMP
      if isRead, try !LocationEvidence.isPresent(in: content) {
        meta.append(box)
      } else if try keeps(other, &findings) {
        meta.append(box)
      }
    }
    layout.meta = meta
    var boxes: [OpaqueBox] = []
    for box in layout.otherPropertiesBoxes where try keeps(box, &findings) { boxes.append(box) }
    layout.otherPropertiesBoxes = boxes
  }

  /// Whether the data of an item are in another file.
  var hasExternalData: Bool {
    items.contains { if case .external = $0.data { true } else { false } }
  }
}

extension OpaqueBox {
  /// Whether the content is an XMP packet, after version and flags.
  fileprivate var isReadableXMP: Bool {
    get throws(ImageError) {
      guard type == "xml ", content.count <= 1 << 24 else { return false }
      let packet = try content.bytes().dropFirst(4).prefix { $0 != 0 }
      return try ifReadable(try XMPPacket(parsing: Array(packet))) != nil
    }
  }
}

/// Syntax of the data of an image, by which bytes that readers ignore are found.
enum ImageItemSyntax: Hashable, Sendable {
  case bitstream(BitstreamUserData.Codec)
  case jpegImage
  case grid
  case overlay(inputs: Int)
  case identity
  case toneMap
  /// An image that decoders refuse, as its configuration or an essential property is not known.
  case refused(property: FourCC?)

  /// Ranges of the data that readers ignore, in ascending order.
  ///
  /// Source: ISO/IEC 23008-12, 6.6.2, for the fields of derived images.
  ///
  /// - Throws: Errors of parsing the data.
  func ignoredRanges(in bytes: [UInt8]) throws(ImageError) -> [Range<Int>] {
    // The size of a number in a grid or an overlay.
    var width: Int { bytes[1] & 1 == 1 ? 4 : 2 }
    let size: Int
    switch self {
    case .bitstream(let codec): return try BitstreamUserData(in: bytes, of: codec).ranges
    case .jpegImage:
      size = try JPEGImage(parsing: ByteSource(bytes)).stored?.upperBound ?? bytes.count
    case .grid:
      _ = try ImageGrid(parsing: bytes)
      size = 4 + 2 * width
    case .overlay(let inputs):
      _ = try ImageOverlay(parsing: bytes, count: inputs)
      size = 10 + (2 + 2 * inputs) * width
    case .identity: size = 0
    case .toneMap: size = try ISO21496Payload.fieldSize(ofToneMapItem: bytes)
    case .refused(let property?):
      throw ImageError(.itemPropertyRequired, ["type": "\(property)"])
    case .refused: throw ImageError(.heifConfigurationMissing)
    }
    return size < bytes.count ? [size..<bytes.count] : []
  }
}

extension HEIFFile {
  /// Syntax of the data of an image; `nil` for data that are not parsed.
  func syntax(of item: HEIFItem) -> ImageItemSyntax? {
    if let property = item.properties.first(where: { $0.isRefused(in: item.type) }) {
      return .refused(property: property.type)
    }
    let isConfigured = item.properties.contains { $0.isConfiguration(of: item.type) }
    switch item.type {
    case "jpeg": return .jpegImage
    case "grid": return .grid
    case "iovl": return .overlay(inputs: references(from: item.id, type: "dimg").count)
    case "iden": return .identity
    case "tmap": return .toneMap
    case _ where !isConfigured && ItemProperty.configurations[item.type] != nil:
      return .refused(property: nil)
    default: return item.userDataCodec.map { .bitstream($0) }
    }
  }
}
