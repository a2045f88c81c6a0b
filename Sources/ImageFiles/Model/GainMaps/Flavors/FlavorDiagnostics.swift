// SPDX-License-Identifier: Apache-2.0
public import HDRCore

// Codes of the diagnostics of gain map metadata, with their English text.

extension ErrorCode {
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
  static let gainMapTrailingBytes = ErrorCode(
    "gain-map/trailing-bytes", .malformed,
    "{size byte} after the fields of version 0")
  static let jsonInvalid = ErrorCode("json/invalid", .malformed, "invalid JSON: {detail}")
  static let jsonValueInvalid = ErrorCode(
    "json/value-invalid", .malformed,
    "'{value}' is not {expected}")
}

extension NoticeCode {
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
