// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The elements of an XML document, with resolved names and their ranges in the text.
///
/// Source: XML 1.0; Namespaces in XML 1.0.
struct XMLTree {
  struct Attribute {
    var name: XMPName
    var text: String
    /// Range from the name to the closing quote.
    var range: Range<Int>
    /// Range between the quotes.
    var value: Range<Int>
    /// Whether the attribute is a namespace declaration.
    var isDeclaration: Bool
  }

  struct Element {
    var name: XMPName
    /// Range of the qualified name, including its prefix.
    var qualifiedName: Range<Int>
    var attributes: [Attribute]
    /// Range of the start tag.
    var tag: Range<Int>
    var isClosed: Bool
    /// Range from `<` of the start tag to `>` of the end tag.
    var range: Range<Int>
    /// Range between the tags.
    var content: Range<Int>
    var children: [Int] = []
    /// All text directly inside the element.
    var text = ""
    /// Namespaces in scope inside the element, by prefix.
    var namespaces: [String: String] { scope.namespaces }
    /// Namespace scope, shared by elements without declarations.
    fileprivate var scope: XMLScope
  }

  private(set) var elements: [Element] = []
  private var attributeCount = 0
  /// The memory of the text, then of the elements in large parts.
  private var memory: [Execution.Reservation] = []
  private var reservedBytes = 0

  private static let mostElements = 1 << 18
  private static let mostAttributes = 1 << 18

  init(parsing bytes: [UInt8], nesting: Int) throws(ImageError) {
    var tokenizer = XMLTokenizer(bytes)
    let budget = Execution.current.budget
    // Text passes through the tokenizer, and several items may share one packet.
    try budget.debit(steps: bytes.count >> 6, for: "XML text", at: .init(path: ["XMP"]))
    // The document, its copy as a string, and the text of elements while its storage grows.
    memory.append(
      try budget.reserve(memory: 4 * bytes.count, for: "XML text", at: .init(path: ["XMP"])))
    var open: [Int] = []
    while let token = try tokenizer.next() {
      switch token {
      case .start(let tag):
        attributeCount += tag.attributes.count
        guard open.count < nesting, elements.count < Self.mostElements,
          attributeCount <= Self.mostAttributes
        else {
          throw ImageError(
            .xmlLimitExceeded,
            ["count": elements.count, "depth": open.count, "attributes": attributeCount],
            at: .init(path: ["XMP"], offset: tag.range.lowerBound))
        }
        try budget.debit(
          steps: 1 + tag.attributes.count, for: "XML elements",
          at: .init(path: ["XMP"], offset: tag.range.lowerBound))
        try reserve(from: budget)
        guard !open.isEmpty || elements.isEmpty else {
          throw tokenizer.error(.duplicateElement, ["element": "root"])
        }
        let index = elements.count
        elements.append(try element(tag, in: open.last.map { elements[$0].scope }, of: bytes))
        if let parent = open.last { elements[parent].children.append(index) }
        if !tag.isClosed { open.append(index) }
      case .end(let name, let range):
        guard let index = open.popLast(),
          bytes[elements[index].qualifiedName] == bytes[name]
        else { throw tokenizer.error(.malformed, "end tag without a start tag") }
        elements[index].content = elements[index].tag.upperBound..<range.lowerBound
        elements[index].range = elements[index].tag.lowerBound..<range.upperBound
      case .text(let range, let isLiteral):
        if let index = open.last {
          elements[index].text +=
            isLiteral
            ? String(decoding: bytes[range], as: UTF8.self) : try XMLText.decode(bytes[range])
        } else {
          // Some writers end packets with zero bytes.
          guard bytes[range].allSatisfy({ XMLTokenizer.isBlank($0) || $0 == 0 }) else {
            throw tokenizer.error(.malformed, "text outside of the root element")
          }
        }
      }
    }
    guard !elements.isEmpty, open.isEmpty else {
      throw tokenizer.error(.xmlNotTerminated, ["element": "element"])
    }
  }

  func children(of element: Element) -> [Element] { element.children.map { elements[$0] } }

  /// Reserves memory for the next elements and attributes, if the reserved memory is used up.
  private mutating func reserve(from budget: Execution.Budget) throws(ImageError) {
    let element = MemoryLayout<Element>.stride + 64
    let attribute = 2 * MemoryLayout<Attribute>.stride
    guard elements.count * element + attributeCount * attribute > reservedBytes else { return }
    let part = max(reservedBytes, 1 << 16)
    memory.append(try budget.reserve(memory: part, for: "XML elements", at: .init(path: ["XMP"])))
    reservedBytes += part
  }

