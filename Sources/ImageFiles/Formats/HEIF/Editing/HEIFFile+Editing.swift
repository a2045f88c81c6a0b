// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
