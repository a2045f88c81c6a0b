// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension GainMapImage {
  /// Returns the samples as gray or RGB code values, full range, of the same depth.
  ///
  /// Y'CbCr and narrow range are converted and rounded, subsampled chroma is interpolated; other
  /// samples are unchanged.
  ///
  /// - Throws: `.cancelled`.
  package func codes() throws(ImageError) -> ImagePlanes {
    var layout = image.layout
    if case .ycbcr = layout.components { layout.components = .rgb }
    guard layout != image.layout || !image.color.isFullRange else { return planes }
    let transform = ImageTransform(
      from: image.description, to: ImageDescription(layout: layout, color: .data))
    return try transform.run(planes).image
  }
}
