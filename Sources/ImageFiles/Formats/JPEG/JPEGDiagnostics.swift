// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// Codes of the JPEG and MPF diagnostics, with their English text.

extension ErrorCode {
  package static let jpegCoefficientLimitExceeded = ErrorCode(
    "jpeg/coefficient-limit-exceeded", .limitExceeded,
    "coefficients of {size byte} exceed the limit")
  static let jpegFrameInvalid = ErrorCode(
    "jpeg/frame-invalid", .malformed,
    "frame of {width}x{height} pixels with {components component}")
  static let jpegHDRBaseUnsupported = ErrorCode(
    "jpeg/hdr-base-unsupported", .invalidArgument,
    "JPEG has 8 bits, which are not sufficient for an HDR baseline image")
  static let jpegNestedImage = ErrorCode(
    "jpeg/nested-image", .malformed,
    "an image starts inside another image")
  static let jpegNoEnd = ErrorCode("jpeg/no-end", .truncated, "ends before EOI")
  static let jpegNotBlockAligned = ErrorCode(
    "jpeg/not-block-aligned", .unsupported,
    "JPEG {side} of {size pixel} is not a multiple of {block}")
  static let jpegNotRotatable = ErrorCode(
    "jpeg/not-rotatable", .unsupported,
    "lossless rotation does not support this JPEG coding process or bit depth")
  static let jpegProfileTooLarge = ErrorCode(
    "jpeg/profile-too-large", .invalidArgument,
    "an ICC profile of {size byte} does not fit JPEG segments")
  static let jpegSegmentTooLarge = ErrorCode(
    "jpeg/segment-too-large", .invalidArgument,
    "{segment} of {size byte}; a segment stores {limit}")
  static let mpfValueTooLarge = ErrorCode(
    "mpf/value-too-large", .limitExceeded,
    "{value byte} do not fit a field of the multi-picture directory")
}

extension NoticeCode {
  package static let jpegEndMissing = NoticeCode(
    "jpeg/end-missing", .conflict,
    "the file ends without EOI; the image is complete")
  static let jpegImageUnreadable = NoticeCode(
    "jpeg/image-unreadable", .irregular,
    "not readable: additional image: {cause}")
  static let jpegStrayBytes = NoticeCode(
    "jpeg/stray-bytes", .irregular,
    "bytes outside of segments")
  static let mpfEntryWithoutImage = NoticeCode(
    "mpf/entry-without-image", .irregular,
    "an MPF entry does not refer to an image")
  static let mpfUnreadable = NoticeCode("mpf/unreadable", .irregular, "not readable: MPF: {cause}")
}
