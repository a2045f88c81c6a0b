internal import HDRCore
internal import ImageContainers

/// A codec of pictures in items.
enum ItemCodec: Hashable, Sendable {
  case hevc
  case av1

  /// Type of an item that the codec codes.
  var itemType: FourCC { self == .hevc ? "hvc1" : "av01" }
}

#if HEIF || AVIF
extension ItemCodec {
  /// What one item may measure.
  var limit: CodedPictureLimit { self == .hevc ? .hevc : .av1 }

  /// Codes a picture without alpha.
  ///
  /// - Throws: `.unsupported` if this build lacks the codec, otherwise what the encoder says.
  func encode(
    _ image: StoredImage, cicp: CICP, chromaSiting: ChromaSiting, options: EncoderOptions
  ) throws(ImageError) -> CodedPicture {
    switch self {
    case .hevc:
      #if HEIF
      return try HEVCEncoder().encode(image, cicp: cicp, options: options)
      #else
      throw FileFormat.heif.missingCodec
      #endif
    case .av1:
      #if AVIF
      return try AV1Encoder(options: options)
        .encode(image, cicp: cicp, chromaSiting: chromaSiting)
      #else
      throw FileFormat.avif.missingCodec
      #endif
    }
  }
}
#endif
