internal import Foundation

/// Visual difference of two images of the same size.
///
/// Both are compared as linear BT.2020, limited to the range of PQ: 0...10 000 cd/m². Of pixels with
/// alpha, the color over black counts. Rows of both are decoded in bands; no whole image
/// of linear values is built.
public struct LightComparison: Sendable {
  /// The measured differences.
  public struct Result: Sendable {
    /// Delta E ITP of all pixels.
    public let deltaE: LightComparison.Statistics
    /// Over red, green and blue of BT.2020; the peak is signal 1.
    ///
    /// Infinite for equal images.
    public let pqPSNR: Double
    /// Of luminance; the peak is 256, which is the white of an SDR display.
    ///
    /// Infinite for equal images.
    public let pu21PSNR: Double
    /// Light levels of the images in BT.2020.
    public let first: LightLevels
    /// Light levels of the second image in BT.2020.
    public let second: LightLevels
    /// Pixels with components clipped to 0...10 000 cd/m², or not a number.
    public let firstClipping: ImageTransform.Clipping
    /// The same of the second image.
    public let secondClipping: ImageTransform.Clipping
    /// Map of the differences, if requested: `DifferenceScale.level(of:)` of each pixel.
    public internal(set) var map: Plane<UInt8>?

    /// The same with an upright map.
    ///
    /// - Parameter orientation: How the rows that were compared relate to the upright image.
    /// - Returns: The same numbers; the map turned.
    public func upright(from orientation: Orientation) -> Result {
      var result = self
      result.map = map?.upright(from: orientation)
      return result
    }
  }

  /// The alpha by which linear values are multiplied.
  package enum Coverage: Sendable {
    /// Each image's own.
    case own
    /// That of the first image, for both: the second is what it was made from.
    case first
  }

  private let first: ImageTransform
  private let second: ImageTransform
  package var coverage = Coverage.own
  /// Light levels that the result contains.
  package var measurement = LightLevels.Extent.all

  /// Plans a comparison.
  ///
  /// - Parameters:
  ///   - first: Leads to linear values, see `light(of:)`; may apply a gain map.
  ///   - second: Likewise.
  /// - Throws: `.invalidArgument` for images of different sizes.
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
  /// - Parameter source: The image.
  /// - Returns: A conversion to floating point, whose 1.0 is the source's reference white.
  /// - Throws: `.invalidArgument` for a description that is not of an image.
  public static func light(
    of source: ImageDescription
  ) throws(ImageError) -> ImageTransform {
    var target = source.linear
    target.color.primaries = .bt2020
    target.layout.isAlphaPremultiplied = false
    return try ImageTransform(validating: source, to: target)
  }

  /// Compares what two readers yield.
  ///
  /// - Parameters:
  ///   - firstReader: Yields the samples of the first image.
  ///   - secondReader: Yields those of the second.
  ///   - makesMap: Whether the result contains a map of the differences.
  ///   - progress: Called between strips with the share that is done.
  /// - Returns: The differences, the same for any number of threads.
  /// - Throws: Errors of a reader; `.cancelled`.
  public func run(
    _ firstReader: any RowReader, _ secondReader: any RowReader, makesMap: Bool = false,
    progress: ((Double) -> Void)? = nil
  ) throws(ImageError) -> Result {
    let engine = ComparisonEngine(
      first, second, coverage: coverage, measurement: measurement)
    var map: Plane<UInt8>?
    if makesMap {
      let format = ImageLayout(
        width: first.source.layout.width, height: first.source.layout.height, components: .gray,
        samples: .integer(bits: 8))
      map = try SharedPlanes.makePlanes(format) { (planes) throws(ImageError) in
        try engine.run(firstReader, secondReader, into: planes, progress: progress)
      }.first
    } else {
      try engine.run(firstReader, secondReader, into: nil, progress: progress)
    }
    return engine.result(map: map)
  }
}

/// How a map of differences spreads Delta E ITP over 256 levels.
///
/// The logarithm of 1 + Delta E, so that what is just noticeable is seen beside what is glaring.
package enum DifferenceScale {
  /// Delta E ITP of the highest level; what is beyond has that level, too.
  public static let highest = 100.0

  /// Where a difference lies between none, at 0, and `highest`, at 1.
  public static func position(of deltaE: Double) -> Double {
    min(log1p(max(deltaE, 0)) / log1p(highest), 1)
  }

  /// The level of a difference; of all but 0 at least 1.
  static func level(of deltaE: Float) -> UInt8 {
    guard deltaE > 0 else { return 0 }
    return UInt8(max((position(of: Double(deltaE)) * 255).rounded(), 1))
  }
}
