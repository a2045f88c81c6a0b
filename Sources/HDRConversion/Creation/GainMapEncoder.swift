// SPDX-License-Identifier: Apache-2.0
package import GainMap
package import HDRCore
package import ImageFiles
internal import Platform

/// Encodes an SDR and an HDR image into one file: a baseline image and a gain map.
///
/// Without an SDR image, the HDR image is tone mapped. The gain map is computed against the decoded
/// baseline image.
package struct GainMapEncoder: Sendable {
  /// Properties of the file.
  package struct Options: Sendable {
    /// Format of the file, which must be able to store gain maps.
    package var format: FileFormat
    /// Whether the baseline image is the HDR image, in PQ and BT.2020.
    package var isBaseHDR = false
    /// Primaries of the SDR image.
    package var primaries = ColorPrimaries.displayP3
    /// Tone-mapping operator for the SDR image if none is given.
    package var method = ToneMapOperator.adaptive
    /// Highlight desaturation of the tone-mapped image, see `Rendition.highlightDesaturation`; `nil` for
    /// that of the operator, or none with a gain map of one component, which does not restore it.
    package var highlightDesaturation: Double?
    /// Flavors of the gain map metadata.
    package var flavors: Set<GainMapFlavor>
    /// Chroma subsampling of the baseline image; `nil` for the default of format and quality.
    package var chroma: ChromaSubsampling?
    /// Bits per sample of the baseline image; `nil` for the default of the format.
    package var depth: Int?
    /// Quality of the baseline image, and speed.
    package var encoder: EncoderOptions
    /// Gain of the linear values of the HDR image, in stops; the tone-mapped SDR image follows it.
    package var exposure = 0.0
    /// Crop, size and rotation of both images, applied before the gain map is computed.
    package var geometry = GeometryEdit()
    /// Whether large maker notes in Exif and XMP are copied when the baseline image is re-encoded.
    package var keepsMakerNotes = false
    /// Limits of the size of the result.
    package var limits = ImageLimits()
    /// Properties of the gain map.
    package var map = Map()
    /// Whether the coded SDR image is kept byte for byte, if its file and the format have the same
    /// codec; properties of the baseline image then do not apply.
    package var keepsCodedBaseline = false
    /// Limit of the 99th percentile of Delta E ITP, which determines qualities and the size of the gain
    /// map; `nil` for the given ones.
    package var targetError: Double?
    /// The pixels whose error is measured; all of them with `targetError`.
    package var measurement = GainMapQuality.Extent.sampled

    /// Properties of the gain map; `nil` for the defaults of quality and flavors.
    package struct Map: Sendable {
      /// Quality, 0...100.
      package var quality: Int?
      /// Pixels of the baseline image per sample, in each direction: 1, 2 or 4.
      package var scale: Int?
      /// Number of components, 1 or 3.
      package var componentCount: Int?
      /// Bits per sample, 8 or 10.
      package var depth: Int?

      package init() {}
    }

    /// Options with the default flavors of the format.
    package init(format: FileFormat, encoder: EncoderOptions = EncoderOptions()) {
      self.format = format
      self.encoder = encoder
      flavors = format.traits.usualGainMapFlavors
    }

    /// Whether the gain map has one component.
    var isMapGray: Bool { (map.componentCount ?? (flavors.contains(.apple) ? 1 : 3)) == 1 }
  }

  /// An encoded file, and its measured quality.
  package struct Result: Sendable {
    /// The file.
    package var bytes: SplicedBytes
    /// Size of the encoded baseline image with alpha and auxiliary images, in bytes.
    package let baseByteCount: Int
    /// Size of the encoded gain map, in bytes.
    package let mapByteCount: Int
    /// Layout of the baseline image.
    package let baseLayout: ImageLayout
    /// Layout of the gain map.
    package let mapLayout: ImageLayout
    /// Metadata of the gain map.
    package let metadata: GainMapMetadata
    /// Quality that the baseline image was encoded with; `nil` if its coded image was kept, and for
    /// formats without loss.
    package let baseQuality: Int?
    /// Quality that the gain map was encoded with; `nil` for formats without loss.
    package let mapQuality: Int?
    /// Difference between the alternate image as decoded from the file and the original one.
    package let quality: GainMapQuality
    /// Light levels of the HDR image.
    package let lightLevels: LightLevels
    /// Number of trials.
    package let trialCount: Int
    /// Notices about metadata and samples that were dropped, approximated or clipped.
    package let notices: [Notice]
  }

  /// Properties of the file.
  package let options: Options

  /// Creates an encoder.
  ///
  /// - Throws: `.invalidArgument` for options that contradict each other or the format.
  package init(_ options: Options) throws(ImageError) {
    self.options = options
    _ = try GainMapEncodingParameters(options)
  }

  /// The parameters, with chroma of full resolution if that of JPEG is not given and 4:2:0 would blur the image.
  private func parameters(
    of pair: borrowing ImagePair
  ) throws(ImageError) -> GainMapEncodingParameters {
    let parameters = try GainMapEncodingParameters(options)
    let target = ImageDescription(
      layout: parameters.baseLayout(like: pair.base), color: parameters.baseEncoding)
    guard options.chroma == nil, target.layout.components == .ycbcr(.yuv420),
      !options.format.traits.isVideoCoded, try pair.hasDetailedChroma(as: target)
    else { return parameters }
    var detailed = options
    detailed.chroma = .yuv444
    return try GainMapEncodingParameters(detailed)
  }

  /// Encodes the file.
  ///
  /// An SDR image is registered on a developed raw image, which is resampled to its grid.
  ///
  /// - Parameters:
  ///   - hdr: The HDR image; its gain map is applied in full.
  ///   - sdr: The SDR image; `nil` to tone map the HDR image.
  /// - Returns: The file, read back and compared with the alternate image.
  /// - Throws: `.invalidArgument` for images of different sizes, `.unsuitable` for an HDR image
  ///   without pixels above reference white and for an SDR image of other content than the raw image,
  ///   errors of decoders and encoders, `.cancelled`.
  package func run(hdr: SourceImage, sdr: SourceImage? = nil) throws(ImageError) -> Result {
    let layout = hdr.image.layout
    let converting = ExpectedTime.converting(layout)
    // The images are converted, or while the SDR image is encoded and the gain is computed.
    var stages = Stages(
      ExpectedTime.reading(hdr) + converting,
      ExpectedTime.encoding(layout, options.geometry, as: options.format, options.encoder)
        + 4 * converting)
    let pair = try stages.next(.converting) { () throws(ImageError) in
      try ImagePair(hdr: hdr, sdr: sdr, options: options)
    }
    let parameters = try Execution.part(upTo: 0) { () throws(ImageError) in
      try self.parameters(of: pair)
    }
    var trials = GainMapTrialEncoder(pair: consume pair, parameters: parameters, options: options)
    let best = try stages.next(.encoding) { () throws(ImageError) -> GainMapTrial in
      if let target = options.targetError { return try trials.search(for: target) }
      return try trials.make(.init(options, pixelCount: trials.pixelCount))
    }
    let encoded = trials.pair
    guard let measurement = encoded.measurement else {
      preconditionFailure("a trial reads the HDR image")
    }
    let hasQuality = options.format.traits.hasQuality
    return Result(
      bytes: best.bytes, baseByteCount: best.baseByteCount, mapByteCount: best.mapByteCount,
      baseLayout: encoded.kept?.description.layout ?? parameters.baseLayout(like: encoded.base),
      mapLayout: best.mapLayout,
      metadata: best.metadata,
      baseQuality: hasQuality && encoded.kept == nil ? best.settings.baseQuality : nil,
      mapQuality: hasQuality ? best.settings.mapQuality : nil, quality: best.quality,
      lightLevels: measurement.levels,
      trialCount: trials.trialCount, notices: encoded.notices + trials.notices + best.notices)
  }
}

