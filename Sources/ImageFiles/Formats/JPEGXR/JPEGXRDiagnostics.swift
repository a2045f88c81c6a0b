// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// Codes of the JPEG XR diagnostics, with their English text.

extension ErrorCode {
  static let jpegXRAlphaDiffers = ErrorCode(
    "jpegxr/alpha-differs", .malformed,
    "the alpha plane has {count component} of bit depth {depth}, not the one of {format}")
  static let jpegXRAlphaSizeDiffers = ErrorCode(
    "jpegxr/alpha-size-differs", .malformed,
    "the alpha plane is {alpha}, the image {size pixel}")
  static let jpegXRDataOverlap = ErrorCode(
    "jpegxr/data-overlap", .malformed,
    "other data are inside the codestream")
  static let jpegXRDataTooShort = ErrorCode(
    "jpegxr/data-too-short", .truncated,
    "the codestream of {count byte} is too short for an image of {size pixel}")
  static let jpegXRDataTruncated = ErrorCode(
    "jpegxr/data-truncated", .truncated,
    "the codestream ends at {end}, the file at {size}")
  static let jpegXRFormatDiffers = ErrorCode(
    "jpegxr/format-differs", .malformed,
    "the container specifies {format}, the codestream color format {color} and bit depth {depth}")
  static let jpegXRModelUnsupported = ErrorCode(
    "jpegxr/model-unsupported", .unsupported,
    "JPEG XR images of pixel format {format} ({model}) are not supported")
  static let jpegXRTooLarge = ErrorCode(
    "jpegxr/too-large", .unsupported,
    "JPEG XR files are limited to 4 GiB")
}

extension NoticeCode {
  static let jpegXRAlphaIgnored = NoticeCode(
    "jpegxr/alpha-ignored", .conflict,
    "ignored: {count alpha plane} more than {format} has")
  static let jpegXRColorInfoDropped = NoticeCode(
    "jpegxr/color-info-dropped", .dropped,
    "dropped: PTM_COLOR_INFO, which takes precedence over the ICC profile")
  static let jpegXRColorInfoInvalid = NoticeCode(
    "jpegxr/color-info-invalid", .irregular,
    "ignored: PTM_COLOR_INFO of {size byte}; it has 4")
  static let jpegXRMatrixIgnored = NoticeCode(
    "jpegxr/matrix-ignored", .conflict,
    "ignored: {matrix} in PTM_COLOR_INFO; {format} does not contain Y'CbCr")
  static let jpegXRPartsNotKept = NoticeCode(
    "jpegxr/parts-not-kept", .dropped,
    "not kept: {items item}")
  static let jpegXRPremultipliedIgnored = NoticeCode(
    "jpegxr/premultiplied-ignored", .conflict,
    "ignored: premultiplied alpha in the codestream; alpha of {format} is straight")
  static let jpegXRRangeIgnored = NoticeCode(
    "jpegxr/range-ignored", .conflict,
    "ignored: limited range in PTM_COLOR_INFO; {format} is full range")
  static let jpegXRSizeDiffers = NoticeCode(
    "jpegxr/size-differs", .conflict,
    "ignored: size of {size pixel} in the container; the codestream is {coded}")
  static let jpegXRTransformationUnknown = NoticeCode(
    "jpegxr/transformation-unknown", .irregular,
    "ignored: SPATIAL_XFRM_PRIMARY {value}; the image is shown as stored")
}
