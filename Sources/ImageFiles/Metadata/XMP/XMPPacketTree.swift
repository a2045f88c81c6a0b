// SPDX-License-Identifier: Apache-2.0
extension XMPPacket {
  /// Namespaces of the properties, in order of first use.
  package var namespaces: [String] {
    var seen: Set<String> = []
    return properties.map(\.name.namespace).filter { !$0.isEmpty && seen.insert($0).inserted }
  }

  /// Describes the namespaces and their properties.
  ///
  /// - Parameter range: Range of the packet in its file; `nil` if it is not contiguous there.
  /// - Returns: A node for the packet, with a child for each namespace.
  package func structure(_ range: Range<Int>?) -> StructureNode {
    var names: [String: [String]] = [:]
    for property in properties {
      names[property.name.namespace, default: []].append(property.name.local)
    }
    return StructureNode(
      "XMP packet", range, fields: [.init("bytes", "\(bytes.count)")],
      children: namespaces.map { namespace in
        StructureNode(
          namespace,
          fields: [.init("properties", StructureNode.list(names[namespace] ?? []))])
      })
  }
}
