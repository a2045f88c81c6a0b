// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

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
