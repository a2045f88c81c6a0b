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
    try open(try ImageFile(parsing: source, options: options))
  }

  /// Interprets a parsed file, whatever its format.
  ///
  /// - Parameter file: The file.
  /// - Returns: The document; samples are decoded later, when a reader asks for them.
  /// - Throws: As `open(_:options:)`.
  public static func open(_ file: ImageFile) throws(ImageError) -> PictureDocument {
    var document = try interpret(file)
    try file.options.limits.checkMemory(of: document.image.layout)
    document.readAdaptation()
    document.file = file
    return document
  }

  private static func interpret(_ file: ImageFile) throws(ImageError) -> PictureDocument {
    switch file.container {
    #if PNG
    case .png(let png): return try PNGCodec.open(png, options: file.options)
    #endif
    #if HEIF
    case .heif(let heif) where file.format == .heif:
      return try HEIFCodec.open(heif, try file.gainMaps(), options: file.options)
    #endif
    #if AVIF
    case .heif(let heif) where file.format == .avif:
      return try AVIFCodec.open(heif, try file.gainMaps(), options: file.options)
    #endif
    #if EXR
    case .exr(let header):
      return try EXRCodec.open(header, of: file.source, options: file.options)
    #endif
    #if JPEG
    case .jpeg(let jpeg):
      return try JPEGCodec.open(jpeg, try file.gainMaps(), options: file.options)
    #endif
    #if TIFF
    case .tiff(let tiff): return try TIFFCodec.open(tiff, options: file.options)
    #endif
    case .radiance(let header):
      return try RadianceCodec.open(header, of: file.source, options: file.options)
    default: throw file.format.missingCodec
    }
  }
}

extension FileFormat {
  /// The error for a format that this build cannot read or write.
  package var missingCodec: ImageError {
    ImageError(.formatCodecMissing, ["codec": title])
  }
}
