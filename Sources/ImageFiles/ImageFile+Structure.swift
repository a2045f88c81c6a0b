// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import ImageContainers

extension ImageFile {
  /// The tree of boxes, segments, chunks or directories in the file.
  ///
  /// - Throws: Errors of the file structure.
  public func structure() throws(ImageError) -> StructureNode {
    StructureNode(format.rawValue, 0..<source.count, children: try parts())
  }

  private func parts() throws(ImageError) -> [StructureNode] {
    switch container {
    case .heif(let file):
      return StructureNode.boxes(of: source, limits: options.limits) + [file.itemStructure]
    case .jpeg(let file): return file.structure
    case .png(let file): return try file.structure()
    case .tiff(let file): return file.structure()
    case .exr: return try EXRStructure.nodes(of: source, limits: options.limits)
    case .radiance(let header): return try lines(of: header)
    case .jpegXL(let file) where file.isBareCodestream:
      return [StructureNode("codestream", 0..<source.count)]
    case .jpegXL: return StructureNode.boxes(of: source, limits: options.limits)
    case .cameraRaw where !format.traits.hasOpaqueHeaders:
      return StructureNode.boxes(of: source, limits: options.limits)
    case .cameraRaw: return []
    }
  }

  /// The lines of a Radiance header.
  private func lines(of header: RadianceHeader) throws(ImageError) -> [StructureNode] {
    let bytes = try source.bytes(in: 0..<header.end)
    var nodes: [StructureNode] = []
    var start = 0
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
      let range = start..<start + line.count
      start = range.upperBound + 1
      let words = String(decoding: line, as: UTF8.self)
        .split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = words.first, nodes.count < options.limits.items else { continue }
      nodes.append(
        StructureNode(name, range, fields: words.count > 1 ? [.init("value", words[1])] : []))
    }
    nodes.append(StructureNode("scanlines", header.end..<source.count))
    return nodes
  }
}
