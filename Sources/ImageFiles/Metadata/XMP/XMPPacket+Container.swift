// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The container directory of a file's parts in XMP (GContainer).
///
/// Source: Ultra HDR Image Format v1.0, "GContainer".
extension XMPPacket {
  /// An item of the container directory: one part of the file.
  package struct ContainerItem: Hashable, Sendable {
    /// Semantic: `Primary`, `GainMap`, `MotionPhoto`, `Depth` and others.
    package var semantic: String
    /// Media type of the item.
    package var mime: String
    /// Size of the part in bytes; 0 if not specified, or if the part shares the data of the
    /// previous one.
    package var length: Int
    /// Number of bytes between this part and the next one.
    package var padding: Int

    package init(semantic: String, mime: String, length: Int = 0, padding: Int = 0) {
      self.semantic = semantic
      self.mime = mime
      self.length = length
      self.padding = padding
    }
  }

  static let containerNamespace = "http://ns.google.com/photos/1.0/container/"
  static let itemNamespace = "http://ns.google.com/photos/1.0/container/item/"

  /// Items of the directory, in order; by the standard, the first is the primary image.
  package var containerItems: [ContainerItem] {
    itemElements.map { element in
      func text(_ local: String) -> String? { field(local, of: element)?.text }
      func number(_ local: String) -> Int { max(text(local).flatMap { Int($0) } ?? 0, 0) }
      return ContainerItem(
        semantic: text("Semantic") ?? "", mime: text("Mime") ?? "", length: number("Length"),
        padding: number("Padding"))
    }
  }

  /// Inserts an item into the directory, which is created if it is missing.
  ///
  /// - Parameters:
  ///   - item: Item to insert.
  ///   - index: Index of the item; the parts of the file must have the order of the items.
  /// - Throws: `.malformed` if the packet does not contain RDF, `.invalidArgument` for an index
  ///   that is negative or beyond the end.
  package mutating func insertContainerItem(
    _ item: ContainerItem, at index: Int
  ) throws(ImageError) {
    let directory = XMPName(Self.containerNamespace, "Directory")
    var entries = self[directory]?.items ?? []
    guard (0...entries.count).contains(index) else {
      throw ImageError(
        .invalidArgument, "the container directory has {count item}; item {index} does not exist",
        ["index": index, "count": entries.count])
    }
    entries.insert(Self.entry(item), at: index)
    try set(
      .array(entries), for: directory,
      prefixes: [Self.containerNamespace: "Container", Self.itemNamespace: "Item"])
  }

  private static func entry(_ item: ContainerItem) -> XMPValue {
    func field(_ local: String, _ text: String) -> XMPProperty {
      XMPProperty(name: XMPName(itemNamespace, local), value: .text(text))
    }
    var fields = [field("Semantic", item.semantic), field("Mime", item.mime)]
    if item.length > 0 { fields.append(field("Length", "\(item.length)")) }
    if item.padding > 0 { fields.append(field("Padding", "\(item.padding)")) }
    let name = XMPName(containerNamespace, "Item")
    return .structure([XMPProperty(name: name, value: .structure(fields))])
  }

  /// Removes all items with a semantic; if only the primary item remains, removes the directory.
  ///
  /// - Throws: `.malformed` if the result cannot be parsed.
  package mutating func removeContainerItems(semantic: String) throws(ImageError) {
    let directory = XMPName(Self.containerNamespace, "Directory")
    guard let entries = self[directory]?.items else { return }
    let item = XMPName(Self.containerNamespace, "Item")
    let name = XMPName(Self.itemNamespace, "Semantic")
    let kept = entries.filter { ($0[item] ?? $0)[name]?.text != semantic }
    guard kept.count < entries.count else { return }
    guard kept.contains(where: { ($0[item] ?? $0)[name]?.text != "Primary" }) else {
      return try remove(directory)
    }
    try set(
      .array(kept), for: directory,
      prefixes: [Self.containerNamespace: "Container", Self.itemNamespace: "Item"])
  }

  /// Updates the length of an item, if the directory specifies one.
  ///
  /// - Throws: `.malformed` if the result cannot be parsed.
  mutating func setContainerLength(_ length: Int, ofItem index: Int) throws(ImageError) {
    let elements = itemElements
    guard elements.indices.contains(index), let field = field("Length", of: elements[index]) else {
      return
    }
    try replace(field.range, with: "\(length)")
  }

  /// Elements that have a semantic, at any depth and in either syntax.
  private var itemElements: [XMLTree.Element] {
    tree.elements.filter { field("Semantic", of: $0) != nil }
  }

  private func field(
    _ local: String, of element: XMLTree.Element
  ) -> (text: String, range: Range<Int>)? {
    let name = XMPName(Self.itemNamespace, local)
    if let attribute = element.attributes.first(where: { $0.name == name }) {
      return (attribute.text, attribute.value)
    }
    return tree.children(of: element).first { $0.name == name }.map { ($0.text, $0.content) }
  }
}
