// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// The diagnostics of HEIF items: codes, categories and English messages.

extension ErrorCode {
  static let gridDoesNotCover = ErrorCode(
    "grid/does-not-cover", .malformed,
    "{columns}x{rows} tiles of {tile} do not fit an image of {size pixel}")
  static let gridTileCount = ErrorCode(
    "grid/tile-count", .malformed,
    "grid of {columns}x{rows} with {tiles tile}")
  static let gridTilesDiffer = ErrorCode(
    "grid/tiles-differ", .malformed,
    "tiles differ in size: {first} and {other}")
  static let heifMetadataExternal = ErrorCode(
    "heif/metadata-external", .unsupported,
    "metadata stored in other items or files")
  package static let hevcDepthsDiffer = ErrorCode(
    "hevc/depths-differ", .unsupported,
    "luma and chroma of different depths are not supported")
  static let itemDoesNotExist = ErrorCode(
    "item-does-not-exist", .malformed,
    "the item does not exist")
  static let itemNotAnImage = ErrorCode(
    "item-not-an-image", .invalidArgument,
    "item {item} of type '{type}' is not an image")
  static let itemNotImage = ErrorCode("item-not-image", .malformed, "item {item} is not an image")
  static let itemUnknown = ErrorCode(
    "item-unknown", .invalidArgument,
    "item {item} does not exist")
  static let itemCyclic = ErrorCode("item/cyclic", .malformed, "the image is derived from itself")
  static let itemDataBeyondFile = ErrorCode(
    "item/data-beyond-file", .truncated,
    "the data end at byte {end}, the file at {size}")
  static let itemDerivedFromTransformed = ErrorCode(
    "item/derived-from-transformed", .unsupported,
    "derived from item {item}, which is cropped or rotated")
  static let itemIdentityInputs = ErrorCode(
    "item/identity-inputs", .malformed,
    "identity derivation from {count image} instead of one")
  static let itemPartsDiffer = ErrorCode(
    "item/parts-differ", .malformed,
    "items {first} and {second} of one image have {bits bit} {chroma} and {otherBits bit} "
      + "{otherChroma}")
  static let itemPropertyRequired = ErrorCode(
    "item/property-required", .unsupported,
    "requires the property '{type}', which is not supported")
  static let itemTooManyParts = ErrorCode(
    "item/too-many-parts", .limitExceeded,
    "an image made from more than {limit} items")
  static let overlayAlphaUnsupported = ErrorCode(
    "overlay/alpha-unsupported", .unsupported,
    "an overlay of images with alpha is not supported")
  static let overlayEmpty = ErrorCode("overlay/empty", .malformed, "overlay without images")
  static let overlayUnsupported = ErrorCode(
    "overlay/unsupported", .unsupported,
    "an overlay with visible canvas or between chroma samples is not supported")
}

extension NoticeCode {
  static let bitstreamHeaderUnreadable = NoticeCode(
    "bitstream/header-unreadable", .irregular,
    "not readable: header of the bitstream: {cause}")
  static let bitstreamMessagesUnreadable = NoticeCode(
    "bitstream/messages-unreadable", .irregular,
    "not readable: messages in the bitstream: {cause}")
  static let channelCountDiffers = NoticeCode(
    "bitstream/channel-count-differs", .conflict,
    "'pixi' specifies {declared channel}, the bitstream {count}; using the bitstream")
  static let configurationCorrected = NoticeCode(
    "bitstream/configuration-corrected", .irregular,
    "corrected: configuration, which contradicts the bitstream")
  static let configurationDiffers = NoticeCode(
    "bitstream/configuration-differs", .conflict,
    "'{box}' specifies {declaredBits bit} {declaredChroma}, the bitstream {bits bit} {chroma}; "
      + "using the bitstream")
  static let heifMinimizedFormReplaced = NoticeCode(
    "heif/minimized-form-replaced", .dropped,
    "'mini' replaced by 'meta' in the new file")
  static let itemDataMissing = NoticeCode(
    "item/data-missing", .irregular,
    "the data end at byte {end}, the file at {size}")
  static let itemSizeScaled = NoticeCode(
    "item/size-scaled", .conflict,
    "'ispe' specifies {declared pixel}, the bitstream {coded}; the image is scaled to 'ispe'")
  static let lengthSizeDiffers = NoticeCode(
    "bitstream/length-size-differs", .conflict,
    "'hvcC' specifies lengths of {declared byte}, the bitstream {size byte}; using the bitstream")
}
