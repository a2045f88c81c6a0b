// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Exif and XMP items of an image, or of the whole file if no image is specified.
extension HEIFFile {
  /// Exif items that describe an image; for the primary image also those that describe no image.
  func exifItems(of id: UInt32, _ named: UInt32?) -> [HEIFItem] {
    metadataItems(of: id, named) { $0.type == "Exif" }
  }

  /// XMP items that describe an image; for the primary image also those that describe no image.
  func xmpItems(of id: UInt32, _ named: UInt32?) -> [HEIFItem] {
    metadataItems(of: id, named) { $0.type == "mime" && $0.contentType == Self.xmpContentType }
  }

  private func metadataItems(
    of id: UInt32, _ named: UInt32?, where isWanted: (HEIFItem) -> Bool
  ) -> [HEIFItem] {
    let described = references.filter { $0.type == "cdsc" }
    let describing = Set(described.lazy.filter { $0.to.contains(id) }.map(\.from))
    let all = Set(described.map(\.from))
    return items.filter { item in
      isWanted(item) && (describing.contains(item.id) || named == nil && !all.contains(item.id))
    }
  }

  mutating func changeExif(of id: UInt32, _ edit: MetadataEdit) throws(ImageError) {
    switch edit.exif {
    case .keep: return
    case .drop: removeMetadata(exifItems(of: id, edit.item), of: id, edit.item)
    case .set(let bytes):
      var block = try ExifBlock(parsing: bytes)
      try block.setOrientation(item(id)?.orientation ?? .upright)
      let old = exifItems(of: id, edit.item)
      guard let first = old.first, isOnly(first, of: id, edit.item) else {
        removeMetadata(old, of: id, edit.item)
        return addExif(block.bytes, describing: [id])
      }
      try replaceTIFF(ofExifItem: first.id, with: block.bytes)
      removeMetadata(Array(old.dropFirst()), of: id, edit.item)
    }
  }

  mutating func changeXMP(
    of id: UInt32, _ edit: MetadataEdit, _ notices: inout [Notice]
  ) throws(ImageError) {
    guard edit.xmp != .keep else { return }
    let old = xmpItems(of: id, edit.item)
    if edit.xmp == .drop,
      items.count(where: { $0.contentType == Self.xmpContentType }) > old.count
    {
      notices.append(Notice(.xmpOfOthersKept))
    }
    let packet = try old.first.map { item throws(ImageError) in try data(of: item.id) }
    guard let new = try XMPPacket.replacing(packet, with: edit.xmp.newValue, notices: &notices)
    else { return removeMetadata(old, of: id, edit.item) }
    guard let first = old.first, isOnly(first, of: id, edit.item) else {
      removeMetadata(old, of: id, edit.item)
      return addXMP(new, describing: [id])
    }
    try replaceData(of: first.id, with: new)
    removeMetadata(Array(old.dropFirst()), of: id, edit.item)
  }

  /// Whether metadata of an image may be changed in this item instead of in a new one.
  private func isOnly(_ metadata: HEIFItem, of id: UInt32, _ named: UInt32?) -> Bool {
    named == nil || references(from: metadata.id, type: "cdsc") == [id]
  }

  /// Removes metadata items; items that also describe other images are only detached from this one.
  private mutating func removeMetadata(_ old: [HEIFItem], of id: UInt32, _ named: UInt32?) {
    let own = Set(old.filter { isOnly($0, of: id, named) }.map(\.id))
    let shared = Set(old.map(\.id)).subtracting(own)
    removeItems(own)
    guard !shared.isEmpty else { return }
    references = references.compactMap { reference in
      guard shared.contains(reference.from), reference.type == "cdsc" else { return reference }
      var reference = reference
      reference.to.removeAll { $0 == id }
      return reference.to.isEmpty ? nil : reference
    }
  }

  /// Replaces the TIFF structure of an Exif item, and sets its offset field to 0.
  mutating func replaceTIFF(ofExifItem id: UInt32, with tiff: [UInt8]) throws(ImageError) {
    try replaceData(of: id, with: ExifBlock.dataBlock(tiff))
  }

  /// Replaces the data of an item, keeping its construction method.
  ///
  /// - Throws: `.unsupported` for data that are stored in other items or other files.
  mutating func replaceData(of id: UInt32, with bytes: [UInt8]) throws(ImageError) {
    try replaceData(of: id, with: [SourceBytes(bytes)])
  }

  mutating func replaceData(of id: UInt32, with parts: [SourceBytes]) throws(ImageError) {
    switch item(id)?.data {
    case .itemDataBox: updateItem(id) { $0.data = .itemDataBox(parts) }
    case .file, .absent, nil: updateItem(id) { $0.data = .file(parts) }
    case .items, .external:
      throw ImageError(
        .unsupported, "metadata stored in other items or files", at: .init(path: ["item \(id)"]))
    }
  }

