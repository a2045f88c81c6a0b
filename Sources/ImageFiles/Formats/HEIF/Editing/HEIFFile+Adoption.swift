// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
