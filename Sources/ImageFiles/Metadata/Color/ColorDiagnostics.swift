// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// The diagnostics of color and luminance: codes, categories and English messages.

extension ErrorCode {
  static let colorCMYK = ErrorCode("color/cmyk", .unsupported, "CMYK is not supported")
  static let colorCodePointsUnsupported = ErrorCode(
    "color/code-points-unsupported", .unsupported,
    "unsupported code points: {codes code point}")
  static let colorMatrixWithProfileUnsupported = ErrorCode(
    "color/matrix-with-profile-unsupported", .unsupported,
    "{matrix} with the curves of an ICC profile is not supported")
  static let profileColorSpaceDiffers = ErrorCode(
    "profile/color-space-differs", .invalidArgument,
    "a profile for '{profile}' does not fit an image of '{image}'")
  static let profileDoesNotFit = ErrorCode(
    "profile/does-not-fit", .invalidArgument,
    "the given ICC profile does not describe the samples: {cause}")
  static let profileIsGray = ErrorCode("profile/is-gray", .unsuitable, "it is a gray profile")
  static let profileNeitherRGBNorGray = ErrorCode(
    "profile/neither-rgb-nor-gray", .unsuitable,
    "it describes neither RGB nor gray")
  static let profileOfAnotherSpace = ErrorCode(
    "profile/of-another-space", .unsuitable,
    "it is a profile for {space}, not for {wanted}")
  static let profilePrimariesDiffer = ErrorCode(
    "profile/primaries-differ", .unsuitable,
    "its primaries differ")
  static let profileSignalsCICP = ErrorCode(
    "profile/signals-cicp", .unsuitable,
    "it signals CICP {cicp}")
  static let profileTablesForRGB = ErrorCode(
    "profile/tables-for-rgb", .unsuitable,
    "it has tables for RGB, not for gray")
  static let profileTransferDiffers = ErrorCode(
    "profile/transfer-differs", .unsuitable,
    "its transfer function differs")
}

extension NoticeCode {
  static let adaptationCopiesDiffer = NoticeCode(
    "adaptation/copies-differ", .conflict,
    "ST 2094-50 metadata in {first} and {second} differ; using {first}")
  static let adaptationUnreadable = NoticeCode(
    "adaptation/unreadable", .irregular,
    "ignored: ST 2094-50 metadata: {cause}")
  static let adaptationWithoutHeadroom = NoticeCode(
    "adaptation/without-headroom", .irregular,
    "ignored: ST 2094-50 metadata of an image without headroom")
  static let colorAssumed = NoticeCode(
    "color/assumed", .assumed,
    "assumed: {guesses property} (the file does not specify its color)")
  static let colorAssumedColorNotUsed = NoticeCode(
    "color/assumed-color-not-used", .conflict,
    "not used: assumed color (the file has an ICC profile)")
  static let colorAssumedPrimariesNotUsed = NoticeCode(
    "color/assumed-primaries-not-used", .conflict,
    "not used: assumed primaries (the file specifies others)")
  static let colorAssumedTransferNotUsed = NoticeCode(
    "color/assumed-transfer-not-used", .conflict,
    "not used: assumed transfer function (the file specifies another)")
  static let colorAssumedWhiteAbsolute = NoticeCode(
    "color/assumed-white-absolute", .conflict,
    "not used: assumed luminance of white (PQ and HLG are absolute)")
  static let colorAssumedWhiteNotUsed = NoticeCode(
    "color/assumed-white-not-used", .conflict,
    "not used: assumed luminance of white (the file specifies {white cd/m²})")
  static let colorBitstreamDiffers = NoticeCode(
    "color/bitstream-differs", .conflict,
    "'colr' specifies {container}, the bitstream {bitstream}; using 'colr'")
  static let colorBitstreamOverridden = NoticeCode(
    "color/bitstream-overridden", .conflict,
    "the bitstream signals {bitstream}, the item {item}; readers use the item's")
  static let colorChromaticitiesInvalid = NoticeCode(
    "color/chromaticities-invalid", .irregular,
    "ignored: chromaticities (they do not define a color space)")
  static let colorChromaticitiesOverridden = NoticeCode(
    "color/chromaticities-overridden", .conflict,
    "the chromaticities differ from a source of higher precedence, which is used")
  static let colorCICPOverridesProfile = NoticeCode(
    "color/cicp-overrides-profile", .conflict,
    "CICP {cicp} and ICC profile differ; using CICP")
  static let colorCMYKNotDecodable = NoticeCode(
    "color/cmyk-not-decodable", .irregular,
    "CMYK is not supported")
  static let colorCodePointsIncomplete = NoticeCode(
    "color/code-points-incomplete", .conflict,
    "CICP {cicp} does not specify both primaries and transfer function; using the {next}")
  static let colorCodePointsReserved = NoticeCode(
    "color/code-points-reserved", .irregular,
    "ignored: {codes code point} (reserved by H.273)")
  package static let colorDeclared = NoticeCode(
    "color/declared", .conflict,
    "declared against the file: {values property}")
  static let colorPrimariesAssumed = NoticeCode(
    "color/primaries-assumed", .assumed,
    "assumed: BT.709 primaries (the file does not specify others)")
  static let colorPrimariesUnknown = NoticeCode(
    "color/primaries-unknown", .irregular,
    "unsupported color primaries {primaries}")
  static let colorProfileIgnored = NoticeCode(
    "color/profile-ignored", .irregular,
    "ignored: ICC profile: {cause}")
  static let colorProfileOverridesCICP = NoticeCode(
    "color/profile-overrides-cicp", .conflict,
    "ICC profile and CICP {cicp} differ; using the profile")
  static let colorProfileUnreadable = NoticeCode(
    "color/profile-unreadable", .irregular,
    "ignored: unreadable ICC profile: {cause}")
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
  static let colorTransferUnknown = NoticeCode(
    "color/transfer-unknown", .irregular,
    "unsupported transfer characteristics {transfer}")
  static let colorXyzUnadapted = NoticeCode(
    "color/xyz-unadapted", .assumed,
    "assumed: XYZ without chromatic adaptation; gray is that of D65")
  static let lightLuminanceInvalid = NoticeCode(
    "light/luminance-invalid", .irregular,
    "ignored: {field} of {value cd/m²}")
  static let profileTablesNotCompared = NoticeCode(
    "profile/tables-not-compared", .assumed,
    "assumed: the tables of the given ICC profile describe the samples")
}
