public import HDRCore

/// Difference between an image made with a gain map and the image that the gain map was made from.
public struct GainMapQuality: Hashable, Sendable {
  /// Mean Delta E ITP of all pixels.
  public let meanDeltaE: Double
  /// Delta E ITP that 99 % of the pixels do not exceed.
  public let deltaE99: Double
  /// PSNR of PQ-encoded red, green and blue in BT.2020, in decibels.
  public let pqPSNR: Double

  init(_ difference: LightComparison.Result) {
    meanDeltaE = difference.deltaE.mean
    deltaE99 = difference.deltaE.percentile99
    pqPSNR = difference.pqPSNR
  }
}

extension GainMapImage {
  /// Measures the difference between a baseline image with this gain map and an alternate image.
  ///
  /// - Parameters:
  ///   - base: The baseline image as decoded.
  ///   - baseReader: Its rows.
  ///   - alternate: The alternate image.
  ///   - alternateReader: Its rows.
  ///   - execution: How to run.
  /// - Returns: The difference at the headroom of the alternate image.
  /// - Throws: Errors of the readers; `.cancelled`.
  public func quality(
    of base: ImageDescription, _ baseReader: any RowReader,
    comparedTo alternate: ImageDescription, _ alternateReader: any RowReader,
    execution: Execution = .current
  ) throws(ImageError) -> GainMapQuality {
    var comparison = try LightComparison(
      try Self.linear(base).applying(self, for: Headroom(metadata.alternateHeadroom)),
      try Self.linear(alternate))
    comparison.coverage = .first
    comparison.measurement = .nothing
    return try execution { () throws(ImageError) in
      GainMapQuality(try comparison.run(baseReader, alternateReader))
    }
  }

  /// A transform to linear values in BT.2020; 1.0 of relative encodings is 203 cd/m².
  private static func linear(_ image: ImageDescription) throws(ImageError) -> ImageTransform {
    var image = image
    switch image.color.transfer {
    case .pq, .hlg: break
    default: image.color.referenceWhite = ColorEncoding.defaultReferenceWhite
    }
    return try LightComparison.light(of: image)
  }
}
