// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
package import ImageContainers
internal import ImageFiles

/// A part of a file: a box, a segment, a chunk, a directory.
package struct StructureReport: ReportObject {
  package static let schemaName = "structure"
  package let name: String
  package let offset: Int?
  package let length: Int?
  package let facts: [String: String]
  package let children: [StructureReport]

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case name, children
    case offset = "byteOffset"
    case length = "bytes"
    case facts = "fields"
  }

  package init(_ node: StructureNode) {
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
  package func lines(indentation: Int = 0) -> [String] {
    let place = range.map { "  @\($0.lowerBound) +\($0.count)" } ?? ""
    let facts = facts.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
    let line =
      String(repeating: "  ", count: indentation) + name + place
      + (facts.isEmpty ? "" : "  " + facts)
    return [line] + children.flatMap { $0.lines(indentation: indentation + 1) }
  }
}