  /// Edits the data of an item; those that several items share are edited once, and stay shared.
  ///
  /// - Parameters:
  ///   - id: Identifier of the item.
  ///   - edits: Earlier results of the same edit.
  ///   - edit: Returns the new data; `nil` to keep the old ones.
  /// - Returns: Whether there are new data.
  /// - Throws: Errors of `edit`, and of replacing the data.
  @discardableResult mutating func editData(
    of id: UInt32, _ edits: inout PayloadResults<SourceBytes?>,
    _ edit: (HEIFFile) throws(ImageError) -> [UInt8]?
  ) throws(ImageError) -> Bool {
    let new = try edits.result(of: id, in: self) { () throws(ImageError) -> SourceBytes? in
      guard let new = try edit(self) else { return nil }
      try Execution.current.budget.debit(memory: new.count, for: "edited metadata")
      return SourceBytes(new)
    }
    if let new { try replaceData(of: id, with: [new]) }
    return new != nil
  }
}

/// Results for the data of items, of which many may share the same.
package struct PayloadResults<Result> {
  private var known: [[SourceBytes.Identity]: Result] = [:]

  package init() {}

  /// The result for the data of an item, which is computed once for each place of data.
  ///
  /// - Throws: Errors of `body`, and errors that end the whole job.
  package mutating func result(
    of id: UInt32, in file: HEIFFile, _ body: () throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    guard let parts = try ifReadable(try file.dataParts(of: id)) else { return try body() }
    let place = parts.identities
    if let result = known[place] { return result }
    let result = try body()
    known[place] = .some(result)
    return result
  }
}

extension HEIFFile {
  /// Removes a part of the metadata from all items.
  ///
  /// - Throws: `.malformed` for metadata that cannot be edited.
  mutating func remove(_ part: DroppedPart) throws(ImageError) -> [Notice] {
    var notices: [Notice] = []
    if part == .thumbnails { removeItems(thumbnailItems) }
    var (exif, xmp) = (PayloadResults<SourceBytes?>(), PayloadResults<SourceBytes?>())
    for item in items {
      do throws(ImageError) {
        if item.type == "Exif" {
          try editData(of: item.id, &exif) { file throws(ImageError) in
            let old = try file.exif(ofItem: item.id)
            let new = try part.removed(fromExif: old, &notices)
            return new == old ? nil : ExifBlock.dataBlock(new)
          }
        } else if part == .thumbnails, item.contentType == Self.xmpContentType {
          try editData(of: item.id, &xmp) { file throws(ImageError) in
            let old = try file.data(of: item.id)
            let new = try part.removed(fromXMP: old)
            return new == old ? nil : new
          }
        }
      } catch {
        throw error.inside("item \(item.id)")
      }
    }
    try editJPEGItems { image throws(ImageError) in try image.remove(part, &notices) }
    return notices
  }

  /// Thumbnails with the tiles, auxiliary images and metadata that belong to them alone.
  private var thumbnailItems: Set<UInt32> {
    // Images that are made of an item, and images that it describes.
    var (uses, subjects) = ([UInt32: Int](), [UInt32: Int]())
    for reference in references {
      switch reference.type {
      case "dimg": for tile in reference.to { uses[tile, default: 0] += 1 }
      case "auxl", "cdsc": subjects[reference.from, default: 0] += Set(reference.to).count
      default: break
      }
    }
    var removed: Set<UInt32> = []
    var waiting = references.filter { $0.type == "thmb" }.map(\.from)
    while let id = waiting.popLast() {
      guard id != primaryItemID, removed.insert(id).inserted else { continue }
      for tile in references(from: id, type: "dimg") {
        uses[tile, default: 0] -= 1
        if uses[tile] == 0 { waiting.append(tile) }
      }
      for other in references(to: id, type: "auxl") + references(to: id, type: "cdsc") {
        subjects[other, default: 0] -= 1
        if subjects[other] == 0 { waiting.append(other) }
      }
    }
    return removed
  }
}

extension HEIFFile {
  /// Adds an item with a new identifier and its properties in the recommended order.
  ///
  /// - Returns: Identifier of the item.
  @discardableResult
  package mutating func addItem(
    _ type: FourCC, name: String = "", isHidden: Bool = false, contentType: String? = nil,
    properties: [ItemProperty.Box] = [], data: ItemData = .absent
  ) -> UInt32 {
    let id = unusedID
    items.append(
      HEIFItem(
        id: id, type: type, name: name, isHidden: isHidden, contentType: contentType,
        properties: properties.map { ItemProperty($0) }.inRecommendedOrder, data: data))
    return id
  }

