// SPDX-License-Identifier: Apache-2.0
package import HDRCore
internal import Synchronization

/// A HEIF or AVIF file: brands, items with properties and data, references and groups.
///
/// Parsing reads the structure; the data of items stay in the source until they are requested.
/// `serialized()` writes the file. `ImageFile` interprets and edits the structure.
///
/// Two files are equal if their brands, primary item, items with properties and data, references,
/// groups, sequence, unknown boxes and trailing data are equal. The layout of item data in the file
/// is not compared.
///
/// Source: ISO/IEC 14496-12; ISO/IEC 23008-12; AV1 Image File Format.
package struct HEIFFile: Sendable {
  /// The brands of the file.
  package var fileType: FileTypeBox
  package var handler: HandlerBox
  /// Identifier of the primary item, as stored in `pitm`; `nil` if missing.
  package var primaryItemID: UInt32?
  /// Items in file order.
  package var items: [HEIFItem] {
    get { storedItems }
    set {
      storedItems = newValue
      itemIndex = HEIFIndex()
    }
    _modify {
      itemIndex = HEIFIndex()
      yield &storedItems
    }
  }
  /// References between items, in file order.
  package var references: [ItemReference] {
    get { storedReferences }
    set {
      storedReferences = newValue
      (referenceIndex, targetIndex) = (HEIFIndex(), HEIFIndex())
    }
    _modify {
      (referenceIndex, targetIndex) = (HEIFIndex(), HEIFIndex())
      yield &storedReferences
    }
  }
  /// Groups of items and tracks, in file order.
  package var groups: [EntityGroup]
  /// Irregularities that did not prevent parsing.
  package internal(set) var notices: [Notice]

  /// Layout of the parsed file.
  package var layout: HEIFLayout
  let limits: ImageLimits
  /// Storage of `items`; code that changes identifiers must also reset the index.
  var storedItems: [HEIFItem] = []
  private var storedReferences: [ItemReference] = []
  private var itemIndex = HEIFIndex()
  /// Positions of references by referring item.
  private var referenceIndex = HEIFIndex()
  /// Positions of references by referenced item.
  private var targetIndex = HEIFIndex()

  /// Creates a file without items.
  package init(fileType: FileTypeBox, limits: ImageLimits = ImageLimits()) {
    self.fileType = fileType
    handler = .images
    groups = []
    notices = []
    layout = HEIFLayout()
    self.limits = limits
  }

  /// The primary image of the file.
  ///
  /// - Throws: `.malformed` if `pitm` is missing or the item does not exist.
  package var primaryItem: HEIFItem {
    get throws(ImageError) {
      guard let primaryItemID else {
        throw ImageError(
          .missingElement, ["element": "the primary item"], at: .init(path: ["meta"]))
      }
      guard let item = item(primaryItemID) else {
        throw ImageError(.itemMissing, ["item": primaryItemID], at: .init(path: ["meta", "pitm"]))
      }
      return item
    }
  }

  /// Whether the parsed file is a low-overhead file; serialized files never are.
  package var isMinimized: Bool { layout.isMinimized }

  /// A box that is truncated by the end of the file.
  package struct CutBox: Hashable, Sendable {
    package let type: FourCC
    /// Offset of the box.
    package let offset: Int
    /// Number of missing bytes.
    package let missing: Int
  }

  /// The truncated last box; `nil` if the file is complete.
  package var cutBox: CutBox? { layout.cutBox }

  /// Notices about truncation and unreadable properties; included in `notices`.
  package var damage: [Notice] { layout.damage }

  /// Items whose data exceed the end of the file.
  package var cutItems: [HEIFItem] {
    items.filter { item in
      guard case .file(let parts) = item.data else { return false }
      return !parts.allSatisfy(\.isWhole)
    }
  }

  /// Returns the first item with an identifier; `nil` if it does not exist.
  package func item(_ id: UInt32) -> HEIFItem? { position(of: id).map { storedItems[$0] } }

  /// Returns the index in `items` of the item with an identifier.
  func position(of id: UInt32) -> Int? {
    itemIndex.positions(of: id) { storedItems.lazy.map { [$0.id] } }.first
  }

  /// Returns the properties of an item, in order; empty if the item does not exist.
  package func properties(of id: UInt32) -> [ItemProperty] { item(id)?.properties ?? [] }

  /// Returns the items that an item refers to, in order, for example the tiles of a grid by `dimg`.
  ///
  /// - Parameters:
  ///   - id: Identifier of the referring item.
  ///   - type: Reference type.
  /// - Returns: Identifiers, which need not be those of existing items.
  package func references(from id: UInt32, type: FourCC) -> [UInt32] {
    referenceIndex.positions(of: id) { storedReferences.lazy.map { [$0.from] } }
      .map { storedReferences[$0] }.filter { $0.type == type }.flatMap(\.to)
  }

  /// Returns the items that refer to an item, for example its auxiliary images by `auxl`.
  ///
  /// - Parameters:
  ///   - id: Identifier of the referenced item.
  ///   - type: Reference type.
  /// - Returns: Identifiers in file order, which need not be those of existing items.
  package func references(to id: UInt32, type: FourCC) -> [UInt32] {
    targetIndex.positions(of: id) { storedReferences.lazy.map { Set($0.to) } }
      .map { storedReferences[$0] }.filter { $0.type == type }.map(\.from)
  }

  /// Top-level boxes other than `ftyp`, `meta`, `mdat` and `moov`, in order.
  package var otherBoxes: [OpaqueBox] {
    layout.topLevel.compactMap { if case .other(let box) = $0 { box } else { nil } }
  }

  /// Boxes in `meta` that are kept verbatim, in order.
  package var otherMetaBoxes: [OpaqueBox] {
    layout.meta.compactMap { if case .other(let box) = $0 { box } else { nil } }
  }
}

