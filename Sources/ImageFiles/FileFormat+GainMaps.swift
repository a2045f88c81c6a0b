internal import GainMap
package import HDRCore

extension FileFormat {
  /// Refuses what files of this kind cannot hold.
  ///
  /// - Parameter baseIsHDR: Whether the baseline image is the HDR image.
  /// - Throws: `.invalidArgument`.
  package func checkHoldsGainMap(baseIsHDR: Bool) throws(ImageError) {
    guard traits.gainMapCodec != nil else {
      throw ImageError(.gainMapFormatUnsupported, ["format": title])
    }
    guard traits.highDynamicRangeDepths.all.isEmpty, baseIsHDR else { return }
    throw ImageError(.jpegHDRBaseUnsupported)
  }
}
