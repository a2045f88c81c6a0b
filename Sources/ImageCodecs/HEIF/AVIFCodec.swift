// SPDX-License-Identifier: Apache-2.0
#if AVIF
internal import CLibAVIF
internal import HDRCore
internal import ImageFiles

/// AVIF images: AV1 in HEIF items.
enum AVIFCodec: HEIFItemCodec {
  static let format = FileFormat.avif
  static let codec = ItemCodec.av1

  /// The libraries that encode and decode items, with their versions.
  static var libraries: [String] {
    // SAFETY: a constant string.
    [unsafe "libavif \(String(cString: avifVersion()))"] + codecs
  }

  /// The encoders and decoders of AV1 that libavif uses, with their versions.
  private static var codecs: [String] {
    var text = [CChar](repeating: 0, count: 256)
    // SAFETY: libavif writes at most 256 bytes, zero-terminated.
    return unsafe text.withUnsafeMutableBufferPointer {
      guard let start = $0.baseAddress else { return [] }
      unsafe avifCodecVersions(start)
      return unsafe [String(cString: start)]
    }
  }
}
#endif
