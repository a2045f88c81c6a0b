// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// Codes of the OpenEXR diagnostics, with their English text.

extension ErrorCode {
  static let exrChannelInvalid = ErrorCode(
    "exr/channel-invalid", .malformed,
    "invalid channel {name}: pixel type {type}, sampling {x}x{y}")
  static let exrChunkLimitExceeded = ErrorCode(
    "exr/chunk-limit-exceeded", .limitExceeded,
    "chunks of {size pixel} with {channels channel} take {memory byte}; the limit is {limit "
      + "byte}")
  static let exrChunksTruncated = ErrorCode(
    "exr/chunks-truncated", .truncated,
    "{count chunk} declared; a file of {size byte} cannot contain them")
  static let exrDeepData = ErrorCode(
    "exr/deep-data", .unsupported,
    "deep images are not supported")
  static let exrNoColorChannels = ErrorCode(
    "exr/no-color-channels", .unsupported,
    "no layer has R, G and B, or Y; channels: {channels channel}")
}

extension NoticeCode {
  static let exrAttributesNotCopied = NoticeCode(
    "exr/attributes-not-copied", .dropped,
    "not copied: OpenEXR attributes ({attributes attribute})")
  static let exrChannelAsGray = NoticeCode(
    "exr/channel-as-gray", .assumed,
    "assumed: channel {channel} is gray")
  static let exrChannelsNotRead = NoticeCode(
    "exr/channels-not-read", .dropped,
    "not read: {items item}")
  static let exrLayerAssumed = NoticeCode(
    "exr/layer-assumed", .assumed,
    "assumed: layer {layer} (no default layer)")
  static let exrPixelAspectDropped = NoticeCode(
    "exr/pixel-aspect-dropped", .dropped,
    "dropped: pixel aspect ratio {ratio}")
}
