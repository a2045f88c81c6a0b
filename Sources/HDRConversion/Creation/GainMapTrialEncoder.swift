// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// Parameters of one trial.
struct GainMapTrialSettings: Hashable {
  var baseQuality: Int
  var mapQuality: Int
  var scale: Int
  /// Bits per sample of the gain map.
  var mapDepth: Int

  /// Completes options by defaults: a gain map of half the size that takes a small share of the file, or of full size
  /// for further editing.
  ///
  /// Source: Decision 36.
  init(_ options: GainMapEncoder.Options, pixelCount: Int) {
    let (encoder, format) = (options.encoder, options.format)
    baseQuality = encoder.quality
    // An image of more pixels is rarely shown pixel by pixel.
    let isHalved =
      !encoder.isForEditing(in: format) || pixelCount > 4_000_000
      || options.flavors.contains(.apple)
    scale = options.map.scale ?? (isHalved ? 2 : 1)
    mapQuality = options.map.quality ?? encoder.usualGainMapQuality(in: format)
    mapDepth = options.map.depth ?? 8
  }
}

extension GainMapEncoder.Options {
  /// Whether the gain map may be encoded with less quality if it takes much of the file.
  var mayReduceMap: Bool {
    map.quality == nil && targetError == nil && !encoder.isForEditing(in: format)
  }
}

/// A file that was written and read back.
struct GainMapTrial {
  let settings: GainMapTrialSettings
  let bytes: SplicedBytes
  let baseByteCount: Int
  let mapByteCount: Int
  /// Layout of the gain map as decoded.
  let mapLayout: ImageLayout
  /// Metadata of the gain map as read back.
  let metadata: GainMapMetadata
  let quality: GainMapQuality
  let notices: [Notice]

  /// Share of the file that the gain map takes.
  fileprivate var mapShare: Double { Double(mapByteCount) / Double(bytes.count) }

  /// Settings with less quality of the gain map; `nil` if it takes at most a fifth of the file, or
  /// cannot be reduced further.
  fileprivate func reduced(by step: Int) -> GainMapTrialSettings? {
    guard mapShare > Self.usualMapShare, settings.mapQuality > Self.leastMapQuality
    else { return nil }
    var settings = settings
    settings.mapQuality = max(settings.mapQuality - step, Self.leastMapQuality)
    return settings
  }

  /// Share of the file that the gain map takes unless the error grows.
  private static let usualMapShare = 0.2
  /// Share of the file that the gain map takes at most: with it, a file takes a third more than its SDR image.
  fileprivate static let largestMapShare = 0.25
  fileprivate static let mapQualitySteps = (first: 15, last: 3)
  private static let leastMapQuality = 10
  /// Growth of the 99th percentile of Delta E ITP that a smaller gain map may have.
  fileprivate static let toleratedGrowth = 1.1
}

/// Encodes an image pair with different parameters, and caches the baseline image.
struct GainMapTrialEncoder {
  private(set) var pair: ImagePair
  let parameters: GainMapEncodingParameters
  let options: GainMapEncoder.Options
  /// The alternate image, which the gain map is computed from; `nil` before the baseline image is
  /// encoded, and once it is freed.
  private var alternate: ImagePair.Alternate?
  /// The baseline image, if it may be encoded again.
  private var baseImage: Image?
  private var codedBase: (quality: Int, file: EncodedBaseline)?
  /// Offset of the gain maps, once it is chosen.
  private var offset: SignedRational?
  private(set) var trialCount = 0
  private(set) var notices: [Notice] = []

  init(
    pair: consuming ImagePair, parameters: GainMapEncodingParameters,
    options: GainMapEncoder.Options
  ) {
    self.pair = pair
    self.parameters = parameters
    self.options = options
  }

  /// Layout and color of the alternate image.
  private var alternateDescription: ImageDescription { pair.alternateDescription }

  /// Number of pixels of either image.
  var pixelCount: Int { alternateDescription.layout.width * alternateDescription.layout.height }

  /// Whether the settings are given, so that images are freed as soon as they were used.
  private var makesOneTrial: Bool { options.targetError == nil }

