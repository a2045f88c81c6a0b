public import HDRCore

extension StructureNode {
  /// The boxes of an ISOBMFF file in its order; what is not a box is named and passed over.
  public static func boxes(
    of source: ByteSource, limits: ImageLimits = ImageLimits()
  ) -> [StructureNode] {
    var structure = BoxStructure(of: source, limits: limits)
    return structure.nodes()
  }
}
