internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// How base and map are coded in a kind of file: options, completed by what formats and flavors allow.
struct GainMapEncodingParameters {
  private let options: GainMapEncoder.Options
  let isGray: Bool
  let chroma: ChromaSubsampling
  private let baseBits: Int
  /// Depths that the map may have, the usual one first.
  let mapDepths: [Int]

  /// - Throws: `.invalidArgument` for options that contradict each other or the format.
  init(_ options: GainMapEncoder.Options) throws(ImageError) {
    self.options = options
    let format = options.format
    try format.checkHoldsGainMap(baseIsHDR: options.baseIsHDR)
    let traits = format.traits
    if options.baseIsHDR, options.flavors.contains(.apple) {
      throw ImageError(.createAppleNeedsSDRBase)
    }
    let wantsApple = options.flavors.contains(.apple)
    if wantsApple, options.map.componentCount == 3 {
      throw ImageError(.createAppleOneComponent)
    }
    isGray = (options.map.componentCount ?? (wantsApple ? 1 : 3)) == 1
    baseBits = options.depth ?? (traits.isLimitedTo8Bits ? 8 : 10)
    let allowed = (options.baseIsHDR ? traits.highDynamicRangeDepths : traits.standardDepths).all
    guard allowed.contains(baseBits) else {
      throw ImageError(
        .createBaseDepthUnsupported,
        [
          "image": options.baseIsHDR ? "HDR" : "SDR", "format": format.title, "supported": allowed,
          "bits": baseBits,
        ])
    }
    mapDepths = traits.isLimitedTo8Bits || wantsApple ? [8] : [8, 10]
    if let bits = options.map.depth, !mapDepths.contains(bits) {
      throw ImageError(
        .createMapDepthUnsupported,
        ["kind": wantsApple ? "Apple" : format.title, "supported": mapDepths, "bits": bits])
    }
    chroma = options.chroma ?? (options.wantsDetail ? .yuv444 : .yuv420)
    guard traits.subsamplings.contains(chroma) else {
      throw ImageError(
        .baseSubsamplingUnsupported, ["format": format.title, "supported": ["4:4:4", "4:2:0"]])
    }
  }

  /// What the base's samples mean.
  var baseEncoding: ColorEncoding {
    let cicp = baseCICP
    return ColorEncoding(
      primaries: ColorPrimaries(cicp.primaries) ?? .bt709,
      transfer: options.baseIsHDR ? .pq : .srgb, matrix: cicp.matrix,
      chromaLocation: options.format.traits.chromaLocation)
  }

  /// Code points of the base.
  var baseCICP: CICP {
    if options.baseIsHDR {
      return CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
    }
    let primaries = options.primaries.cicp ?? .displayP3
    // BT.601's matrix is JPEG's, and what files with P3 have.
    let matrix: CICP.Matrix =
      !options.format.traits.isVideoCoded || primaries != .bt709 ? .bt601 : .bt709
    return CICP(primaries: primaries, transfer: .srgb, matrix: matrix)
  }

  func baseFormat(like source: ImageLayout) -> ImageLayout {
    ImageLayout(
      width: source.width, height: source.height, components: .ycbcr(chroma),
      samples: .integer(bits: baseBits), hasAlpha: source.hasAlpha)
  }

  /// A map with its samples as they are coded: gray, or Y'CbCr of BT.601 in full chroma.
  func coded(_ map: ImagePlanes) throws(ImageError) -> ImagePlanes {
    guard map.layout.components == .rgb else { return map }
    var format = map.layout
    format.components = .ycbcr(.yuv444)
    // Samples of gain are no light, but a matrix between codes is all that is wanted.
    let samples = ColorEncoding(primaries: .bt709, transfer: .linear)
    var target = samples
    target.matrix = .bt601
    var conversion = ImageTransform(
      from: .init(layout: map.layout, color: samples),
      to: .init(layout: format, color: target))
    conversion.measurement = .nothing
    return try conversion.run(map).image
  }

  /// A map with its samples as they are coded, for its file: no color, only how components are coded.
  static func output(_ map: ImagePlanes, format: FileFormat) -> OutputImage {
    var color = ColorEncoding.data
    (color.matrix, color.chromaLocation) = (.bt601, format.traits.chromaLocation)
    return OutputImage(
      Image(ImageDescription(layout: map.layout, color: color), map), signalsCICP: false)
  }
}
