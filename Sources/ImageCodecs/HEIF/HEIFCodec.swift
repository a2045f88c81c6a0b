#if HEIF
internal import CLibDE265
internal import CLibHEIF
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// HEIF pictures: HEVC in an item graph.
enum HEIFCodec: ImageDecoder, ItemEncoder {
  static let format = FileFormat.heif
  static let codec = ItemCodec.hevc

  /// The libraries behind it, with their versions.
  static var libraries: [String] {
    // SAFETY: both are constant strings.
    unsafe [
      "libheif \(String(cString: heif_get_version()))",
      "libde265 \(String(cString: de265_get_version()))",
    ]
  }

  /// Reads the structure of a file; samples are decoded when a reader is made.
  ///
  /// - Throws: `.unsupported` for files without a still picture that this build can decode,
  ///   otherwise what is wrong with the file.
  static func open(_ file: ImageFile) throws(ImageError) -> PictureDocument {
    guard case .heif(let heif) = file.container else { throw file.format.missingCodec }
    return try HEIFReader(
      file: heif, gainMaps: try file.gainMaps(), format: format, options: file.options
    ).document()
  }

  /// Writes a file with one picture.
  ///
  /// - Throws: `.invalidArgument` for samples that HEIF has not, `.codecFailure` if the encoder
  ///   fails.
  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    var writer = HEIFWriter(output, codec: codec, options: options)
    try writer.write(to: sink)
  }
}
#endif
