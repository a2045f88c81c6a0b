internal import HDRCore
internal import ImageContainers

/// Looks into Radiance pictures.
struct RadianceInspector {
  private let source: ByteSource
  private let options: OpeningOptions

  init(_ source: ByteSource, _ options: OpeningOptions) throws(ImageError) {
    self.source = source
    self.options = options
  }

  func inspection() throws(ImageError) -> FileInspection {
    let header = try RadianceHeader.read(from: source)
    try options.limits.check(
      width: header.width, height: header.height, in: "resolution", at: header.resolutionOffset)
    let format = ImageLayout(
      width: header.width, height: header.height, components: .rgb, samples: .float)
    let color = ColorInspection(
      ColorDescription(
        primaries: header.isXYZ ? .xyz : header.primaries,
        whiteLuminance: header.isXYZ ? 1 : nil),
      in: .radiance, format: format,
      carriers: [
        header.isXYZ ? .init("FORMAT", "XYZ in cd/m²") : nil,
        .primaries("PRIMARIES", header.primaries),
      ], diffuseWhite: nil, assumed: options.assumed
    ) { source, _ in
      source == .chromaticities ? header.isXYZ ? "FORMAT" : "PRIMARIES" : nil
    }
    let picture = PictureInspection(
      name: "picture", role: .primary, format: format, orientation: header.orientation,
      coding: CodecConfiguration(header.isXYZ ? "XYZE" : "RGBE"), color: color)
    return FileInspection(
      format: .radiance, source: source, pictures: [picture],
      notices: header.notices + color.notices, structure: try structure(header))
  }

  /// The lines of the header.
  private func structure(_ header: RadianceHeader) throws(ImageError) -> [StructureNode] {
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
        StructureNode(name, range, facts: words.count > 1 ? [.init("value", words[1])] : []))
    }
    nodes.append(StructureNode("scanlines", header.end..<source.count))
    return nodes
  }
}
