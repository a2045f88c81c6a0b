#if AVIF
internal import CLibAVIF
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// AVIF images: AV1 in an item graph.
enum AVIFCodec: HEIFItemCodec {
  static let format = FileFormat.avif
  static let codec = ItemCodec.av1

  /// The libraries behind it, with their versions.
  static var libraries: [String] {
    var codecs = [CChar](repeating: 0, count: 256)
    // SAFETY: libavif fills at most the 256 bytes that it asks for and ends them with a zero; its
    // own version is a constant string.
    return unsafe codecs.withUnsafeMutableBufferPointer {
      guard let start = $0.baseAddress else { return [] }
      unsafe avifCodecVersions(start)
      return unsafe ["libavif \(String(cString: avifVersion()))", String(cString: start)]
    }
  }
}
#endif
