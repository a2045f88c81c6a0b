#if EXR
internal import CShims
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// OpenEXR pictures.
enum EXRCodec: ImageDecoder, ImageEncoder {
  static let format = FileFormat.exr

  /// The library that codes samples, with its version.
  static var libraries: [String] {
    // SAFETY: a string that lives as long as the program.
    [unsafe String(cString: exr_library())]
  }

  /// Reads the headers and chooses the part and the channels that are the picture.
  ///
  /// The picture is the display window. Light is as stored; 1.0 is `whiteLuminance` where the file
  /// has one, else the reference white.
  static func open(_ file: ImageFile) throws(ImageError) -> PictureDocument {
    guard case .exr(let header) = file.container else { throw file.format.missingCodec }
    let (source, options) = (file.source, file.options)
    let layout = try EXRLayout(of: header)
    try layout.check(
      limits: options.limits, threads: options.threads, headerEnd: header.end,
      fileSize: source.count)
    let format = ImageLayout(
      width: layout.displayWindow.width, height: layout.displayWindow.height,
      components: layout.components, samples: .float, hasAlpha: layout.hasAlpha,
      isAlphaPremultiplied: layout.hasAlpha)
    var notices = layout.notices
    var color = ColorDescription(primaries: layout.part.chromaticities)
    let white = layout.part.statedWhite
    color.whiteLuminance = white.luminance
    notices += white.notices
    let description = EXRDescription(layout.part)
    let metadata = FileMetadata(exif: description.exif, xmp: layout.part.xmp)
    notices += description.notices + metadata.notices
    let resolved = ResolvedColor(
      decoding: color, in: .exr, format: format, assumed: options.assumed)
    let threads = options.threads
    let image = Image(layout: format, resolved: resolved) { () throws(ImageError) in
      try EXRReader(source, as: layout, layout: format, threads: threads)
    }
    return PictureDocument(
      format: .exr, image: image, declaredColor: color, exif: metadata.exif?.bytes,
      xmp: metadata.xmp?.bytes, notices: notices + resolved.notices)
  }
}
#endif
