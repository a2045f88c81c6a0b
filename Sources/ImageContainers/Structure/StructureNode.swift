/// A part of a file as its format names it: a box, a segment, a chunk, a directory.
public struct StructureNode: Hashable, Sendable {
  /// Something that the part says, in a few words.
  public struct Fact: Hashable, Sendable {
    /// Name of the value.
    public var name: String
    /// The value as text.
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// As the standard spells it.
  public var name: String
  /// Bytes of the file; `nil` for what is put together from several places, such as an item.
  public var range: Range<Int>?
  /// Values of fields, in the order of the structure.
  public var facts: [Fact]
  /// Structures inside this one.
  public var children: [StructureNode]

  public init(
    _ name: String, _ range: Range<Int>? = nil, facts: [Fact] = [], children: [StructureNode] = []
  ) {
    self.name = name
    self.range = range
    self.facts = facts
    self.children = children
  }

  /// The first fact of this name.
  public func fact(_ name: String) -> String? { facts.first { $0.name == name }?.value }

  /// All nodes of the tree, this one first.
  public var all: [StructureNode] { [self] + children.flatMap(\.all) }
}

extension [StructureNode.Fact] {
  /// Adds a fact, if there is something to say.
  mutating func add(_ name: String, _ value: String?) {
    if let value { append(.init(name, value)) }
  }

  mutating func add(_ name: String, _ value: some BinaryInteger) { add(name, String(value)) }

  /// Why the content of a part could not be read.
  mutating func addUnreadable(_ reason: String) { add("unreadable", reason) }
}

extension StructureNode {
  /// How many things a list in a fact shows before it only counts.
  public static let longestList = 12

  /// The first of some things, and how many there are if that is not all.
  public static func list(_ things: some Collection<String>) -> String {
    let shown = things.prefix(longestList).joined(separator: ", ")
    return things.count <= longestList ? shown : "\(shown), ... (\(things.count))"
  }
}
