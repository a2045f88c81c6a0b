// SPDX-License-Identifier: Apache-2.0
/// The tag number of an entry, such as 271 for Make.
package struct TIFFTag: RawRepresentable, Hashable, Sendable {
  /// The number in the file.
  package var rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// Tags of TIFF and Exif.
///
/// Source: TIFF 6.0; TIFF Technical Note 3 for predictors and sample formats; Exif 3.0 (CIPA
/// DC-008); LogLuv by Greg Ward for the luminance of samples; DNG specification 1.7.1.0 for its
/// version.
extension TIFFTag {
  package static let newSubfileType = TIFFTag(rawValue: 254)
  package static let subfileType = TIFFTag(rawValue: 255)
  package static let imageWidth = TIFFTag(rawValue: 256)
  package static let imageLength = TIFFTag(rawValue: 257)
  package static let bitsPerSample = TIFFTag(rawValue: 258)
  package static let compression = TIFFTag(rawValue: 259)
  package static let photometric = TIFFTag(rawValue: 262)
  package static let make = TIFFTag(rawValue: 271)
  package static let model = TIFFTag(rawValue: 272)
  package static let stripOffsets = TIFFTag(rawValue: 273)
  package static let orientation = TIFFTag(rawValue: 274)
  package static let samplesPerPixel = TIFFTag(rawValue: 277)
  package static let rowsPerStrip = TIFFTag(rawValue: 278)
  package static let stripByteCounts = TIFFTag(rawValue: 279)
  package static let xResolution = TIFFTag(rawValue: 282)
  package static let yResolution = TIFFTag(rawValue: 283)
  package static let planarConfiguration = TIFFTag(rawValue: 284)
  package static let resolutionUnit = TIFFTag(rawValue: 296)
  package static let software = TIFFTag(rawValue: 305)
  package static let dateTime = TIFFTag(rawValue: 306)
  package static let predictor = TIFFTag(rawValue: 317)
  package static let whitePoint = TIFFTag(rawValue: 318)
  package static let primaryChromaticities = TIFFTag(rawValue: 319)
  package static let colorMap = TIFFTag(rawValue: 320)
  package static let tileWidth = TIFFTag(rawValue: 322)
  package static let tileLength = TIFFTag(rawValue: 323)
  package static let tileOffsets = TIFFTag(rawValue: 324)
  package static let tileByteCounts = TIFFTag(rawValue: 325)
  package static let subdirectories = TIFFTag(rawValue: 330)
  package static let extraSamples = TIFFTag(rawValue: 338)
  package static let sampleFormat = TIFFTag(rawValue: 339)
  package static let jpegOffset = TIFFTag(rawValue: 513)
  package static let jpegByteCount = TIFFTag(rawValue: 514)
  /// YCbCrPositioning.
  package static let chromaPositioning = TIFFTag(rawValue: 531)
  package static let xmp = TIFFTag(rawValue: 700)
  package static let copyright = TIFFTag(rawValue: 33432)
  package static let exposureTime = TIFFTag(rawValue: 33434)
  package static let fNumber = TIFFTag(rawValue: 33437)
  package static let iptc = TIFFTag(rawValue: 33723)
  package static let photoshop = TIFFTag(rawValue: 34377)
  package static let exifDirectory = TIFFTag(rawValue: 34665)
  package static let iccProfile = TIFFTag(rawValue: 34675)
  package static let gpsDirectory = TIFFTag(rawValue: 34853)
  package static let isoSpeed = TIFFTag(rawValue: 34855)
  package static let exifVersion = TIFFTag(rawValue: 36864)
  package static let dateTimeOriginal = TIFFTag(rawValue: 36867)
  package static let componentsConfiguration = TIFFTag(rawValue: 37121)
  package static let focalLength = TIFFTag(rawValue: 37386)
  package static let sampleToNits = TIFFTag(rawValue: 37439)
  package static let makerNote = TIFFTag(rawValue: 37500)
  package static let flashpixVersion = TIFFTag(rawValue: 40960)
  package static let colorSpace = TIFFTag(rawValue: 40961)
  package static let pixelXDimension = TIFFTag(rawValue: 40962)
  package static let pixelYDimension = TIFFTag(rawValue: 40963)
  package static let interoperabilityDirectory = TIFFTag(rawValue: 40965)
  package static let lensModel = TIFFTag(rawValue: 42036)
  package static let dngVersion = TIFFTag(rawValue: 50706)
}