  /// Encodes the baseline image, computes the gain map from the decoded one, encodes it, and reads both
  /// back.
  ///
  /// - Throws: Errors of encoders and decoders.
  mutating func make(_ settings: GainMapTrialSettings) throws(ImageError) -> GainMapTrial {
    let layout = alternateDescription.layout
    let converting = ExpectedTime.converting(layout)
    let coding = ExpectedTime.encoding(layout, GeometryEdit(), as: options.format, options.encoder)
    var stages = Stages(
      converting + coding, converting, converting / 2, 2 * converting, converting / 4, converting)
    let base = try stages.next { () throws(ImageError) in
      try convertedBase(quality: settings.baseQuality)
    }
    try stages.next { () throws(ImageError) in
      if trialCount == 0 { alternate = try pair.takeAlternate() }
    }
    let creation = try GainMapCreation(
      base: base.description, alternate: alternateDescription, options: creation(settings))
    // The gain is in the primaries of the baseline image, and colors of the HDR image may exceed them.
    let mayExceedGamut =
      !options.isBaseHDR && !needsAlternateColorSpace
      && (pair.measurement == nil || hasColorsOutOfGamut)
    var offsets = [offset ?? usualOffset]
    if offset == nil, mayExceedGamut, !parameters.isGray, let large = Self.largeOffset {
      offsets.append(large)
    }
    // Memory of the pieces that were encoded.
    if makesOneTrial { freeIdleMemory() }
    let extent = makesOneTrial ? options.measurement : .full
    let bands = extent.bands(ofHeight: alternateDescription.layout.height)
    let decoded = base.makeReader(keeping: bands)
    let original = try makeAlternateReader(keeping: bands)
    try stages.next { () throws(ImageError) in try decoded.beginDecoding() }
    let gains = try stages.next { () throws(ImageError) in
      try creation.gains(
        base: decoded, alternate: original, offsets: offsets,
        countsOutOfGamut: offset == nil && mayExceedGamut)
    }
    decoded.endDecoding()
    try pair.finishMeasuring()
    var candidates = try creation.candidates(consume gains, headroom: headroom)
    if makesOneTrial, !bands.isEmpty {
      try original.freeImage()
      freeIdleMemory()
    }
    var encodable: [EncodableMap] = []
    try stages.next { () throws(ImageError) in
      while !candidates.isEmpty {
        encodable.append(try EncodableMap(candidates.removeFirst(), in: options.format))
      }
    }
    func measured(_ map: GainMapImage) throws(ImageError) -> GainMapQuality {
      defer { decoded.endDecoding() }
      return try map.quality(
        of: base.description, decoded, comparedTo: alternateDescription, original, extent: extent)
    }
    var best: (trial: GainMapTrial, offset: SignedRational, outOfGamutCount: Int)?
    while !encodable.isEmpty {
      let map = encodable.removeFirst()
      trialCount += 1
      let end = encodable.isEmpty ? 1 : 0.9
      let trial = try Execution.part(upTo: end) { () throws(ImageError) in
        try reducedTrial(settings, of: map, on: base, measured)
      }
      if let best, best.trial.quality.meanDeltaE <= trial.quality.meanDeltaE { continue }
      best = (trial, map.offset, map.outOfGamutCount)
    }
    guard let best else { preconditionFailure("at least one offset") }
    if offset == nil, hasColorsOutOfGamut { notices += notice(outOfGamut: best.outOfGamutCount) }
    offset = best.offset
    return best.trial
  }

  /// Makes a reader of the alternate image, which frees the image if only some bands are read again.
  private mutating func makeAlternateReader(
    keeping bands: [Range<Int>]
  ) throws(ImageError) -> RowKeeper {
    switch alternate {
    case .none: preconditionFailure("one trial is made without a target error")
    case .rows(let rows):
      alternate = nil
      return RowKeeper(once: rows, keeping: bands)
    case .image(let image):
      guard makesOneTrial, !bands.isEmpty else { return RowKeeper(image, keeping: bands) }
      alternate = nil
      return RowKeeper(once: ConsumedPlanesReader(try (consume image).planes()), keeping: bands)
    }
  }

  /// A gain map that is ready to be encoded.
  private struct EncodableMap {
    let output: OutputImage
    let metadata: GainMapMetadata
    let offset: SignedRational
    let outOfGamutCount: Int

    /// Converts a candidate, whose samples are freed.
    init(
      _ candidate: consuming GainMapCreation.Candidate, in format: FileFormat
    ) throws(ImageError) {
      (offset, outOfGamutCount) = (candidate.offset, candidate.outOfGamutCount)
      metadata = candidate.map.metadata
      output = try OutputImage(gainMap: (consume candidate).map.planes, in: format)
    }
  }

