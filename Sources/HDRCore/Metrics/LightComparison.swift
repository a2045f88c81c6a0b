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

/// Perceptually uniform encoding of luminance, for metrics designed for SDR images.
///
/// The variant for banding with glare. 100 cd/m², the white of an SDR display, is encoded as 256.4.
///
/// Source: Mantiuk and Azimi, "PU21: A novel perceptually uniform encoding for adapting existing
/// quality metrics for HDR", Image Coding Symposium 2021.
package enum PU21 {
  /// Encoded value of `luminance`.
  ///
  /// - Parameter luminance: Luminance in cd/m²; clamped to 0.005...10 000.
  /// - Returns: Encoded value, 0 to 595.
  package static func signal(ofLuminance luminance: Double) -> Double {
    let power = pow(min(max(luminance, 0.005), 10_000), p4)
    return max(p7 * (pow((p1 + p2 * power) / (1 + p3 * power), p5) - p6), 0)
  }

  /// Peak signal-to-noise ratio in dB for a mean square error of signal; the peak is 256.
  ///
  /// Source: the authors' `pu21_metric` (github.com/gfxdisp/pu21): `psnr(T, R, 256)`, on luminance
  /// as in its metric PSNRY.
  static func decibels(meanSquare: Double) -> Double { 10 * log10(256 * 256 / meanSquare) }

  private static let p1 = 0.353_487_901
  private static let p2 = 0.373_465_862_9
  private static let p3 = 8.277_049_286e-05
  private static let p4 = 0.906_256_262_7
  private static let p5 = 0.091_503_031_66
  private static let p6 = 0.909_951_720_4
  private static let p7 = 596.314_814_2
}

/// Peak signal-to-noise ratio of PQ signal, so that errors are weighted by their visibility.
///
/// The peak is PQ signal 1, that is 10 000 cd/m².
package enum PQPSNR {
  /// Ratio in dB for a mean square error of signal.
  package static func decibels(meanSquare: Double) -> Double { -10 * log10(meanSquare) }
}

/// Color difference on a display; 1 is just noticeable under the most critical viewing conditions.
///
/// Source: Recommendation ITU-R BT.2124.
package enum DeltaEITP {
  /// From PQ signal of cone responses to a space in which Delta E ITP is the Euclidean distance.
  static let fromPQ = Matrix3x3(diagonal: weights) * ICtCp.fromPQ

  /// T is half of Ct; P is Cp.
  private static let weights = SIMD3(720, 360, 720.0)
}

extension LightComparison {
  /// Mean, percentiles and maximum of Delta E ITP over the compared pixels.
  public struct Statistics: Hashable, Sendable {
    /// Mean of the pixels.
    public let mean: Double
    /// The value that 95 % of the pixels do not exceed.
    public let percentile95: Double
    /// The value that 99 % of the pixels do not exceed.
    public let percentile99: Double
    /// Maximum of the pixels.
    public let maximum: Double
  }
}

/// Histogram of Delta E with bins narrow enough for percentiles of four digits.
///
/// A bin is 1/16384 of an octave wide; the error of its center is at most 0.003 %.
struct DifferenceHistogram {
  private static let octaves = -14..<12
  private static let shift: UInt32 = 23 - 14
  private static let lowest = UInt32(127 + octaves.lowerBound) << 23
  /// Bin 0 contains differences below the lowest octave, which are invisible.
  private static let binCount = 1 + octaves.count << 14

  private var bins = [UInt64](repeating: 0, count: binCount)
  private var count: UInt64 = 0

  /// The bin of a difference.
  static func bin(_ deltaE: Float) -> Int {
    let pattern = deltaE.bitPattern
    guard pattern >= lowest else { return 0 }
    return min(1 + Int((pattern - lowest) >> shift), binCount - 1)
  }

  /// Adds pixels to the histogram by their bins.
  mutating func add(_ pixels: [Int]) {
    for bin in pixels { bins[bin] += 1 }
    count += UInt64(pixels.count)
  }

  /// The difference that `share` of the pixels do not exceed.
  func percentile(_ share: Double) -> Double {
    let wanted = UInt64(clamping: (share * Double(count)).rounded(.up))
    var seen: UInt64 = 0
    let bin =
      bins.firstIndex { pixels in
        seen += pixels
        return seen >= wanted
      } ?? 0
    guard bin > 0 else { return 0 }
    let middle = Self.lowest + UInt32(bin - 1) << Self.shift + 1 << (Self.shift - 1)
    return Double(Float(bitPattern: middle))
  }
}
