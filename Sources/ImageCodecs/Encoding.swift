public import HDRCore

extension PictureOutput {
  /// Codes the picture and writes its file.
  ///
  /// - Parameters:
  ///   - format: The kind of file.
  ///   - options: Quality, speed and threads.
  /// - Returns: The bytes of the file.
  /// - Throws: `.missingCodec` if no codec of this build writes the format, `.invalidArgument` for
  ///   a picture that it cannot hold, otherwise what the codec says.
  public func encoded(
    as format: FileFormat, options: EncoderOptions
  ) throws(ImageError) -> [UInt8] {
    switch format {
    #if PNG
    case .png: return try PNGCodec.write(self, options: options)
    #endif
    #if JPEG
    case .jpeg: return try JPEGCodec.write(self, options: options)
    #endif
    #if TIFF
    case .tiff: return try TIFFCodec.write(self, options: options)
    #endif
    #if HEIF
    case .heif: return try HEIFCodec.write(self, options: options)
    #endif
    #if AVIF
    case .avif: return try AVIFCodec.write(self, options: options)
    #endif
    #if EXR
    case .exr: return try EXRCodec.write(self, options: options)
    #endif
    default: throw format.missingCodec
    }
  }
}
