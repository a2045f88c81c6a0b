internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// A codec of HEIF and AVIF files, which differ only in the coding of their items.
protocol HEIFItemCodec: ImageDecoder, ImageEncoder {
  /// The bitstream of the items.
  static var codec: ItemCodec { get }
}

#if HEIF || AVIF
extension HEIFItemCodec {
  static func samples(
    of image: DeclaredImage, in file: ImageFile
  ) throws(ImageError) -> CodedSamples {
    guard case .heif(let heif) = file.container, case .item(let item) = image.samples else {
      throw file.format.missingCodec
    }
    return try HEIFReader(file: heif, options: file.options).samples(of: item)
  }

  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    var writer = HEIFWriter(output, codec: codec, options: options)
    try writer.write(to: sink)
  }
}
#endif
