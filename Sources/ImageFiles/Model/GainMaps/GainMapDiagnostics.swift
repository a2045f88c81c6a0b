// SPDX-License-Identifier: Apache-2.0
public import HDRCore

// The diagnostics of gain maps: codes, categories and English messages.

extension ErrorCode {
  static let gainMapBasePreferred = ErrorCode(
    "gain-map/base-preferred", .unsuitable,
    "the file prefers the baseline image (group of alternatives {group item})")
  static let gainMapCodecsDiffer = ErrorCode(
    "gain-map/codecs-differ", .invalidArgument,
    "the gain map is {map}, the baseline image {base}; one file uses one codec for both")
  static let gainMapCodedDataChanged = ErrorCode(
    "gain-map/coded-data-changed", .unsupported,
    "{name} would change; nothing was written")
  static let gainMapCodestreamUnreadable = ErrorCode(
    "gain-map/codestream-unreadable", .unsuitable,
    "its codestream is not readable")
  static let gainMapContainerUnsupported = ErrorCode(
    "gain-map/container-unsupported", .invalidArgument,
    "only HEIF, AVIF, JPEG, JPEG XL and PNG can store gain maps")
  static let gainMapDescriptionError = ErrorCode(
    "gain-map/description-error", .malformed,
    "{flavor} metadata of the gain map are not readable: {cause}")
  static let gainMapFormatUnsupported = ErrorCode(
    "gain-map/format-unsupported", .invalidArgument,
    "{format} files with gain maps are not supported")
  static let gainMapMetadataMissing = ErrorCode(
    "gain-map/metadata-missing", .unsuitable,
    "the file does not contain gain map metadata")
  /// The file does not contain a gain map.
  public static let noGainMap = ErrorCode(
    "gain-map/none", .unsuitable,
    "the file does not contain a gain map")
  static let gainMapNoneReadable = ErrorCode(
    "gain-map/none-readable", .unsuitable,
    "the file does not contain a readable gain map: {cause}")
  static let pngGainMapFlavors = ErrorCode(
    "png/gain-map-flavors", .invalidArgument,
    "PNG stores gain map metadata of ISO 21496-1 only")
  static let pngGainMapNotPNG = ErrorCode(
    "png/gain-map-not-png", .malformed,
    "'gdAT' is not a PNG file")
  static let pngGainMapTooLarge = ErrorCode(
    "png/gain-map-too-large", .limitExceeded,
    "the gain map has {size byte}, more than a chunk of PNG can store")
  static let gainMapNotAnImage = ErrorCode(
    "gain-map/not-an-image", .unsupported,
    "the gain map is not an image on its own")
  static let gainMapNotApplicable = ErrorCode(
    "gain-map/not-applicable", .unsuitable,
    "no gain map can be applied: {cause}")
  static let gainMapNotOfItem = ErrorCode(
    "gain-map/not-of-item", .malformed,
    "item {map} is not a gain map of item {base}")
  static let gainMapOfAnotherImage = ErrorCode(
    "gain-map/of-another-image", .unsuitable,
    "it belongs to another image than the primary one")
  static let gainMapToneMapInputs = ErrorCode(
    "gain-map/tone-map-inputs", .malformed,
    "the inputs of the tone map are items {inputs}, not a baseline image and a gain map")
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
    "gain-map/announced-missing", .irregular,
    "{announcement} signals a gain map, which is missing")
  static let gainMapAnnouncementDropped = NoticeCode(
    "gain-map/announcement-dropped", .irregular,
    "dropped: metadata that signal a missing gain map")
  static let gainMapBrandMissing = NoticeCode(
    "gain-map/brand-missing", .irregular,
    "tone map without the brand 'tmap'; gain map used")
  static let gainMapBrokenToneMapDropped = NoticeCode(
    "gain-map/broken-tone-map-dropped", .irregular,
    "dropped: broken tone map")
  static let gainMapChunksArranged = NoticeCode(
    "gain-map/chunks-arranged", .irregular,
    "corrected: chunks of the gain map (one 'gdAT' in front of IDAT, which contains the metadata)")
  static let gainMapCompressed = NoticeCode(
    "gain-map/compressed", .irregular,
    "gain map in a compressed box (brob), which this build does not decompress")
  static let gainMapDescriptionDropped = NoticeCode(
    "gain-map/description-dropped", .dropped,
    "dropped: {flavor} metadata of the gain map, which cannot be read: {cause}; others describe it")
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
  static let gainMapISONotAnnounced = NoticeCode(
    "gain-map/iso-not-announced", .irregular,
    "the first image does not signal the ISO 21496-1 gain map, which some readers require")
  static let gainMapHeadroomMoved = NoticeCode(
    "gain-map/headroom-moved", .irregular,
    "kept: headroom {headroom} of the Apple gain map (moved from the maker note to XMP)")
  static let gainMapMakerNoteHeadroomLimited = NoticeCode(
    "gain-map/maker-note-headroom-limited", .dropped,
    "the maker note specifies a headroom of {makerNote stop}, its maximum; XMP specifies {xmp}")
  static let gainMapMakerNoteNotUpdated = NoticeCode(
    "gain-map/maker-note-not-updated", .dropped,
    "not updated: headroom in the Apple maker note: {cause}")
  static let gainMapMetadataMisplaced = NoticeCode(
    "gain-map/metadata-misplaced", .irregular,
    "the metadata of the gain map are not in its own PNG file, the only place where Android reads "
      + "them")
  static let gainMapNotApplied = NoticeCode(
    "gain-map/not-applied", .irregular,
    "gain map not applied: {cause}")
  static let gainMapPrimariesAssumed = NoticeCode(
    "gain-map/primaries-assumed", .assumed,
    "assumed: primaries of the baseline image for the gain, which is in those of the alternate "
      + "image (not specified)")
  static let gainMapPropertyDropped = NoticeCode(
    "gain-map/property-dropped", .dropped,
    "dropped: '{type}' of the gain map (its data are missing)")
  static let gainMapRecoveryMap = NoticeCode(
    "gain-map/recovery-map", .irregular,
    "recovery map of a format before Ultra HDR (JPEG/R), not supported")
  static let gainMapSeveral = NoticeCode(
    "gain-map/several", .irregular,
    "{count gain map} for one image; the first is used")
  static let gainMapStaleMakerNote = NoticeCode(
    "gain-map/stale-maker-note", .irregular,
    "kept: Apple tags 33 and 48 in the maker note (not used without an Apple gain map)")
  static let gainMapToneMapIgnored = NoticeCode(
    "gain-map/tone-map-ignored", .irregular,
    "ignored: tone map: {cause}")
  static let gainMapTooMany = NoticeCode(
    "gain-map/too-many", .irregular,
    "{count gain map}; the first {limit} are used")
  static let gainMapUndescribedDropped = NoticeCode(
    "gain-map/undescribed-dropped", .dropped,
    "dropped: gain map, which cannot be applied: {cause}; this is the baseline image")
  static let gainMapUnreadable = NoticeCode(
    "gain-map/unreadable", .irregular,
    "not readable: gain map: {cause}")
  static let gainMapUnreadableBytesDropped = NoticeCode(
    "gain-map/unreadable-bytes-dropped", .dropped,
    "dropped: gain map that cannot be read ({size byte}); this is the baseline image")
  static let gainMapUnreferencedImageDropped = NoticeCode(
    "gain-map/unreferenced-image-dropped", .irregular,
    "dropped: hidden image without references")
  static let gainMapWithoutBase = NoticeCode(
    "gain-map/without-base", .irregular,
    "the image is a gain map without its baseline image")
  static let gainMapXMPNotAnnounced = NoticeCode(
    "gain-map/xmp-not-announced", .irregular,
    "the first image does not contain hdrgm:Version, which some readers require")
  static let gainMapXMPPerComponent = NoticeCode(
    "gain-map/xmp-per-component", .nonconforming,
    "XMP with values per component (rdf:Seq), which libultrahdr does not read; it reads ISO "
      + "21496-1")
  static let gainMapXMPUnreadable = NoticeCode(
    "gain-map/xmp-unreadable", .irregular,
    "not readable: XMP of the gain map: {cause}")
}
