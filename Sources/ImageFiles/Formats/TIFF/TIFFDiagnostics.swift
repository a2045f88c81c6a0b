// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// Codes of the TIFF and Exif diagnostics, with their English text.

extension ErrorCode {
  static let exifHeaderMissing = ErrorCode(
    "exif/header-missing", .malformed,
    "no TIFF header in {size byte}")
  static let exifLocationShared = ErrorCode(
    "exif/location-shared", .malformed,
    "the location shares bytes with other metadata")
  static let exifLocationUnreadable = ErrorCode(
    "exif/location-unreadable", .malformed,
    "the location is not readable")
  static let exifTooLarge = ErrorCode(
    "exif/too-large", .limitExceeded,
    "Exif is too large to extend")
  static let tiffChunkTruncated = ErrorCode(
    "tiff/chunk-truncated", .truncated,
    "{size byte}; its samples require {needed}")
  static let tiffColorMapSize = ErrorCode(
    "tiff/color-map-size", .malformed,
    "a color map of {count value} for {bits bit}")
  static let tiffColorUnsupported = ErrorCode(
    "tiff/color-unsupported", .unsupported,
    "{color} (photometric interpretation {number}) with compression {compression} is not "
      + "supported")
  static let tiffCyclic = ErrorCode("tiff/cyclic", .malformed, "cyclic chain of directories")
  static let tiffDirectoryCountMissing = ErrorCode(
    "tiff/directory-count-missing", .truncated,
    "directory without an entry count")
  static let tiffDirectoryOutOfRange = ErrorCode(
    "tiff/directory-out-of-range", .truncated,
    "directory at {offset} of a file of {size byte}")
  static let tiffDirectoryTruncated = ErrorCode(
    "tiff/directory-truncated", .truncated,
    "truncated: directory of {count entry} in {available byte}")
  static let tiffMetadataLimitExceeded = ErrorCode(
    "tiff/metadata-limit-exceeded", .limitExceeded,
    "metadata of more than {limit byte}")
  static let tiffNoImage = ErrorCode("tiff/no-image", .malformed, "no directory describes an image")
  static let tiffNotNumbers = ErrorCode("tiff/not-numbers", .malformed, "values are not numbers")
  static let tiffNotUnsignedIntegers = ErrorCode(
    "tiff/not-unsigned-integers", .malformed,
    "values are not unsigned integers")
  static let tiffSampleTypeUnsupported = ErrorCode(
    "tiff/sample-type-unsupported", .unsupported,
    "{type} samples of {bits bit} are not supported")
  static let tiffSamplesPerPixel = ErrorCode(
    "tiff/samples-per-pixel", .malformed,
    "{count sample} per pixel where {needed} are needed")
  static let tiffSamplesTruncated = ErrorCode(
    "tiff/samples-truncated", .truncated,
    "samples end at {end}, the file at {size}")
  static let tiffTypeUnknown = ErrorCode("tiff/type-unknown", .unsupported, "unknown type of value")
  static let tiffVersionInvalid = ErrorCode(
    "tiff/version-invalid", .malformed,
    "TIFF version {version}, not 42 or 43")
}

extension NoticeCode {
  static let exifCompressed = NoticeCode(
    "exif/compressed", .irregular,
    "compressed Exif is not read")
  package static let exifThumbnailDropped = NoticeCode(
    "exif/thumbnail-dropped", .dropped,
    "not copied: thumbnail in Exif (it would not match the image)")
  package static let exifThumbnailOverlaps = NoticeCode(
    "exif/thumbnail-overlaps", .irregular,
    "the thumbnail in Exif overlaps other entries; its bytes stay")
  static let tiffAlphaAssumed = NoticeCode(
    "tiff/alpha-assumed", .assumed,
    "assumed: the fourth sample is premultiplied alpha")
  package static let tiffByteCountIgnored = NoticeCode(
    "tiff/byte-count-ignored", .conflict,
    "ignored: byte count of {size}; the image is complete")
  static let tiffDirectoryUnreadable = NoticeCode(
    "tiff/directory-unreadable", .irregular,
    "directory ignored: {cause}")
  static let tiffExtraSamplesDropped = NoticeCode(
    "tiff/extra-samples-dropped", .dropped,
    "dropped: {count extra sample} per pixel")
  static let tiffPagesDropped = NoticeCode(
    "tiff/pages-dropped", .dropped,
    "dropped: {count further page}")
  static let tiffSamplesMissing = NoticeCode(
    "tiff/samples-missing", .dropped,
    "samples are not in the file")
  static let tiffTileUnpadded = NoticeCode(
    "tiff/tile-unpadded", .conflict,
    "not padded to {size pixel}; the image is complete")
}
