// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension FileFormat {
  /// Throws an error if files of this format cannot store the images of a gain map file.
  ///
  /// - Parameter isBaseHDR: Whether the baseline image is the HDR image.
  /// - Throws: `.invalidArgument`.
  package func checkHoldsGainMap(isBaseHDR: Bool) throws(ImageError) {
    guard traits.gainMapCodec != nil else {
      throw ImageError(.gainMapFormatUnsupported, ["format": title])
    }
    guard traits.highDynamicRangeDepths.all.isEmpty, isBaseHDR else { return }
    throw ImageError(.jpegHDRBaseUnsupported)
  }
}
