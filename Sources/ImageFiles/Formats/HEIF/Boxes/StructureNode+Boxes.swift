// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension StructureNode {
  /// Returns the box tree of an ISOBMFF file; data that are not a box are reported in a node.
  package static func boxes(
    of source: ByteSource, limits: ImageLimits = ImageLimits()
  ) -> [StructureNode] {
    var structure = BoxStructure(of: source, limits: limits)
    return structure.nodes()
  }
}
