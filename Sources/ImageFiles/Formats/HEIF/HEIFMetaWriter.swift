// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Serializes the `meta` box.
struct HEIFMetaWriter {
  private let file: HEIFFile
  private let itemData: [SourceBytes]
  private let properties: ItemPropertiesWriter
  private let order: [HEIFLayout.MetaBox]

  init(_ file: HEIFFile, itemData: [SourceBytes]) throws(ImageError) {
    self.file = file
    self.itemData = itemData
    properties = try ItemPropertiesWriter(file)
    order = Self.order(of: file)
    let kept = itemData + file.otherMetaBoxes.map(\.content)
    let total = kept.reduce(properties.bytes.count) { $0 + $1.count }
    guard total < Int(UInt32.max) / 2 else {
      throw ImageError(.invalidArgument, "'meta' of {size byte} or more", ["size": total])
    }
  }

  /// Returns the order of the boxes: that of the file, with missing standard boxes at their usual
  /// position.
  private static func order(of file: HEIFFile) -> [HEIFLayout.MetaBox] {
    var order = file.layout.meta
    for (rank, box) in HEIFLayout().meta.enumerated() {
      let ranks = order.map(\.rank)
      guard !ranks.contains(rank) else { continue }
      let predecessor = ranks.lastIndex { $0.map { $0 < rank } ?? false }
      order.insert(box, at: predecessor.map { $0 + 1 } ?? 0)
    }
    return order
  }

  /// Returns the serialized box in parts, so that data of the parsed file are not copied.
  func parts(locations: ItemLocationBox, offsetSize: Int) -> [SourceBytes] {
    var content: [SourceBytes] = []
    var writer = ByteWriter()
    func append(_ data: [SourceBytes], header: [UInt8]) {
      writer.write(header)
      content.append(SourceBytes(writer.bytes))
      content += data
      writer = ByteWriter()
    }
    // One for each `.other` in `order`.
    var others = file.otherMetaBoxes[...]
    for box in order {
      switch box {
      case .other:
        guard let box = others.popFirst() else { continue }
        append([box.content], header: box.header.bytes(contentSize: box.content.count))
      case .itemData:
        let size = itemData.reduce(0) { $0 + $1.count }
        guard size > 0 else { continue }
        append(itemData, header: BoxHeader(type: "idat").bytes(contentSize: size))
      default:
        write(box, locations: locations, offsetSize: offsetSize, to: &writer)
      }
    }
    append([], header: [])
    var header = ByteWriter()
    let full = file.layout.metaHeader
    header.writeFullBox("meta", version: full.version, flags: full.flags) { _ in }
    let size = content.reduce(header.count) { $0 + $1.count }
    header.overwriteBigEndian(UInt32(clamping: size), at: 0)
    return [SourceBytes(header.bytes)] + content
  }

  private func write(
    _ box: HEIFLayout.MetaBox, locations: ItemLocationBox, offsetSize: Int,
    to writer: inout ByteWriter
  ) {
    switch box {
    case .handler: writer.write(file.handler.boxBytes)
    case .primaryItem:
      if let id = file.primaryItemID { writer.write(PrimaryItemBox(itemID: id).boxBytes) }
    case .itemLocation:
      guard !locations.entries.isEmpty else { return }
      writer.writeBox(ItemLocationBox.boxType) {
        locations.write(to: &$0, offsetSize: offsetSize)
      }
    case .itemInformation:
      let entries = file.items.map(\.informationEntry)
      writer.write(ItemInformationBox(entries: entries).boxBytes)
    case .itemReference:
      guard !file.references.isEmpty else { return }
      writer.write(ItemReferenceBox(references: file.references).boxBytes)
    case .itemProperties: writer.write(properties.bytes)
    case .groupsList:
      guard !file.groups.isEmpty else { return }
      writer.write(GroupsListBox(groups: file.groups).boxBytes)
    case .itemData, .other: break
    }
  }
}

extension HEIFLayout.MetaBox {
  /// Rank in the order of a new file; `nil` for boxes that are kept verbatim.
  fileprivate var rank: Int? {
    switch self {
    case .handler: 0
    case .primaryItem: 1
    case .itemLocation: 2
    case .itemInformation: 3
    case .itemReference: 4
    case .itemProperties: 5
    case .itemData: 6
    case .groupsList: 7
    case .other: nil
    }
  }
}

/// Serializes `iprp` with each property once, in the order of the parsed file.
struct ItemPropertiesWriter {
  /// The serialized box; empty without properties.
  private(set) var bytes: [UInt8] = []
  private var boxes: [ItemProperty] = []
  private var indices: [ItemProperty: Int] = [:]

  init(_ file: HEIFFile) throws(ImageError) {
    let layout = file.layout
    let owners =
      file.items.map { (id: $0.id, properties: $0.properties) }
      + layout.otherAssociations.map { (id: $0.key, properties: $0.value) }
    let used = Set(owners.lazy.flatMap(\.properties).map(\.withoutEssentialFlag))
    for property in layout.properties
    where used.contains(property) || layout.unusedProperties.contains(property) {
      _ = add(property)
    }
    var associations = ItemPropertyAssociationBox(entries: [])
    // In order of identifiers: ISO/IEC 23008-12, 9.3.1.
    for owner in owners.sorted(by: { $0.id < $1.id }) where !owner.properties.isEmpty {
      associations.entries.append(
        .init(
          itemID: owner.id,
          associations: owner.properties.map { property in
            .init(index: add(property.withoutEssentialFlag), isEssential: property.isEssential)
          }))
    }
    guard boxes.count <= 0x7FFF else {
      throw ImageError(.invalidArgument, "{count} different properties", ["count": boxes.count])
    }
    var others: [[UInt8]] = []
    for box in layout.otherPropertiesBoxes { others.append(try box.bytes()) }
    guard !boxes.isEmpty || !others.isEmpty else { return }
    var writer = ByteWriter()
    writer.writeBox("iprp") { writer in
      writer.writeBox("ipco") { writer in
        for box in boxes { box.write(to: &writer) }
      }
      writer.write(associations.boxBytes)
      for box in others { writer.write(box) }
    }
    bytes = writer.bytes
  }

  /// Adds a property and returns its index, counted from 1.
  private mutating func add(_ property: ItemProperty) -> Int {
    if let index = indices[property] { return index }
    boxes.append(property)
    indices[property] = boxes.count
    return boxes.count
  }
}

extension OpaqueBox {
  /// Returns the complete box, including its header.
  fileprivate func bytes() throws(ImageError) -> [UInt8] {
    header.bytes(contentSize: content.count) + (try content.bytes())
  }
}