extension GainMapTrialEncoder {
  /// Returns the smallest file whose 99th percentile of Delta E ITP is within a limit.
  ///
  /// For each size of the gain map, a bisection over quality makes at most eight trials. It ends as
  /// soon as a file that exceeds the limit is larger than the best one. If 8-bit gain maps exceed the
  /// limit, 10-bit ones are tried if the format has them.
  ///
  /// - Throws: `.invalidArgument` if the best quality exceeds the limit; errors of encoders and
  ///   decoders.
  mutating func search(for limit: Double) throws(ImageError) -> GainMapTrial {
    let scales = options.map.scale.map { [$0] } ?? [2, 1, 4]
    let depths = options.map.depth.map { [$0] } ?? parameters.mapDepths
    let rounds = depths.flatMap { depth in scales.map { (depth: depth, scale: $0) } }
    var best: GainMapTrial?
    var closest = Double.infinity
    for (index, round) in rounds.enumerated() {
      if let best, best.settings.mapDepth != round.depth { break }
      var quality = 100
      // One trial of a format without loss.
      var (failing, holding) = (options.format.traits.hasQuality ? 0 : quality, quality + 1)
      // The number of trials of the round so far.
      var count = 0.0
      repeat {
        count += 1
        let share = (Double(index) + count / 8) / Double(rounds.count)
        let trial = try Execution.part(upTo: share) { () throws(ImageError) in
          try make(settings(quality: quality, scale: round.scale, depth: round.depth))
        }
        closest = min(closest, trial.quality.deltaE99)
        if trial.quality.deltaE99 <= limit {
          holding = quality
          if trial.bytes.count < best?.bytes.count ?? .max { best = trial }
        } else {
          failing = quality
          if quality == 100 || trial.bytes.count >= best?.bytes.count ?? .max { break }
        }
        quality = (failing + holding) / 2
      } while holding - failing > 1
    }
    guard let best else { throw refusal(limit, closest: closest) }
    return best
  }

