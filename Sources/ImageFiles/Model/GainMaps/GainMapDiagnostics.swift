// SPDX-License-Identifier: Apache-2.0
public import HDRCore

// The diagnostics of gain maps: codes, categories and English messages.

extension ErrorCode {
  static let gainMapContainerUnsupported = ErrorCode(
    "gain-map/container-unsupported", .invalidArgument,
    "only HEIF, AVIF, JPEG, JPEG XL and PNG can store gain maps")
  static let gainMapFormatUnsupported = ErrorCode(
    "gain-map/format-unsupported", .invalidArgument,
    "{format} files with gain maps are not supported")
  static let gainMapMetadataMissing = ErrorCode(
    "gain-map/metadata-missing", .unsuitable, "the file does not contain gain map metadata")
  /// The file does not contain a gain map.
  public static let noGainMap = ErrorCode(
    "gain-map/none", .unsuitable, "the file does not contain a gain map")
  static let gainMapNoneReadable = ErrorCode(
    "gain-map/none-readable", .unsuitable, "the file does not contain a readable gain map: {cause}")
  static let gainMapNotAnImage = ErrorCode(
    "gain-map/not-an-image", .unsupported, "the gain map is not an image on its own")
  static let gainMapNotApplicable = ErrorCode(
    "gain-map/not-applicable", .unsuitable, "no gain map can be applied: {cause}")
  static let gainMapOfAnotherImage = ErrorCode(
    "gain-map/of-another-image", .unsuitable, "it belongs to another image than the primary one")
  static let gainMapTwoAuxiliaryTypes = ErrorCode(
    "gain-map/two-auxiliary-types", .invalidArgument,
    "in HEIF, a gain map is an auxiliary image of either Adobe or Apple")
}

extension NoticeCode {
  static let gainMapAlternateColorDropped = NoticeCode(
    "gain-map/alternate-color-dropped", .dropped,
    "dropped: color of the alternate image (only ISO 21496-1 stores it)")
  static let gainMapAlternatePrimariesUnknown = NoticeCode(
    "gain-map/alternate-primaries-unknown", .nonconforming,
    "the gain is in the primaries of the alternate image, which are not specified")
  static let gainMapAnnouncedMissing = NoticeCode(
    "gain-map/announced-missing", .irregular, "{announcement} signals a gain map, which is missing")
  static let gainMapAnnouncementDropped = NoticeCode(
    "gain-map/announcement-dropped", .irregular, "dropped: metadata that signal a missing gain map")
  static let gainMapBrandMissing = NoticeCode(
    "gain-map/brand-missing", .irregular, "tone map without the brand 'tmap'; gain map used")
  static let gainMapBrokenToneMapDropped = NoticeCode(
    "gain-map/broken-tone-map-dropped", .irregular, "dropped: broken tone map")
  static let gainMapChunksArranged = NoticeCode(
    "gain-map/chunks-arranged", .irregular,
    "corrected: chunks of the gain map (one 'gdAT' in front of IDAT, which contains the metadata)")
  static let gainMapDescriptionUnreadable = NoticeCode(
    "gain-map/description-unreadable", .irregular,
    "not readable: {flavor} metadata of the gain map: {cause}")
  static let gainMapDescriptionsDiffer = NoticeCode(
    "gain-map/descriptions-differ", .conflict,
    "gain map metadata differ between {first} and {second}: {differences difference}; using "
      + "{first}")
  static let gainMapDirectoryLengthDiffers = NoticeCode(
    "gain-map/directory-length-differs", .irregular,
    "the container directory specifies {declared byte} for the gain map; it has {size}")
  static let gainMapGroupMissing = NoticeCode(
    "gain-map/group-missing", .irregular,
    "no group of alternatives contains the tone map and the baseline image; gain map used")
  static let gainMapHeadroomMoved = NoticeCode(
    "gain-map/headroom-moved", .irregular,
    "kept: headroom {headroom} of the Apple gain map (moved from the maker note to XMP)")
  static let gainMapMakerNoteNotUpdated = NoticeCode(
    "gain-map/maker-note-not-updated", .dropped,
    "not updated: headroom in the Apple maker note: {cause}")
  static let gainMapMetadataMisplaced = NoticeCode(
    "gain-map/metadata-misplaced", .irregular,
    "the metadata of the gain map are not in its own PNG file, the only place where Android reads "
      + "them")
  static let gainMapStaleMakerNote = NoticeCode(
    "gain-map/stale-maker-note", .irregular,
    "kept: Apple tags 33 and 48 in the maker note (not used without an Apple gain map)")
  static let gainMapUnreadable = NoticeCode(
    "gain-map/unreadable", .irregular, "not readable: gain map: {cause}")
  static let gainMapUnreadableBytesDropped = NoticeCode(
    "gain-map/unreadable-bytes-dropped", .dropped,
    "dropped: gain map that cannot be read ({size byte}); this is the baseline image")
  static let gainMapUnreferencedImageDropped = NoticeCode(
    "gain-map/unreferenced-image-dropped", .irregular, "dropped: hidden image without references")
  static let gainMapWithoutBase = NoticeCode(
    "gain-map/without-base", .irregular, "the image is a gain map without its baseline image")
  static let gainMapXMPPerComponent = NoticeCode(
    "gain-map/xmp-per-component", .nonconforming,
    "XMP with values per component (rdf:Seq), which libultrahdr does not read; it reads ISO "
      + "21496-1")
}

