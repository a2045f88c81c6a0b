// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// Codes of the JPEG XL diagnostics, with their English text.

extension ErrorCode {
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
  static let jpegxlGainMapFlavors = ErrorCode(
    "jpegxl/gain-map-flavors", .invalidArgument,
    "JPEG XL stores gain map metadata of ISO 21496-1 only")
  static let jpegxlHasNoItems = ErrorCode(
    "jpegxl/has-no-items", .invalidArgument,
    "JPEG XL files contain one image without an item ID")
}

extension NoticeCode {
  static let jpegxlChannelsDropped = NoticeCode(
    "jpegxl/channels-dropped", .dropped,
    "not copied: extra channels ({names extra channel})")
  static let jpegxlCompressedBox = NoticeCode(
    "jpegxl/compressed-box", .irregular,
    "{content} in a compressed box (brob) is not read")
  static let jpegxlFramesDropped = NoticeCode(
    "jpegxl/frames-dropped", .dropped,
    "dropped: animation frames after the first")
  package static let jpegxlProfileUnreadable = NoticeCode(
    "jpegxl/profile-unreadable", .irregular,
    "the ICC profile of JPEG XL is not used: {cause}")
  static let jpegxlReconstructionDropped = NoticeCode(
    "jpegxl/reconstruction-dropped", .dropped,
    "dropped: data for the exact reconstruction of the JPEG file (its metadata changed)")
}
