public import HDRCore

extension ImageTransform {
  /// The same conversion of a base that is brightened or darkened by a gain map first.
  ///
  /// - Parameters:
  ///   - map: The map that belongs to the source.
  ///   - display: The display to go for: at the base's headroom or beyond nothing changes, at the
  ///     alternate's or beyond the alternate rendition is made.
  /// - Returns: The conversion; alpha is that of the base.
  public func applying(_ map: GainMapImage, for display: Headroom) -> ImageTransform {
    let weight = map.meaning.weight(for: display)
    guard weight != 0 else { return self }
    var conversion = self
    conversion.stage = GainMapStage(map, weight: weight, base: source)
    return conversion
  }
}
