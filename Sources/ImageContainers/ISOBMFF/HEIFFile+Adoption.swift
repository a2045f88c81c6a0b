public import HDRCore

extension HEIFFile {
  /// Takes over the primary picture of another file, with its tiles and properties.
  ///
  /// Coded data is shared, not copied; metadata of the other file stays behind. Brands that promise
  /// a profile of AV1 are those that hold for all pictures.
  ///
  /// - Parameter other: A file, usually with one picture: see `standalone(_:)`.
  /// - Returns: The new item, which nothing refers to yet.
  /// - Throws: `.malformed` without a primary picture, `.unsupported` for a coding that nobody here
  ///   can put into a file.
  public mutating func adopt(pictureOf other: HEIFFile) throws(ImageError) -> UInt32 {
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
