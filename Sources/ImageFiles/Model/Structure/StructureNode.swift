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
