// SPDX-License-Identifier: Apache-2.0
#if HEIF
internal import CLibDE265
internal import CLibHEIF
internal import HDRCore
internal import ImageFiles

/// HEIF images: HEVC in HEIF items.
enum HEIFCodec: HEIFItemCodec {
  static let format = FileFormat.heif
  static let codec = ItemCodec.hevc

  /// The libraries that encode and decode items, with their versions.
  static var libraries: [String] {
    [
      // SAFETY: constant strings.
      unsafe "libheif \(String(cString: heif_get_version()))",
      unsafe "libde265 \(String(cString: de265_get_version()))",
    ] + encoders
  }

  /// The encoder of HEVC that libheif uses, with its version.
  private static var encoders: [String] {
    var encoder: OpaquePointer?
    // SAFETY: libheif writes at most one descriptor, whose name is a constant string.
    let count = unsafe heif_get_encoder_descriptors(heif_compression_HEVC, nil, &encoder, 1)
    guard count == 1, let encoder = unsafe encoder else { return [] }
    return unsafe [String(cString: heif_encoder_descriptor_get_name(encoder))]
  }
}
#endif
