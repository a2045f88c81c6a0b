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

/// Splitting into main and extended XMP, for containers with short segments.
///
/// Source: XMP specification part 3 (2020), 1.1.3.1.
extension XMPPacket {
  /// Property of the main packet that contains the digest of the extended packet.
  package static let hasExtended = XMPName("http://ns.adobe.com/xmp/note/", "HasExtendedXMP")

  /// Returns a packet with the properties of the main and the extended packet.
  ///
  /// - Throws: `.malformed` if a packet does not contain RDF or the main packet cannot be extended.
  func merged(with extended: XMPPacket) throws(ImageError) -> XMPPacket {
    var main = self
    try main.remove(Self.hasExtended)
    guard let rdf = main.rdf, !rdf.isClosed, let source = extended.rdf else {
      throw ImageError(.missingElement, ["element": "rdf:RDF"], at: .init(path: ["XMP"]))
    }
    let texts = extended.tree.children(of: source).map { description in
      extended.standalone(description, leavingOut: [])
    }
    try main.replace(rdf.content.upperBound..<rdf.content.upperBound, with: texts.joined())
    return main
  }

  /// Splits the packet into a main packet of at most `mainSize` bytes and an extended packet.
  ///
  /// The largest properties are moved first. The container directory and properties that mark an
  /// image with a gain map or a motion photo are not moved, because readers expect them in the main
  /// packet. Padding is dropped if that is not sufficient.
  ///
  /// - Throws: `.invalidArgument` if the main packet still exceeds `mainSize`.
  func split(mainSize: Int) throws(ImageError) -> (main: XMPPacket, extended: [UInt8]) {
    // Reserve for the property that contains the digest.
    var excess = bytes.count + 200 - mainSize
    var moved: Set<Range<Int>> = []
    for place in movablePlaces.sorted(by: { $0.count > $1.count }) where excess > 0 {
      moved.insert(place)
      excess -= place.count
    }
    let padding = excess > 0 ? paddingRange : nil
    excess -= padding?.count ?? 0
    guard excess <= 0 else {
      throw ImageError(
        .invalidArgument, "an XMP packet of {size byte} does not fit JPEG segments",
        ["size": bytes.count])
    }
    let texts = descriptions.compactMap { description -> String? in
      let places = Set(places(in: description))
      guard !places.isDisjoint(with: moved) else { return nil }
      return standalone(description, leavingOut: places.subtracting(moved))
    }
    let extended = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\(XMPName.rdfNamespace)">\
      \(texts.joined())</rdf:RDF></x:xmpmeta>
      """
    var main = self
    try main.removeAll(moved.union(padding.map { [$0] } ?? []))
    try main.set(
      JPEGImage.identifier(of: Array(extended.utf8)), for: Self.hasExtended, prefix: "xmpNote")
    return (main, Array(extended.utf8))
  }

  private var movablePlaces: [Range<Int>] {
    descriptions.flatMap { description in
      description.attributes.filter { !$0.isDeclaration && isMovable($0.name) }.map(\.range)
        + tree.children(of: description).filter { isMovable($0.name) }.map(\.range)
    }
  }

  private func isMovable(_ name: XMPName) -> Bool {
    guard !name.isSyntax, name.namespace != Self.hasExtended.namespace else { return false }
    return !Self.isStructural(name)
  }

  /// Range of the whitespace after the metadata, which reserves space for edits in place.
  private var paddingRange: Range<Int>? {
    let whitespace = Set(" \t\r\n".utf8)
    guard let end = bytes.lastIndex(of: UInt8(ascii: "<")),
      bytes[end...].starts(with: "<?xpacket".utf8)
    else { return nil }
    let start = bytes[..<end].lastIndex { !whitespace.contains($0) }.map { $0 + 1 } ?? 0
    return start < end ? start..<end : nil
  }

  /// Returns the ranges of the properties of a description.
  private func places(in description: XMLTree.Element) -> [Range<Int>] {
    description.attributes.filter { !$0.isDeclaration && !$0.name.isSyntax }.map(\.range)
      + tree.children(of: description).map(\.range)
  }

  /// Serializes a description without some of its properties, with all namespaces declared in it.
  private func standalone(
    _ description: XMLTree.Element, leavingOut places: Set<Range<Int>>
  ) -> String {
    let declared = Set(description.attributes.filter(\.isDeclaration).map(\.name.local))
    var text: [UInt8] = Array(
      bytes[description.tag.lowerBound..<description.qualifiedName.upperBound])
    for (prefix, namespace) in description.namespaces.sorted(by: { $0.key < $1.key })
    where !declared.contains(prefix.isEmpty ? "xmlns" : prefix) && prefix != "xml" {
      let name = prefix.isEmpty ? "xmlns" : "xmlns:\(prefix)"
      text += " \(name)=\"\(XMLText.escape(namespace))\"".utf8
    }
    var position = description.qualifiedName.upperBound
    for place in places.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      text += bytes[position..<place.lowerBound]
      position = place.upperBound
    }
    text += bytes[position..<description.range.upperBound]
    return String(decoding: text, as: UTF8.self)
  }
}
