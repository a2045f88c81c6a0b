public import HDRCore

extension GainMapImage {
  /// The samples as codes of gain: gray or RGB, full range, in the depth that they have.
  ///
  /// Samples that are so already stay as they are; the others are rounded, subsampled chroma is
  /// interpolated.
  ///
  /// - Returns: A picture of the same size.
  /// - Throws: `.cancelled`.
  public func codes() throws(ImageError) -> ImagePlanes {
    var layout = image.layout
    if case .ycbcr = layout.components { layout.components = .rgb }
    guard layout != image.layout || !image.color.isFullRange else { return planes }
    let conversion = ImageTransform(
      from: image.description,
      to: .init(layout: layout, color: .data))
    return try conversion.run(planes).image
  }
}
