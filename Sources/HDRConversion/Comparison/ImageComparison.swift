// SPDX-License-Identifier: Apache-2.0
internal import GainMap
public import HDRCore
public import ImageFiles

/// Comparison of the images of two files.
public struct ImageComparison: Sendable {
  /// Result of a comparison.
  public struct Result: Sendable {
    /// The differences; their map is upright.
    public var difference: LightComparison.Result
    /// Width of the compared upright images: that of the smaller one.
    public var width: Int
    /// Height of the compared upright images: that of the smaller one.
    public var height: Int
    /// The gain map that was applied to the first image.
    package var firstGainMap: AppliedGainMap?
    /// The gain map that was applied to the second image.
    package var secondGainMap: AppliedGainMap?
    /// Notices of decoding the first image.
    public var firstNotices: [Notice]
    /// Notices of decoding the second image.
    public var secondNotices: [Notice]
  }

  /// Handling of gain maps.
  package var gainMap = ConversionOptions.GainMapUse.full
  /// Whether the result contains a map of the differences; false by default.
  public var makesMap = false

  /// Creates a comparison with gain maps applied in full.
  public init() {}

  /// The size at which two images can be compared: that of the smaller one.
  ///
  /// - Returns: `nil` if the aspect ratios differ by more than rounding to whole pixels explains.
  package static func commonSize(
    _ first: (width: Int, height: Int), _ second: (width: Int, height: Int)
  ) -> (width: Int, height: Int)? {
    let (larger, smaller) = first.width >= second.width ? (first, second) : (second, first)
    guard larger.height >= smaller.height else { return nil }
    let difference = abs(larger.width * smaller.height - smaller.width * larger.height)
    return 2 * difference <= max(larger.width, larger.height) ? smaller : nil
  }

  /// Compares two images, each upright; the larger one is resized to the size of the smaller one.
  ///
  /// Gain maps are applied in full; both images are compared in linear BT.2020, clipped to
  /// 0...10 000 cd/m².
  ///
  /// - Parameters:
  ///   - first: The reference.
  ///   - second: The other image.
  /// - Returns: The differences.
  /// - Throws: `.invalidArgument` for images of different aspect ratios, errors of decoders,
  ///   `.cancelled`.
  public func run(_ first: SourceImage, _ second: SourceImage) throws(ImageError) -> Result {
    let (size, other) = (first.uprightSize, second.uprightSize)
    guard let common = Self.commonSize(size, other) else {
      throw ImageError(
        .compareSizesDiffer,
        ["first": .size(size.width, size.height), "second": .size(other.width, other.height)])
    }
    return try Execution.operation { () throws(ImageError) in
      try run(first, second, at: common)
    }
  }

  private func run(
    _ first: SourceImage, _ second: SourceImage, at common: (width: Int, height: Int)
  ) throws(ImageError) -> Result {
    let (size, other) = (first.uprightSize, second.uprightSize)
    var one = try ComparedImage(first, gainMap)
    var two = try ComparedImage(second, gainMap)
    var orientation = first.image.orientation
    if first.image.orientation != second.image.orientation || size != other {
      // The rows of one are columns of the other, or the images are resized.
      orientation = .upright
      try Execution.part(upTo: 0.2) { () throws(ImageError) in try one.makeUpright(common) }
      try Execution.part(upTo: 0.4) { () throws(ImageError) in try two.makeUpright(common) }
    }
    var stages = Stages(
      ExpectedTime.reading(first), ExpectedTime.reading(second),
      2 * ExpectedTime.converting(first.image.layout))
    let firstReader = try stages.next { () throws(ImageError) in try one.makeReader() }
    let secondReader = try stages.next { () throws(ImageError) in try two.makeReader() }
    let comparison = try LightComparison(one.transform, two.transform)
    let difference = try stages.next(.converting) { () throws(ImageError) in
      try comparison.run(firstReader, secondReader, makesMap: makesMap)
    }.upright(from: orientation)
    return Result(
      difference: difference, width: common.width, height: common.height, firstGainMap: one.gainMap,
      secondGainMap: two.gainMap,
      firstNotices: one.notices + difference.firstClipping.comparisonNotices,
      secondNotices: two.notices + difference.secondClipping.comparisonNotices)
  }
}

extension ImageTransform.Clipping {
  /// Notices about values that are clipped for the comparison.
  fileprivate var comparisonNotices: [Notice] {
    notices(of: [
      (
        NoticeCode(
          .clipped, "{count pixel} not a number in all components ({share %}), compared as black"),
        notANumber
      ),
      (
        NoticeCode(
          .clipped, "{count pixel} above 10000 cd/m² ({share %}), compared as 10000 cd/m²"), above
      ), (.compareNegative, below),
    ])
  }
}

/// One of the two images, with the transform to linear values.
private struct ComparedImage {
  let gainMap: AppliedGainMap?
  private(set) var transform: ImageTransform
  /// Notices about the image, and about samples that were decoded so far.
  var notices: [Notice] { openingNotices + (document.file?.decodingNotices.all ?? []) }
  private let openingNotices: [Notice]
  private let document: SourceImage
  private var prepared: ImagePlanes?

  init(_ document: SourceImage, _ use: ConversionOptions.GainMapUse) throws(ImageError) {
    self.document = document
    // Nothing is copied.
    let notCopied = try ifReadable(try document.file?.primaryImage().notCopied) ?? []
    var notices = document.notices.filter { !notCopied.contains($0) }
    gainMap = try AppliedGainMap(document, use, notices: &notices)?.effective
    openingNotices = notices
    transform = try Self.transform(of: document, gainMap)
  }

  private static func transform(
    of document: SourceImage, _ gainMap: AppliedGainMap?, resampling: Resampling? = nil
  ) throws(ImageError) -> ImageTransform {
    let linear = try LightComparison.linear(of: document.image.description, resampling: resampling)
    guard let gainMap else { return linear }
    return linear.applying(gainMap.map, for: gainMap.weight.display)
  }

  func makeReader() throws(ImageError) -> any RowReader {
    if let prepared { return PlanesReader(prepared) }
    return try document.image.makeReader()
  }

  /// Resizes the linear values of the image and rotates them upright, in memory.
  mutating func makeUpright(_ size: (width: Int, height: Int)) throws(ImageError) {
    let orientation = document.image.orientation
    let isResized = size != document.uprightSize
    guard orientation != .upright || isResized else { return }
    if isResized {
      let layout = document.image.layout
      let resampling = Resampling(
        part: PixelRectangle(x: 0, y: 0, width: layout.width, height: layout.height),
        width: orientation.swapsSides ? size.height : size.width,
        height: orientation.swapsSides ? size.width : size.height)
      transform = try Self.transform(of: document, gainMap, resampling: resampling)
    }
    let image = try transform.run(try document.image.makeReader()).image.upright(from: orientation)
    transform = try LightComparison.linear(
      of: .init(
        layout: image.layout,
        color: ColorEncoding(
          primaries: .bt2020, transfer: .linear,
          referenceWhite: document.image.color.referenceWhite)))
    prepared = image
  }
}

extension SourceImage {
  /// Width and height of the upright image.
  public var uprightSize: (width: Int, height: Int) {
    let (width, height) = (image.layout.width, image.layout.height)
    return image.orientation.swapsSides ? (height, width) : (width, height)
  }
}
