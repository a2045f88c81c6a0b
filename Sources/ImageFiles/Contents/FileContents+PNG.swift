package import HDRCore
internal import ImageContainers

/// Interprets the chunks of PNG files.
struct PNGInterpreter {
  private let container: ImageFile
  private let file: PNGFile
  private var options: OpeningOptions { container.options }

  init(_ container: ImageFile, _ file: PNGFile) throws(ImageError) {
    self.container = container
    self.file = file
    try container.options.limits.check(
      width: file.header.width, height: file.header.height, in: "IHDR",
      at: PNGFile.signature.count)
  }

  func contents() throws(ImageError) -> FileContents {
    var notices = file.notices
    let gamma = file.content(PNGGamma.self, notices: &notices)?.exponent
    let mark = file.content(PNGStandardRGB.self, notices: &notices)
    let chromaticities = file.content(PNGChromaticities.self, notices: &notices)?.primaries
    let codePoints = file.codePoints(notices: &notices)
    let profile = file.tolerant("iCCP", &notices) { () throws(ImageError) in try file.profile() }
    let exif = file.tolerant("eXIf", &notices) { () throws(ImageError) in try file.exif() }
    let layout = try PNGLayout(of: file, notices: &notices)
    let hdr = file.lightMetadata(notices: &notices)
    let description = ColorDescription(
      cicp: codePoints, icc: profile?.bytes, primaries: chromaticities, gamma: gamma,
      isMarkedSRGB: mark != nil)
    // Without a chunk, the code points come from the profile's name.
    let codePointsName = file.chunk(.codePoints) == nil ? "iCCP name" : "cICP"
    let color = ColorInspection(
      description, in: .png, format: layout.format,
      carriers: [
        .codePoints(codePointsName, codePoints), .profile("iCCP", profile?.bytes),
        mark.map { .init("sRGB", "sRGB, rendering intent \($0.renderingIntent)") },
        gamma.map { .init("gAMA", "exponent \($0)") }, .primaries("cHRM", chromaticities),
      ], diffuseWhite: hdr.diffuseWhite, assumed: options.assumed
    ) { source, _ in
      switch source {
      case .codePoints: codePointsName
      case .profile: "iCCP"
      case .mark: "sRGB"
      case .chromaticities: "cHRM"
      case .gamma: "gAMA"
      default: nil
      }
    }
    let orientation = exif.flatMap { try? ExifBlock(parsing: $0) }?.orientation
    let header = file.header
    let picture = FileImage(
      name: "IHDR", role: .primary, format: layout.format, orientation: orientation ?? .upright,
      coding: CodecConfiguration(
        "Deflate", profile: header.isInterlaced ? "interlaced" : nil, lumaDepth: header.bitDepth),
      color: color, hdr: hdr, isFullRange: codePoints?.isFullRange ?? true)
    var contents = FileContents(
      format: .png, source: file.source, images: [picture], notices: notices + color.notices)
    contents.take(exif: exif, xmp: file.xmp())
    return contents
  }
}

extension PNGFile {
  /// What `body` reads of a chunk; what cannot be read is left out, with a notice.
  package func tolerant<Value>(
    _ chunk: String, _ notices: inout [Notice], _ body: () throws(ImageError) -> Value?
  ) -> Value? {
    do throws(ImageError) {
      return try body()
    } catch {
      notices.append(
        Notice(.pngChunkUnreadable, ["cause": error], at: .init(path: [chunk])))
      return nil
    }
  }
}
