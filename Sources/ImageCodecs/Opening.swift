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
    var document = try file.format.decoder().open(file)
    try file.options.limits.checkMemory(of: document.image.layout)
    document.readAdaptation()
    document.file = file
    return document
  }
}

extension FileFormat {
  /// The error for a format that this build cannot read or write.
  package var missingCodec: ImageError {
    ImageError(.formatCodecMissing, ["codec": title])
  }
}
