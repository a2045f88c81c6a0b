// SPDX-License-Identifier: Apache-2.0
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
