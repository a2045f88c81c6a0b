// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
package import ImageFiles

/// A field of a part of a file, as text.
package struct FieldReport: ReportObject {
  package static let schemaName = "field"
  package let name: String
  package let value: String

  package enum CodingKeys: String, CodingKey, CaseIterable { case name, value }

  package init(_ field: StructureNode.Field) {
    name = field.name
    value = field.value
  }
}

/// A part of a file: a box, a segment, a chunk, a directory.
package struct StructureReport: ReportObject {
  package static let schemaName = "structure"
  package let name: String
  package let offset: Int?
  package let length: Int?
  package let fields: [FieldReport]
  package let children: [StructureReport]

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case name, fields, children
    case offset = "byteOffset"
    case length = "bytes"
  }

  package init(_ node: StructureNode) {
    name = node.name
    offset = node.range?.lowerBound
    length = node.range?.count
    fields = node.fields.map(FieldReport.init)
    children = node.children.map(StructureReport.init)
  }
}

extension StructureNode {
  /// The tree as people read it: a line for each part, those inside it indented.
  package func lines(indentation: Int = 0) -> [String] {
    let place = range.map { "  @\($0.lowerBound) +\($0.count)" } ?? ""
    let fields = fields.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
    let line =
      String(repeating: "  ", count: indentation) + name + place
      + (fields.isEmpty ? "" : "  " + fields)
    return [line] + children.flatMap { $0.lines(indentation: indentation + 1) }
  }
}