  /// Encodes a gain map, with less quality if it takes much of the file.
  private func reducedTrial(
    _ settings: GainMapTrialSettings, of map: EncodableMap, on base: EncodedBaseline,
    _ measured: (GainMapImage) throws(ImageError) -> GainMapQuality
  ) throws(ImageError) -> GainMapTrial {
    var rest = 1.0
    func trial(_ settings: GainMapTrialSettings) throws(ImageError) -> GainMapTrial {
      // Few trials are usually enough.
      rest /= 3
      return try Execution.part(upTo: 1 - rest) { () throws(ImageError) in
        try self.trial(settings, of: map, on: base, measured)
      }
    }
    let first = try trial(settings)
    guard options.mayReduceMap else { return first }
    let largestError = GainMapTrial.toleratedGrowth * first.quality.deltaE99
    var (best, step) = (consume first, GainMapTrial.mapQualitySteps.first)
    while step >= GainMapTrial.mapQualitySteps.last, let settings = best.reduced(by: step) {
      let smaller = try trial(settings)
      if smaller.quality.deltaE99 <= largestError || best.mapShare > GainMapTrial.largestMapShare {
        best = smaller
      } else {
        step /= 2
      }
    }
    return best
  }

  /// Encodes a gain map, reads it back and measures it.
  private func trial(
    _ settings: GainMapTrialSettings, of map: EncodableMap, on base: EncodedBaseline,
    _ measured: (GainMapImage) throws(ImageError) -> GainMapQuality
  ) throws(ImageError) -> GainMapTrial {
    var encoder = options.encoder
    encoder.quality = settings.mapQuality
    var stages = Stages(2, 1, 2)
    let file = try stages.next { () throws(ImageError) in
      try base.adding(
        map.output, metadata: map.metadata, options, encoder: encoder,
        alternate: alternateMetadata)
    }
    // Buffers of the encoder.
    if makesOneTrial { returnFreedMemory() }
    let document = try SourceImage.open(file.file)
    let written = try stages.next { () throws(ImageError) in try document.decodeGainMap() }
    guard let written else {
      throw ImageError(.codecFailure, "the written gain map cannot be found in the file")
    }
    let quality = try stages.next { () throws(ImageError) in try measured(written) }
    return GainMapTrial(
      settings: settings, bytes: file.bytes, baseByteCount: base.byteCount,
      mapByteCount: file.mapByteCount, mapLayout: written.image.layout,
      metadata: written.metadata, quality: quality, notices: file.notices)
  }

  /// Encodes the baseline image, and at the same time converts an HDR image that is not yet converted.
  private mutating func convertedBase(quality: Int) throws(ImageError) -> EncodedBaseline {
    guard let hdr = pair.unconvertedHDR else { return try base(quality: quality) }
    let options = options
    let (converted, base) = try concurrently(
      { () throws(ImageError) in
        try ImagePair.HDRImage.Converted(hdr, keepsAlpha: false, options: options)
      }, { () throws(ImageError) -> EncodedBaseline in try self.base(quality: quality) })
    try pair.finishConversion(converted)
    return base
  }

  private mutating func base(quality: Int) throws(ImageError) -> EncodedBaseline {
    if let kept = pair.kept {
      if makesOneTrial { pair.freeBase() }
      return kept
    }
    if let codedBase, codedBase.quality == quality { return codedBase.file }
    var encoder = options.encoder
    encoder.quality = quality
    let cicp = parameters.baseCICP
    let traits = options.format.traits
    let target = ImageDescription(
      layout: parameters.baseLayout(like: pair.base), color: parameters.baseEncoding)
    var exif = pair.exif
    if traits.exifDescribesSamples, let bytes = exif {
      exif = try ExifBlock.completed(
        bytes, width: target.layout.width, height: target.layout.height, isGray: false,
        isSRGB: cicp.primaries == .bt709)
    }
    var header = StreamedImage(
      target, icc: traits.declaresColorByProfileAlone ? try ICCProfile.generate(for: cicp) : nil,
      exif: exif, xmp: pair.xmp, auxiliaryMetadata: pair.auxiliaryMetadata)
    header.image.light = options.isBaseHDR ? hdrLight : LightMetadata()
    let file = try EncodedBaseline(
      try encodedBase(header, as: target, encoder), parameters: parameters)
    codedBase = (quality, file)
    return file
  }

