internal import GainMap
public import HDRCore
public import ImageCodecs
internal import ImageFiles

/// How far the pictures of two files are apart for the eye.
public struct ImageComparison: Sendable {
  /// What was measured, and how the files were read.
  public struct Result: Sendable {
    /// Its map is upright.
    public var difference: LightComparison.Result
    /// Size of the upright pictures.
    public var width: Int
    public var height: Int
    /// The gain maps that were applied.
    public var firstGainMap: AppliedGainMap?
    public var secondGainMap: AppliedGainMap?
    /// What reading the files assumed, repaired or left out.
    public var firstNotices: [Notice]
    public var secondNotices: [Notice]
  }

  public var gainMap = ConversionOptions.GainMapUse.full
  /// Whether to keep where the pictures differ.
  public var makesMap = false

  /// A comparison with gain maps applied in full.
  public init() {}

  /// Compares two pictures, each as it is shown upright.
  ///
  /// - Parameters:
  ///   - first: The reference.
  ///   - second: The other one.
  ///   - progress: Called now and then with the share that is done, 0...1.
  /// - Returns: The differences.
  /// - Throws: `.invalidArgument` for pictures of different sizes, and what a decoder finds wrong.
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
      // Rows of one lie across those of the other.
      orientation = .upright
      try one.turnUpright()
      try two.turnUpright()
    }
    let (firstReader, secondReader) = (try one.makeReader(), try two.makeReader())
    let difference = try LightComparison(one.conversion, two.conversion)
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
  /// What is not compared as it is.
  fileprivate var comparisonNotices: [Notice] {
    let codes: [(NoticeCode, count: Int)] = [
      (.compareNotANumber, notANumber), (.compareAboveLimit, above), (.compareNegative, below),
    ]
    return codes.filter { $0.count > 0 }.map { code, count in
      Notice(code, ["count": count, "share": share(count)])
    }
  }
}

/// One of the two pictures, on its way to light.
private struct ComparedImage {
  let gainMap: AppliedGainMap?
  private(set) var conversion: ImageTransform
  private(set) var notices: [Notice]
  private let document: SourceImage
  private var turned: ImagePlanes?

  init(
    _ document: SourceImage, _ use: ConversionOptions.GainMapUse
  ) throws(ImageError) {
    self.document = document
    notices = document.notices
    gainMap = AppliedGainMap(document, use, notices: &notices)?.effective
    conversion = try LightComparison.light(of: document.image.description)
    if let gainMap { conversion = conversion.applying(gainMap.map, for: gainMap.display) }
  }

  func makeReader() throws(ImageError) -> any RowReader {
    if let turned { return PlanesReader(turned) }
    return try document.image.makeReader()
  }

  /// Turns the picture's light, of which all is in memory then.
  mutating func turnUpright() throws(ImageError) {
    guard document.image.orientation != .upright else { return }
    let light = try conversion.run(
      try document.image.makeReader()
    ).image
    let image = light.upright(from: document.image.orientation)
    conversion = try LightComparison.light(
      of: .init(
        layout: image.layout,
        color: ColorEncoding(
          primaries: .bt2020, transfer: .linear,
          referenceWhite: document.image.color.referenceWhite)))
    turned = image
  }
}

extension SourceImage {
  /// Size of the picture when it is shown upright.
  public var uprightSize: (width: Int, height: Int) {
    let (width, height) = (image.layout.width, image.layout.height)
    return image.orientation.swapsSides ? (height, width) : (width, height)
  }
}
