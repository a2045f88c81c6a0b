// SPDX-License-Identifier: Apache-2.0

/// A structural part of a file: a box, a segment, a chunk or a directory.
public struct StructureNode: Hashable, Sendable {
  /// A value of the part, as text.
  public struct Field: Hashable, Sendable {
    /// Name of the value.
    public var name: String
    /// The value as text.
    public var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Name of the part, as in the standard.
  public var name: String
  /// Range in the file; `nil` for a part that is not contiguous, such as an item.
  public var range: Range<Int>?
  /// Values of fields, in file order.
  public var fields: [Field]
  /// Parts inside this one.
  public var children: [StructureNode]

  package init(
    _ name: String, _ range: Range<Int>? = nil, fields: [Field] = [], children: [StructureNode] = []
  ) {
    self.name = name
    self.range = range
    self.fields = fields
    self.children = children
  }

  /// Returns the value of the first field with a name; `nil` if missing.
  public func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}

extension [StructureNode.Field] {
  /// Adds a field unless the value is `nil`.
  mutating func add(_ name: String, _ value: String?) {
    if let value { append(.init(name, value)) }
  }

  mutating func add(_ name: String, _ value: some BinaryInteger) { add(name, String(value)) }

  /// Adds the reason why the content of a part cannot be read.
  mutating func addUnreadable(_ reason: String) { add("unreadable", reason) }
}

extension StructureNode {
  /// Maximum number of elements that a list in a field shows.
  package static let longestList = 12

  /// Returns the first elements as text, followed by the count if some are omitted.
  package static func list(_ things: some Collection<String>) -> String {
    let shown = things.prefix(longestList).joined(separator: ", ")
    return things.count <= longestList ? shown : "\(shown), ... (\(things.count))"
  }
}

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
