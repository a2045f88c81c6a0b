// SPDX-License-Identifier: Apache-2.0
public import HDRCore

// The diagnostics of this module that have a code, with their English text.

extension ErrorCode {
  static let bitsTruncated = ErrorCode(
    "bits-truncated", .truncated, "truncated: needs {needed bit}, {available bit} available")
  package static let bitstreamNoImage = ErrorCode(
    "bitstream/no-image", .truncated, "no complete {codec} image")
  static let inputIsFolder = ErrorCode("input-is-folder", .inputOutput, "the input is a folder")
  static let inputIsNotAFile = ErrorCode(
    "input-is-not-a-file", .inputOutput, "the input is a pipe or a device, not a file")
  /// The file does not exist.
  public static let inputNotFound = ErrorCode(
    "input-not-found", .missingInput, "cannot open: {detail}")
  package static let readFailed = ErrorCode("read-failed", .inputOutput, "cannot read: {detail}")
  package static let rawLibRawDamaged = ErrorCode(
    "raw/libraw-damaged", .malformed, "{library}: {detail}")
  package static let rawLibRawLimitExceeded = ErrorCode(
    "raw/libraw-limit-exceeded", .limitExceeded, "{library}: {detail}")
  package static let rawLibRawTruncated = ErrorCode(
    "raw/libraw-truncated", .truncated, "the file ends before its raw samples ({library})")
  package static let rawLibRawUnsupported = ErrorCode(
    "raw/libraw-unsupported", .unsupported,
    "{library}, installed here, does not know this camera or file ({detail}); later versions "
      + "know more"
  )
  package static let rawSamplesMissing = ErrorCode(
    "raw/samples-missing", .truncated, "the file does not contain raw samples ({library})")
  static let exrChunkLimitExceeded = ErrorCode(
    "exr/chunk-limit-exceeded", .limitExceeded,
    "chunks of {size pixel} with {channels channel} take {memory byte}; the limit is {limit "
      + "byte}")
  package static let jpegCoefficientLimitExceeded = ErrorCode(
    "jpeg/coefficient-limit-exceeded", .limitExceeded,
    "coefficients of {size byte} exceed the limit")
  static let jpegHDRBaseUnsupported = ErrorCode(
    "jpeg/hdr-base-unsupported", .invalidArgument,
    "JPEG has 8 bits, which are not sufficient for an HDR baseline image")
  static let jpegXRDataTruncated = ErrorCode(
    "jpegxr/data-truncated", .truncated, "the codestream ends at {end}, the file at {size}")
  static let exifLocationShared = ErrorCode(
    "exif/location-shared", .malformed, "the location shares bytes with other metadata")
  static let exifLocationUnreadable = ErrorCode(
    "exif/location-unreadable", .malformed, "the location is not readable")
}

extension NoticeCode {
  static let exrAttributesNotCopied = NoticeCode(
    "exr/attributes-not-copied", .dropped,
    "not copied: OpenEXR attributes ({attributes attribute})")
  package static let jpegEndMissing = NoticeCode(
    "jpeg/end-missing", .conflict, "the file ends without EOI; the image is complete")
  static let jpegStrayBytes = NoticeCode(
    "jpeg/stray-bytes", .irregular, "bytes outside of segments")
  static let mpfEntryWithoutImage = NoticeCode(
    "mpf/entry-without-image", .irregular, "an MPF entry does not refer to an image")
  static let jpegXRMatrixIgnored = NoticeCode(
    "jpegxr/matrix-ignored", .conflict,
    "ignored: {matrix} in PTM_COLOR_INFO; {format} does not contain Y'CbCr")
  static let jpegXRRangeIgnored = NoticeCode(
    "jpegxr/range-ignored", .conflict,
    "ignored: limited range in PTM_COLOR_INFO; {format} is full range")
  static let jpegXRTransformationUnknown = NoticeCode(
    "jpegxr/transformation-unknown", .irregular,
    "ignored: SPATIAL_XFRM_PRIMARY {value}; the image is shown as stored")
  static let radianceValueIgnored = NoticeCode(
    "radiance/value-ignored", .irregular, "ignored: {field} of {value}")
  package static let exifThumbnailDropped = NoticeCode(
    "exif/thumbnail-dropped", .dropped,
    "not copied: thumbnail in Exif (it would not match the image)")
  package static let exifThumbnailOverlaps = NoticeCode(
    "exif/thumbnail-overlaps", .irregular,
    "the thumbnail in Exif overlaps other entries; its bytes stay")
  package static let tiffByteCountIgnored = NoticeCode(
    "tiff/byte-count-ignored", .conflict, "ignored: byte count of {size}; the image is complete")
  static let tiffDirectoryUnreadable = NoticeCode(
    "tiff/directory-unreadable", .irregular, "directory ignored: {cause}")
  static let iccCICPPadded = NoticeCode(
    "icc/cicp-padded", .irregular, "16-byte form of Little CMS 2.14")
  package static let iccEmpty = NoticeCode("icc/empty", .irregular, "ignored: empty ICC profile")
  static let iccSizeDiffers = NoticeCode(
    "icc/size-differs", .irregular, "profile of {size byte}; its header specifies {declared}")
  static let iccTagDuplicate = NoticeCode("icc/tag-duplicate", .irregular, "duplicate tag ignored")
  static let iccTagOutOfRange = NoticeCode(
    "icc/tag-out-of-range", .irregular, "tag ignored: {length byte} at {offset} of {size}")
  static let iccTagsOverlap = NoticeCode("icc/tags-overlap", .irregular, "overlaps '{other}'")
}

