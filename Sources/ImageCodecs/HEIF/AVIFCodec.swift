#if AVIF
internal import CLibAVIF
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// AVIF pictures: AV1 in an item graph.
enum AVIFCodec: ImageDecoder, ItemEncoder {
  static let format = FileFormat.avif
  static let codec = ItemCodec.av1

  /// The libraries behind it, with their versions.
  static var libraries: [String] {
    var codecs = [CChar](repeating: 0, count: 256)
    // SAFETY: libavif fills at most the 256 bytes that it asks for and ends them with a zero; its
    // own version is a constant string.
    return unsafe codecs.withUnsafeMutableBufferPointer {
      guard let start = $0.baseAddress else { return [] }
      unsafe avifCodecVersions(start)
      return unsafe ["libavif \(String(cString: avifVersion()))", String(cString: start)]
    }
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
  /// - Throws: `.invalidArgument` for samples that AVIF has not, `.codecFailure` if the encoder
  ///   fails.
  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    var writer = HEIFWriter(output, codec: codec, options: options)
    try writer.write(to: sink)
  }
}
#endif
