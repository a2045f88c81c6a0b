// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Visual difference of two images of the same size.
///
/// Both are converted to linear BT.2020 and clipped to the range of PQ, 0...10 000 cd/m². Pixels
/// with alpha are composited on black. Stored rows are compared with stored rows: orientations are
/// ignored. Rows of both images are decoded in bands; no whole image of linear values is built.
public struct LightComparison: Sendable {
  /// The measured differences.
  public struct Result: Sendable {
    /// Delta E ITP of the compared pixels; 1 is just noticeable.
    ///
    /// Source: Recommendation ITU-R BT.2124.
    public let deltaE: LightComparison.Statistics
    /// PQ-PSNR over red, green and blue of BT.2020, in dB; the peak is signal 1.
    ///
    /// Infinite for equal images.
    public let pqPSNR: Double
    /// PU21-PSNR of luminance, in dB; the peak is 256, the white of an SDR display.
    ///
    /// Infinite for equal images.
    public let pu21PSNR: Double
    /// Share of the pixels that were compared, 0 to 1.
    public let comparedShare: Double
    /// Light levels of the first image in BT.2020, over the compared pixels.
    public let first: LightLevels
    /// Light levels of the second image in BT.2020, over the compared pixels.
    public let second: LightLevels
    /// Pixels of the first image with components clipped to 0...10 000 cd/m², or not a number.
    public let firstClipping: ImageTransform.Clipping
    /// Pixels of the second image with components clipped to 0...10 000 cd/m², or not a number.
    public let secondClipping: ImageTransform.Clipping
    /// Map of the differences, if requested: for each pixel 0 without difference, otherwise
    /// 1...255.
    ///
    /// Levels are proportional to the logarithm of 1 + Delta E ITP; 255 is a Delta E of 100 or
    /// more.
    public internal(set) var map: Plane<UInt8>?

    /// The same result with an upright map.
    ///
    /// - Parameter orientation: Relation of the compared rows to the upright image.
    /// - Returns: The same numbers, and the rotated map.
    public func upright(from orientation: Orientation) -> Result {
      var result = self
      result.map = map?.upright(from: orientation)
      return result
    }
  }

  /// The alpha by which linear values are multiplied.
  package enum Coverage: Sendable {
    /// The alpha of each image.
    case own
    /// The alpha of the first image for both, if the first was made from the second.
    case first
  }

  private let first: ImageTransform
  private let second: ImageTransform
  package var coverage = Coverage.own
  /// Light levels that the result contains.
  package var measurement = LightLevels.Extent.all
  /// Distance of the bands of rows that are compared, in bands; 1 for all rows.
  ///
  /// Of a band, the upper half is compared, from a distance of 8 the upper quarter.
  /// Other rows are not read, and a map does not contain them.
  package var bandInterval = 1

  /// The bands of rows of an image that are compared.
  package static func bands(ofHeight height: Int, interval: Int) -> [Range<Int>] {
    ComparisonEngine.bands(ofHeight: height, interval: interval)
  }

  /// Prepares a comparison.
  ///
  /// - Parameters:
  ///   - first: Conversion of the first image to linear values, the result of
  ///     `linear(of:resampling:)` without resampling; may apply a gain map. Only its steps up to
  ///     linear values are run, at the size of the source.
  ///   - second: Conversion of the second image.
  /// - Throws: `.invalidArgument` for sources of different sizes.
  public init(_ first: ImageTransform, _ second: ImageTransform) throws(ImageError) {
    let (one, other) = (first.source.layout, second.source.layout)
    guard one.hasSize(of: other) else {
      throw ImageError(
        .imageSizesDiffer,
        ["first": .size(one.width, one.height), "second": .size(other.width, other.height)])
    }
    self.first = first
    self.second = second
  }

  /// Returns the conversion of an image to linear BT.2020.
  ///
  /// With a resampling, it makes a smaller image to compare; comparisons do not resample.
  ///
  /// - Parameters:
  ///   - source: The image.
  ///   - resampling: Part of the image and size of the result; `nil` for the image at its size.
  /// - Returns: A conversion to floating point, whose 1.0 is the source's reference white.
  /// - Throws: As `ImageTransform.init(validating:to:exposure:rendition:resampling:orientation:)`.
  public static func linear(
    of source: ImageDescription, resampling: Resampling? = nil
  ) throws(ImageError) -> ImageTransform {
    var target = source.linear
    target.color.primaries = .bt2020
    target.layout.isAlphaPremultiplied = false
    if let resampling {
      (target.layout.width, target.layout.height) = (resampling.width, resampling.height)
    }
    return try ImageTransform(validating: source, to: target, resampling: resampling)
  }

  /// Compares the images of two readers, under the conditions of `Execution.current`.
  ///
  /// - Parameters:
  ///   - firstReader: Yields the samples of the first image.
  ///   - secondReader: Yields the samples of the second image.
  ///   - makesMap: Whether the result contains a map of the differences.
  /// - Returns: The differences, the same for any number of threads.
  /// - Throws: `.invalidArgument` if a reader does not have the layout of its image; errors of a
  ///   reader; `.cancelled`.
  public func run(
    _ firstReader: any RowReader, _ secondReader: any RowReader, makesMap: Bool = false
  ) throws(ImageError) -> Result {
    try firstReader.require(first.source.layout)
    try secondReader.require(second.source.layout)
    let engine = ComparisonEngine(
      first, second, coverage: coverage, measurement: measurement, bandInterval: bandInterval)
    var map: Plane<UInt8>?
    if makesMap {
      let format = ImageLayout(
        width: first.source.layout.width, height: first.source.layout.height, components: .gray,
        samples: .integer(bits: 8))
      map = try SharedPlanes.makePlanes(format) { (planes) throws(ImageError) in
        try engine.run(firstReader, secondReader, into: planes)
      }.first
    } else {
      try engine.run(firstReader, secondReader, into: nil)
    }
    return engine.result(map: map)
  }
}

/// Mapping of Delta E ITP to the 256 levels of a difference map.
///
/// The scale is the logarithm of 1 + Delta E, so that just noticeable and large differences are
/// both visible.
package enum DifferenceScale {
  /// Delta E ITP of the highest level; larger differences are clamped to it.
  package static let highest = 100.0

  /// Position of a difference on the scale, from 0 for none to 1 for `highest`.
  package static func position(of deltaE: Double) -> Double {
    min(log1p(max(deltaE, 0)) / log1p(highest), 1)
  }

  /// The level of a difference; at least 1 unless the difference is 0.
  static func level(of deltaE: Float) -> UInt8 {
    guard deltaE > 0 else { return 0 }
    return UInt8(clamping: max((position(of: Double(deltaE)) * 255).rounded(), 1))
  }
}
