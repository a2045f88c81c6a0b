// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// Codes of the JPEG XL diagnostics, with their English text.

extension ErrorCode {
  static let brotliLimitExceeded = ErrorCode(
    "brotli/limit-exceeded", .limitExceeded,
    "the decompressed data exceed {limit byte}")
  static let brotliMalformed = ErrorCode(
    "brotli/malformed", .malformed,
    "the compressed data (Brotli) are corrupt")
  static let brotliMissing = ErrorCode(
    "brotli/missing", .missingCodec,
    "this build does not include Brotli")
  static let brotliTruncated = ErrorCode(
    "brotli/truncated", .truncated,
    "the compressed data (Brotli) are truncated")
  static let jpegxlBoxTruncated = ErrorCode(
    "jpegxl/box-truncated", .truncated,
    "the file ends in the box '{type}', which cannot be kept")
  static let jpegxlBoxTypeMissing = ErrorCode(
    "jpegxl/box-type-missing", .truncated,
    "compressed box without a type")
  static let jpegxlFrameIncomplete = ErrorCode(
    "jpegxl/frame-incomplete", .truncated,
    "the file ends in a frame, which cannot be kept")
  static let jpegxlGainMapTooLarge = ErrorCode(
    "jpegxl/gain-map-too-large", .invalidArgument,
    "gain map metadata of {size byte} exceed a gain map box")
  static let jpegxlHeaderInvalid = ErrorCode(
    "jpegxl/header-invalid", .malformed,
    "the end of the codestream header cannot be determined")
  static let jpegxlPartNumberMissing = ErrorCode(
    "jpegxl/part-number-missing", .truncated,
    "part of the codestream without a number")
}

extension NoticeCode {
  static let jpegxlCodestreamDuplicate = NoticeCode(
    "jpegxl/codestream-duplicate", .irregular,
    "duplicate codestream ignored")
  static let jpegxlFrameMissing = NoticeCode(
    "jpegxl/frame-missing", .irregular,
    "truncated: the file ends before the samples of frame {frame}")
  static let jpegxlFrameTruncated = NoticeCode(
    "jpegxl/frame-truncated", .irregular,
    "truncated: {missing} of {size byte} of frame {frame} missing")
  static let jpegxlPartOutOfOrder = NoticeCode(
    "jpegxl/part-out-of-order", .irregular,
    "part {number} of the codestream in place of {expected}")
  static let jpegxlTruncated = NoticeCode(
    "jpegxl/truncated", .irregular,
    "truncated: {missing} of {size byte} of '{type}' missing")
}
