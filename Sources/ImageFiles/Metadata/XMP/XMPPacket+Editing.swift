// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Edits of simple properties, which leave the remaining text unchanged.
extension XMPPacket {
  /// Sets a property to a text, at the position and in the syntax that the packet already uses.
  ///
  /// - Parameters:
  ///   - text: New value.
  ///   - name: Name of the property.
  ///   - prefix: Preferred prefix if the packet does not declare one for the namespace; an XML name
  ///     without a colon.
  /// - Throws: `.malformed` if the packet does not contain RDF, or if name or prefix are not XML
  ///   names; `.unsupported` for RDF without a prefix and a description.
  package mutating func set(_ text: String, for name: XMPName, prefix: String) throws(ImageError) {
    let locations = locations(of: name)
    var edits = locations.dropFirst().map { Edit($0.removal, "") }
    switch locations.first {
    case .attribute(let attribute, _):
      edits.append(Edit(attribute.value, XMLText.escape(text)))
    case .element(let element):
      edits.append(Edit(element.range, serialized(element, text)))
    case nil:
      edits.append(try insertion(of: text, for: name, prefix: prefix))
    }
    try apply(edits)
  }

  /// Removes all occurrences of a property.
  ///
  /// - Throws: `.malformed` if the result cannot be parsed.
  package mutating func remove(_ name: XMPName) throws(ImageError) {
    let locations = locations(of: name)
    guard !locations.isEmpty else { return }
    try apply(locations.map { Edit($0.removal, "") })
  }

  /// Removes all occurrences of several properties in one pass.
  ///
  /// - Throws: `.malformed` if the result cannot be parsed.
  package mutating func remove(_ names: Set<XMPName>) throws(ImageError) {
    let locations = locations { names.contains($0) }
    guard !locations.isEmpty else { return }
    try apply(locations.map { Edit($0.removal, "") })
  }

  /// Removes ranges of the text.
  mutating func removeAll(_ locations: Set<Range<Int>>) throws(ImageError) {
    try apply(locations.map { Edit($0, "") })
  }

  /// Replaces a range of the text; the result must be well-formed.
  mutating func replace(_ range: Range<Int>, with text: String) throws(ImageError) {
    try apply([Edit(range, text)])
  }

  private struct Edit {
    var range: Range<Int>
    var text: String

    init(_ range: Range<Int>, _ text: String) {
      self.range = range
      self.text = text
    }
  }

  private enum PropertyLocation {
    /// An attribute, and the end of the name or attribute before it in the tag.
    case attribute(XMLTree.Attribute, after: Int)
    case element(XMLTree.Element)

    /// Range to remove with the property; includes the whitespace before an attribute.
    var removal: Range<Int> {
      switch self {
      case .attribute(let attribute, let end): end..<attribute.range.upperBound
      case .element(let element): element.range
      }
    }
  }

  private func locations(of name: XMPName) -> [PropertyLocation] { locations { $0 == name } }

  private func locations(where isSought: (XMPName) -> Bool) -> [PropertyLocation] {
    descriptions.flatMap { description in
      var locations: [PropertyLocation] = []
      var end = description.qualifiedName.upperBound
      for attribute in description.attributes {
        if isSought(attribute.name) { locations.append(.attribute(attribute, after: end)) }
        end = attribute.range.upperBound
      }
      return locations
        + tree.children(of: description).filter { isSought($0.name) }.map(PropertyLocation.element)
    }
  }

  /// Serializes a property element with a simple value; namespace declarations are kept, qualifiers
  /// are dropped.
  private func serialized(_ element: XMLTree.Element, _ text: String) -> String {
    let name = self.text(element.qualifiedName)
    let declarations = element.attributes.filter(\.isDeclaration)
      .map { " " + self.text($0.range) }.joined()
    return "<\(name)\(declarations)>\(XMLText.escape(text))</\(name)>"
  }

  private func insertion(
    of text: String, for name: XMPName, prefix: String
  ) throws(ImageError) -> Edit {
    guard let rdf else {
      throw ImageError(.missingElement, ["element": "rdf:RDF"], at: .init(path: ["XMP"]))
    }
    guard let description = descriptions.first else {
      return try insertionOfDescription(into: rdf, text, for: name, prefix: prefix)
    }
    let attribute = serializedAttribute(text, for: name, prefix: prefix, in: description)
    let end = description.attributes.last?.range.upperBound ?? description.qualifiedName.upperBound
    return Edit(end..<end, attribute)
  }

  private func insertionOfDescription(
    into rdf: XMLTree.Element, _ text: String, for name: XMPName, prefix: String
  ) throws(ImageError) -> Edit {
    let rdfName = self.text(rdf.qualifiedName)
    guard let colon = rdfName.firstIndex(of: ":") else {
      throw ImageError(.unsupported, "RDF without a prefix", at: .init(path: ["XMP"]))
    }
    let rdfPrefix = rdfName[..<colon]
    let attribute = serializedAttribute(text, for: name, prefix: prefix, in: rdf)
    let description = "<\(rdfPrefix):Description \(rdfPrefix):about=\"\"\(attribute)/>"
    guard rdf.isClosed else {
      return Edit(rdf.content.lowerBound..<rdf.content.lowerBound, description)
    }
    let slash = rdf.tag.upperBound - 2
    return Edit(slash..<rdf.tag.upperBound, ">\(description)</\(rdfName)>")
  }

  /// Serializes an attribute with a leading space and, if needed, a namespace declaration.
  private func serializedAttribute(
    _ text: String, for name: XMPName, prefix: String, in element: XMLTree.Element
  ) -> String {
    let known = element.namespaces.filter { $0.value == name.namespace && !$0.key.isEmpty }
    if let prefix = known.keys.min() {
      return " \(prefix):\(name.local)=\"\(XMLText.escape(text))\""
    }
    var free = prefix
    var number = 1
    while element.namespaces[free] != nil {
      number += 1
      free = "\(prefix)\(number)"
    }
    return " xmlns:\(free)=\"\(XMLText.escape(name.namespace))\""
      + " \(free):\(name.local)=\"\(XMLText.escape(text))\""
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Applies edits, which do not overlap: each concerns another attribute or element.
  private mutating func apply(_ edits: [Edit]) throws(ImageError) {
    var edited: [UInt8] = []
    edited.reserveCapacity(bytes.count)
    var position = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      edited += bytes[position..<edit.range.lowerBound]
      edited += edit.text.utf8
      position = edit.range.upperBound
    }
    edited += bytes[position...]
    let before = notices
    self = try XMPPacket(parsing: edited)
    notices = before + notices
  }
}

extension XMPPacket {
  /// Namespaces of the properties, in order of first use.
  package var namespaces: [String] {
    var seen: Set<String> = []
    return properties.map(\.name.namespace).filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  /// Describes the namespaces and their properties.
  ///
  /// - Parameter range: Range of the packet in its file; `nil` if it is not contiguous there.
  /// - Returns: A node for the packet, with a child for each namespace.
  package func structure(_ range: Range<Int>?) -> StructureNode {
    var names: [String: [String]] = [:]
    for property in properties {
      names[property.name.namespace, default: []].append(property.name.local)
    }
    return StructureNode(
      "XMP packet", range, fields: [.init("bytes", "\(bytes.count)")],
      children: namespaces.map { namespace in
        StructureNode(
          namespace,
          fields: [.init("properties", StructureNode.list(names[namespace] ?? []))])
      })
  }
}