  /// An identifier that is not used by an item or a group: the largest one plus 1, if possible.
  package var unusedID: UInt32 {
    let largest = [
      items.lazy.map(\.id).max(), groups.lazy.map(\.id).max(), layout.otherAssociations.keys.max(),
    ]
    let (next, overflow) = (largest.lazy.compactMap { $0 }.max() ?? 0).addingReportingOverflow(1)
    guard overflow else { return next }
    let taken = Set(items.map(\.id) + groups.map(\.id)).union(layout.otherAssociations.keys)
    return (1...UInt32.max).first { !taken.contains($0) } ?? 1
  }

  /// Moves descriptive properties before transformative ones; the order of the latter is kept.
  ///
  /// Source: ISO/IEC 23008-12, 6.5.1.
  package mutating func arrangeProperties() {
    for index in items.indices {
      let properties = items[index].properties
      items[index].properties =
        properties.filter { !$0.box.isTransformation } + properties.filter(\.box.isTransformation)
    }
  }

  /// Calls `change` with an item, which it edits in place; does nothing if the item does not exist.
  package mutating func updateItem(_ id: UInt32, _ change: (inout HEIFItem) -> Void) {
    guard let index = position(of: id) else { return }
    change(&storedItems[index])
    if storedItems[index].id != id { items = storedItems }
  }

  /// Removes an item, references from and to it, and its membership in groups.
  ///
  /// Its data are not written unless another item shares them.
  package mutating func removeItem(_ id: UInt32) { removeItems([id]) }

  /// Removes items, references from and to them, and their membership in groups.
  package mutating func removeItems(_ ids: Set<UInt32>) {
    guard !ids.isEmpty else { return }
    items.removeAll { ids.contains($0.id) }
    references = references.compactMap { reference in
      var reference = reference
      reference.to.removeAll(where: ids.contains)
      return ids.contains(reference.from) || reference.to.isEmpty ? nil : reference
    }
    groups = groups.compactMap { group in
      var group = group
      group.entities.removeAll(where: ids.contains)
      return group.entities.isEmpty ? nil : group
    }
    if let id = primaryItemID, ids.contains(id) { primaryItemID = nil }
  }

  /// Adds references from an item, in order, in addition to those of the same type.
  package mutating func addReference(_ type: FourCC, from: UInt32, to: [UInt32]) {
    references.append(ItemReference(type: type, from: from, to: to))
  }

  /// Adds a group with a new identifier.
  ///
  /// - Returns: Identifier of the group.
  @discardableResult
  package mutating func addGroup(_ type: FourCC, of entities: [UInt32]) -> UInt32 {
    let id = unusedID
    groups.append(EntityGroup(type: type, id: id, entities: entities))
    return id
  }
}

extension ItemProperty.Box {
  fileprivate var isTransformation: Bool {
    [CleanApertureBox.boxType, ImageRotationBox.boxType, ImageMirrorBox.boxType].contains(type)
  }
}

extension HEIFItem {
  /// Replaces all properties of a type by one, or removes them.
  ///
  /// - Parameters:
  ///   - type: Box type of the property.
  ///   - box: New property, inserted in the recommended order if there was none; `nil` to remove.
  package mutating func setProperty(_ type: FourCC, to box: ItemProperty.Box?) {
    let first = properties.firstIndex { $0.type == type }
    properties.removeAll { $0.type == type }
    guard let box else { return }
    let property = ItemProperty(box)
    let place =
      first ?? properties.firstIndex { $0.box.rank > box.rank } ?? properties.endIndex
    properties.insert(property, at: place)
  }
}

extension HEIFFile {
  /// Adds the primary image of another file, including its tiles and properties.
  ///
  /// Coded data are shared, not copied; metadata of the other file are not added. AV1 profile
  /// brands are limited to those that all images conform to.
  ///
  /// - Parameter other: A file, usually with a single image; see `standalone(_:)`.
  /// - Returns: Identifier of the new item, which is not referenced yet.
  /// - Throws: `.malformed` without a primary image; errors of `standalone(_:)`.
  package mutating func adopt(imageOf other: HEIFFile) throws(ImageError) -> UInt32 {
    let alone = try other.standalone(other.primaryItem.id)
    var newIDs: [UInt32: UInt32] = [:]
    for item in alone.items {
      var copy = item
      copy.id = unusedID
      newIDs[item.id] = copy.id
      items.append(copy)
    }
    for reference in alone.references {
      guard let from = newIDs[reference.from] else { continue }
      addReference(reference.type, from: from, to: reference.to.compactMap { newIDs[$0] })
    }
    guard let id = alone.primaryItemID.flatMap({ newIDs[$0] }) else {
      throw ImageError(.missingElement, ["element": "the primary item"], at: .init(path: ["meta"]))
    }
    let configurations = items.compactMap { $0.property(AV1ConfigurationBox.self) }
    fileType.limitPromises(to: configurations)
    return id
  }
}
