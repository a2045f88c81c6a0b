// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// The diagnostics of HEIF items: codes, categories and English messages.

extension ErrorCode {
  package static let hevcDepthsDiffer = ErrorCode(
    "hevc/depths-differ", .unsupported, "luma and chroma of different depths are not supported")
  static let itemUnknown = ErrorCode("item-unknown", .invalidArgument, "item {item} does not exist")
  static let itemPropertyRequired = ErrorCode(
    "item/property-required", .unsupported,
    "requires the property '{type}', which is not supported")
}

extension NoticeCode {
  static let bitstreamMessagesUnreadable = NoticeCode(
    "bitstream/messages-unreadable", .irregular, "not readable: messages in the bitstream: {cause}")
  static let channelCountDiffers = NoticeCode(
    "bitstream/channel-count-differs", .conflict,
    "'pixi' specifies {declared channel}, the bitstream {count}; using the bitstream")
  static let configurationDiffers = NoticeCode(
    "bitstream/configuration-differs", .conflict,
    "'{box}' specifies {declaredBits bit} {declaredChroma}, the bitstream {bits bit} {chroma}; "
      + "using the bitstream")
  static let heifMinimizedFormReplaced = NoticeCode(
    "heif/minimized-form-replaced", .dropped, "'mini' replaced by 'meta' in the new file")
  static let itemSizeScaled = NoticeCode(
    "item/size-scaled", .conflict,
    "'ispe' specifies {declared pixel}, the bitstream {coded}; the image is scaled to 'ispe'")
  static let lengthSizeDiffers = NoticeCode(
    "bitstream/length-size-differs", .conflict,
    "'hvcC' specifies lengths of {declared byte}, the bitstream {size byte}; using the bitstream")
}

// Codes of the ISOBMFF and HEIF diagnostics, with their English text.

extension ErrorCode {
  static let boxTruncated = ErrorCode(
    "box/truncated", .truncated,
    "truncated: box of {size byte}, of which the file has {available byte}")
  static let heifConfigurationMissing = ErrorCode(
    "heif/configuration-missing", .unsupported, "no configuration of HEVC or AV1")
  static let heifItemTruncated = ErrorCode(
    "heif/item-truncated", .truncated,
    "the file ends before the data of item {item} '{type}', which therefore cannot be kept")
  static let heifSequenceTruncated = ErrorCode(
    "heif/sequence-truncated", .truncated,
    "the file is truncated in '{box}'; the sequence cannot be kept")
  static let itemMissing = ErrorCode("item-missing", .malformed, "item {item} does not exist")
  static let itemDerivedFromItself = ErrorCode(
    "item/derived-from-itself", .malformed, "item {item} is derived from itself")
  static let itemFileTruncated = ErrorCode(
    "item/file-truncated", .truncated, "the file ends before the data of item {item} '{type}'")
}

extension NoticeCode {
  static let cr3BoxIgnored = NoticeCode("cr3/box-ignored", .irregular, "box ignored: {cause}")
  static let heifHandlerNotFirst = NoticeCode(
    "heif/handler-not-first", .irregular, "'hdlr' is not the first box")
  static let heifMinimizedFormRead = NoticeCode(
    "heif/minimized-form-read", .irregular,
    "minimized form ('mini'), read as the equivalent 'meta'")
  static let heifTrailingBytes = NoticeCode(
    "heif/trailing-bytes", .irregular, "{size byte} after the last box are not a box")
  static let heifTruncated = NoticeCode(
    "heif/truncated", .dropped, "truncated: {missing} of {size byte} of '{type}' missing")
  static let itemLocationWithoutItem = NoticeCode(
    "item/location-without-item", .irregular, "location of item {item}, which does not exist")
}
