/// The number that tells what an entry is about.
public struct TIFFTag: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// Tags of TIFF and Exif.
///
/// Source: TIFF 6.0; TIFF Technical Note 3 for predictors and sample formats; Exif 3.0 (CIPA DC-008);
/// LogLuv by Greg Ward for the luminance of samples; DNG specification 1.7.1.0 for its version.
extension TIFFTag {
  public static let newSubfileType = TIFFTag(rawValue: 254)
  public static let imageWidth = TIFFTag(rawValue: 256)
  public static let imageLength = TIFFTag(rawValue: 257)
  public static let bitsPerSample = TIFFTag(rawValue: 258)
  public static let compression = TIFFTag(rawValue: 259)
  public static let photometric = TIFFTag(rawValue: 262)
  public static let make = TIFFTag(rawValue: 271)
  public static let model = TIFFTag(rawValue: 272)
  public static let stripOffsets = TIFFTag(rawValue: 273)
  public static let orientation = TIFFTag(rawValue: 274)
  public static let samplesPerPixel = TIFFTag(rawValue: 277)
  public static let rowsPerStrip = TIFFTag(rawValue: 278)
  public static let stripByteCounts = TIFFTag(rawValue: 279)
  public static let xResolution = TIFFTag(rawValue: 282)
  public static let yResolution = TIFFTag(rawValue: 283)
  public static let planarConfiguration = TIFFTag(rawValue: 284)
  public static let resolutionUnit = TIFFTag(rawValue: 296)
  public static let software = TIFFTag(rawValue: 305)
  public static let dateTime = TIFFTag(rawValue: 306)
  public static let artist = TIFFTag(rawValue: 315)
  public static let predictor = TIFFTag(rawValue: 317)
  public static let whitePoint = TIFFTag(rawValue: 318)
  public static let primaryChromaticities = TIFFTag(rawValue: 319)
  public static let colorMap = TIFFTag(rawValue: 320)
  public static let tileWidth = TIFFTag(rawValue: 322)
  public static let tileLength = TIFFTag(rawValue: 323)
  public static let tileOffsets = TIFFTag(rawValue: 324)
  public static let tileByteCounts = TIFFTag(rawValue: 325)
  public static let subdirectories = TIFFTag(rawValue: 330)
  public static let extraSamples = TIFFTag(rawValue: 338)
  public static let sampleFormat = TIFFTag(rawValue: 339)
  public static let jpegOffset = TIFFTag(rawValue: 513)
  public static let jpegByteCount = TIFFTag(rawValue: 514)
  /// YCbCrPositioning.
  public static let chromaPositioning = TIFFTag(rawValue: 531)
  public static let xmp = TIFFTag(rawValue: 700)
  public static let copyright = TIFFTag(rawValue: 33432)
  public static let exposureTime = TIFFTag(rawValue: 33434)
  public static let fNumber = TIFFTag(rawValue: 33437)
  public static let exifDirectory = TIFFTag(rawValue: 34665)
  public static let iccProfile = TIFFTag(rawValue: 34675)
  public static let gpsDirectory = TIFFTag(rawValue: 34853)
  public static let isoSpeed = TIFFTag(rawValue: 34855)
  public static let exifVersion = TIFFTag(rawValue: 36864)
  public static let dateTimeOriginal = TIFFTag(rawValue: 36867)
  public static let componentsConfiguration = TIFFTag(rawValue: 37121)
  public static let focalLength = TIFFTag(rawValue: 37386)
  public static let sampleToNits = TIFFTag(rawValue: 37439)
  public static let makerNote = TIFFTag(rawValue: 37500)
  public static let flashpixVersion = TIFFTag(rawValue: 40960)
  public static let colorSpace = TIFFTag(rawValue: 40961)
  public static let pixelXDimension = TIFFTag(rawValue: 40962)
  public static let pixelYDimension = TIFFTag(rawValue: 40963)
  public static let interoperabilityDirectory = TIFFTag(rawValue: 40965)
  public static let lensModel = TIFFTag(rawValue: 42036)
  public static let dngVersion = TIFFTag(rawValue: 50706)
}
