#if HEIF
internal import CLibDE265
internal import CLibHEIF
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// HEIF images: HEVC in an item graph.
enum HEIFCodec: HEIFItemCodec {
  static let format = FileFormat.heif
  static let codec = ItemCodec.hevc

  /// The libraries behind it, with their versions.
  static var libraries: [String] {
    // SAFETY: both are constant strings.
    unsafe [
      "libheif \(String(cString: heif_get_version()))",
      "libde265 \(String(cString: de265_get_version()))",
    ]
  }
}
#endif
