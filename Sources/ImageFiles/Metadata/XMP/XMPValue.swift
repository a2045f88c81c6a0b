// SPDX-License-Identifier: Apache-2.0
/// The name of a property: a namespace and a local name.
///
/// Prefixes are not significant.
package struct XMPName: Hashable, Sendable {
  /// Namespace URI.
  package var namespace: String
  /// Local name.
  package var local: String

  package init(_ namespace: String, _ local: String) {
    self.namespace = namespace
    self.local = local
  }

  static let rdfNamespace = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"

  static func rdf(_ local: String) -> XMPName { XMPName(rdfNamespace, local) }

  /// Whether the name belongs to RDF or XML syntax.
  var isSyntax: Bool { namespace == Self.rdfNamespace || namespace == Self.xmlNamespace }
}

/// A property or a field of a structure.
package struct XMPProperty: Hashable, Sendable {
  /// Name of the property.
  package var name: XMPName
  /// Value of the property.
  package var value: XMPValue

  package init(name: XMPName, value: XMPValue) {
    self.name = name
    self.value = value
  }
}

/// The value of a property.
///
/// Source: ISO 16684-1 (XMP part 1), clause 6.
package indirect enum XMPValue: Hashable, Sendable {
  case text(String)
  /// The items of an `rdf:Seq`, `rdf:Bag` or `rdf:Alt`, in order.
  case array([XMPValue])
  case structure([XMPProperty])

  /// The text; for an array with a single item, the text of that item; `nil` for other values.
  package var text: String? {
    switch self {
    case .text(let text): text
    case .array(let items): items.count == 1 ? items[0].text : nil
    case .structure: nil
    }
  }

  /// All texts of an array, or the single text; empty for a structure.
  package var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .array(let items): items.compactMap(\.text)
    case .structure: []
    }
  }

  /// Items of an array; for any other value, the value itself.
  package var items: [XMPValue] {
    if case .array(let items) = self { items } else { [self] }
  }

  /// Returns a field of a structure; `nil` if it is missing, and for other values.
  package subscript(name: XMPName) -> XMPValue? {
    guard case .structure(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }
}