  private func element(
    _ tag: XMLTokenizer.Tag, in outer: XMLScope?, of bytes: [UInt8]
  ) throws(ImageError) -> Element {
    var declared: [String: String] = [:]
    var prefixed: [(prefix: String, local: String)] = []
    var texts: [String] = []
    for attribute in tag.attributes {
      let name = try Self.split(bytes[attribute.name])
      let text = try XMLText.decode(bytes[attribute.value])
      prefixed.append(name)
      texts.append(text)
      if name.prefix == "xmlns" {
        declared[name.local] = text
      } else if name.prefix.isEmpty, name.local == "xmlns" {
        declared[""] = text
      }
    }
    let scope = XMLScope.inside(declared, in: outer)
    guard scope.count <= XMLScope.mostPrefixes else {
      throw ImageError(
        .tooManyElements, ["limit": XMLScope.mostPrefixes, "elements": "namespaces"],
        at: .init(path: ["XMP"], offset: tag.range.lowerBound))
    }
    func resolve(
      _ name: (prefix: String, local: String), isAttribute: Bool
    ) throws(ImageError) -> XMPName {
      if name.prefix.isEmpty, isAttribute { return XMPName("", name.local) }
      guard let namespace = scope[name.prefix] ?? (name.prefix.isEmpty ? "" : nil) else {
        throw ImageError(
          .malformed, "prefix \"{prefix}\" is not declared", ["prefix": name.prefix],
          at: .init(path: ["XMP"], offset: tag.range.lowerBound))
      }
      return XMPName(namespace, name.local)
    }

    var attributes: [Attribute] = []
    attributes.reserveCapacity(tag.attributes.count)
    var seen: Set<XMPName> = []
    for (index, attribute) in tag.attributes.enumerated() {
      let isDeclaration =
        prefixed[index].prefix == "xmlns"
        || prefixed[index].prefix.isEmpty && prefixed[index].local == "xmlns"
      let name =
        isDeclaration
        ? XMPName("http://www.w3.org/2000/xmlns/", prefixed[index].local)
        : try resolve(prefixed[index], isAttribute: true)
      guard tag.attributes.count == 1 || seen.insert(name).inserted else {
        throw ImageError(
          .duplicateElement, ["element": "attribute \"\(name.local)\""],
          at: .init(path: ["XMP"], offset: attribute.range.lowerBound))
      }
      attributes.append(
        Attribute(
          name: name, text: texts[index], range: attribute.range, value: attribute.value,
          isDeclaration: isDeclaration))
    }
    return Element(
      name: try resolve(try Self.split(bytes[tag.name]), isAttribute: false),
      qualifiedName: tag.name,
      attributes: attributes, tag: tag.range, isClosed: tag.isClosed, range: tag.range,
      content: tag.range.upperBound..<tag.range.upperBound, scope: scope)
  }

  /// Splits a qualified name.
  ///
  /// Source: Namespaces in XML 1.0, section 4: a name has at most one colon, with characters on
  /// both sides.
  private static func split(
    _ name: ArraySlice<UInt8>
  ) throws(ImageError) -> (prefix: String, local: String) {
    let colon = name.firstIndex(of: UInt8(ascii: ":"))
    let prefix = colon.map { name[..<$0] }
    let local = colon.map { name[($0 + 1)...] } ?? name
    guard prefix?.isEmpty != true, !local.isEmpty, !local.contains(UInt8(ascii: ":")) else {
      throw ImageError(
        .malformed, "\"{name}\" is not a name", ["name": String(decoding: name, as: UTF8.self)],
        at: .init(path: ["XMP"], offset: name.startIndex))
    }
    return (
      prefix.map { String(decoding: $0, as: UTF8.self) } ?? "",
      String(decoding: local, as: UTF8.self)
    )
  }
}

/// Namespaces in scope inside an element: declared by the element and inherited from its parents.
///
/// An element without declarations shares the scope of its parent, so memory is proportional to the
/// number of declarations.
///
/// Source: Namespaces in XML 1.0, section 6.
final class XMLScope: Sendable {
  static let mostPrefixes = 256

  /// Namespaces by prefix; the empty prefix is the default namespace.
  private let declared: [String: String]
  private let outer: XMLScope?
  /// Number of prefixes in scope.
  let count: Int

  private init(declared: [String: String], outer: XMLScope?, count: Int) {
    self.declared = declared
    self.outer = outer
    self.count = count
  }

  /// Returns the scope inside an element.
  ///
  /// - Parameters:
  ///   - declared: Namespaces that the element declares, by prefix.
  ///   - outer: Scope of the parent; `nil` for the root.
  /// - Returns: The scope of the parent if nothing is declared.
  static func inside(_ declared: [String: String], in outer: XMLScope?) -> XMLScope {
    let outer = outer ?? root
    guard !declared.isEmpty else { return outer }
    let added = declared.keys.count { outer[$0] == nil }
    return XMLScope(declared: declared, outer: outer, count: outer.count + added)
  }

  private static let root = XMLScope(declared: ["xml": XMPName.xmlNamespace], outer: nil, count: 1)

  subscript(prefix: String) -> String? {
    var scope: XMLScope? = self
    while let current = scope {
      if let namespace = current.declared[prefix] { return namespace }
      scope = current.outer
    }
    return nil
  }

  /// All namespaces in scope, by prefix.
  var namespaces: [String: String] {
    var all: [String: String] = [:]
    var scope: XMLScope? = self
    while let current = scope {
      all.merge(current.declared) { inner, _ in inner }
      scope = current.outer
    }
    return all
  }
}
