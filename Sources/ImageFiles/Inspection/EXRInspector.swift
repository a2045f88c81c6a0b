internal import HDRCore
internal import ImageContainers

/// Looks into OpenEXR files.
struct EXRInspector {
  private let source: ByteSource
  private let options: OpeningOptions

  init(_ source: ByteSource, _ options: OpeningOptions) throws(ImageError) {
    self.source = source
    self.options = options
  }

  func inspection() throws(ImageError) -> FileInspection {
    let header = try EXRHeader.read(from: source, limits: options.limits)
    let layout = try EXRLayout(of: header)
    try layout.check(
      limits: options.limits, threads: 1, headerEnd: header.end, fileSize: source.count)
    let structure = try EXRStructure.nodes(of: source, limits: options.limits)
    var pictures = [picture(layout, structure)]
    for (index, part) in header.parts.enumerated() where index != layout.partIndex {
      guard let window = part.dataWindow else { continue }
      pictures.append(
        PictureInspection(
          name: "part \(index)", role: .other,
          format: ImageLayout(
            width: window.width, height: window.height,
            components: part.channels.count < 3 ? .gray : .rgb, samples: .float),
          floatBits: part.channels.first.map { 8 * $0.bytesPerSample },
          coding: coding(part, index, structure)))
    }
    var inspection = FileInspection(
      format: .exr, source: source, pictures: pictures,
      notices: layout.notices + (pictures[0].color?.notices ?? []), structure: structure)
    inspection.take(exif: layout.part.exif, xmp: layout.part.xmp)
    return inspection
  }

  private func picture(
    _ layout: EXRLayout, _ structure: [StructureNode]
  ) -> PictureInspection {
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
    return PictureInspection(
      name: "part \(layout.partIndex)", role: .primary, format: format, floatBits: bits,
      shownSize: (display.width, display.height), coding: coding(part, layout.partIndex, structure),
      color: color)
  }

  private func coding(
    _ part: EXRHeader.Part, _ index: Int, _ structure: [StructureNode]
  ) -> CodecConfiguration {
    let node = structure.first { $0.name == "part \(index)" }
    let compression = node?.children.first { $0.name == "compression" }?.fact("value")
    return CodecConfiguration(compression ?? "unknown", profile: part.type)
  }
}
