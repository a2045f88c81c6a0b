/// The namespaces that hold inside an element: those that it declares, and those around it.
///
/// An element without declarations shares the scope around it, so that a packet costs as much as it
/// declares.
///
/// Source: Namespaces in XML 1.0, section 6.
final class XMLScope: Sendable {
  static let mostPrefixes = 256

  /// By prefix, the empty one for elements without.
  private let declared: [String: String]
  private let outer: XMLScope?
  /// Prefixes that are declared here or around.
  let count: Int

  private init(declared: [String: String], outer: XMLScope?, count: Int) {
    self.declared = declared
    self.outer = outer
    self.count = count
  }

  /// The scope inside an element.
  ///
  /// - Parameters:
  ///   - declared: What the element declares.
  ///   - outer: The scope around it; `nil` for the root.
  /// - Returns: The one around it, if nothing is declared.
  static func inside(_ declared: [String: String], in outer: XMLScope?) -> XMLScope {
    let outer = outer ?? root
    guard !declared.isEmpty else { return outer }
    let added = declared.keys.count { outer[$0] == nil }
    return XMLScope(declared: declared, outer: outer, count: outer.count + added)
  }

  private static let root = XMLScope(
    declared: ["xml": XMPName.xmlNamespace], outer: nil, count: 1)

  subscript(prefix: String) -> String? {
    var scope: XMLScope? = self
    while let current = scope {
      if let namespace = current.declared[prefix] { return namespace }
      scope = current.outer
    }
    return nil
  }

  /// All that holds here.
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
