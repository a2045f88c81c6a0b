// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Arrays and structures, which cannot be stored as attributes.
extension XMPPacket {
  /// Sets a property to a value of any kind, as an element of the first description.
  ///
  /// Namespaces are declared on the description, where some readers require them.
  ///
  /// - Parameters:
  ///   - value: New value; arrays are serialized as `rdf:Seq`, structures of texts as attributes.
  ///   - name: Name of the property.
  ///   - prefixes: Preferred prefixes for namespaces that the packet does not declare, by
  ///     namespace; `ns` for others.
  /// - Throws: `.malformed` if the packet does not contain RDF, or if a name or a prefix is not an
  ///   XML name.
  package mutating func set(
    _ value: XMPValue, for name: XMPName, prefixes: [String: String]
  ) throws(ImageError) {
    try remove(name)
    if descriptions.isEmpty { try addDescription() }
    guard let description = descriptions.first else {
      throw ImageError(.missingElement, ["element": "rdf:RDF"], at: .init(path: ["XMP"]))
    }
    var serializer = ValueSerializer(namespaces: description.namespaces, preferred: prefixes)
    let element = serializer.element(name, value)
    let end = description.attributes.last?.range.upperBound ?? description.qualifiedName.upperBound
    let close = description.isClosed ? "</\(text(description.qualifiedName))>" : ""
    try replace(
      end..<description.tag.upperBound, with: "\(serializer.declarations)>\(element)\(close)")
  }

  private mutating func addDescription() throws(ImageError) {
    guard let rdf,
      let prefix = rdf.namespaces.first(where: { $0.value == XMPName.rdfNamespace })?.key,
      !prefix.isEmpty
    else {
      throw ImageError(.missingElement, ["element": "rdf:RDF"], at: .init(path: ["XMP"]))
    }
    let description = "<\(prefix):Description \(prefix):about=\"\"/>"
    guard rdf.isClosed else {
      return try replace(rdf.content.lowerBound..<rdf.content.lowerBound, with: description)
    }
    try replace(
      rdf.tag.upperBound - 2..<rdf.tag.upperBound,
      with: ">\(description)</\(text(rdf.qualifiedName))>")
  }
}

/// Serializes values as RDF/XML, and collects the namespaces that they require.
private struct ValueSerializer {
  private var prefixes: [String: String]
  private var taken: Set<String>
  private let preferred: [String: String]
  /// Namespace declarations, each with a leading space.
  private(set) var declarations = ""

  init(namespaces: [String: String], preferred: [String: String]) {
    let known = namespaces.filter { !$0.key.isEmpty }
    prefixes = Dictionary(known.map { ($0.value, $0.key) }, uniquingKeysWith: min)
    taken = Set(known.keys)
    self.preferred = preferred
  }

  mutating func element(_ name: XMPName, _ value: XMPValue) -> String {
    let tag = prefixed(name)
    switch value {
    case .text(let text): return "<\(tag)>\(XMLText.escape(text))</\(tag)>"
    case .array(let items):
      let (sequence, item) = (prefixed(.rdf("Seq")), XMPName.rdf("li"))
      let content = items.map { element(item, $0) }.joined()
      return "<\(tag)><\(sequence)>\(content)</\(sequence)></\(tag)>"
    case .structure(let fields): return structure(tag, fields)
    }
  }

  private mutating func structure(_ tag: String, _ fields: [XMPProperty]) -> String {
    var attributes = ""
    for field in fields {
      guard case .text(let text) = field.value else {
        let content = fields.map { element($0.name, $0.value) }.joined()
        return "<\(tag) \(prefixed(.rdf("parseType")))=\"Resource\">\(content)</\(tag)>"
      }
      attributes += " \(prefixed(field.name))=\"\(XMLText.escape(text))\""
    }
    return "<\(tag)\(attributes)/>"
  }

  private mutating func prefixed(_ name: XMPName) -> String {
    if let prefix = prefixes[name.namespace] { return "\(prefix):\(name.local)" }
    let wanted = preferred[name.namespace] ?? "ns"
    var prefix = wanted
    var number = 1
    while !taken.insert(prefix).inserted {
      number += 1
      prefix = "\(wanted)\(number)"
    }
    prefixes[name.namespace] = prefix
    declarations += " xmlns:\(prefix)=\"\(XMLText.escape(name.namespace))\""
    return "\(prefix):\(name.local)"
  }
}
