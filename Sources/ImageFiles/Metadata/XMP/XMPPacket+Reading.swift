// SPDX-License-Identifier: Apache-2.0
/// Properties of a packet.
extension XMPPacket {
  /// All top-level properties, as attributes or elements, in file order; duplicates are included.
  package var properties: [XMPProperty] { descriptions.flatMap(fields) }

  /// Returns the value of a property; the first one if it is duplicate, `nil` if it is missing.
  package subscript(name: XMPName) -> XMPValue? {
    for description in descriptions {
      if let attribute = description.attributes.first(where: { $0.name == name }) {
        return .text(attribute.text)
      }
      if let child = tree.children(of: description).first(where: { $0.name == name }) {
        return value(of: child)
      }
    }
    return nil
  }

  /// The `rdf:RDF` element.
  var rdf: XMLTree.Element? { tree.elements.first { $0.name == .rdf("RDF") } }

  /// The elements whose attributes and children are top-level properties.
  var descriptions: [XMLTree.Element] { rdf.map(tree.children(of:)) ?? [] }

  /// Returns the properties of a node: its attributes, then its children.
  private func fields(of node: XMLTree.Element) -> [XMPProperty] {
    let attributes = node.attributes.lazy.filter { !$0.isDeclaration && !$0.name.isSyntax }
    return attributes.map { XMPProperty(name: $0.name, value: .text($0.text)) }
      + tree.children(of: node).map { XMPProperty(name: $0.name, value: value(of: $0)) }
  }

  /// Returns the value of a property element or array item.
  ///
  /// Source: RDF/XML, 7.2.14 to 7.2.21, as ISO 16684-1 clause 7 restricts it.
  private func value(of element: XMLTree.Element) -> XMPValue {
    func attribute(_ local: String) -> String? {
      element.attributes.first { $0.name == .rdf(local) }?.text
    }
    if attribute("parseType") == "Resource" { return value(ofFields: fields(of: element)) }
    if let resource = attribute("resource") { return .text(resource) }
    guard let node = tree.children(of: element).first else {
      let fields = fields(of: element)
      return fields.isEmpty ? .text(element.text) : value(ofFields: fields)
    }
    switch node.name {
    case .rdf("Seq"), .rdf("Bag"), .rdf("Alt"):
      return .array(tree.children(of: node).map(value))
    default:
      return value(ofFields: fields(of: node))
    }
  }

  /// Returns a structure, or the value that qualifiers belong to.
  private func value(ofFields fields: [XMPProperty]) -> XMPValue {
    fields.first { $0.name == .rdf("value") }?.value ?? .structure(fields)
  }
}
