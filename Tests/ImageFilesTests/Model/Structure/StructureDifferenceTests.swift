// SPDX-License-Identifier: Apache-2.0
import ImageFiles
import Testing

@Suite("Structure differences") struct StructureDifferenceTests {
  private func box(
    _ name: String, _ value: String? = nil, at offset: Int = 0, _ children: [StructureNode] = []
  ) -> StructureNode {
    StructureNode(
      name, offset..<offset + 8, fields: value.map { [.init("value", $0)] } ?? [],
      children: children)
  }

  @Test func partsThatMovedAreTheSame() {
    let first = box("file", nil, [box("ftyp", at: 0), box("meta", at: 8, [box("pitm", at: 16)])])
    let second = box(
      "other", nil, [box("meta", at: 90, [box("pitm", at: 98)]), box("ftyp", at: 7)])
    let difference = StructureDifference(first, second)
    #expect(difference.onlyInFirst.isEmpty && difference.onlyInSecond.isEmpty)
  }

  @Test func whatChangedIsInBoth() {
    let first = box("file", nil, [box("clli", "1000"), box("free"), box("free")])
    let second = box("file", nil, [box("clli", "900"), box("free")])
    let difference = StructureDifference(first, second)
    #expect(difference.onlyInFirst.map(\.path) == ["clli", "free"])
    #expect(difference.onlyInFirst.map(\.count) == [1, 1])
    #expect(difference.onlyInSecond.map(\.fields) == [[.init("value", "900")]])
  }

  @Test func equalPartsAreCounted() {
    let first = box("file", nil, [box("a", nil, [box("b"), box("b"), box("b")])])
    let second = box("file", nil, [box("a", nil, [box("b")])])
    let parts = StructureDifference(first, second).onlyInFirst
    #expect(parts.map(\.path) == ["a/b"] && parts.map(\.count) == [2])
  }
}
