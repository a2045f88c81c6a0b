// SPDX-License-Identifier: Apache-2.0
public import HDRCore

extension ImageFile {
  /// The tree of boxes, segments, chunks or directories in the file.
  ///
  /// - Throws: Errors of the file structure.
  public func structure() throws(ImageError) -> StructureNode {
    StructureNode(format.rawValue, 0..<source.count, children: try parts())
  }

  private func parts() throws(ImageError) -> [StructureNode] {
    if let structure = container.structure { return try structure.nodes(of: self) }
    return format.traits.hasOpaqueHeaders ? [] : try boxNodes
  }
}