extension HEIFFile: Equatable {
  package static func == (a: HEIFFile, b: HEIFFile) -> Bool {
    a.fileType == b.fileType && a.handler == b.handler && a.primaryItemID == b.primaryItemID
      && a.items == b.items && a.references == b.references && a.groups == b.groups
      && a.otherBoxes == b.otherBoxes && a.otherMetaBoxes == b.otherMetaBoxes
      && a.layout.unusedProperties == b.layout.unusedProperties
      && a.layout.otherAssociations == b.layout.otherAssociations
      && a.layout.otherPropertiesBoxes == b.layout.otherPropertiesBoxes
      && a.layout.surplus == b.layout.surplus
      && a.layout.movie == b.layout.movie && a.layout.trailer == b.layout.trailer
      && a.layout.replacements == b.layout.replacements
      && a.layout.omitsUnusedData == b.layout.omitsUnusedData
  }
}

extension HEIFFile {
  /// Media type of XMP packets.
  package static let xmpContentType = "application/rdf+xml"

  /// Adds Exif that describes items.
  ///
  /// The data of Exif and XMP are stored in `mdat`, because old readers warn about metadata in
  /// `idat`.
  ///
  /// - Parameters:
  ///   - tiff: Exif from its TIFF header on.
  ///   - ids: Identifiers of the images that it describes.
  package mutating func addExif(_ tiff: [UInt8], describing ids: [UInt32]) {
    let id = addItem("Exif", isHidden: true, data: .file(ExifBlock.dataBlock(tiff)))
    addReference("cdsc", from: id, to: ids)
  }

  /// Adds an XMP packet (UTF-8) that describes items.
  package mutating func addXMP(_ packet: [UInt8], describing ids: [UInt32]) {
    let id = addItem("mime", isHidden: true, contentType: Self.xmpContentType, data: .file(packet))
    addReference("cdsc", from: id, to: ids)
  }

