// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// Computes a gain map from a baseline and an alternate image.
///
/// The baseline image must be the decoded one, so that the gain map compensates coding errors.
public struct GainMapCreation: Sendable {
  /// Properties of the gain map.
  public struct Options: Hashable, Sendable {
    /// 3, the default, for a gain of each component; 1 for the gain of the luminance.
    public var componentCount: Int
    /// Pixels of the images per sample of the gain map, in each direction; 1...256, by default 1.
    public var scale: Int
    /// Bits per sample, 8...16; by default 8.
    public var bits: Int
    /// Offset of both images, added to linear values before the gain is computed; by default 1/64.
    ///
    /// 1.0 is reference white, 203 cd/m² for PQ and HLG.
    public var offset: SignedRational
    /// Whether the baseline image is the brighter one; by default false.
    public var isBaseHDR: Bool
    /// Whether the gain is in the primaries of the baseline image; else in the alternate's.
    public var usesBaseColorSpace: Bool
    /// Share of the samples that may exceed the range at each end; from 0 to below 0.5, by default
    /// 0.0001.
    public var outlierShare: Double
    /// Headroom of the brighter image, at least 0 stops; `nil` for the largest gain.
    ///
    /// That of the darker image is 0 stops. An Apple gain map has at most its largest gain.
    public var headroom: Headroom?
    /// Curve of an Apple gain map; `nil` for ISO 21496-1.
    ///
    /// It requires one component, an offset of 0, an SDR baseline image and its primaries. The gain
    /// map never darkens.
    public var appleCurve: GainMapMetadata.AppleCurve?

    public init(
      componentCount: Int = 3, scale: Int = 1, bits: Int = 8,
      offset: SignedRational = Options.standardOffset, isBaseHDR: Bool = false,
      usesBaseColorSpace: Bool = true, outlierShare: Double = 1e-4, headroom: Headroom? = nil,
      appleCurve: GainMapMetadata.AppleCurve? = nil
    ) {
      self.componentCount = componentCount
      self.scale = scale
      self.bits = bits
      self.offset = offset
      self.isBaseHDR = isBaseHDR
      self.usesBaseColorSpace = usesBaseColorSpace
      self.outlierShare = outlierShare
      self.headroom = headroom
      self.appleCurve = appleCurve
    }

    /// 1/64, large enough that noise in shadows does not require gain.
    public static let standardOffset = SignedRational(1, 64) ?? SignedRational(0)

    /// Whether an Apple gain map can have these properties.
    fileprivate var suitsApple: Bool {
      componentCount == 1 && offset.numerator == 0 && !isBaseHDR && usesBaseColorSpace
    }
  }

  let base: ImageDescription
  let alternate: ImageDescription
  let options: Options

  /// Prepares the computation.
  ///
  /// - Parameters:
  ///   - base: The baseline image.
  ///   - alternate: The alternate image.
  ///   - options: Properties of the gain map.
  /// - Throws: `.invalidArgument` for images of different sizes, invalid descriptions and options out
  ///   of range; `.unsupported` for a matrix that cannot be decoded.
  public init(
    base: ImageDescription, alternate: ImageDescription,
    options: Options = Options()
  ) throws(ImageError) {
    try base.checkDecodable()
    try alternate.checkDecodable()
    let sizes = [base.layout, alternate.layout].map { ($0.width, $0.height) }
    guard sizes[0] == sizes[1] else {
      throw ImageError(
        .invalidArgument, "the images have {first} and {second pixel}",
        ["first": .size(sizes[0].0, sizes[0].1), "second": .size(sizes[1].0, sizes[1].1)])
    }
    guard options.componentCount == 1 || options.componentCount == 3,
      (1...256).contains(options.scale), (8...16).contains(options.bits),
      (0..<0.5).contains(options.outlierShare), options.appleCurve == nil || options.suitsApple
    else {
      throw ImageError(
        .invalidArgument,
        "a gain map with {components component}, 1/{scale}, {bits bit} is not possible",
        ["components": options.componentCount, "scale": options.scale, "bits": options.bits])
    }
    self.base = base
    self.alternate = alternate
    self.options = options
  }