  /// Encodes the baseline image: row by row if the encoder can and the image is not encoded again.
  private mutating func encodedBase(
    _ header: StreamedImage, as target: ImageDescription, _ encoder: EncoderOptions
  ) throws(ImageError) -> [UInt8] {
    if makesOneTrial {
      let sink = MemorySink()
      let stream = try header.makeStream(
        to: sink, as: options.format, options: encoder, isRotated: false)
      if let stream {
        try pair.forEachPieceOfBase(as: target) { (rows) throws(ImageError) in
          try stream.append(rows)
        }
        pair.freeBase()
        try stream.finish(header)
        return sink.bytes
      }
    }
    var image =
      if let baseImage { baseImage } else {
        try Execution.part(upTo: 0.3) { () throws(ImageError) in try pair.baseImage(as: target) }
      }
    if makesOneTrial { pair.freeBase() } else { baseImage = image }
    image.light = header.image.light
    var output = OutputImage(image, icc: header.icc, exif: header.exif, xmp: header.xmp)
    output.auxiliaries = pair.auxiliaries
    output.auxiliaryMetadata = header.auxiliaryMetadata
    return try output.encoded(as: options.format, options: encoder)
  }

  private var usualOffset: SignedRational {
    options.flavors.contains(.apple) ? SignedRational(0) : GainMapCreation.Options.standardOffset
  }

  /// An offset that lets a gain in the primaries of the baseline image reproduce more colors outside
  /// them, at the cost of precision in shadows.
  private static let largeOffset = SignedRational(1, 16)

  /// Headroom of the HDR image, as far as the flavors represent it.
  private var headroom: Headroom {
    var headroom = measurement.headroom
    if options.flavors.contains(.apple) {
      headroom.stops = min(headroom.stops, AppleMakerNote.largestHeadroom.stops)
    }
    return headroom
  }

  private var measurement: ImagePair.Measurement {
    guard let measurement = pair.measurement else { preconditionFailure("the HDR image was read") }
    return measurement
  }

  private func creation(_ settings: GainMapTrialSettings) -> GainMapCreation.Options {
    GainMapCreation.Options(
      componentCount: parameters.isGray ? 1 : 3, scale: settings.scale, bits: settings.mapDepth,
      offset: usualOffset, isBaseHDR: options.isBaseHDR,
      usesBaseColorSpace: !needsAlternateColorSpace,
      appleCurve: options.flavors.contains(.apple) ? .srgb : nil)
  }

  /// Whether the gain has to be in the primaries of the alternate image, which only ISO 21496-1
  /// represents.
  private var needsAlternateColorSpace: Bool {
    !options.isBaseHDR && options.flavors == [.iso] && !parameters.isGray && hasColorsOutOfGamut
  }

  /// Whether the HDR image has colors that a gain in the primaries of the baseline image cannot produce.
  private var hasColorsOutOfGamut: Bool {
    measurement.levels.usedPrimaries.reach(
      in: pair.kept?.description.color.primaries ?? options.primaries) > 1 + 1e-3
  }

  /// Notice about colors that a gain in the primaries of the baseline image cannot produce.
  private func notice(outOfGamut count: Int) -> [Notice] {
    guard count > 0 else { return [] }
    let layout = alternateDescription.layout
    let percent = 100 * Double(count) / Double(layout.width * layout.height)
    return [
      Notice(
        .createColorsOutsideBase,
        [
          "share": percent, "flavors": options.flavors.map(\.rawValue).sorted(),
          "components": options.map.componentCount ?? 3,
        ])
    ]
  }

  /// Color and light metadata of the alternate image.
  private var alternateMetadata: FoundGainMap.AlternateImage {
    let primaries = options.isBaseHDR ? options.primaries.cicp ?? .displayP3 : .bt2020
    return FoundGainMap.AlternateImage(
      cicp: .alternate(primaries, isBaseHDR: options.isBaseHDR),
      light: options.isBaseHDR ? LightMetadata() : hdrLight)
  }

  private var hdrLight: LightMetadata {
    LightMetadata(
      diffuseWhite: ColorEncoding.defaultReferenceWhite,
      contentLightLevel: measurement.levels.contentLightLevel)
  }
}
