public import HDRCore
internal import ImageContainers
public import ImageFiles

/// A picture that is ready to be coded, with all that its file shall say about it.
public struct PictureOutput: Sendable {
  /// Samples as they will be coded, alpha last.
  public var image: ImagePlanes
  /// What the samples mean; `matrix` is `.identity` for RGB and gray.
  public var cicp: CICP
  public var chromaLocation: ChromaLocation
  public var hdr: LightMetadata
  public var orientation: Orientation
  /// Whether to write code points.
  public var signalsCICP: Bool
  /// An ICC profile to embed.
  public var icc: [UInt8]?
  /// SMPTE ST 2094-50 metadata for the bitstream of HEIF and AVIF; that of a profile is in the profile.
  public var adaptation: HeadroomAdaptation?
  /// Exif from its TIFF header on; its orientation is made consistent by the writer.
  public var exif: [UInt8]?
  public var xmp: [UInt8]?
  /// IPTC and comments, for formats that have a place for them.
  public var furtherMetadata = FurtherMetadata()
  /// Mattes and the like, which HEIF and AVIF hold.
  public var auxiliaries: [Auxiliary] = []

  public init(
    image: ImagePlanes, cicp: CICP, chromaLocation: ChromaLocation = .left,
    hdr: LightMetadata = LightMetadata(), orientation: Orientation = .upright,
    signalsCICP: Bool = true, icc: [UInt8]? = nil, adaptation: HeadroomAdaptation? = nil,
    exif: [UInt8]? = nil, xmp: [UInt8]? = nil
  ) {
    self.image = image
    self.cicp = cicp
    self.chromaLocation = chromaLocation
    self.hdr = hdr
    self.orientation = orientation
    self.signalsCICP = signalsCICP
    self.icc = icc
    self.adaptation = adaptation
    self.exif = exif
    self.xmp = xmp
  }
}

extension CICP {
  /// Whether the color is that of sRGB; `nil` if code points do not say.
  package var isSRGB: Bool? {
    guard primaries != .unspecified, transfer != .unspecified else { return nil }
    return primaries == .bt709 && transfer == .srgb
  }
}

/// How hard to try, and how exactly.
public struct EncoderOptions: Hashable, Sendable {
  /// 0...100; at 100, HEIF and AVIF code samples without loss.
  public var quality: Int
  /// Whether decoding must give the same codes; `quality` is not used then.
  public var isLossless: Bool
  /// 0...10; 10 is fastest.
  public var speed: Int
  /// Threads for the codec.
  public var threads: Int

  public init(quality: Int = 90, isLossless: Bool = false, speed: Int = 6, threads: Int) {
    self.quality = quality
    self.isLossless = isLossless
    self.speed = speed
    self.threads = threads
  }

  /// The best quality, for which HEVC and AV1 have no lossy coding left.
  static let bestQuality = 100
}
