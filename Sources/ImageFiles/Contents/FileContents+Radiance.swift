internal import HDRCore
internal import ImageContainers

/// Interprets the headers of Radiance files.
struct RadianceInterpreter {
  private let source: ByteSource
  private let header: RadianceHeader
  private let options: OpeningOptions

  init(_ container: ImageFile, _ header: RadianceHeader) throws(ImageError) {
    (source, options) = (container.source, container.options)
    self.header = header
    try options.limits.check(
      width: header.width, height: header.height, in: "resolution", at: header.resolutionOffset)
  }

  func contents() -> FileContents {
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
    let picture = FileImage(
      name: "picture", role: .primary, format: format, orientation: header.orientation,
      coding: CodecConfiguration(header.isXYZ ? "XYZE" : "RGBE"), color: color)
    return FileContents(
      format: .radiance, source: source, images: [picture],
      notices: header.notices + color.notices)
  }
}
