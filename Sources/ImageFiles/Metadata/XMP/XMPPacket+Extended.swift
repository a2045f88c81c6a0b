// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

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