  private func settings(quality: Int, scale: Int, depth: Int) -> GainMapTrialSettings {
    var options = options
    options.encoder.quality = quality
    options.map.scale = scale
    options.map.depth = depth
    return GainMapTrialSettings(options, pixelCount: pixelCount)
  }

  /// Creates the error with the lowest Delta E and the first option that limits it.
  private func refusal(_ limit: Double, closest: Double) -> ImageError {
    // Rounded up to the digits of messages, so that this limit can be reached.
    let step = closest < 99 ? 10.0 : 1
    let reached = (closest * step).rounded(.up) / step
    let obstacles: [(isThere: Bool, name: String)] = [
      (parameters.chroma != .yuv444, "subsampling"),
      (parameters.isGray && !options.flavors.contains(.apple), "components"),
      (options.flavors.contains(.apple), "apple"),
      (options.map.scale ?? 1 > 1, "scale"),
      (options.map.depth == 8 && parameters.mapDepths.contains(10), "map-depth"),
      (options.depth == 8 && !options.format.traits.isLimitedTo8Bits, "depth"),
      (options.format.traits.isLimitedTo8Bits, "format"),
    ]
    let obstacle = obstacles.first(where: \.isThere)?.name ?? "none"
    return ImageError(
      .createTargetErrorUnreachable,
      [
        "limit": limit, "reached": reached, "obstacle": obstacle,
        "flavors": options.flavors.map(\.rawValue).sorted(),
      ])
  }
}

/// Encoding of baseline image and gain map: options, completed by the defaults of format and flavors.
struct GainMapEncodingParameters {
  private let options: GainMapEncoder.Options
  let isGray: Bool
  let chroma: ChromaSubsampling
  private let baseBits: Int
  /// Depths that the gain map may have, the default first.
  let mapDepths: [Int]

  /// - Throws: `.invalidArgument` for options that contradict each other or the format.
  init(_ options: GainMapEncoder.Options) throws(ImageError) {
    self.options = options
    let format = options.format
    try format.checkHoldsGainMap(isBaseHDR: options.isBaseHDR)
    let traits = format.traits
    if options.isBaseHDR, options.flavors.contains(.apple) {
      throw ImageError(.createAppleNeedsSDRBase)
    }
    let wantsApple = options.flavors.contains(.apple)
    if wantsApple, options.map.componentCount == 3 { throw ImageError(.createAppleOneComponent) }
    isGray = options.isMapGray
    let depths = options.isBaseHDR ? traits.highDynamicRangeDepths : traits.standardDepths
    // Without loss, bits that the image does not have cost much.
    baseBits = options.depth ?? (traits.isLimitedTo8Bits || !traits.hasQuality ? depths.usual : 10)
    let allowed = depths.all
    guard allowed.contains(baseBits) else {
      throw ImageError(
        .createBaseDepthUnsupported,
        [
          "image": options.isBaseHDR ? "HDR" : "SDR", "format": format.title, "supported": allowed,
          "bits": baseBits,
        ])
    }
    mapDepths = traits.isLimitedTo8Bits || wantsApple ? [8] : [8, 10]
    if let bits = options.map.depth, !mapDepths.contains(bits) {
      throw ImageError(
        .createMapDepthUnsupported,
        ["flavor": wantsApple ? "Apple" : format.title, "supported": mapDepths, "bits": bits])
    }
    chroma = options.chroma ?? options.usualChroma
    guard traits.subsamplings.contains(chroma) || !traits.storesYCbCr && chroma == .yuv444 else {
      throw ImageError(
        .baseSubsamplingUnsupported, ["format": format.title, "supported": ["4:4:4", "4:2:0"]])
    }
  }

