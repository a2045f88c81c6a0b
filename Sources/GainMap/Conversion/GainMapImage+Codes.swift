public import HDRCore

extension GainMapImage {
  /// The samples as codes of gain: gray or RGB, full range, in the depth that they have.
  ///
  /// Samples that are so already stay as they are; the others are rounded, subsampled chroma is
  /// interpolated.
  ///
  /// - Parameter threads: Bands worked on at the same time, at least 1.
  /// - Returns: A picture of the same size.
  public func codes(threads: Int) -> ImagePlanes {
    var layout = image.layout
    if case .ycbcr = layout.components { layout.components = .rgb }
    guard layout != image.layout || !image.color.isFullRange else { return planes }
    let conversion = ImageTransform(
      from: image.description,
      to: .init(layout: layout, color: .data))
    return conversion.run(planes, threads: threads).image
  }
}
