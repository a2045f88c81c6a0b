// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension DeclaredImage {
  /// Creates the declarations of the image of a Radiance file.
  ///
  /// Linear values are those before the exposures in the header. RGB is relative, as in nearly all
  /// such files: 1.0 is reference white unless the caller specifies another luminance. XYZ is
  /// absolute.
  init(_ header: RadianceHeader, limits: ImageLimits) throws(ImageError) {
    try limits.check(
      width: header.width, height: header.height, in: "resolution", at: header.resolutionOffset)
    self.init(
      .radiance(header),
      layout: ImageLayout(
        width: header.width, height: header.height, components: .rgb, samples: .float),
      color: ColorDescription(
        primaries: header.isXYZ ? .xyz : header.primaries, referenceWhite: header.isXYZ ? 1 : nil),
      notices: header.notices)
    orientation = header.orientation
  }
}

/// Interprets the headers of Radiance files.
struct RadianceInterpreter {
  private let container: ImageFile
  private let header: RadianceHeader

  init(_ container: ImageFile, _ header: RadianceHeader) {
    self.container = container
    self.header = header
  }

  func contents() throws(ImageError) -> FileContents {
    let declared = try container.primaryImage()
    let color = ColorInspection(
      declared, in: .radiance,
      carriers: [
        header.isXYZ ? .init("FORMAT", "XYZ in cd/m²") : nil,
        .primaries("PRIMARIES", header.primaries),
      ], options: container.options
    ) { source, _ in
      source == .chromaticities ? header.isXYZ ? "FORMAT" : "PRIMARIES" : nil
    }
    let image = FileImage(
      name: "image", role: .primary, layout: declared.layout, orientation: header.orientation,
      coding: CodecConfiguration(header.isXYZ ? "XYZE" : "RGBE"), color: color)
    return FileContents(
      format: .radiance, source: container.source, images: [image],
      notices: declared.notices + color.notices)
  }
}

extension RadianceHeader: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) { (.radiance, nil) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    try DeclaredImage(self, limits: file.options.limits)
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    try RadianceInterpreter(file, self).contents()
  }

  /// The lines of the header.
  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] {
    let bytes = try file.source.bytes(in: 0..<end)
    var nodes: [StructureNode] = []
    var start = 0
    for line in bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast() {
      let range = start..<start + line.count
      start = range.upperBound + 1
      let words = String(decoding: line, as: UTF8.self)
        .split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = words.first, nodes.count < file.options.limits.items else { continue }
      nodes.append(
        StructureNode(name, range, fields: words.count > 1 ? [.init("value", words[1])] : []))
    }
    nodes.append(StructureNode("scanlines", end..<file.source.count))
    return nodes
  }
}
