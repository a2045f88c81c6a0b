internal import GainMap
internal import HDRCore
internal import ImageContainers

/// Looks into JPEG XL files.
struct JXLInspector {
  private let source: ByteSource
  private let file: JPEGXLFile
  private let header: JPEGXLImageHeader
  private let options: OpeningOptions

  init(_ source: ByteSource, _ options: OpeningOptions) throws(ImageError) {
    self.source = source
    self.options = options
    file = try JPEGXLFile(parsing: source, limits: options.limits)
    header = try file.imageHeader()
    try options.limits.check(
      width: header.width, height: header.height, in: "codestream", at: nil)
  }

  func inspection() throws(ImageError) -> FileInspection {
    let depth = header.depth
    let format = ImageLayout(
      width: header.width, height: header.height,
      components: header.color.colorSpace == .gray ? .gray : .rgb,
      samples: depth.isFloat ? .float : .integer(bits: depth.bits), hasAlpha: header.hasAlpha)
    let picture = PictureInspection(
      name: "codestream", role: .primary, format: format,
      floatBits: depth.isFloat ? depth.bits : nil, orientation: header.orientation,
      coding: CodecConfiguration(
        "JPEG XL", profile: header.isXYB ? "XYB" : "in its own color space",
        lumaDepth: depth.bits),
      color: color(format))
    var inspection = FileInspection(
      format: .jxl, source: source, pictures: [picture],
      notices: file.notices + (picture.color?.notices ?? []) + unread,
      structure: file.isBareCodestream
        ? [StructureNode("codestream", 0..<source.count)]
        : StructureNode.boxes(of: source, limits: options.limits))
    inspection.take(GainMapInventory(of: file))
    inspection.take(exif: try file.exif(), xmp: try file.xmp())
    return inspection
  }

  /// What is there but compressed in ways that are not undone without JPEG XL's libraries.
  private var unread: [Notice] {
    let names: [FourCC: String] = ["Exif": "Exif", "xml ": "XMP", "jumb": "JUMBF metadata"]
    var notices = file.boxes.filter(\.isCompressed).compactMap { box in
      names[box.type].map {
        Notice(
          .irregular, "\($0) in a compressed box (brob) is not read",
          at: .init(path: ["brob"], offset: box.offset))
      }
    }
    if header.color.hasProfile {
      notices.append(
        Notice(
          .irregular, "the ICC profile is compressed in the codestream and not read",
          at: .init(path: ["codestream"])))
    }
    return notices
  }

  /// The codestream is the only carrier; a profile in it is compressed and stays unread.
  private func color(_ format: ImageLayout) -> ColorInspection? {
    let color = header.color
    guard !color.hasProfile else { return nil }
    let curve = color.gamma.map { "gamma \($0)" } ?? color.transfer.name
    let says = [
      color.cicp?.words ?? curve, "intensity target \(header.intensityTarget) cd/m²",
    ]
    return ColorInspection(
      ColorDescription(cicp: color.cicp), in: .jxl, format: format,
      carriers: [.init("codestream", says.joined(separator: ", "), cicp: color.cicp)],
      diffuseWhite: nil, assumed: options.assumed
    ) { source, _ in source == .codePoints ? "codestream" : nil }
  }
}
