public import HDRCore

/// How close a base with its map comes to the rendition that it was made from.
public struct GainMapQuality: Hashable, Sendable {
  /// Mean difference of all pixels, Delta E ITP.
  public let meanDeltaE: Double
  /// Difference that 99 % of the pixels do not exceed, Delta E ITP.
  public let deltaE99: Double
  /// Of red, green and blue in BT.2020, decibels.
  public let pqPSNR: Double

  init(_ difference: LightComparison.Result) {
    meanDeltaE = difference.deltaE.mean
    deltaE99 = difference.deltaE.percentile99
    pqPSNR = difference.pqPSNR
  }
}

extension GainMapImage {
  /// Measures how close a base with this map comes to another rendition.
  ///
  /// - Parameters:
  ///   - base: The rendition that the map belongs to, as readers will decode it.
  ///   - baseReader: Yields its samples.
  ///   - alternate: The rendition that full gain shall make of it.
  ///   - alternateReader: Yields its samples.
  /// - Returns: The differences on a display that shows both in full.
  /// - Throws: What the readers find wrong.
  public func quality(
    of base: ImageDescription, _ baseReader: any RowReader,
    comparedTo alternate: ImageDescription, _ alternateReader: any RowReader
  ) throws(ImageError) -> GainMapQuality {
    var comparison = try LightComparison(
      try Self.light(of: base).applying(self, for: meaning.alternateHeadroom),
      try Self.light(of: alternate))
    comparison.coverage = .first
    comparison.measurement = .nothing
    return GainMapQuality(try comparison.run(baseReader, alternateReader))
  }

  /// Linear values in BT.2020, of which 1.0 counts as 203 cd/m² in relative encodings.
  private static func light(
    of image: ImageDescription
  ) throws(ImageError) -> ImageTransform {
    var image = image
    switch image.color.transfer {
    case .pq, .hlg: break
    default: image.color.referenceWhite = LightMetadata.defaultDiffuseWhite
    }
    return try LightComparison.light(of: image)
  }
}
