// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// Codes of the PNG diagnostics, with their English text.

extension ErrorCode {
  static let deflateLimitExceeded = ErrorCode(
    "deflate/limit-exceeded", .limitExceeded,
    "inflates to more than {limit byte}")
  static let deflateMalformed = ErrorCode(
    "deflate/malformed", .malformed,
    "compressed data are corrupt (zlib status {status})")
  static let deflateTruncated = ErrorCode(
    "deflate/truncated", .truncated,
    "compressed data are truncated")
  static let pngChecksumMismatch = ErrorCode("png/checksum-mismatch", .malformed, "wrong checksum")
  static let pngChunkLimitExceeded = ErrorCode(
    "png/chunk-limit-exceeded", .limitExceeded,
    "{size byte} in one chunk")
  static let pngChunkTooLong = ErrorCode(
    "png/chunk-too-long", .malformed,
    "chunk of {size byte}; the limit is 2147483647")
  static let pngCICPNotStorable = ErrorCode(
    "png/cicp-not-storable", .invalidArgument,
    "PNG stores code points of one byte each, not {cicp}")
  static let pngColorTypeInvalid = ErrorCode(
    "png/color-type-invalid", .malformed,
    "color type {type} with {bits bit}")
  static let pngCriticalChunkUnknown = ErrorCode(
    "png/critical-chunk-unknown", .unsupported,
    "unknown critical chunk")
  static let pngDataNotContiguous = ErrorCode(
    "png/data-not-contiguous", .malformed,
    "data chunks are not contiguous")
  static let pngHeaderNotFirst = ErrorCode(
    "png/header-not-first", .malformed,
    "the first chunk is not IHDR")
  static let pngMethodUnsupported = ErrorCode(
    "png/method-unsupported", .unsupported,
    "compression {compression}, filter method {filter}, interlace method {interlace}")
  static let pngNoEnd = ErrorCode(
    "png/no-end", .truncated,
    "ends before IEND: needs 12 bytes, {available} available")
  static let pngOrientationNotSupported = ErrorCode(
    "png/orientation-not-supported", .invalidArgument,
    "most readers ignore the orientation of PNG files; the samples must be rotated")
  static let pngPaletteMisplaced = ErrorCode(
    "png/palette-misplaced", .malformed,
    "duplicate or late palette")
  package static let pngPaletteMissing = ErrorCode(
    "png/palette-missing", .malformed,
    "palette indices without a palette")
  static let pngProfileNameInvalid = ErrorCode(
    "png/profile-name-invalid", .invalidArgument,
    "\"{name}\" is not a valid name of a PNG profile")
}

extension NoticeCode {
  static let pngChunkChecksumMismatch = NoticeCode(
    "png/chunk-checksum-mismatch", .irregular,
    "wrong checksum: chunk ignored")
  static let pngChunkDuplicate = NoticeCode(
    "png/chunk-duplicate", .irregular,
    "duplicate chunk ignored")
  static let pngChunkIgnored = NoticeCode("png/chunk-ignored", .irregular, "chunk ignored: {cause}")
  static let pngChunkTooLate = NoticeCode(
    "png/chunk-too-late", .irregular,
    "too late in the file: chunk ignored")
  static let pngChunkUnreadable = NoticeCode(
    "png/chunk-unreadable", .irregular,
    "chunk ignored: {cause}")
  package static let pngEndMissing = NoticeCode(
    "png/end-missing", .conflict,
    "the file ends without IEND; the image is complete")
  static let pngFramesDropped = NoticeCode(
    "png/frames-dropped", .dropped,
    "dropped: frames of the animation")
  static let pngLightNotStorable = NoticeCode(
    "png/light-not-storable", .dropped,
    "not stored: {item} (PNG cannot store it)")
  static let pngMatrixReadAsRGB = NoticeCode(
    "png/matrix-read-as-rgb", .irregular,
    "matrix {matrix} read as 0 (PNG stores RGB)")
  static let pngMatrixWrittenAsRGB = NoticeCode(
    "png/matrix-written-as-rgb", .dropped,
    "matrix {matrix} written as 0 (PNG stores RGB)")
  static let pngMDCVWithoutCICP = NoticeCode(
    "png/mdcv-without-cicp", .nonconforming,
    "readers ignore mDCV without cICP (PNG Third Edition, 11.3.2.7)")
  static let pngPaletteIndex = NoticeCode(
    "png/palette-index", .irregular,
    "palette indices are out of range ({count color}); their pixels are black")
  static let pngPQFromProfileName = NoticeCode(
    "png/pq-from-profile-name", .assumed,
    "transfer function BT.2100 PQ, assumed from the name of the profile")
  static let pngSrgbDropped = NoticeCode(
    "png/srgb-dropped", .dropped,
    "dropped: sRGB chunk (not allowed together with an ICC profile)")
  static let pngTrailingBytes = NoticeCode(
    "png/trailing-bytes", .irregular,
    "{size byte} after the end")
}
