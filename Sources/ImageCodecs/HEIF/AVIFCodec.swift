// SPDX-License-Identifier: Apache-2.0
#if AVIF
internal import CDav1d
internal import CShims
internal import HDRCore
internal import ImageFiles

/// AVIF images: AV1 in HEIF items.
enum AVIFCodec: HEIFItemCodec {
  static let format = FileFormat.avif
  static let codec = ItemCodec.av1

  /// The libraries that encode and decode items, with their versions.
  static var libraries: [String] {
    [
      // SAFETY: constant strings.
      unsafe "libaom \(String(cString: av1_encoder_version()))",
      unsafe "dav1d \(String(cString: dav1d_version()))",
    ]
  }
}
#endif
