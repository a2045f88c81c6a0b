// SPDX-License-Identifier: Apache-2.0
public import HDRCore

// Codes of the diagnostics of the file model, with their English text.

extension ErrorCode {
  /// Metadata of files of this format cannot be changed without re-encoding.
  public static let formatNotEditable = ErrorCode(
    "container/not-editable", .unsuitable,
    "{format} files cannot be changed without re-encoding")
  static let containerUnsupported = ErrorCode(
    "container-unsupported", .unsupported,
    "not a HEIF, AVIF, PNG, JPEG or JPEG XL file")
  static let editLightInvalid = ErrorCode(
    "edit/light-invalid", .invalidArgument, "{field} takes {values}")
  /// This build does not include the codec of the format.
  public static let formatCodecMissing = ErrorCode(
    "format/codec-missing", .missingCodec,
    "this build does not include the {codec} codec")
  static let formatHasNoItems = ErrorCode(
    "format/has-no-items", .invalidArgument,
    "images of {format} files do not have item numbers")
  static let gainMapMapFormatUnsupported = ErrorCode(
    "gain-map/map-format-unsupported", .invalidArgument,
    "gain maps in {format} files are not supported")
  static let gainMapMapHasAlpha = ErrorCode(
    "gain-map/map-has-alpha", .invalidArgument,
    "the gain map image has an alpha channel")
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
    "metadata/not-storable", .invalidArgument,
    "{container} cannot store {items item}")
  /// The bytes are of none of the formats that are read.
  public static let unrecognizedFormat = ErrorCode(
    "unrecognized-format", .malformed,
    "unrecognized image format")
}

extension NoticeCode {
  package static let gainMapNotDecodable = NoticeCode(
    "gain-map/not-decodable", .dropped,
    "dropped: gain map, which cannot be decoded: {cause}; this is the baseline image")
  static let inspectNotDecodable = NoticeCode(
    "inspect/not-decodable", .irregular,
    "cannot be decoded: {cause}")
  package static let libraryWarned = NoticeCode(
    "library-warned", .conflict,
    "{library} warns: {detail}")
  static let locationPartsDropped = NoticeCode(
    "location/parts-dropped", .dropped,
    "dropped: {items item} (a location in it, or not readable)")
  static let locationPartsNotRead = NoticeCode(
    "location/parts-not-read", .irregular,
    "not read: {items item} (kept; a location in it would remain)")
  static let metadataNotCopiedWithXMP = NoticeCode(
    "metadata/not-copied-with-xmp", .dropped,
    "not copied: {items item} (XMP of the input is not copied)")
  package static let metadataNotPortable = NoticeCode(
    "metadata/not-portable", .dropped,
    "not copied: {items item} ({format} cannot store it)")
  package static let metadataOfOldCoding = NoticeCode(
    "metadata/of-old-coding", .dropped,
    "not copied: {items item} (would not match the re-encoded image)")
  package static let metadataUnreadable = NoticeCode(
    "metadata/unreadable", .dropped,
    "unreadable metadata: {name}: {cause}")
  static let orientationRotatedByExif = NoticeCode(
    "orientation/rotated-by-exif", .irregular,
    "rotated with the orientation in Exif: {cause}")
  static let orientationVideoNotRotated = NoticeCode(
    "orientation/video-not-rotated", .irregular,
    "not rotated: video of the motion photo (it has its own orientation)")
  static let privacyVideoKept = NoticeCode(
    "privacy/video-kept", .irregular,
    "kept: video of the motion photo, without its metadata")
}
