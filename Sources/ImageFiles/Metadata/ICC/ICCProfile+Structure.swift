// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension ICCProfile {
  /// Describes header and tags.
  ///
  /// - Parameter base: Offset of the profile in its file; `nil` if it is not contiguous there.
  /// - Returns: A node for the profile, with a child for each tag.
  package func structure(base: Int?) -> StructureNode {
    var node = StructureNode("ICC profile", base.map { $0..<$0 + bytes.count })
    node.fields.add("description", description)
    node.fields.add("version", "\(header.majorVersion).\(header.minorVersion)")
    node.fields.add("class", "\(header.deviceClass)")
    node.fields.add("color space", "\(header.colorSpace)")
    node.fields.add("cicp", cicp?.title)
    node.children = tags.map { tag in
      let range = base.map { $0 + tag.range.lowerBound..<$0 + tag.range.upperBound }
      return StructureNode(
        "\(tag.signature)", range, fields: [.init("bytes", "\(tag.range.count)")])
    }
    return node
  }
}