  /// Computes the gain map.
  ///
  /// - Parameters:
  ///   - base: Rows of the baseline image.
  ///   - alternate: Rows of the alternate image.
  ///   - execution: Threads, progress and cancellation.
  /// - Returns: Gray or RGB samples with their metadata; sides are those of the images divided by
  ///   the scale, rounded up.
  /// - Throws: `.invalidArgument` for readers of another layout, if no gain except outliers is
  ///   above 0 stops, and for a headroom below 0 or not a number; `.malformed` for a headroom
  ///   beyond `GainMapMetadata.largestStops`, and for one below 0 of an Apple gain map; errors of
  ///   the readers; `.cancelled`.
  public func run(
    base: any RowReader, alternate: any RowReader, execution: Execution = .current
  ) throws(ImageError) -> GainMapImage {
    try execution.run { () throws(ImageError) in
      try Execution.operation { () throws(ImageError) in
        let gains = try gains(base: base, alternate: alternate, offsets: [options.offset])
        return try candidates(gains, headroom: options.headroom)[0].map
      }
    }
  }

  /// The gains between two images with several offsets, from which gain maps are made.
  package struct Gains: Sendable {
    fileprivate var results: [LogGainPass.Result]
    fileprivate let offsets: [SignedRational]
  }

  /// A gain map with one of several offsets.
  package struct Candidate: Sendable {
    package var map: GainMapImage
    /// Offset of the gain map.
    package var offset: SignedRational
    /// Pixels of the alternate image with colors that a gain in the primaries of the baseline image
    /// cannot produce, if they were counted.
    ///
    /// No component gets further below zero than the offset, which is subtracted after the gain.
    package var outOfGamutCount: Int
  }

  /// Computes gains with several offsets in one pass over both images.
  ///
  /// - Parameters:
  ///   - base: Rows of the baseline image.
  ///   - alternate: Rows of the alternate image.
  ///   - offsets: Offsets of both images; they replace that of the options.
  ///   - countsOutOfGamut: Whether colors out of gamut are counted; the gain must be in the primaries
  ///     of the baseline image.
  /// - Returns: The gains for each offset.
  /// - Throws: As `run(base:alternate:execution:)`.
  package func gains(
    base: any RowReader, alternate: any RowReader, offsets: [SignedRational],
    countsOutOfGamut: Bool = false
  ) throws(ImageError) -> Gains {
    precondition(!countsOutOfGamut || options.usesBaseColorSpace)
    try base.require(self.base.layout)
    try alternate.require(self.alternate.layout)
    let pass = LogGainPass(
      base: self.base, alternate: self.alternate, options: options, offsets: offsets,
      countsOutOfGamut: countsOutOfGamut)
    return Gains(results: try pass.run(base: base, alternate: alternate), offsets: offsets)
  }

  /// Makes a gain map for each offset.
  ///
  /// - Parameters:
  ///   - gains: The gains, whose memory becomes that of the gain maps.
  ///   - headroom: Headroom of the brighter image; `nil` for the largest gain.
  /// - Returns: The gain maps, in the order of the offsets.
  /// - Throws: `.invalidArgument` for images without difference; `.cancelled`.
  package func candidates(
    _ gains: consuming Gains, headroom: Headroom?
  ) throws(ImageError) -> [Candidate] {
    var candidates: [Candidate] = []
    for (index, offset) in gains.offsets.enumerated() {
      candidates.append(
        Candidate(
          map: try quantized(&gains.results[index], offset: offset, headroom: headroom),
          offset: offset, outOfGamutCount: gains.results[index].outOfGamutCount))
    }
    return candidates
  }

  /// Quantizes gains in place; their planes become those of the gain map.
  private func quantized(
    _ gains: inout LogGainPass.Result, offset: SignedRational, headroom: Headroom?
  ) throws(ImageError) -> GainMapImage {
    let metadata = try metadata(gains.histograms, offset: offset, headroom: headroom)
    let quantizers = gains.histograms.indices.map {
      GainQuantizer(metadata, component: $0, bits: options.bits)
    }
    try GainQuantizer.encode(&gains.planes, quantizers)
    let layout = ImageLayout(
      width: gains.planes[0].width, height: gains.planes[0].height,
      components: gains.planes.count == 1 ? .gray : .rgb, samples: .integer(bits: options.bits))
    return GainMapImage(
      ImagePlanes(layout: layout, planes: .integer(gains.planes)), metadata: metadata,
      alternatePrimaries: alternate.color.primaries)
  }

