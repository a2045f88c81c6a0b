// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// Codes of the JPEG XR diagnostics, with their English text.

extension ErrorCode {
  static let jpegXRAlphaDiffers = ErrorCode(
    "jpegxr/alpha-differs", .malformed,
    "an alpha plane of {size pixel} that does not match the image")
  static let jpegXRDataTruncated = ErrorCode(
    "jpegxr/data-truncated", .truncated,
    "the codestream ends at {end}, the file at {size}")
  static let jpegXRFormatDiffers = ErrorCode(
    "jpegxr/format-differs", .malformed,
    "the container specifies {format}, the codestream color format {color} and bit depth {depth}")
  static let jpegXRModelUnsupported = ErrorCode(
    "jpegxr/model-unsupported", .unsupported,
    "JPEG XR images of pixel format {format} ({model}) are not supported")
}

extension NoticeCode {
  static let jpegXRSizeDiffers = NoticeCode(
    "jpegxr/size-differs", .conflict,
    "ignored: size of {size pixel} in the container; the codestream is {coded}")
}
