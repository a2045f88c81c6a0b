internal import HDRCore
internal import ImageContainers

/// Tags that describe samples.
///
/// Source: TIFF 6.0; TIFF Technical Note 3 for sample formats; LogLuv by Greg Ward.
extension TIFFTag {
  static let imageWidth = TIFFTag(rawValue: 256)
  static let imageLength = TIFFTag(rawValue: 257)
  static let bitsPerSample = TIFFTag(rawValue: 258)
  static let compression = TIFFTag(rawValue: 259)
  static let photometric = TIFFTag(rawValue: 262)
  static let stripOffsets = TIFFTag(rawValue: 273)
  static let samplesPerPixel = TIFFTag(rawValue: 277)
  static let rowsPerStrip = TIFFTag(rawValue: 278)
  static let stripByteCounts = TIFFTag(rawValue: 279)
  static let xResolution = TIFFTag(rawValue: 282)
  static let yResolution = TIFFTag(rawValue: 283)
  static let planarConfiguration = TIFFTag(rawValue: 284)
  static let resolutionUnit = TIFFTag(rawValue: 296)
  static let predictor = TIFFTag(rawValue: 317)
  static let whitePoint = TIFFTag(rawValue: 318)
  static let primaryChromaticities = TIFFTag(rawValue: 319)
  static let colorMap = TIFFTag(rawValue: 320)
  static let extraSamples = TIFFTag(rawValue: 338)
  static let sampleFormat = TIFFTag(rawValue: 339)
  static let interoperabilityDirectory = TIFFTag(rawValue: 40965)
  static let sampleToNits = TIFFTag(rawValue: 37439)
  static let dngVersion = TIFFTag(rawValue: 50706)
}

extension TIFFFile {
  /// The integers of an entry; empty if the directory lacks it.
  func integers(_ tag: TIFFTag, in directory: TIFFDirectory) throws(ImageError) -> [Int] {
    guard let entry = directory[tag] else { return [] }
    return try unsigned(entry).map { Int(clamping: $0) }
  }
}
