internal import HDRCore
internal import ImageContainers

/// Looks into JPEG XL files.
struct JXLInspector {
  private let source: ByteSource
  private let file: JXLFileSummary
  private let options: OpeningOptions

  init(_ source: ByteSource, _ options: OpeningOptions) throws(ImageError) {
    self.source = source
    self.options = options
    file = try JXLFileSummary(parsing: source, limits: options.limits)
    try options.limits.check(
      width: file.header.width, height: file.header.height, in: "codestream", at: nil)
  }

  func inspection() throws(ImageError) -> FileInspection {
    let header = file.header
    let format = StoredFormat(
      width: header.width, height: header.height, components: header.color.isGray ? .gray : .rgb,
      samples: header.isFloat ? .float : .integer(bits: header.bitsPerSample),
      hasAlpha: header.hasAlpha)
    let picture = PictureInspection(
      name: "codestream", role: .primary, format: format,
      floatBits: header.isFloat ? header.bitsPerSample : nil, orientation: header.orientation,
      coding: CodecConfiguration(
        "JPEG XL", profile: header.isXYB ? "XYB" : "in its own color space",
        lumaDepth: header.bitsPerSample),
      color: color(format))
    let isBare = try source.prefix(2) == [0xFF, 0x0A]
    var inspection = FileInspection(
      format: .jxl, source: source, pictures: [picture],
      notices: file.notices + (picture.color?.notices ?? []),
      structure: isBare
        ? [StructureNode("codestream", 0..<source.count)]
        : StructureNode.boxes(of: source, limits: options.limits))
    inspection.take(exif: file.exif, xmp: file.xmp)
    return inspection
  }

  /// The codestream is the only carrier; a profile in it is compressed and stays unread.
  private func color(_ format: StoredFormat) -> ColorInspection? {
    let color = file.header.color
    guard !color.isICC else { return nil }
    let description = ColorDescription(
      cicp: color.cicp, primaries: color.primaries)
    let says = [
      color.cicp?.words, color.cicp == nil ? color.transfer.map { "\($0)" } : nil,
      "intensity target \(file.header.intensityTarget) cd/m²",
    ].compactMap(\.self).joined(separator: ", ")
    return ColorInspection(
      description, in: .jxl, format: format,
      carriers: [.init("codestream", says, cicp: color.cicp)], diffuseWhite: nil,
      assumed: options.assumed
    ) { source, _ in source == .codePoints ? "codestream" : nil }
  }
}