  private func metadata(
    _ histograms: [LogGainHistogram], offset: SignedRational, headroom: Headroom?
  ) throws(ImageError) -> GainMapMetadata {
    let ranges = histograms.map { $0.range(leavingOut: options.outlierShare) }
    let largest = ranges.map { LogGainHistogram.logGain(ofCode: $0.upperBound) }.max() ?? 0
    guard largest > 0 else {
      throw ImageError(
        .invalidArgument, "no pixel is brighter in one of the images than in the other")
    }
    if let curve = options.appleCurve {
      // The headroom of an Apple gain map is its largest gain.
      let stops = min(largest, headroom?.stops ?? largest)
      return try GainMapMetadata(appleHeadroom: Headroom(stops: stops), curve: curve)
    }
    var channels: [GainMapMetadata.Channel] = []
    for (histogram, range) in zip(histograms, ranges) {
      guard
        let minimum = SignedRational(
          approximating: LogGainHistogram.logGain(ofCode: range.lowerBound)),
        let maximum = SignedRational(
          approximating: LogGainHistogram.logGain(ofCode: range.upperBound)),
        let gamma = UnsignedRational(approximating: histogram.gamma(for: range))
      else { throw ImageError(.invalidArgument, "gains exceed the range of the metadata") }
      channels.append(
        GainMapMetadata.Channel(
          minimum: minimum, maximum: maximum, gamma: gamma, baseOffset: offset,
          alternateOffset: offset))
    }
    guard let headroom = UnsignedRational(approximating: headroom?.stops ?? largest) else {
      throw ImageError(.gainMapHeadroomNotRepresentable, ["stops": headroom?.stops ?? 0])
    }
    return try GainMapMetadata(
      channels: channels.count == 1
        ? .one(channels[0]) : .three(red: channels[0], green: channels[1], blue: channels[2]),
      baseHeadroom: options.isBaseHDR ? headroom : UnsignedRational(0),
      alternateHeadroom: options.isBaseHDR ? UnsignedRational(0) : headroom,
      usesBaseColorSpace: options.usesBaseColorSpace)
  }
}

/// Quantization of log gains to the code values of a gain map: range, curve, depth, dither.
struct GainQuantizer: Sendable {
  private let codes: DitheredCodes

  init(_ metadata: GainMapMetadata, component: Int, bits: Int) {
    let largest = Double(1 << bits - 1)
    let channel = metadata.channels[component]
    let range = LogGainHistogram.codes(from: channel.minimum.value, to: channel.maximum.value)
    codes = DitheredCodes(bits: bits, range: range) { step in
      metadata.sample(ofLogGain: LogGainHistogram.logGain(ofCode: step), component: component)
        * largest
    }
  }

  /// Replaces the log gains in the planes of a gain map by code values.
  ///
  /// - Throws: `.cancelled`.
  static func encode(
    _ planes: inout [Plane<UInt16>], _ quantizers: [GainQuantizer]
  ) throws(ImageError) {
    let height = planes[0].height
    try SharedPlanes.change(&planes) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<height) { band in
        for y in band {
          for (index, quantizer) in quantizers.enumerated() {
            // Components use different rows of thresholds, so that dither changes color, which is
            // less visible, and not luminance.
            let thresholds = Self.thresholds[(y + 3 * index) % Self.thresholds.count]
            shared.withRow(y, of: index) { quantizer.codes.apply(to: &$0, thresholds: thresholds) }
          }
        }
      }
    }
  }

  /// Thresholds of ordered dither: all numbers below 64, spread evenly.
  ///
  /// Source: Bayer, "An optimum method for two-level rendition of continuous-tone pictures" (1973).
  private static let thresholds: [[UInt16]] = (0..<8).map { y in
    (0..<8).map { x in
      var rank = 0
      for bit in 0..<3 {
        let (column, row) = (x >> bit & 1, y >> bit & 1)
        rank += ((column ^ row) << 1 | row) << (2 * (2 - bit))
      }
      return UInt16(rank)
    }
  }
}
