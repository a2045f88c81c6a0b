internal import GainMap
internal import HDRCore
internal import ImageContainers

/// Interprets the boxes and the codestream header of JPEG XL files.
struct JPEGXLInterpreter {
  private let container: ImageFile
  private let file: JPEGXLFile
  private let header: JPEGXLImageHeader
  private var options: OpeningOptions { container.options }

  init(_ container: ImageFile, _ file: JPEGXLFile) throws(ImageError) {
    self.container = container
    self.file = file
    header = try file.imageHeader()
    try container.options.limits.check(
      width: header.width, height: header.height, in: "codestream", at: nil)
  }

  func contents() throws(ImageError) -> FileContents {
    let depth = header.depth
    let format = ImageLayout(
      width: header.width, height: header.height,
      components: header.color.colorSpace == .gray ? .gray : .rgb,
      samples: depth.isFloat ? .float : .integer(bits: depth.bits), hasAlpha: header.hasAlpha)
    let picture = FileImage(
      name: "codestream", role: .primary, format: format,
      floatBits: depth.isFloat ? depth.bits : nil, orientation: header.orientation,
      coding: CodecConfiguration(
        "JPEG XL", profile: header.isXYB ? "XYB" : "in its own color space",
        lumaDepth: depth.bits),
      color: color(format))
    var contents = FileContents(
      format: .jxl, source: container.source, images: [picture],
      notices: file.notices + (picture.color?.notices ?? []) + unread)
    contents.take(try container.gainMaps())
    contents.take(
      FileMetadata { () throws(ImageError) in
        try file.exif()
      } xmp: { () throws(ImageError) in
        try file.xmp()
      })
    return contents
  }

  /// Notices about compressed metadata, which cannot be read without the JPEG XL libraries.
  private var unread: [Notice] {
    let names: [FourCC: String] = ["Exif": "Exif", "xml ": "XMP", "jumb": "JUMBF metadata"]
    var notices = file.boxes.filter(\.isCompressed).compactMap { box in
      names[box.type].map {
        Notice(.jpegxlCompressedBox, ["content": $0], at: .init(path: ["brob"], offset: box.offset))
      }
    }
    if header.color.hasProfile {
      notices.append(
        Notice(.jpegxlProfileCompressed, at: .init(path: ["codestream"])))
    }
    return notices
  }

  /// The color of the codestream; `nil` if it is an ICC profile, which is compressed and not read.
  private func color(_ format: ImageLayout) -> ColorInspection? {
    let color = header.color
    guard !color.hasProfile else { return nil }
    let curve = color.gamma.map { "gamma \($0)" } ?? color.transfer.name
    let values = [
      color.cicp?.words ?? curve, "intensity target \(header.intensityTarget) cd/m²",
    ]
    return ColorInspection(
      ColorDescription(cicp: color.cicp), in: .jxl, format: format,
      carriers: [.init("codestream", values.joined(separator: ", "), cicp: color.cicp)],
      diffuseWhite: nil, assumed: options.assumed
    ) { source, _ in source == .codePoints ? "codestream" : nil }
  }
}