  /// Color of the baseline image.
  var baseEncoding: ColorEncoding {
    let cicp = baseCICP
    return ColorEncoding(
      primaries: ColorPrimaries(cicp.primaries) ?? .bt709,
      transfer: options.isBaseHDR ? .pq : .srgb, matrix: cicp.matrix,
      chromaLocation: options.format.traits.chromaLocation)
  }

  /// Code points of the baseline image.
  var baseCICP: CICP {
    let storesYCbCr = options.format.traits.storesYCbCr
    if options.isBaseHDR, storesYCbCr {
      return CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
    }
    guard storesYCbCr else {
      return CICP(
        primaries: options.isBaseHDR ? .bt2020 : options.primaries.cicp ?? .displayP3,
        transfer: options.isBaseHDR ? .pq : .srgb, matrix: .identity)
    }
    let primaries = options.primaries.cicp ?? .displayP3
    // JPEG uses the matrix of BT.601, and so do HEIF files in P3.
    let matrix: CICP.Matrix =
      !options.format.traits.isVideoCoded || primaries != .bt709 ? .bt601 : .bt709
    return CICP(primaries: primaries, transfer: .srgb, matrix: matrix)
  }

  /// Returns the layout of the baseline image.
  func baseLayout(like source: ImageLayout) -> ImageLayout {
    ImageLayout(
      width: source.width, height: source.height,
      components: options.format.traits.storesYCbCr ? .ycbcr(chroma) : .rgb,
      samples: .integer(bits: baseBits), hasAlpha: source.hasAlpha)
  }
}

extension OutputImage {
  /// Makes a gain map as it is encoded in a format: gray, or Y'CbCr of BT.601 in 4:4:4 if the format stores Y'CbCr;
  /// its color has a matrix only.
  ///
  /// The samples of the gain map are freed as they are converted, unless they have more than 8 bits.
  ///
  /// - Throws: `.cancelled`.
  init(gainMap map: consuming ImagePlanes, in format: FileFormat) throws(ImageError) {
    let traits = format.traits
    var color = ColorEncoding.data
    if traits.storesYCbCr { color.matrix = .bt601 }
    color.chromaLocation = traits.chromaLocation
    let conversion = traits.storesYCbCr ? Self.conversion(of: map.layout) : nil
    let layout = conversion?.target.layout ?? map.layout
    let description = ImageDescription(layout: layout, color: color)
    guard ByteSamples.canStore(layout) else {
      let planes = if let conversion { try conversion.run(map).image } else { map }
      self.init(Image(description, planes), signalsCICP: false)
      return
    }
    let rows = ConsumedPlanesReader(map)
    let samples = try ByteSamples(layout) { (append) throws(ImageError) in
      if let conversion {
        _ = try conversion.run(rows, eachPiece: append)
      } else {
        for strip in strips(of: rows.layout.height) { try append(try rows.read(rows: strip)) }
      }
    }
    self.init(samples.image(description), signalsCICP: false)
  }

  /// The conversion of an RGB gain map to Y'CbCr; `nil` for a gray one.
  private static func conversion(of map: ImageLayout) -> ImageTransform? {
    guard map.components == .rgb else { return nil }
    var layout = map
    layout.components = .ycbcr(.yuv444)
    // Samples of a gain map are data; any color with this matrix does.
    let samples = ColorEncoding(primaries: .bt709, transfer: .linear)
    var target = samples
    target.matrix = .bt601
    var conversion = ImageTransform(
      from: .init(layout: map, color: samples), to: .init(layout: layout, color: target))
    conversion.measurement = .nothing
    return conversion
  }
}

extension GainMapEncoder.Options {
  /// Default chroma subsampling of the baseline image.
  ///
  /// JPEG has 4:2:0 unless the image is for further editing, other formats their default for HDR images (Decision 36):
  /// HEIC has 4:2:0, which decoders in hardware support. The gray map of the Apple flavor cannot compensate for chroma,
  /// so that video codecs then have 4:4:4 from quality 85 on (Decision 35).
  var usualChroma: ChromaSubsampling {
    let traits = format.traits
    guard traits.storesYCbCr else { return .yuv444 }
    guard !traits.isVideoCoded || flavors.contains(.apple) else {
      return traits.usualHighDynamicRangeSubsampling
    }
    let hasFullChroma =
      traits.isVideoCoded ? encoder.quality >= 85 : encoder.isForEditing(in: format)
    return hasFullChroma ? .yuv444 : .yuv420
  }
}
