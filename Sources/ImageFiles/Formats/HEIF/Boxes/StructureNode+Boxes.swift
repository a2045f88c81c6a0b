// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension StructureNode {
  /// Returns the box tree of an ISOBMFF file.
  ///
  /// Data that are not a box are a node with the error, so that a tree results from any bytes.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file.
  ///   - limits: Limits of the number and nesting of boxes.
  /// - Returns: The top-level boxes, in file order.
  /// - Throws: Errors that end the whole job.
  package static func boxes(
    of source: ByteSource, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) -> [StructureNode] {
    var structure = try BoxStructure(of: source, limits: limits)
    return try structure.nodes()
  }
}
