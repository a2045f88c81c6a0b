internal import HDRConversion
internal import ImageContainers
internal import ImageFiles

/// A part of a file: a box, a segment, a chunk, a directory.
struct StructureReport: ReportObject {
  static let schemaName = "structure"
  let name: String
  let offset: Int?
  let length: Int?
  let facts: [String: String]
  let children: [StructureReport]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, children
    case offset = "byteOffset"
    case length = "bytes"
    case facts = "fields"
  }

  init(_ node: StructureNode) {
    name = node.name
    offset = node.range?.lowerBound
    length = node.range?.count
    facts = Dictionary(
      node.facts.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    children = node.children.map(StructureReport.init)
  }
}

extension StructureNode {
  /// The tree as people read it: a line for each part, those inside it indented.
  func lines(indentation: Int = 0) -> [String] {
    let place = range.map { "  @\($0.lowerBound) +\($0.count)" } ?? ""
    let facts = facts.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
    let line =
      String(repeating: "  ", count: indentation) + name + place
      + (facts.isEmpty ? "" : "  " + facts)
    return [line] + children.flatMap { $0.lines(indentation: indentation + 1) }
  }
}
