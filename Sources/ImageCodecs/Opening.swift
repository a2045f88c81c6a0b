public import GainMap
public import HDRCore
public import ImageContainers

/// How to open a picture.
public struct OpeningOptions: Sendable {
  public var limits: ImageLimits
  /// What samples mean where the file does not say.
  public var assumed: AssumedColor?
  /// How samples of Apple's gain maps relate to gain, which no file says.
  public var appleCurve: AppleGainMap.Curve
  /// Threads for the decoder.
  public var threads: Int

  public init(
    limits: ImageLimits = ImageLimits(), assumed: AssumedColor? = nil,
    appleCurve: AppleGainMap.Curve = .srgb, threads: Int = 1
  ) {
    self.limits = limits
    self.assumed = assumed
    self.appleCurve = appleCurve
    self.threads = threads
  }
}

/// What the caller knows about a picture whose file does not say.
public struct AssumedColor: Hashable, Sendable {
  public var transfer: TransferFunction?
  public var primaries: ColorPrimaries?
  /// Luminance of 1.0 in light, cd/m².
  public var referenceWhite: Double?

  public init(
    transfer: TransferFunction? = nil, primaries: ColorPrimaries? = nil,
    referenceWhite: Double? = nil
  ) {
    self.transfer = transfer
    self.primaries = primaries
    self.referenceWhite = referenceWhite
  }
}

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
  var missingCodec: ImageError {
    ImageError(
      .missingCodec, "this build has no \(rawValue.uppercased()) codec",
      remedy: "see which formats it has: hdrconvert codecs")
  }
}
