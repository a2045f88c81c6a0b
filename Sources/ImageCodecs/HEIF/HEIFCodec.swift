// SPDX-License-Identifier: Apache-2.0
#if HEIF
internal import CLibDE265
internal import CLibHEIF
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// HEIF images: HEVC in HEIF items.
enum HEIFCodec: HEIFItemCodec {
  static let format = FileFormat.heif
  static let codec = ItemCodec.hevc

  /// The libraries that encode and decode items, with their versions.
  static var libraries: [String] {
    // SAFETY: a constant string.
    unsafe ["libheif \(String(cString: heif_get_version()))", "libde265 \(decoderVersion)"]
  }

  /// Version of libde265.
  static var decoderVersion: String {
    // SAFETY: a constant string.
    unsafe String(cString: de265_get_version())
  }
  static var services: [any DecoderService.Type] { [HEVCService.self] }
}
#endif
