// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// Codes of the PNG diagnostics, with their English text.

extension ErrorCode {
  static let pngChecksumMismatch = ErrorCode("png/checksum-mismatch", .malformed, "wrong checksum")
  static let pngChunkLimitExceeded = ErrorCode(
    "png/chunk-limit-exceeded", .limitExceeded, "{size byte} in one chunk")
  static let pngOrientationNotSupported = ErrorCode(
    "png/orientation-not-supported", .invalidArgument,
    "most readers ignore the orientation of PNG files; the samples must be rotated")
  package static let pngPaletteMissing = ErrorCode(
    "png/palette-missing", .malformed, "palette indices without a palette")
}

extension NoticeCode {
  static let pngChunkDuplicate = NoticeCode(
    "png/chunk-duplicate", .irregular, "duplicate chunk ignored")
  static let pngChunkTooLate = NoticeCode(
    "png/chunk-too-late", .irregular, "too late in the file: chunk ignored")
  package static let pngEndMissing = NoticeCode(
    "png/end-missing", .conflict, "the file ends without IEND; the image is complete")
  static let pngTrailingBytes = NoticeCode(
    "png/trailing-bytes", .irregular, "{size byte} after the end")
}
