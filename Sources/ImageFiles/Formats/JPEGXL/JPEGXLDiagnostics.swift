// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// Codes of the JPEG XL diagnostics, with their English text.

extension ErrorCode {
  static let brotliLimitExceeded = ErrorCode(
    "brotli/limit-exceeded", .limitExceeded, "the decompressed data exceed {limit byte}")
  static let jpegxlBoxTruncated = ErrorCode(
    "jpegxl/box-truncated", .truncated, "the file ends in the box '{type}', which cannot be kept")
  static let jpegxlCodePointsNotStorable = ErrorCode(
    "jpegxl/code-points-not-storable", .invalidArgument,
    "the color encoding of JPEG XL cannot store the code points {cicp}")
  static let jpegxlCodestreamMetadata = ErrorCode(
    "jpegxl/codestream-metadata", .invalidArgument,
    "the codestream of JPEG XL always declares its color, which cannot be removed, and an ICC "
      + "profile "
      + "only compressed")
  static let jpegxlColorInProfile = ErrorCode(
    "jpegxl/color-in-profile", .invalidArgument,
    "the color is an ICC profile that is compressed in the codestream")
  static let jpegxlColorOfXYB = ErrorCode(
    "jpegxl/color-of-xyb", .invalidArgument,
    "the samples are XYB, which specifies their color; code points do not change it")
  static let jpegxlFrameIncomplete = ErrorCode(
    "jpegxl/frame-incomplete", .truncated, "the file ends in a frame, which cannot be kept")
  static let jpegxlGainMapFlavors = ErrorCode(
    "jpegxl/gain-map-flavors", .invalidArgument,
    "JPEG XL stores gain map metadata of ISO 21496-1 only")
  static let jpegxlHeaderInvalid = ErrorCode(
    "jpegxl/header-invalid", .malformed, "the end of the codestream header cannot be determined")
}

extension NoticeCode {
  static let jpegxlFrameTruncated = NoticeCode(
    "jpegxl/frame-truncated", .dropped,
    "truncated: {missing} of {size byte} of frame {frame} missing")
  package static let jpegxlProfileUnreadable = NoticeCode(
    "jpegxl/profile-unreadable", .irregular, "the ICC profile of JPEG XL is not used: {cause}")
  static let jpegxlTruncated = NoticeCode(
    "jpegxl/truncated", .dropped, "truncated: {missing} of {size byte} of '{type}' missing")
}
