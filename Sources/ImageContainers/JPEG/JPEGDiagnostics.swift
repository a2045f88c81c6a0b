internal import HDRCore

// Codes of the JPEG, MPF and JPEG XL diagnostics, with their English text.

extension ErrorCode {
  static let jpegFrameInvalid = ErrorCode(
    "jpeg/frame-invalid", .malformed,
    "frame of {width}x{height} pixels with {components component}")
  static let jpegNestedImage = ErrorCode(
    "jpeg/nested-image", .malformed,
    "an image starts inside another image")
  static let jpegNoEnd = ErrorCode("jpeg/no-end", .truncated, "ends before EOI")
  static let jpegProfileTooLarge = ErrorCode(
    "jpeg/profile-too-large", .invalidArgument,
    "an ICC profile of {size byte} does not fit JPEG segments")
  static let jpegSegmentTooLarge = ErrorCode(
    "jpeg/segment-too-large", .invalidArgument,
    "{kind} of {size byte}; a segment stores {limit}")
  static let jpegxlBoxTypeMissing = ErrorCode(
    "jpegxl/box-type-missing", .truncated,
    "compressed box without a type")
  static let jpegxlPartNumberMissing = ErrorCode(
    "jpegxl/part-number-missing", .truncated,
    "part of the codestream without a number")
  static let mpfValueTooLarge = ErrorCode(
    "mpf/value-too-large", .limitExceeded,
    "{value byte} do not fit a field of the multi-picture directory")
}

extension NoticeCode {
  static let jpegImageUnreadable = NoticeCode(
    "jpeg/image-unreadable", .irregular,
    "not readable: additional image: {cause}")
  static let jpegStrayBytes = NoticeCode(
    "jpeg/stray-bytes", .irregular,
    "bytes outside of segments")
  static let jpegxlCodestreamDuplicate = NoticeCode(
    "jpegxl/codestream-duplicate", .irregular,
    "duplicate codestream ignored")
  static let jpegxlPartOutOfOrder = NoticeCode(
    "jpegxl/part-out-of-order", .irregular,
    "part {number} of the codestream in place of {expected}")
  static let mpfEntryWithoutImage = NoticeCode(
    "mpf/entry-without-image", .irregular,
    "an MPF entry does not refer to an image")
  static let mpfUnreadable = NoticeCode("mpf/unreadable", .irregular, "not readable: MPF: {cause}")
}
