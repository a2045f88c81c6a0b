// SPDX-License-Identifier: Apache-2.0
public import HDRCore

// Diagnostics of this module: their codes and their only English text.

extension ErrorCode {
  static let codecNotBuilt = ErrorCode(
    "missing-codec", .missingCodec, "{format} requires {codec}, which this build does not have")
  static let rawChunkTruncated = ErrorCode(
    "raw/chunk-truncated", .truncated, "{size byte}; its samples require {needed}")
  /// Raw samples of this compression are not supported.
  public static let rawCompressionUnsupported = ErrorCode(
    "raw/compression-unsupported", .unsupported,
    "raw samples of compression {compression} are not supported")
  static let rawDNGVersionUnsupported = ErrorCode(
    "raw/dng-version-unsupported", .unsupported,
    "requires a reader of DNG {version}; {supported} is supported")
  static let rawLevelCount = ErrorCode(
    "raw/level-count", .malformed, "{count level} for {samples sample}")
  static let rawLightSize = ErrorCode(
    "raw/light-size", .malformed, "light source data of {size byte}")
  static let rawMatrixSingular = ErrorCode(
    "raw/matrix-singular", .malformed, "{matrix} has no inverse")
  static let rawMatteUnknown = ErrorCode(
    "raw/matte-unknown", .unsuitable, "the file does not contain the matte '{name}'")
  static let rawNoColorMatrix = ErrorCode(
    "raw/no-color-matrix", .unsupported,
    "no color matrix in the file; camera colors cannot be interpreted")
  static let rawNoPreview = ErrorCode(
    "raw/no-preview", .unsuitable, "the file does not contain a preview as JPEG")
  static let rawOptionOutOfRange = ErrorCode(
    "raw/option-out-of-range", .invalidArgument, "{option} of {value}, not of {range}")
  static let rawProfileUnknown = ErrorCode(
    "raw/profile-unknown", .invalidArgument,
    "the file does not contain the camera profile '{name}'")
  static let rawProfilesUnnamed = ErrorCode(
    "raw/profiles-unnamed", .invalidArgument,
    "the file does not contain the camera profile '{name}'")
  static let rawRectangleInvalid = ErrorCode(
    "raw/rectangle-invalid", .malformed, "rectangle from {top}, {left} to {bottom}, {right}")
  static let rawSamplesLimitExceeded = ErrorCode(
    "raw/samples-limit-exceeded", .limitExceeded, "raw samples of more than {limit byte}")
  static let rawScanTruncated = ErrorCode(
    "raw/scan-truncated", .truncated, "the encoded samples end at row {row}")
  static let rawSelectionNotRaw = ErrorCode(
    "raw/selection-not-raw", .invalidArgument, "the selected image is not a raw image")
  static let rawXTransTooSmall = ErrorCode(
    "raw/x-trans-too-small", .unsupported,
    "{library} interpolates X-Trans of {limit} photosites or more, not of {size}")
  static let valueNotFinite = ErrorCode(
    "value-not-finite", .malformed, "{field} is {value} (undefined)")
}

extension NoticeCode {
  package static let rawAssumedColorNotUsed = NoticeCode(
    "raw/assumed-color-not-used", .conflict,
    "not used: assumed color and white (raw files specify them)")
  static let rawColorTableWithoutMask = NoticeCode(
    "raw/color-table-without-mask", .irregular,
    "color table for '{mask}', but no semantic mask has this name")
  static let rawChunkUnpadded = NoticeCode(
    "raw/chunk-unpadded", .conflict, "not padded to {size pixel}; the image is complete")
  static let rawLookUnreadable = NoticeCode("raw/look-unreadable", .irregular, "not used: {cause}")
  static let rawLookUnsupported = NoticeCode("raw/look-unsupported", .dropped, "not used: {cause}")
  static let rawNotDevelopable = NoticeCode(
    "raw/not-developable", .dropped, "cannot be developed: {cause}")
  static let rawPixelScaleIgnored = NoticeCode(
    "raw/pixel-scale-ignored", .irregular, "not used: pixel aspect ratio {scale}")
  static let rawMatrixOfLibrary = NoticeCode(
    "raw/matrix-of-library", .assumed,
    "assumed: the color matrix of the library for this camera (the file does not have one)")
  static let rawMatrixAssumed = NoticeCode(
    "raw/matrix-assumed", .assumed,
    "assumed: camera colors with the primaries of BT.709 (no color matrix in the file, and none is "
      + "known for the camera); colors are approximate")
}
