// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

// Codes of the JPEG XL diagnostics, with their English text.

extension ErrorCode {
  static let jpegxlCodestreamInvalid = ErrorCode(
    "jpegxl/codestream-invalid", .malformed,
    "the JPEG XL codestream cannot be decoded")
  static let jpegxlCodestreamTruncated = ErrorCode(
    "jpegxl/codestream-truncated", .truncated,
    "the JPEG XL codestream ends within the image")
  static let jpegxlColorNotStorable = ErrorCode(
    "jpegxl/color-not-storable", .invalidArgument,
    "JPEG XL stores full-range gray or RGB, not CICP {cicp}")
  static let jpegxlPremultipliedAlpha = ErrorCode(
    "jpegxl/premultiplied-alpha", .unsupported,
    "premultiplied alpha is not written in JPEG XL")
  static let jpegxlProfileTooLarge = ErrorCode(
    "jpegxl/profile-too-large", .limitExceeded,
    "the ICC profile of {size byte} exceeds the limit of {limit byte}")
  static let jpegxlReconstructionDiffers = ErrorCode(
    "jpegxl/reconstruction-differs", .unsupported,
    "the JPEG file cannot be reconstructed exactly")
  static let jpegxlReconstructionMissing = ErrorCode(
    "jpegxl/reconstruction-missing", .unsuitable,
    "the JPEG XL file was not transcoded from JPEG without loss")
  static let jpegxlReconstructionTooLarge = ErrorCode(
    "jpegxl/reconstruction-too-large", .limitExceeded,
    "the reconstructed JPEG file exceeds {limit byte}")
  static let jpegxlJPEGUnsupported = ErrorCode(
    "jpegxl/jpeg-unsupported", .unsupported,
    "libjxl cannot transcode this JPEG file (error {code})")
  static let jpegxlTileDiffers = ErrorCode(
    "jpegxl/tile-differs", .malformed,
    "JPEG XL image of {size pixel} with {planes component} of {bits bit}, not {expectedSize} "
      + "with {expectedPlanes} of {expectedBits}")
}
