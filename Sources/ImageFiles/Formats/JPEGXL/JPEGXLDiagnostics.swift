// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
  static let jpegxlCodePointsNotStorable = ErrorCode(
    "jpegxl/code-points-not-storable", .invalidArgument,
    "the color encoding of JPEG XL cannot store the code points {cicp}")
  static let jpegxlCodestreamMetadata = ErrorCode(
    "jpegxl/codestream-metadata", .invalidArgument,
    "the codestream of JPEG XL always declares its color, which cannot be removed, and an ICC profile "
      + "only compressed")
  static let jpegxlColorInProfile = ErrorCode(
    "jpegxl/color-in-profile", .invalidArgument,
    "the color is an ICC profile that is compressed in the codestream")
  static let jpegxlColorOfXYB = ErrorCode(
    "jpegxl/color-of-xyb", .invalidArgument,
    "the samples are XYB, which specifies their color; code points do not change it")
  static let jpegxlCompressedMetadata = ErrorCode(
    "jpegxl/compressed-metadata", .unsupported,
    "compressed metadata may contain a location, and this build does not include Brotli")
  static let jpegxlFrameIncomplete = ErrorCode(
    "jpegxl/frame-incomplete", .truncated,
    "the file ends in a frame, which cannot be kept")
  static let jpegxlGainMapFlavors = ErrorCode(
    "jpegxl/gain-map-flavors", .invalidArgument,
    "JPEG XL stores gain map metadata of ISO 21496-1 only")
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
  static let jpegxlChannelsDropped = NoticeCode(
    "jpegxl/channels-dropped", .dropped,
    "not copied: extra channels ({names extra channel})")
  static let jpegxlCodestreamDuplicate = NoticeCode(
    "jpegxl/codestream-duplicate", .irregular,
    "duplicate codestream ignored")
  static let jpegxlCompressedBox = NoticeCode(
    "jpegxl/compressed-box", .irregular,
    "{content} in a compressed box (brob) is not read")
  static let jpegxlFrameMissing = NoticeCode(
    "jpegxl/frame-missing", .irregular,
    "truncated: the file ends before the samples of frame {frame}")
  static let jpegxlFrameTruncated = NoticeCode(
    "jpegxl/frame-truncated", .irregular,
    "truncated: {missing} of {size byte} of frame {frame} missing")
  static let jpegxlFramesDropped = NoticeCode(
    "jpegxl/frames-dropped", .dropped,
    "dropped: animation frames after the first")
  static let jpegxlPartOutOfOrder = NoticeCode(
    "jpegxl/part-out-of-order", .irregular,
    "part {number} of the codestream in place of {expected}")
  package static let jpegxlProfileUnreadable = NoticeCode(
    "jpegxl/profile-unreadable", .irregular,
    "the ICC profile of JPEG XL is not used: {cause}")
  static let jpegxlReconstructionDropped = NoticeCode(
    "jpegxl/reconstruction-dropped", .dropped,
    "dropped: data for the exact reconstruction of the JPEG file (its metadata changed)")
  static let jpegxlTruncated = NoticeCode(
    "jpegxl/truncated", .irregular,
    "truncated: {missing} of {size byte} of '{type}' missing")
}
