// SPDX-License-Identifier: Apache-2.0

extension HEIFFile {
  /// Items of the file with their properties, references, groups and extents, in file order.
  ///
  /// The node `items` has a child for each item. Item data are not read.
  package var itemStructure: StructureNode {
    let references = Dictionary(grouping: references, by: \.from)
    let groups = groups.flatMap { group in group.entities.map { ($0, group) } }
    let groupsOfItem = Dictionary(grouping: groups, by: \.0).mapValues { $0.map(\.1) }
    return StructureNode(
      "items",
      children: items.map {
        node(of: $0, references: references[$0.id] ?? [], groups: groupsOfItem[$0.id] ?? [])
      })
  }

  private func node(
    of item: HEIFItem, references: [ItemReference], groups: [EntityGroup]
  ) -> StructureNode {
    var node = StructureNode("item \(item.id)", fields: [.init("type", "\(item.type)")])
    if item.id == primaryItemID { node.fields.add("primary", "yes") }
    if item.isHidden { node.fields.add("hidden", "yes") }
    if !item.name.isEmpty { node.fields.add("name", item.name) }
    node.fields.add("content type", item.contentType)
    node.fields.add("content encoding", item.contentEncoding.flatMap { $0.isEmpty ? nil : $0 })
    node.fields.add("uri", item.uriType)
    node.children = item.properties.map { property in
      StructureNode(
        "\(property.type)",
        fields: [.init("essential", property.isEssential ? "yes" : "no")] + property.fields)
    }
    node.children += references.map { reference in
      StructureNode(
        "\(reference.type)",
        fields: [.init("to", StructureNode.list(reference.to.map { "item \($0)" }))])
    }
    node.children += groups.map { group in
      StructureNode(
        "\(group.type)",
        fields: [
          .init("group", "\(group.id)"),
          .init("of", StructureNode.list(group.entities.map { "item \($0)" })),
        ])
    }
    node.children += extents(of: item.data)
    return node
  }

  private func extents(of data: ItemData) -> [StructureNode] {
    switch data {
    case .absent: []
    case .file(let parts), .itemDataBox(let parts):
      parts.map { StructureNode("extent", $0.range) }
    case .items(let extents):
      extents.map { extent in
        StructureNode(
          "extent",
          fields: [
            .init("of", "'iloc' reference \(max(extent.index, 1))"),
            .init("offset", "\(extent.offset)"),
            .init("length", extent.length == 0 ? "all" : "\(extent.length)"),
          ])
      }
    case .external(let entry):
      [StructureNode("extent", fields: [.init("in", "data reference \(entry.dataReferenceIndex)")])]
    }
  }
}