// Codes of the diagnostics of the file model, with their English text.

extension ErrorCode {
  /// Metadata of files of this format cannot be changed without re-encoding.
  public static let formatNotEditable = ErrorCode(
    "container/not-editable", .unsuitable, "{format} files cannot be changed without re-encoding")
  static let containerUnsupported = ErrorCode(
    "container-unsupported", .unsupported, "not a HEIF, AVIF, PNG, JPEG or JPEG XL file")
  static let editLightInvalid = ErrorCode(
    "edit/light-invalid", .invalidArgument, "{field} takes {values}")
  /// This build does not include the codec of the format.
  public static let formatCodecMissing = ErrorCode(
    "format/codec-missing", .missingCodec, "this build does not include the {codec} codec")
  static let formatHasNoItems = ErrorCode(
    "format/has-no-items", .invalidArgument, "images of {format} files do not have item numbers")
  static let gainMapMapFormatUnsupported = ErrorCode(
    "gain-map/map-format-unsupported", .invalidArgument,
    "gain maps in {format} files are not supported")
  static let gainMapMapHasAlpha = ErrorCode(
    "gain-map/map-has-alpha", .invalidArgument, "the gain map image has an alpha channel")
  /// The file does not have an image of this index.
  public static let imageIndexInvalid = ErrorCode(
    "image-index-invalid", .invalidArgument,
    "image {number} does not exist; the file contains {count image}, counted from 0")
  static let imageUnknown = ErrorCode(
    "image/unknown", .invalidArgument,
    "the file does not have an image '{image}'; it has {images image}")
  static let locationNotRemovable = ErrorCode(
    "location-not-removable", .malformed,
    "location not removable from unreadable metadata: {cause}")
  static let metadataNotStorable = ErrorCode(
    "metadata/not-storable", .invalidArgument, "{container} cannot store {items item}")
  /// The bytes are of none of the formats that are read.
  public static let unrecognizedFormat = ErrorCode(
    "unrecognized-format", .malformed, "unrecognized image format")
}

extension NoticeCode {
  package static let gainMapNotDecodable = NoticeCode(
    "gain-map/not-decodable", .dropped,
    "dropped: gain map, which cannot be decoded: {cause}; this is the baseline image")
  static let inspectNotDecodable = NoticeCode(
    "inspect/not-decodable", .irregular, "cannot be decoded: {cause}")
  package static let libraryWarned = NoticeCode(
    "library-warned", .conflict, "{library} warns: {detail}")
  static let locationPartsDropped = NoticeCode(
    "location/parts-dropped", .dropped, "dropped: {items item} (a location in it, or not readable)")
  static let locationPartsNotRead = NoticeCode(
    "location/parts-not-read", .irregular,
    "not read: {items item} (kept; a location in it would remain)")
  static let metadataNotCopiedWithXMP = NoticeCode(
    "metadata/not-copied-with-xmp", .dropped,
    "not copied: {items item} (XMP of the input is not copied)")
  package static let metadataNotPortable = NoticeCode(
    "metadata/not-portable", .dropped, "not copied: {items item} ({format} cannot store it)")
  package static let metadataOfOldCoding = NoticeCode(
    "metadata/of-old-coding", .dropped,
    "not copied: {items item} (would not match the re-encoded image)")
  package static let metadataUnreadable = NoticeCode(
    "metadata/unreadable", .dropped, "unreadable metadata: {name}: {cause}")
  static let orientationRotatedByExif = NoticeCode(
    "orientation/rotated-by-exif", .irregular, "rotated with the orientation in Exif: {cause}")
  static let orientationVideoNotRotated = NoticeCode(
    "orientation/video-not-rotated", .irregular,
    "not rotated: video of the motion photo (it has its own orientation)")
  static let privacyVideoKept = NoticeCode(
    "privacy/video-kept", .irregular, "kept: video of the motion photo, without its metadata")
}
