// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension DeclaredImage {
  /// Creates the declarations of the image of a PNG file.
  init(_ file: PNGFile, limits: ImageLimits) throws(ImageError) {
    try limits.check(
      width: file.header.width, height: file.header.height, in: "IHDR",
      at: PNGFile.signature.count)
    var notices = file.notices
    var color = ColorDescription(
      cicp: try file.codePoints(notices: &notices),
      primaries: try file.content(PNGChromaticities.self, notices: &notices)?.primaries,
      gamma: try file.content(PNGGamma.self, notices: &notices)?.exponent,
      isMarkedSRGB: try file.content(PNGStandardRGB.self, notices: &notices) != nil)
    do throws(ImageError) {
      color.icc = try file.profile()?.bytes
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(
        Notice(.irregular, "chunk ignored: {cause}", ["cause": error], at: .init(path: ["iCCP"])))
    }
    let layout = try PNGLayout(of: file, notices: &notices)
    let light = try file.lightMetadata(notices: &notices)
    self.init(.png(layout), layout: layout.format, color: color, notices: notices)
    self.light = light
    metadata = try FileMetadata { () throws(ImageError) in
      try file.exif()
    } xmp: { () throws(ImageError) in
      try file.xmp()
    }
    orientation = metadata.orientation
    pixelsPerInch = try ifReadable(try file.content(PNGPixelSize.self))?.pixelsPerInch
    auxiliaryMetadata = try file.auxiliaryMetadata()
    if file.chunks.contains(where: { $0.type == .frameData }) {
      notCopied = [Notice(.dropped, "dropped: frames of the animation", at: .init(path: ["fdAT"]))]
    }
  }
}

/// Interprets the chunks of PNG files.
struct PNGInterpreter {
  private let container: ImageFile
  private let file: PNGFile

  init(_ container: ImageFile, _ file: PNGFile) {
    self.container = container
    self.file = file
  }

  func contents() throws(ImageError) -> FileContents {
    let declared = try container.primaryImage()
    let color = try color(of: declared)
    let header = file.header
    let image = FileImage(
      name: "IHDR", role: .primary, layout: declared.layout, orientation: declared.orientation,
      coding: CodecConfiguration(
        "Deflate", profile: header.isInterlaced ? "interlaced" : nil, lumaDepth: header.bitDepth),
      color: color, light: declared.light, isFullRange: declared.color.cicp?.isFullRange ?? true)
    var contents = FileContents(
      format: .png, source: file.source, images: [image],
      notices: declared.notices + color.notices)
    contents.take(try container.gainMaps())
    try contents.take(declared.metadata)
    return contents
  }

  private func color(of declared: DeclaredImage) throws(ImageError) -> ColorInspection {
    // Without a cICP chunk, the code points are from the profile name.
    let codePoints = file.chunk(.codePoints) == nil ? "iCCP name" : "cICP"
    var unused: [Notice] = []
    let mark = try file.content(PNGStandardRGB.self, notices: &unused)
    let color = declared.color
    return ColorInspection(
      declared, in: .png,
      carriers: [
        .codePoints(codePoints, color.cicp), .profile("iCCP", color.icc),
        mark.map { .init("sRGB", "sRGB, rendering intent \($0.renderingIntent)") },
        color.gamma.map { .init("gAMA", "exponent \($0)") }, .primaries("cHRM", color.primaries),
      ], options: container.options
    ) { source, _ in
      switch source {
      case .codePoints: codePoints
      case .profile: "iCCP"
      case .mark: "sRGB"
      case .chromaticities: "cHRM"
      case .gamma: "gAMA"
      default: nil
      }
    }
  }
}

extension PNGFile: ParsedContainer {
  var parsedFile: (format: FileFormat, source: ByteSource?) { (.png, source) }
  var asContainer: FileContainer { .png(self) }

  func primaryImage(of file: ImageFile) throws(ImageError) -> DeclaredImage {
    try DeclaredImage(self, limits: file.options.limits)
  }

  func contents(of file: ImageFile) throws(ImageError) -> FileContents {
    try PNGInterpreter(file, self).contents()
  }

  func nodes(of file: ImageFile) throws(ImageError) -> [StructureNode] { try structure() }
}
