internal import GainMap
package import HDRCore

extension FileFormat {
  /// Refuses what files of this kind cannot hold.
  ///
  /// - Parameters:
  ///   - baseIsHDR: Whether the picture beside the gain map is the rendition with headroom.
  ///   - otherwise: What helps beside another format.
  /// - Throws: `.invalidArgument`.
  package func checkHoldsGainMap(
    baseIsHDR: Bool, otherwise: String? = nil
  ) throws(ImageError) {
    guard traits.gainMapCodec != nil else {
      throw ImageError(
        .invalidArgument, "\(title) files hold no gain maps here",
        remedy: "write .jpg, .heic or .avif")
    }
    guard traits.highDynamicRangeDepths.all.isEmpty, baseIsHDR else { return }
    throw ImageError(
      .invalidArgument, "JPEG has 8 bits, too few for an HDR base",
      remedy: (["write .heic or .avif"] + [otherwise].compactMap { $0 }).joined(separator: ", or "))
  }
}
