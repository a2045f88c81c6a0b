internal import GainMap
public import HDRCore
public import ImageContainers
public import ImageFiles

extension PictureDocument {
  /// Reads what a file says about its picture, whatever the format.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file.
  ///   - options: Limits, and the meaning of what the file leaves open.
  /// - Returns: The document; samples are decoded later, when a reader asks for them.
  /// - Throws: `.missingCodec` if no codec of this build reads the file, `.limitExceeded` for a
  ///   picture beyond the limits, otherwise what the codec finds wrong with it.
  public static func open(
    _ source: ByteSource, options: OpeningOptions
  ) throws(ImageError) -> PictureDocument {
    var document = try parse(source, options: options)
    try options.limits.checkMemory(of: document.base.format)
    document.readAdaptation()
    return document
  }

  private static func parse(
    _ source: ByteSource, options: OpeningOptions
  ) throws(ImageError) -> PictureDocument {
    guard let format = FileFormat.sniff(try source.prefix(32)) else {
      throw ImageError(
        .malformed, "not a picture file of a kind known here", at: .init(offset: 0),
        remedy: "see which formats are read: hdrconvert codecs")
    }
    switch format {
    #if PNG
    case .png: return try PNGCodec.open(source, options: options)
    #endif
    #if HEIF
    case .heif: return try HEIFCodec.open(source, options: options)
    #endif
    #if AVIF
    case .avif: return try AVIFCodec.open(source, options: options)
    #endif
    #if EXR
    case .exr: return try EXRCodec.open(source, options: options)
    #endif
    #if JPEG
    case .jpeg: return try JPEGCodec.open(source, options: options)
    #endif
    #if TIFF
    case .tiff: return try TIFFCodec.open(source, options: options)
    #endif
    case .radiance: return try RadianceCodec.open(source, options: options)
    default: throw format.missingCodec
    }
  }
}

extension FileFormat {
  /// The error for a format that this build cannot read or write.
  package var missingCodec: ImageError {
    ImageError(
      .missingCodec, "this build has no \(rawValue.uppercased()) codec",
      remedy: "see which formats it has: hdrconvert codecs")
  }
}
