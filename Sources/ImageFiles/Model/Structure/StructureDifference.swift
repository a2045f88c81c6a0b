// SPDX-License-Identifier: Apache-2.0
/// Parts of a file that another file does not contain, regardless of their position.
package struct StructureDifference: Sendable {
  /// A part with the path of its parents and its values.
  package struct Part: Hashable, Sendable {
    /// Path of the part, for example `meta/iprp/ipco/clli`.
    package let path: String
    package let fields: [StructureNode.Field]
    /// Number of such parts that the other file does not contain.
    package let count: Int
  }

  package let onlyInFirst: [Part]
  package let onlyInSecond: [Part]

  /// Compares two trees; the names of the roots are ignored.
  ///
  /// - Parameters:
  ///   - first: Structure of a file.
  ///   - second: Structure of another file.
  package init(_ first: StructureNode, _ second: StructureNode) {
    let (ours, theirs) = (Self.parts(of: first), Self.parts(of: second))
    var excess = [Key: Int](minimumCapacity: ours.count)
    for part in ours { excess[part, default: 0] += 1 }
    for part in theirs { excess[part, default: 0] -= 1 }
    onlyInFirst = Self.parts(ours, excess.filter { $0.value > 0 })
    onlyInSecond = Self.parts(theirs, excess.filter { $0.value < 0 })
  }

  private struct Key: Hashable {
    let path: String
    let fields: [StructureNode.Field]
  }

  private static func parts(of root: StructureNode) -> [Key] {
    func below(_ node: StructureNode, _ path: String) -> [Key] {
      [Key(path: path, fields: node.fields)]
        + node.children.flatMap { below($0, path + "/" + $0.name) }
    }
    return root.children.flatMap { below($0, $0.name) }
  }

  /// The parts with an excess, in the order of their first occurrence.
  private static func parts(_ keys: [Key], _ excess: [Key: Int]) -> [Part] {
    var left = excess
    return keys.compactMap { key in
      guard !left.isEmpty, let count = left.removeValue(forKey: key) else { return nil }
      return Part(path: key.path, fields: key.fields, count: abs(count))
    }
  }
}
