public import HDRCore

extension StoredGainMap {
  /// The samples as codes of gain: gray or RGB, full range, in the depth that they have.
  ///
  /// Samples that are so already stay as they are; the others are rounded, subsampled chroma is
  /// interpolated.
  ///
  /// - Parameter threads: Bands worked on at the same time, at least 1.
  /// - Returns: A picture of the same size.
  public func codes(threads: Int) -> StoredImage {
    var format = image.format
    if case .ycbcr = format.components { format.components = .rgb }
    format.isFullRange = true
    guard format != image.format else { return image }
    // Codes are no light, but linear signal goes through unchanged.
    let plain = ColorEncoding(primaries: .bt709, transfer: .linear)
    var coded = plain
    if case .ycbcr = image.format.components { coded.matrix = matrix }
    let conversion = ImageTransform(
      from: .init(format: image.format, encoding: coded, chromaLocation: chromaLocation),
      to: .init(format: format, encoding: plain))
    return conversion.run(image, threads: threads).image
  }
}
