internal import HDRCore
internal import ImageContainers

/// Interprets the headers of OpenEXR files.
struct EXRInterpreter {
  private let source: ByteSource
  private let header: EXRHeader
  private let options: OpeningOptions

  init(_ container: ImageFile, _ header: EXRHeader) {
    (source, options) = (container.source, container.options)
    self.header = header
  }

  func contents() throws(ImageError) -> FileContents {
    let layout = try EXRLayout(of: header)
    try layout.check(
      limits: options.limits, threads: 1, headerEnd: header.end, fileSize: source.count)
    var pictures = [picture(layout)]
    for (index, part) in header.parts.enumerated() where index != layout.partIndex {
      guard let window = part.dataWindow else { continue }
      pictures.append(
        FileImage(
          name: "part \(index)", role: .other,
          format: ImageLayout(
            width: window.width, height: window.height,
            components: part.channels.count < 3 ? .gray : .rgb, samples: .float),
          floatBits: part.channels.first.map { 8 * $0.bytesPerSample },
          coding: coding(part)))
    }
    var contents = FileContents(
      format: .exr, source: source, images: pictures,
      notices: layout.notices + (pictures[0].color?.notices ?? []))
    contents.take(exif: layout.part.exif, xmp: layout.part.xmp)
    return contents
  }

  private func picture(_ layout: EXRLayout) -> FileImage {
    let part = layout.part
    let (data, display) = (layout.dataWindow, layout.displayWindow)
    let format = ImageLayout(
      width: data.width, height: data.height, components: layout.components, samples: .float,
      hasAlpha: layout.hasAlpha,
      isAlphaPremultiplied: layout.hasAlpha)
    let color = ColorInspection(
      ColorDescription(
        primaries: part.chromaticities, whiteLuminance: part.statedWhite.luminance), in: .exr,
      format: format,
      carriers: [
        .primaries("chromaticities", part.chromaticities),
        part.whiteLuminance.map { .init("whiteLuminance", "\($0) cd/m²") },
      ], diffuseWhite: nil, assumed: options.assumed
    ) { _, _ in nil }
    let bits = part.channels.first { layout.channels.contains($0.name) }
      .map { 8 * $0.bytesPerSample }
    return FileImage(
      name: "part \(layout.partIndex)", role: .primary, format: format, floatBits: bits,
      shownSize: (display.width, display.height), coding: coding(part),
      color: color)
  }

  private func coding(_ part: EXRHeader.Part) -> CodecConfiguration {
    CodecConfiguration(
      part.compression.map(EXRStructure.compressionName) ?? "unknown", profile: part.type)
  }
}