  /// Returns the metadata items of a type that refer to an item by `cdsc`, in file order.
  package func metadataItems(describing id: UInt32, type: FourCC) -> [HEIFItem] {
    let describing = Set(references(to: id, type: "cdsc"))
    return items.filter { $0.type == type && describing.contains($0.id) }
  }

  /// Returns the XMP items that refer to an item by `cdsc`, in file order.
  package func xmpItems(describing id: UInt32) -> [HEIFItem] {
    metadataItems(describing: id, type: "mime").filter { $0.contentType == Self.xmpContentType }
  }

  /// Returns the content of an Exif item, from the TIFF header on.
  ///
  /// - Throws: Errors of `data(of:)`; `.malformed` if the header offset exceeds the data.
  ///
  /// Source: ISO/IEC 23008-12, A.2.1.
  package func exif(ofItem id: UInt32) throws(ImageError) -> [UInt8] {
    try withData(of: id, copies: 2) { bytes throws(ImageError) in
      try ExifBlock.content(ofDataBlock: bytes, at: .init(path: ["item \(id)", "Exif"]))
    }
  }
}

extension HEIFFile {
  /// Returns the ITU-T T.35 messages in the bitstream of a coded image, from the country code on.
  ///
  /// Messages are read from the decoder configuration and from the units before the coded picture.
  /// Only the start of the item's data is read.
  ///
  /// - Parameter id: Identifier of the item.
  /// - Returns: The messages; empty for an item that does not exist or is not coded with HEVC or
  ///   AV1.
  /// - Throws: Errors of `data(of:)`; errors of parsing bitstream headers.
  ///
  /// Source: ITU-T H.265, D.2.6; AV1 bitstream specification, 5.8.2.
  package func registeredMessages(of id: UInt32) throws(ImageError) -> [[UInt8]] {
    guard let item = item(id) else { return [] }
    if let configuration = item.property(AV1ConfigurationBox.self) {
      var units = try AV1OBU.split(configuration.configurationOBUs, limits: limits)
      units += try startOfData(of: id) { bytes throws(ImageError) in
        try AV1OBU.beforePicture(bytes, limits: limits)
      }
      return try Self.messages(units)
    }
    if let configuration = item.property(HEVCConfigurationBox.self) {
      var units = try configuration.parameterSets
      let size = try nalLengthSize(of: id) ?? configuration.nalLengthSize
      units += try startOfData(of: id) { bytes throws(ImageError) in
        try HEVCNALUnit.beforePicture(bytes, lengthSize: size, limits: limits)
      }
      return try Self.messages(units)
    }
    return []
  }

  private static func messages(_ units: [AV1OBU]) throws(ImageError) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    for unit in units where unit.type == .metadata {
      if case .registered(let message) = try AV1Metadata(parsing: unit) { messages.append(message) }
    }
    return messages
  }

  private static func messages(_ units: [HEVCNALUnit]) throws(ImageError) -> [[UInt8]] {
    var messages: [[UInt8]] = []
    for unit in units where unit.type == .prefixSEI && unit.layerID == 0 {
      for message in try HEVCSEIMessage.split(unit)
      where message.type == HEVCSEIMessage.registeredType {
        messages.append(message.payload)
      }
    }
    return messages
  }
}

extension HEIFFile {
  /// Items of the file with their properties, references, groups and extents, in file order.
  ///
  /// The node `items` has a child for each item. Item data are not read.
  package var itemStructure: StructureNode {
    let references = Dictionary(grouping: references, by: \.from)
    let groups = groups.flatMap { group in group.entities.map { ($0, group) } }
    let groupsOfItem = Dictionary(grouping: groups, by: \.0).mapValues { $0.map(\.1) }
    return StructureNode(
      "items",
      children: items.map {
        node(of: $0, references: references[$0.id] ?? [], groups: groupsOfItem[$0.id] ?? [])
      })
  }

