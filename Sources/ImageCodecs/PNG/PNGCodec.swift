#if PNG
internal import CShims
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// PNG pictures: chunks by `PNGFile`, samples by libpng.
enum PNGCodec: ImageDecoder, ImageEncoder {
  static let format = FileFormat.png

  /// The library that codes samples, with its version.
  static var libraries: [String] {
    // SAFETY: a string that lives as long as the program.
    [unsafe String(cString: png_library())]
  }

  /// Reads what a file says about its picture.
  static func open(_ file: ImageFile) throws(ImageError) -> PictureDocument {
    guard case .png(let png) = file.container else { throw file.format.missingCodec }
    let options = file.options
    return try document(png, options)
  }

  private static func document(
    _ file: PNGFile, _ options: OpeningOptions
  ) throws(ImageError) -> PictureDocument {
    try options.limits.check(
      width: file.header.width, height: file.header.height, in: "IHDR",
      at: PNGFile.signature.count)
    var notices = file.notices
    var color = ColorDescription(
      cicp: file.codePoints(notices: &notices),
      primaries: file.content(PNGChromaticities.self, notices: &notices)?.primaries,
      gamma: file.content(PNGGamma.self, notices: &notices)?.exponent,
      isMarkedSRGB: file.content(PNGStandardRGB.self, notices: &notices) != nil)
    let profile = file.tolerant("iCCP", &notices) { () throws(ImageError) in try file.profile() }
    color.icc = profile?.bytes
    let metadata = FileMetadata(
      exif: file.tolerant("eXIf", &notices) { () throws(ImageError) in try file.exif() },
      xmp: file.xmp())
    notices += metadata.notices
    let isFullRange = color.cicp?.isFullRange ?? true
    let layout = try PNGLayout(of: file, notices: &notices)
    if file.header.isInterlaced {
      try checkMemory(layout, limit: options.limits.memory)
    }
    if file.chunks.contains(where: { $0.kind == .frameData }) {
      notices.append(Notice(.pngFramesDropped, at: .init(path: ["fdAT"])))
    }
    let light = file.lightMetadata(notices: &notices)
    let resolved = ResolvedColor(
      decoding: color, in: .png, format: layout.format, diffuseWhite: light.diffuseWhite,
      assumed: options.assumed)
    let image = Image(
      layout: layout.format, resolved: resolved, light: light, orientation: metadata.orientation
    ) { () throws(ImageError) in
      try PNGReader(file, as: layout)
    }
    var document = PictureDocument(
      format: .png, image: image, declaredColor: color, exif: metadata.exif?.bytes,
      xmp: metadata.xmp?.bytes,
      notices: notices + resolved.notices)
    document.furtherMetadata = file.furtherMetadata
    document.gainMapSamples = { _ throws(ImageError) in
      let image = try PNGReader(file, as: layout).read(rows: 0..<layout.format.height)
      return Image(data: image, isFullRange: isFullRange)
    }
    return document
  }

  /// An interlaced picture is decoded into one buffer.
  private static func checkMemory(_ layout: PNGLayout, limit: Int) throws(ImageError) {
    let (size, overflow) = layout.rowSize.multipliedReportingOverflow(by: layout.format.height)
    guard !overflow, size <= limit else {
      throw ImageError(
        .pngInterlacedLimitExceeded, ["size": size],
        at: .init(path: ["IHDR"], offset: PNGFile.signature.count))
    }
  }
}
#endif
