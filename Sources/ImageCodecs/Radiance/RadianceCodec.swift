internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Radiance pictures (.hdr, .pic); needs no library.
enum RadianceCodec: ImageDecoder {
  static let format = FileFormat.radiance
  /// No library is needed.
  static let libraries: [String] = []

  /// Reads the header of a picture.
  ///
  /// Light is what the file had before its exposures. RGB is relative, as nearly all such files
  /// are: 1.0 is reference white unless the caller knows better. XYZ is absolute.
  static func open(_ file: ImageFile) throws(ImageError) -> PictureDocument {
    guard case .radiance(let header) = file.container else { throw file.format.missingCodec }
    let (source, options) = (file.source, file.options)
    try options.limits.check(
      width: header.width, height: header.height, in: "resolution", at: header.resolutionOffset)
    let format = ImageLayout(
      width: header.width, height: header.height, components: .rgb, samples: .float)
    let color = ColorDescription(
      primaries: header.isXYZ ? .xyz : header.primaries,
      whiteLuminance: header.isXYZ ? 1 : nil)
    let resolved = ResolvedColor(
      decoding: color, in: .radiance, format: format, assumed: options.assumed)
    let image = Image(
      layout: format, resolved: resolved, orientation: header.orientation
    ) { () throws(ImageError) in
      RadianceReader(source, header: header, format: format)
    }
    return PictureDocument(
      format: .radiance, image: image, declaredColor: color,
      notices: header.notices + resolved.notices)
  }
}
