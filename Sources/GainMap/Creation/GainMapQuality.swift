// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// Difference between an image made with a gain map and the image that the gain map was made from.
public struct GainMapQuality: Hashable, Sendable {
  /// Mean Delta E ITP of the measured pixels; 1 is just noticeable.
  public let meanDeltaE: Double
  /// Delta E ITP that 99 % of the pixels do not exceed.
  public let deltaE99: Double
  /// PSNR of PQ-encoded red, green and blue in BT.2020, in decibels; the peak is signal 1.
  ///
  /// It is infinite for equal images.
  public let pqPSNR: Double
  /// Share of the pixels that were measured, 0 to 1.
  public let measuredShare: Double

  /// The pixels that are measured.
  public enum Extent: String, Codable, CaseIterable, Sendable {
    /// Bands of rows at equal distances: a quarter to a thirty-second of the rows of a large image,
    /// all rows of an image of fewer than 768.
    case sampled
    /// All pixels.
    case full

    /// The bands of rows that are measured; none if these are all rows of an image.
    package func bands(ofHeight height: Int) -> [Range<Int>] {
      let interval = bandInterval(forHeight: height)
      return interval == 1 ? [] : LightComparison.bands(ofHeight: height, interval: interval)
    }

    /// Distance of the bands, so that at least twelve of them are measured.
    fileprivate func bandInterval(forHeight height: Int) -> Int {
      switch self {
      case .full: 1
      case .sampled: min(max(height / bandHeight / 12, 1), 8)
      }
    }
  }

  init(_ difference: LightComparison.Result) {
    measuredShare = difference.comparedShare
    meanDeltaE = difference.deltaE.mean
    deltaE99 = difference.deltaE.percentile99
    pqPSNR = difference.pqPSNR
  }
}

extension GainMapImage {
  /// Measures the difference between a baseline image with this gain map and an alternate image.
  ///
  /// - Parameters:
  ///   - base: Description of the baseline image as decoded.
  ///   - baseReader: Its rows.
  ///   - alternate: Description of the alternate image, of the same size.
  ///   - alternateReader: Its rows.
  ///   - extent: The pixels that are measured.
  ///   - execution: Threads, progress and cancellation.
  /// - Returns: The difference at the headroom of the alternate image.
  /// - Throws: `.invalidArgument` for images of different sizes, invalid descriptions, and readers
  ///   without the layout of their image; `.unsupported` for a matrix that cannot be decoded;
  ///   errors of the readers; `.cancelled`.
  public func quality(
    of base: ImageDescription, _ baseReader: any RowReader,
    comparedTo alternate: ImageDescription, _ alternateReader: any RowReader,
    extent: GainMapQuality.Extent = .full, execution: Execution = .current
  ) throws(ImageError) -> GainMapQuality {
    var comparison = try LightComparison(
      try Self.linear(base).applying(self, for: Headroom(metadata.alternateHeadroom)),
      try Self.linear(alternate))
    comparison.coverage = .first
    comparison.measurement = .nothing
    comparison.bandInterval = extent.bandInterval(forHeight: base.layout.height)
    return try execution.run { () throws(ImageError) in
      try Execution.operation { () throws(ImageError) in
        GainMapQuality(try comparison.run(baseReader, alternateReader))
      }
    }
  }

  /// A transform to linear values in BT.2020; 1.0 of relative encodings is 203 cd/m².
  private static func linear(_ image: ImageDescription) throws(ImageError) -> ImageTransform {
    var image = image
    switch image.color.transfer {
    case .pq, .hlg: break
    default: image.color.referenceWhite = ColorEncoding.defaultReferenceWhite
    }
    return try LightComparison.linear(of: image)
  }
}
