public import HDRCore

/// Makes a gain map from two renditions of a picture.
///
/// The base must be what readers will decode, not what was encoded, so that the map makes up for the
/// losses of its coding.
public struct GainMapCreation: Sendable {
  /// How the map shall be.
  public struct Options: Hashable, Sendable {
    /// 3 for a gain of each color component, 1 for that of luminance.
    public var componentCount: Int
    /// Pixels of the picture, in each direction, that one sample of the map stands for.
    public var scale: Int
    /// Of a sample of the map.
    public var bits: Int
    /// Added to the light of both renditions before gain is taken.
    public var offset: SignedRational
    /// Whether the base is the rendition with more headroom.
    public var baseIsHDR: Bool
    /// Whether gain is that in the base's primaries; else in those of the alternate rendition.
    public var usesBaseColorSpace: Bool
    /// Share of the samples that may lie beyond each end of the range.
    public var outlierShare: Double
    /// Headroom of the brighter rendition; `nil` for the largest gain.
    public var headroom: Headroom?
    /// For a map of Apple's form, which has one component, no offsets, and never darkens.
    public var appleCurve: AppleGainMap.Curve?

    public init(
      componentCount: Int = 3, scale: Int = 1, bits: Int = 8,
      offset: SignedRational = Options.standardOffset, baseIsHDR: Bool = false,
      usesBaseColorSpace: Bool = true, outlierShare: Double = 1e-4, headroom: Headroom? = nil,
      appleCurve: AppleGainMap.Curve? = nil
    ) {
      self.componentCount = componentCount
      self.scale = scale
      self.bits = bits
      self.offset = offset
      self.baseIsHDR = baseIsHDR
      self.usesBaseColorSpace = usesBaseColorSpace
      self.outlierShare = outlierShare
      self.headroom = headroom
      self.appleCurve = appleCurve
    }

    /// 1/64, large enough that noise in shadows needs no gain.
    public static let standardOffset = SignedRational(1, 64) ?? SignedRational(0)
  }

  let base: ImageDescription
  let alternate: ImageDescription
  let options: Options

  /// Plans the making of a map.
  ///
  /// - Parameters:
  ///   - base: The rendition that files will hold.
  ///   - alternate: The rendition that the map makes of it.
  ///   - options: How the map shall be.
  /// - Throws: `.invalidArgument` for pictures of different sizes and options out of range.
  public init(
    base: ImageDescription, alternate: ImageDescription,
    options: Options = Options()
  ) throws(ImageError) {
    let sizes = [base.layout, alternate.layout].map { ($0.width, $0.height) }
    guard sizes[0] == sizes[1] else {
      throw ImageError(
        .gainMapSizesDiffer,
        ["first": .size(sizes[0].0, sizes[0].1), "second": .size(sizes[1].0, sizes[1].1)])
    }
    guard options.componentCount == 1 || options.componentCount == 3,
      (1...256).contains(options.scale), (8...16).contains(options.bits),
      (0..<0.5).contains(options.outlierShare), options.appleCurve == nil || options.isApples
    else {
      throw ImageError(
        .gainMapOptionsInvalid,
        ["components": options.componentCount, "scale": options.scale, "bits": options.bits])
    }
    self.base = base
    self.alternate = alternate
    self.options = options
  }

  /// Makes the map.
  ///
  /// - Parameters:
  ///   - base: Yields the base's samples.
  ///   - alternate: Yields the alternate's samples.
  /// - Returns: A map of gray or RGB samples.
  /// - Throws: What the readers find wrong; `.invalidArgument` if the renditions are alike.
  public func run(
    base: any RowReader, alternate: any RowReader
  ) throws(ImageError) -> GainMapImage {
    let pass = LogGainPass(base: self.base, alternate: self.alternate, options: options)
    var gains = try pass.run(base: base, alternate: alternate)
    let meaning = try meaning(gains.histograms)
    let plans = gains.histograms.indices.map {
      GainQuantizer(meaning, component: $0, bits: options.bits)
    }
    try GainQuantizer.encode(&gains.planes, plans)
    let format = ImageLayout(
      width: gains.planes[0].width, height: gains.planes[0].height,
      components: gains.planes.count == 1 ? .gray : .rgb, samples: .integer(bits: options.bits))
    return GainMapImage(
      ImagePlanes(layout: format, planes: .integer(gains.planes)), meaning: meaning,
      alternatePrimaries: self.alternate.color.primaries)
  }

  private func meaning(
    _ histograms: [LogGainHistogram]
  ) throws(ImageError) -> GainMapMeaning {
    let ranges = histograms.map { $0.range(leavingOut: options.outlierShare) }
    let largest = ranges.map { LogGainHistogram.logGain(ofCode: $0.upperBound) }.max() ?? 0
    guard largest > 0 else {
      throw ImageError(.gainMapNoDifference)
    }
    if let curve = options.appleCurve {
      // In Apple's form the headroom is the largest gain.
      let stops = min(largest, options.headroom?.stops ?? largest)
      return .apple(try AppleGainMap(headroom: Headroom(stops: stops), curve: curve))
    }
    var channels: [GainMapMetadata.Channel] = []
    for (histogram, range) in zip(histograms, ranges) {
      guard
        let minimum = SignedRational(
          approximating: LogGainHistogram.logGain(ofCode: range.lowerBound)),
        let maximum = SignedRational(
          approximating: LogGainHistogram.logGain(ofCode: range.upperBound)),
        let gamma = UnsignedRational(approximating: histogram.gamma(for: range))
      else { throw ImageError(.gainMapGainNotRepresentable) }
      channels.append(
        GainMapMetadata.Channel(
          minimum: minimum, maximum: maximum, gamma: gamma, baseOffset: options.offset,
          alternateOffset: options.offset))
    }
    guard let headroom = UnsignedRational(approximating: options.headroom?.stops ?? largest) else {
      throw ImageError(.gainMapHeadroomNotRepresentable, ["stops": options.headroom?.stops ?? 0])
    }
    let isGray = channels.count == 1
    return .parameters(
      try GainMapMetadata(
        channels: isGray
          ? .one(channels[0]) : .three(red: channels[0], green: channels[1], blue: channels[2]),
        baseHeadroom: options.baseIsHDR ? headroom : UnsignedRational(0),
        alternateHeadroom: options.baseIsHDR ? UnsignedRational(0) : headroom,
        usesBaseColorSpace: options.usesBaseColorSpace))
  }
}

extension GainMapCreation.Options {
  /// Whether Apple's form can hold such a map.
  fileprivate var isApples: Bool {
    componentCount == 1 && offset.numerator == 0 && !baseIsHDR && usesBaseColorSpace
  }
}
