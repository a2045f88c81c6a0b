public import HDRCore

/// How close a base with its map comes to the rendition that it was made from.
public struct GainMapQuality: Hashable, Sendable {
  /// Mean difference of all pixels, Delta E ITP.
  public let meanDeltaE: Double
  /// Difference that 99 % of the pixels do not exceed, Delta E ITP; at most 0.1 too high.
  public let deltaE99: Double
  /// Of red, green and blue in BT.2020, decibels.
  public let pqPSNR: Double

  init(_ difference: LightDifference, pixels: Double) {
    meanDeltaE = Double(difference.sum) / Double(LightDifference.sumScale) / pixels
    deltaE99 = difference.percentile(0.99)
    pqPSNR = difference.pqPSNR(pixels: pixels)
  }
}

extension StoredGainMap {
  /// Measures how close a base with this map comes to another rendition.
  ///
  /// - Parameters:
  ///   - base: The rendition that the map belongs to, as readers will decode it.
  ///   - baseReader: Yields its samples.
  ///   - alternate: The rendition that full gain shall make of it.
  ///   - alternateReader: Yields its samples.
  ///   - threads: Bands worked on at the same time, at least 1.
  /// - Returns: The differences on a display that shows both in full.
  /// - Throws: What the readers find wrong.
  public func quality(
    of base: ImageDescription, _ baseReader: any RowReader,
    comparedTo alternate: ImageDescription, _ alternateReader: any RowReader, threads: Int
  ) throws(ImageError) -> GainMapQuality {
    let weight = meaning.weight(for: meaning.alternateHeadroom)
    let stage = weight == 0 ? nil : GainMapStage(self, weight: weight, base: base)
    let difference = try LightDifference.measure(
      (RenditionRows(base, primaries: .bt2020, stage: stage), baseReader),
      (RenditionRows(alternate, primaries: .bt2020), alternateReader), height: base.layout.height,
      threads: threads)
    return GainMapQuality(difference, pixels: Double(base.layout.width * base.layout.height))
  }
}