// Codes of the diagnostics of gain map metadata, with their English text.

extension ErrorCode {
  package static let gainMapDescriptionMissing = ErrorCode(
    "gain-map/description-missing", .invalidArgument, "no gain map metadata can be read")
  static let gainMapFitTooFar = ErrorCode(
    "gain-map/fit-too-far", .invalidArgument,
    "approximated {what} would differ by {error stop} from the gain map")
  /// The metadata of a flavor cannot express the gain map.
  public static let gainMapFlavorNotPossible = ErrorCode(
    "gain-map/flavor-not-possible", .invalidArgument,
    "{flavor} cannot describe this gain map: {cause}")
  static let gainMapFlavorsMissing = ErrorCode(
    "gain-map/flavors-missing", .invalidArgument, "no flavor of gain map metadata is given")
  static let gainMapTrailingBytes = ErrorCode(
    "gain-map/trailing-bytes", .malformed, "{size byte} after the fields of version 0")
  static let jsonInvalid = ErrorCode("json/invalid", .malformed, "invalid JSON: {detail}")
  static let jsonValueInvalid = ErrorCode(
    "json/value-invalid", .malformed, "'{value}' is not {expected}")
}

extension NoticeCode {
  static let gainMapApproximated = NoticeCode(
    "gain-map/approximated", .assumed, "approximated: {what} (maximum error {error stop})")
  static let gainMapBaseRenditionSpelling = NoticeCode(
    "gain-map/base-rendition-spelling", .irregular,
    "BaseRenditionIsHDR is \"{value}\", not True or False")
  static let gainMapCommonDenominator = NoticeCode(
    "gain-map/common-denominator", .irregular, "common denominator (not in ISO 21496-1)")
  static let gainMapItemVersionMissing = NoticeCode(
    "gain-map/item-version-missing", .irregular, "the version byte of the item is missing")
  static let gainMapItemVersionUnexpected = NoticeCode(
    "gain-map/item-version-unexpected", .irregular, "version byte, which is only allowed in items")
  static let gainMapReservedBits = NoticeCode(
    "gain-map/reserved-bits", .irregular, "reserved bits are set: flags {flags}")
  package static let gainMapTrailingBytesIgnored = NoticeCode(
    "gain-map/trailing-bytes-ignored", .irregular,
    "ignored: {size byte} after the gain map metadata")
  static let gainMapWriterVersion = NoticeCode(
    "gain-map/writer-version", .irregular,
    "gain map metadata of version {version}, read as version 0, which they allow")
  static let gainMapXMPVersionMissing = NoticeCode(
    "gain-map/xmp-version-missing", .irregular, "hdrgm:Version is missing")
}
