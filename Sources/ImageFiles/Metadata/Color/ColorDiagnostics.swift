// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// The diagnostics of color and luminance: codes, categories and English messages.

extension ErrorCode {
  static let colorCMYK = ErrorCode("color/cmyk", .unsupported, "CMYK is not supported")
}

extension NoticeCode {
  static let colorBitstreamDiffers = NoticeCode(
    "color/bitstream-differs", .conflict,
    "'colr' specifies {container}, the bitstream {bitstream}; using 'colr'")
  static let colorCMYKNotDecodable = NoticeCode(
    "color/cmyk-not-decodable", .irregular, "CMYK is not supported")
  static let colorCodePointsIncomplete = NoticeCode(
    "color/code-points-incomplete", .conflict,
    "CICP {cicp} does not specify both primaries and transfer function; using the {next}")
  static let colorCodePointsReserved = NoticeCode(
    "color/code-points-reserved", .irregular, "ignored: {codes code point} (reserved by H.273)")
  package static let colorDeclared = NoticeCode(
    "color/declared", .conflict, "declared against the file: {values property}")
  static let colorPrimariesAssumed = NoticeCode(
    "color/primaries-assumed", .assumed,
    "assumed: BT.709 primaries (the file does not specify others)")
  static let colorProfileIgnored = NoticeCode(
    "color/profile-ignored", .irregular, "ignored: ICC profile: {cause}")
  static let colorProfileUnreadable = NoticeCode(
    "color/profile-unreadable", .irregular, "ignored: unreadable ICC profile: {cause}")
  static let colorRangeInferred = NoticeCode(
    "color/range-inferred", .assumed,
    "assumed: limited range (neither the file nor its HEVC bitstream specifies the range)")
  static let colorRGBSubsampled = NoticeCode(
    "color/rgb-subsampled", .irregular,
    "matrix 0 (RGB) with chroma {chroma}: blue and red are interpolated; if the colors are wrong, "
      + "the file declares the wrong matrix")
  static let colorSrgbOverridden = NoticeCode(
    "color/srgb-overridden", .conflict,
    "Exif or an sRGB chunk states sRGB; the ICC profile or CICP differs and is used")
  static let colorTransferRecognized = NoticeCode(
    "color/transfer-recognized", .assumed,
    "assumed: {transfer} (the curve of the ICC profile matches it)")
}