  private func node(
    of item: HEIFItem, references: [ItemReference], groups: [EntityGroup]
  ) -> StructureNode {
    var node = StructureNode("item \(item.id)", fields: [.init("type", "\(item.type)")])
    if item.id == primaryItemID { node.fields.add("primary", "yes") }
    if item.isHidden { node.fields.add("hidden", "yes") }
    if !item.name.isEmpty { node.fields.add("name", item.name) }
    node.fields.add("content type", item.contentType)
    node.fields.add("content encoding", item.contentEncoding.flatMap { $0.isEmpty ? nil : $0 })
    node.fields.add("uri", item.uriType)
    node.children = item.properties.map { property in
      StructureNode(
        "\(property.type)",
        fields: [.init("essential", property.isEssential ? "yes" : "no")] + property.fields)
    }
    node.children += references.map { reference in
      StructureNode(
        "\(reference.type)",
        fields: [.init("to", StructureNode.list(reference.to.map { "item \($0)" }))])
    }
    node.children += groups.map { group in
      StructureNode(
        "\(group.type)",
        fields: [
          .init("group", "\(group.id)"),
          .init("of", StructureNode.list(group.entities.map { "item \($0)" })),
        ])
    }
    node.children += extents(of: item.data)
    return node
  }

  private func extents(of data: ItemData) -> [StructureNode] {
    switch data {
    case .absent: []
    case .file(let parts), .itemDataBox(let parts):
      parts.map { StructureNode("extent", $0.range) }
    case .items(let extents):
      extents.map { extent in
        StructureNode(
          "extent",
          fields: [
            .init("of", "'iloc' reference \(max(extent.index, 1))"),
            .init("offset", "\(extent.offset)"),
            .init("length", extent.length == 0 ? "all" : "\(extent.length)"),
          ])
      }
    case .external(let entry):
      [StructureNode("extent", fields: [.init("in", "data reference \(entry.dataReferenceIndex)")])]
    }
  }
}

extension HEIFFile {
  /// Parses the body of a `grid` item; further data of the item are not read.
  ///
  /// - Throws: Errors of `data(of:)` and of `ImageGrid`.
  package func grid(of id: UInt32) throws(ImageError) -> ImageGrid {
    // Version, flags, rows, columns and two sizes of up to four bytes.
    try withData(of: id, prefix: 12) { bytes throws(ImageError) in try ImageGrid(parsing: bytes) }
  }

  /// Parses the body of an `iovl` item; further data of the item are not read.
  ///
  /// - Parameters:
  ///   - id: Identifier of the item.
  ///   - count: Number of images that the item refers to.
  /// - Returns: The overlay.
  /// - Throws: Errors of `data(of:)` and of `ImageOverlay`.
  package func overlay(of id: UInt32, count: Int) throws(ImageError) -> ImageOverlay {
    // Version, flags, four components, and sizes and positions of up to four bytes.
    try withData(of: id, prefix: 18 + 8 * count) { bytes throws(ImageError) in
      try ImageOverlay(parsing: bytes, count: count)
    }
  }
}

/// Positions by identifier, computed on first use.
///
/// The number of items and references is controlled by the file, so looking up each of them must
/// not take linear time.
final class HEIFIndex: Sendable {
  private let positions = Mutex<[UInt32: [Int]]?>(nil)

  /// Returns the positions of elements with an identifier, in order.
  ///
  /// - Parameters:
  ///   - id: Identifier to look up.
  ///   - identifiers: Distinct identifiers of each element; equal in each call.
  /// - Returns: The positions; empty if such an element does not exist.
  func positions<Elements: Sequence>(
    of id: UInt32, in identifiers: () -> Elements
  ) -> [Int] where Elements.Element: Sequence<UInt32> {
    positions.withLock { positions in
      if positions == nil {
        var made: [UInt32: [Int]] = [:]
        for (position, ids) in identifiers().enumerated() {
          for id in ids { made[id, default: []].append(position) }
        }
        positions = made
      }
      return positions?[id] ?? []
    }
  }
}
