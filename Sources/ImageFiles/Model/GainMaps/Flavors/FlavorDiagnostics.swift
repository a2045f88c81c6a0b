// SPDX-License-Identifier: Apache-2.0
public import HDRCore

// Codes of the diagnostics of gain map metadata, with their English text.

extension ErrorCode {
  static let gainMapAppleHeadroomMissing = ErrorCode(
    "gain-map/apple-headroom-missing", .malformed,
    "no headroom in Apple XMP or in the maker note")
  static let gainMapCapacityOrder = ErrorCode(
    "gain-map/capacity-order", .malformed,
    "HDRCapacityMin {minimum} is above HDRCapacityMax {maximum}")
  package static let gainMapDescriptionMissing = ErrorCode(
    "gain-map/description-missing", .invalidArgument,
    "no gain map metadata can be read")
  static let gainMapFitTooFar = ErrorCode(
    "gain-map/fit-too-far", .invalidArgument,
    "approximated {what} would differ by {error stop} from the gain map")
  /// The metadata of a flavor cannot express the gain map.
  public static let gainMapFlavorNotPossible = ErrorCode(
    "gain-map/flavor-not-possible", .invalidArgument,
    "{flavor} cannot describe this gain map: {cause}")
  static let gainMapFlavorsMissing = ErrorCode(
    "gain-map/flavors-missing", .invalidArgument,
    "no flavor of gain map metadata is given")
  static let gainMapJSONNotEncodable = ErrorCode(
    "gain-map/json-not-encodable", .codecFailure,
    "the gain map metadata cannot be written as JSON")
  static let gainMapPrestandardLayout = ErrorCode(
    "gain-map/prestandard-layout", .unsupported,
    "{size byte}: layout from before ISO 21496-1 was published")
  static let gainMapReaderVersion = ErrorCode(
    "gain-map/reader-version", .unsupported,
    "requires a reader of version {version}; version 0 is supported")
  static let gainMapTrailingBytes = ErrorCode(
    "gain-map/trailing-bytes", .malformed,
    "{size byte} after the fields of version 0")
  static let jsonInvalid = ErrorCode("json/invalid", .malformed, "invalid JSON: {detail}")
  static let jsonKeysMissing = ErrorCode(
    "json/keys-missing", .malformed,
    "one of {keys} is required")
  static let jsonValueInvalid = ErrorCode(
    "json/value-invalid", .malformed,
    "'{value}' is not {expected}")
  static let makerNoteOfAnotherMaker = ErrorCode(
    "maker-note/of-another-maker", .unsupported,
    "the maker note is not Apple's")
  static let makerNoteOverlap = ErrorCode(
    "maker-note/overlap", .malformed,
    "values of the maker note overlap its directories")
  static let makerNoteTagMissing = ErrorCode(
    "maker-note/tag-missing", .unsupported,
    "the maker note has no tag {tag}")
  static let xmpAlternatePrimaries = ErrorCode(
    "xmp/alternate-primaries", .invalidArgument,
    "XMP cannot store gain in the primaries of the alternate image")
  static let xmpEqualHeadrooms = ErrorCode(
    "xmp/equal-headrooms", .invalidArgument,
    "readers of XMP refuse equal headrooms")
  static let xmpNegativeOffsets = ErrorCode(
    "xmp/negative-offsets", .invalidArgument,
    "XMP cannot store negative offsets")
}

extension NoticeCode {
  static let gainMapAppleHeadroomInvalid = NoticeCode(
    "gain-map/apple-headroom-invalid", .irregular,
    "ignored: HDRGainMapHeadroom is {value}")
  static let gainMapAppleHeadroomsDiffer = NoticeCode(
    "gain-map/apple-headrooms-differ", .conflict,
    "headroom {xmp} in Apple XMP, {makerNote} in the maker note; using XMP")
  static let gainMapAppleMetadataUsed = NoticeCode(
    "gain-map/apple-metadata-used", .conflict,
    "Apple metadata of the file are used; they differ by at most {error stop} from those used "
      + "before")
  static let gainMapApproximated = NoticeCode(
    "gain-map/approximated", .assumed,
    "approximated: {what} (maximum error {error stop})")
  static let gainMapBaseRenditionSpelling = NoticeCode(
    "gain-map/base-rendition-spelling", .irregular,
    "BaseRenditionIsHDR is \"{value}\", not True or False")
  static let gainMapCommonDenominator = NoticeCode(
    "gain-map/common-denominator", .irregular,
    "common denominator (not in ISO 21496-1)")
  static let gainMapItemVersionMissing = NoticeCode(
    "gain-map/item-version-missing", .irregular,
    "the version byte of the item is missing")
  static let gainMapItemVersionUnexpected = NoticeCode(
    "gain-map/item-version-unexpected", .irregular,
    "version byte, which is only allowed in items")
  static let gainMapJSONLightDropped = NoticeCode(
    "gain-map/json-light-dropped", .dropped,
    "not copied: light metadata of the alternate image other than its content light level (the "
      + "JSON has no keys for them)")
  static let gainMapJSONXMPDropped = NoticeCode(
    "gain-map/json-xmp-dropped", .dropped,
    "not copied: XMP of the gain map (not UTF-8)")
  static let gainMapReservedBits = NoticeCode(
    "gain-map/reserved-bits", .irregular,
    "reserved bits are set: flags {flags}")
  package static let gainMapTrailingBytesIgnored = NoticeCode(
    "gain-map/trailing-bytes-ignored", .irregular,
    "ignored: {size byte} after the gain map metadata")
  static let gainMapWriterVersion = NoticeCode(
    "gain-map/writer-version", .irregular,
    "gain map metadata of version {version}, read as version 0, which they allow")
  static let gainMapXMPVersionMissing = NoticeCode(
    "gain-map/xmp-version-missing", .irregular,
    "hdrgm:Version is missing")
}
