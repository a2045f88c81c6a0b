// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// Codes of the ISOBMFF and HEIF diagnostics, with their English text.

extension ErrorCode {
  static let boxTruncated = ErrorCode(
    "box/truncated", .truncated,
    "truncated: box of {size byte}, of which the file has {available byte}")
  static let heifConfigurationMissing = ErrorCode(
    "heif/configuration-missing", .unsupported,
    "no configuration of HEVC or AV1")
  static let heifItemTruncated = ErrorCode(
    "heif/item-truncated", .truncated,
    "the file ends before the data of item {item} '{type}', which therefore cannot be kept")
  static let heifSequenceTruncated = ErrorCode(
    "heif/sequence-truncated", .truncated,
    "the file is truncated in '{box}'; the sequence cannot be kept")
  static let itemMissing = ErrorCode("item-missing", .malformed, "item {item} does not exist")
  static let itemDerivedFromItself = ErrorCode(
    "item/derived-from-itself", .malformed,
    "item {item} is derived from itself")
  static let itemFileTruncated = ErrorCode(
    "item/file-truncated", .truncated,
    "the file ends before the data of item {item} '{type}'")
}

extension NoticeCode {
  static let cr3BoxIgnored = NoticeCode("cr3/box-ignored", .irregular, "box ignored: {cause}")
  static let heifHandlerNotFirst = NoticeCode(
    "heif/handler-not-first", .irregular,
    "'hdlr' is not the first box")
  static let heifMinimizedFormRead = NoticeCode(
    "heif/minimized-form-read", .irregular,
    "minimized form ('mini'), read as the equivalent 'meta'")
  static let heifTrailingBytes = NoticeCode(
    "heif/trailing-bytes", .irregular,
    "{size byte} after the last box are not a box")
  static let heifTruncated = NoticeCode(
    "heif/truncated", .dropped,
    "truncated: {missing} of {size byte} of '{type}' missing")
  static let itemLocationWithoutItem = NoticeCode(
    "item/location-without-item", .irregular,
    "location of item {item}, which does not exist")
}
