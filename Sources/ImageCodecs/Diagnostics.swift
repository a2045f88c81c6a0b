// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// The diagnostics of this module: codes and English text.

extension ErrorCode {
  static let exrOrientationNotStorable = ErrorCode(
    "exr/orientation-not-storable", .invalidArgument, "OpenEXR does not store orientation")
  static let gainMapNotInFile = ErrorCode(
    "gain-map/not-in-file", .invalidArgument, "the file does not contain {place}")
  static let heifEncoderMissing = ErrorCode(
    "heif/encoder-missing", .missingCodec, "libheif does not provide an HEVC encoder")
  static let iccNotForOutput = ErrorCode(
    "icc/not-for-output", .invalidArgument,
    "the ICC profile cannot be converted to; it is not an RGB profile of a printer or a display")
  static let jpegNotLossless = ErrorCode(
    "jpeg/not-lossless", .invalidArgument, "JPEG is not lossless")
  static let jpegTooLarge = ErrorCode(
    "jpeg/too-large", .invalidArgument, "JPEG images have at most 65500 pixels per side")
  static let libraryRejectedData = ErrorCode(
    "library-rejected-data", .malformed, "{library}: {detail}")
  static let libraryResultUnexpected = ErrorCode(
    "library-result-unexpected", .codecFailure, "{library} returned an unexpected result")
  static let outOfMemory = ErrorCode(
    "out-of-memory", .limitExceeded, "not enough memory for {library}")
  static let pngInterlacedLimitExceeded = ErrorCode(
    "png/interlaced-limit-exceeded", .limitExceeded,
    "interlaced image of {size byte} exceeds the limit")
  static let samplesTruncated = ErrorCode(
    "samples-truncated", .truncated, "the coded samples are truncated")
  static let tiffChunkLimitExceeded = ErrorCode(
    "tiff/chunk-limit-exceeded", .limitExceeded, "strips or tiles of {size byte} exceed the limit")
  static let tiffTooLarge = ErrorCode(
    "tiff/too-large", .unsupported, "TIFF files are limited to 4 GiB")
  static let jpegxlCodestreamInvalid = ErrorCode(
    "jpegxl/codestream-invalid", .malformed, "the JPEG XL codestream cannot be decoded")
  static let jpegxlCodestreamTruncated = ErrorCode(
    "jpegxl/codestream-truncated", .truncated, "the JPEG XL codestream ends within the image")
  static let jpegxlColorNotStorable = ErrorCode(
    "jpegxl/color-not-storable", .invalidArgument,
    "JPEG XL stores full-range gray or RGB, not CICP {cicp}")
  static let jpegxlProfileTooLarge = ErrorCode(
    "jpegxl/profile-too-large", .limitExceeded,
    "the ICC profile of {size byte} exceeds the limit of {limit byte}")
  static let jpegxlReconstructionMissing = ErrorCode(
    "jpegxl/reconstruction-missing", .unsuitable,
    "the JPEG XL file was not transcoded from JPEG without loss")
  static let jpegxlReconstructionTooLarge = ErrorCode(
    "jpegxl/reconstruction-too-large", .limitExceeded,
    "the reconstructed JPEG file exceeds {limit byte}")
  static let jpegxlJPEGUnsupported = ErrorCode(
    "jpegxl/jpeg-unsupported", .unsupported,
    "libjxl cannot transcode this JPEG file (error {code})")
}
