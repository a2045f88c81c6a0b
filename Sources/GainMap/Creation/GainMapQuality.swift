public import HDRCore

/// How close a base with its map comes to the rendition that it was made from.
public struct GainMapQuality: Hashable, Sendable {
  /// Mean difference of all pixels, Delta E ITP.
  public let meanDeltaE: Double
  /// Difference that 99 % of the pixels do not exceed, Delta E ITP; at most 0.1 too high.
  public let deltaE99: Double
  /// Of red, green and blue in BT.2020, decibels.
  public let pqPSNR: Double

  /// Compares two pictures of the same size.
  ///
  /// - Parameters:
  ///   - reconstruction: The conversion of the base, with its map, to light in BT.2020 primaries.
  ///   - base: Yields the base's samples.
  ///   - original: What the reader of the original yields.
  ///   - reader: Yields the original's samples.
  ///   - threads: Bands worked on at the same time, at least 1.
  /// - Throws: What the readers find wrong.
  init(
    reconstruction: PictureConversion, base: any RowReader, original: PictureConversion,
    reader: any RowReader, threads: Int
  ) throws(ImageError) {
    let shown = try reconstruction.run(base, threads: threads).image
    let wanted = try original.run(reader, threads: threads).image
    let counter = LightDifference.measure(shown, wanted, threads: threads)
    let pixels = Double(shown.format.width * shown.format.height)
    meanDeltaE = Double(counter.sum) / Double(LightDifference.sumScale) / pixels
    deltaE99 = counter.percentile(0.99)
    pqPSNR = counter.pqPSNR(pixels: pixels)
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
    of base: PictureConversion.Coding, _ baseReader: any RowReader,
    comparedTo alternate: PictureConversion.Coding, _ alternateReader: any RowReader, threads: Int
  ) throws(ImageError) -> GainMapQuality {
    let light = ColorEncoding(primaries: .bt2020, transfer: .linear)
    var format = base.format
    format.components = .rgb
    format.samples = .float
    format.hasAlpha = false
    format.isFullRange = true
    let target = PictureConversion.Coding(format: format, encoding: light)
    return try GainMapQuality(
      reconstruction: PictureConversion(from: base, to: target)
        .applying(self, for: meaning.alternateHeadroom),
      base: baseReader, original: PictureConversion(from: alternate, to: target),
      reader: alternateReader, threads: threads)
  }
}
