// SPDX-License-Identifier: Apache-2.0
internal import GainMap
public import HDRCore
public import ImageCodecs
internal import ImageFiles

/// Comparison of the images of two files.
public struct ImageComparison: Sendable {
  /// Result of a comparison.
  public struct Result: Sendable {
    /// The differences; their map is upright.
    public var difference: LightComparison.Result
    /// Width of the upright images.
    public var width: Int
    /// Height of the upright images.
    public var height: Int
    /// The gain map that was applied to the first image.
    public var firstGainMap: AppliedGainMap?
    /// The gain map that was applied to the second image.
    public var secondGainMap: AppliedGainMap?
    /// Notices of decoding the first image.
    public var firstNotices: [Notice]
    /// Notices of decoding the second image.
    public var secondNotices: [Notice]
  }

  /// Handling of gain maps.
  public var gainMap = ConversionOptions.GainMapUse.full
  /// Whether the result contains a map of the differences.
  public var makesMap = false

  /// Creates a comparison with gain maps applied in full.
  public init() {}

  /// Compares two images, each upright.
  ///
  /// - Parameters:
  ///   - first: The reference.
  ///   - second: The other image.
  ///   - progress: Called with the share of the work that is done, 0...1.
  /// - Returns: The differences.
  /// - Throws: `.invalidArgument` for images of different sizes, errors of decoders, `.cancelled`.
  public func run(
    _ first: SourceImage, _ second: SourceImage, progress: ((Double) -> Void)? = nil
  ) throws(ImageError) -> Result {
    let (size, other) = (first.uprightSize, second.uprightSize)
    guard size == other else {
      throw ImageError(
        .compareSizesDiffer,
        ["first": .size(size.width, size.height), "second": .size(other.width, other.height)])
    }
    var one = try ComparedImage(first, gainMap)
    var two = try ComparedImage(second, gainMap)
    var orientation = first.image.orientation
    if first.image.orientation != second.image.orientation {
      // The rows of one are columns of the other.
      orientation = .upright
      try one.rotateUpright()
      try two.rotateUpright()
    }
    let (firstReader, secondReader) = (try one.makeReader(), try two.makeReader())
    let difference = try LightComparison(one.transform, two.transform)
      .run(firstReader, secondReader, makesMap: makesMap, progress: progress)
      .upright(from: orientation)
    return Result(
      difference: difference, width: size.width, height: size.height, firstGainMap: one.gainMap,
      secondGainMap: two.gainMap,
      firstNotices: one.notices + difference.firstClipping.comparisonNotices,
      secondNotices: two.notices + difference.secondClipping.comparisonNotices)
  }
}

extension ImageTransform.Clipping {
  /// Notices about values that are clipped for the comparison.
  fileprivate var comparisonNotices: [Notice] {
    let codes: [(NoticeCode, count: Int)] = [
      (.compareNotANumber, notANumber), (.compareAboveLimit, above), (.compareNegative, below),
    ]
    return codes.filter { $0.count > 0 }.map { code, count in
      Notice(code, ["count": count, "share": share(count)])
    }
  }
}

/// One of the two images, with the transform to linear values.
private struct ComparedImage {
  let gainMap: AppliedGainMap?
  private(set) var transform: ImageTransform
  private(set) var notices: [Notice]
  private let document: SourceImage
  private var rotated: ImagePlanes?

  init(
    _ document: SourceImage, _ use: ConversionOptions.GainMapUse
  ) throws(ImageError) {
    self.document = document
    notices = document.notices
    gainMap = AppliedGainMap(document, use, notices: &notices)?.effective
    transform = try LightComparison.light(of: document.image.description)
    if let gainMap { transform = transform.applying(gainMap.map, for: gainMap.display) }
  }

  func makeReader() throws(ImageError) -> any RowReader {
    if let rotated { return PlanesReader(rotated) }
    return try document.image.makeReader()
  }

  /// Rotates the linear values of the whole image, in memory.
  mutating func rotateUpright() throws(ImageError) {
    guard document.image.orientation != .upright else { return }
    let linear = try transform.run(
      try document.image.makeReader()
    ).image
    let image = linear.upright(from: document.image.orientation)
    transform = try LightComparison.light(
      of: .init(
        layout: image.layout,
        color: ColorEncoding(
          primaries: .bt2020, transfer: .linear,
          referenceWhite: document.image.color.referenceWhite)))
    rotated = image
  }
}

extension SourceImage {
  /// Width and height of the upright image.
  public var uprightSize: (width: Int, height: Int) {
    let (width, height) = (image.layout.width, image.layout.height)
    return image.orientation.swapsSides ? (height, width) : (width, height)
  }
}
