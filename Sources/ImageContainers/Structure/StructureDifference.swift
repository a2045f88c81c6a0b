// SPDX-License-Identifier: Apache-2.0
/// Parts of a file that another file does not contain, regardless of their position.
package struct StructureDifference: Sendable {
  /// A part with the path of its parents and its values.
  package struct Part: Hashable, Sendable {
    /// Path of the part, for example `meta/iprp/ipco/clli`.
    package let path: String
    package let fields: [StructureNode.Field]
    /// Number of such parts that the other file does not contain.
    package internal(set) var count: Int
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
    onlyInFirst = Self.parts(ours, without: theirs)
    onlyInSecond = Self.parts(theirs, without: ours)
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

  private static func parts(_ keys: [Key], without others: [Key]) -> [Part] {
    var present = others.reduce(into: [Key: Int]()) { $0[$1, default: 0] += 1 }
    var places: [Key: Int] = [:]
    var parts: [Part] = []
    for key in keys {
      if let count = present[key], count > 0 {
        present[key] = count - 1
      } else if let place = places[key] {
        parts[place].count += 1
      } else {
        places[key] = parts.count
        parts.append(Part(path: key.path, fields: key.fields, count: 1))
      }
    }
    return parts
  }
}
