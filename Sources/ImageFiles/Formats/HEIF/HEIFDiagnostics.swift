// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// The diagnostics of HEIF items: codes, categories and English messages.

extension ErrorCode {
  package static let hevcDepthsDiffer = ErrorCode(
    "hevc/depths-differ", .unsupported,
    "luma and chroma of different depths are not supported")
  static let itemUnknown = ErrorCode(
    "item-unknown", .invalidArgument,
    "item {item} does not exist")
  static let itemPropertyRequired = ErrorCode(
    "item/property-required", .unsupported,
    "requires the property '{type}', which is not supported")
}

extension NoticeCode {
  static let bitstreamMessagesUnreadable = NoticeCode(
    "bitstream/messages-unreadable", .irregular,
    "not readable: messages in the bitstream: {cause}")
  static let channelCountDiffers = NoticeCode(
    "bitstream/channel-count-differs", .conflict,
    "'pixi' specifies {declared channel}, the bitstream {count}; using the bitstream")
  static let configurationDiffers = NoticeCode(
    "bitstream/configuration-differs", .conflict,
    "'{box}' specifies {declaredBits bit} {declaredChroma}, the bitstream {bits bit} {chroma}; "
      + "using the bitstream")
  static let heifMinimizedFormReplaced = NoticeCode(
    "heif/minimized-form-replaced", .dropped,
    "'mini' replaced by 'meta' in the new file")
  static let itemSizeScaled = NoticeCode(
    "item/size-scaled", .conflict,
    "'ispe' specifies {declared pixel}, the bitstream {coded}; the image is scaled to 'ispe'")
  static let lengthSizeDiffers = NoticeCode(
    "bitstream/length-size-differs", .conflict,
    "'hvcC' specifies lengths of {declared byte}, the bitstream {size byte}; using the bitstream")
}
