// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// Codes of the ISOBMFF and HEIF diagnostics, with their English text.

extension ErrorCode {
  static let boxSmallerThanHeader = ErrorCode(
    "box/smaller-than-header", .malformed,
    "box of {size byte} is smaller than its header")
  static let boxTruncated = ErrorCode(
    "box/truncated", .truncated,
    "truncated: box of {size byte}, of which the file has {available byte}")
  static let boxUnexpected = ErrorCode(
    "box/unexpected", .malformed,
    "box '{type}' where '{expected}' is expected")
  static let chunksTruncated = ErrorCode(
    "chunks-truncated", .truncated,
    "truncated: the chunks end at {end byte}; the file has {size byte}")
  static let containerItemInvalid = ErrorCode(
    "container-item-invalid", .invalidArgument,
    "the container directory has {count item}; item {index} does not exist")
  static let heifConfigurationMissing = ErrorCode(
    "heif/configuration-missing", .unsupported,
    "no configuration of HEVC or AV1")
  static let heifFragmentedSequence = ErrorCode(
    "heif/fragmented-sequence", .unsupported,
    "fragmented sequences cannot be written")
  static let heifHandlerUnsupported = ErrorCode(
    "heif/handler-unsupported", .unsupported,
    "'meta' has the handler '{handler}', not 'pict'")
  static let heifItemTruncated = ErrorCode(
    "heif/item-truncated", .truncated,
    "the file ends before the data of item {item} '{type}', which therefore cannot be kept")
  static let heifMetaTooLarge = ErrorCode(
    "heif/meta-too-large", .invalidArgument,
    "'meta' of {size byte} or more")
  static let heifMinimizedAlphaUnsupported = ErrorCode(
    "heif/minimized-alpha-unsupported", .unsupported,
    "alpha in the coded image of a minimized file is not supported")
  static let heifMinimizedFloatUnsupported = ErrorCode(
    "heif/minimized-float-unsupported", .unsupported,
    "floating-point samples in a minimized file are not supported")
  static let heifNotAStillImage = ErrorCode(
    "heif/not-a-still-image", .unsupported,
    "no 'meta' box: not a still image")
  static let heifNotSerializable = ErrorCode(
    "heif/not-serializable", .invalidArgument,
    "HEIF cannot store {detail}")
  static let heifSequenceOffsetTooLarge = ErrorCode(
    "heif/sequence-offset-too-large", .unsupported,
    "an offset of the sequence does not fit its field")
  static let heifSequenceTruncated = ErrorCode(
    "heif/sequence-truncated", .truncated,
    "the file is truncated in '{box}'; the sequence cannot be kept")
  static let heifTooManyProperties = ErrorCode(
    "heif/too-many-properties", .invalidArgument,
    "{count} different properties")
  static let itemMissing = ErrorCode("item-missing", .malformed, "item {item} does not exist")
  static let itemConstructionUnsupported = ErrorCode(
    "item/construction-unsupported", .unsupported,
    "construction method {method} of item {item}")
  static let itemDataExternal = ErrorCode(
    "item/data-external", .unsupported,
    "the data of item {item} are in another file")
  static let itemDataTruncated = ErrorCode(
    "item/data-truncated", .truncated,
    "truncated: {size byte} of item data in a file of {available byte}")
  static let itemDerivedFromItself = ErrorCode(
    "item/derived-from-itself", .malformed,
    "item {item} is derived from itself")
  static let itemExtentInvalid = ErrorCode(
    "item/extent-invalid", .malformed,
    "item {item} has {length byte} at {offset}")
  static let itemExtentOutOfRange = ErrorCode(
    "item/extent-out-of-range", .malformed,
    "{length byte} at {offset} of an item of {size byte}")
  static let itemFileTruncated = ErrorCode(
    "item/file-truncated", .truncated,
    "the file ends before the data of item {item} '{type}'")
  static let itemIDATMissing = ErrorCode(
    "item/idat-missing", .malformed,
    "item {item} is stored in 'idat', which does not exist")
  static let itemIDATTooShort = ErrorCode(
    "item/idat-too-short", .malformed,
    "item {item} ends at {end} of {size byte} in 'idat'")
  static let itemNotStandalone = ErrorCode(
    "item/not-standalone", .invalidArgument,
    "an item of type '{type}' is not an image on its own")
  static let itemOffsetInvalid = ErrorCode(
    "item/offset-invalid", .malformed,
    "base {base} and offset {offset} of item {item}")
  static let itemPropertyMissing = ErrorCode(
    "item/property-missing", .malformed,
    "item {item} has property {index} of {count}")
  static let itemReferenceMissing = ErrorCode(
    "item/reference-missing", .malformed,
    "item {item} uses reference {number} of {count}")
  static let itemWithoutData = ErrorCode(
    "item/without-data", .malformed,
    "item {item} does not have data")
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
    "heif/truncated", .irregular,
    "truncated: {missing} of {size byte} of '{type}' missing")
  static let heifTruncatedItems = NoticeCode(
    "heif/truncated-items", .irregular,
    "truncated: {missing} of {size byte} of '{type}' missing, with data of {items item}")
  static let itemLocationWithoutItem = NoticeCode(
    "item/location-without-item", .irregular,
    "location of item {item}, which does not exist")
  static let itemPropertyUnreadable = NoticeCode(
    "item/property-unreadable", .irregular,
    "'{type}' of item {item} is not readable: {cause}")
}
