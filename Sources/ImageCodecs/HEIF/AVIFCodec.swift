// SPDX-License-Identifier: Apache-2.0
#if AVIF
internal import CLibAVIF
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// AVIF images: AV1 in HEIF items.
enum AVIFCodec: HEIFItemCodec {
  static let format = FileFormat.avif
  static let codec = ItemCodec.av1

  /// The libraries that encode and decode items, with their versions.
  static var libraries: [String] {
    guard (try? CodecLibrary.libavif.load()) != nil else {
      return [CodecLibrary.libavif.description { "" }]
    }
    var codecs = [CChar](repeating: 0, count: 256)
    // SAFETY: libavif writes at most 256 bytes, zero-terminated; its version is a constant string.
    return unsafe codecs.withUnsafeMutableBufferPointer {
      guard let start = $0.baseAddress else { return [] }
      unsafe avifCodecVersions(start)
      return unsafe ["libavif \(String(cString: avifVersion()))", String(cString: start)]
    }
  }
  static var services: [any DecoderService.Type] { [AV1Service.self] }
}
#endif
