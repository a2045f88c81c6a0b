// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// Encoding of a converted image: options, completed by the defaults of the format.
struct ConversionTarget {
  let encoding: ColorEncoding
  let signaling: ConversionRequest.Color.Signaling
  /// Orientation of the stored samples, which are rotated upright; `.upright` keeps them.
  let rotation: Orientation
  /// Orientation that the file specifies.
  let orientation: Orientation
  /// The profile to embed, if any, unless it depends on measured light levels.
  private var icc: [UInt8]?
  private(set) var notices: [Notice] = []

  private let adaptation: OutputAdaptation?
  private let options: ConversionOptions
  private let components: ImageLayout.Components
  private let samples: ImageLayout.Samples
  private let keepsAlpha: Bool

  /// Completes options for a document.
  ///
  /// - Parameters:
  ///   - options: Properties of the output.
  ///   - document: The input.
  ///   - gainMap: The gain map to apply; gains that differ between components turn gray into color.
  ///   - shown: Orientation of the stored rows and columns.
  /// - Throws: `.invalidArgument` for options that contradict each other or the format.
  init(
    _ options: ConversionOptions, document: SourceImage, gainMap: AppliedGainMap?,
    shown: Orientation
  ) throws(ImageError) {
    self.options = options
    let isGray = document.isGray(with: gainMap?.map.hasOneGain) && options.profile == nil
    let traits = options.format.traits
    let primariesCode = options.primaries.cicp ?? .unspecified
    if options.profile != nil {
      guard traits.carriesICC else {
        throw ImageError(.targetProfileNotStorable, ["format": traits.title])
      }
      guard options.chroma != .yuv400 else { throw ImageError(.targetGrayWithProfile) }
    } else if primariesCode == .unspecified {
      throw ImageError(.invalidArgument, "the output primaries have no code point")
    }
    guard !traits.storesScRGB || options.primaries == .bt709 else {
      throw ImageError(.targetNotScRGB, ["format": traits.title])
    }
    samples = try Self.samples(options)
    components = try Self.components(options, isGray: isGray)
    let white = options.referenceWhite ?? document.referenceWhite
    encoding = ColorEncoding(
      primaries: options.primaries, transfer: options.transfer,
      matrix: Self.matrix(options, components: components, primaries: primariesCode),
      isFullRange: options.isFullRange || traits.storesLinearValues,
      chromaLocation: traits.chromaLocation, referenceWhite: white,
      imageState: Self.imageState(options, document: document))
    // Only an ICC profile specifies a scene-referred state, and most programs read it for SDR images
    // other than sRGB.
    adaptation = try OutputAdaptation(options, document: document, referenceWhite: white)
    if adaptation == nil, (options.metadata.adaptation ?? .keep) == .keep, options.rendering == nil,
      document.headroomAdaptation != nil
    {
      notices.append(
        Notice(
          .dropped,
          "dropped: ST 2094-50 metadata (HEIF and AVIF can store them, and PQ or HLG with an "
            + "ICC profile)"
        ))
    }
    let isUnusual =
      adaptation?.goesIntoProfile == true || encoding.imageState == .scene
      || (options.isStandard && primariesCode != .bt709)
    signaling = Self.signaling(options, isUnusual: isUnusual)
    keepsAlpha = traits.holdsAlpha && [.keep, .premultiplied].contains(options.alpha)
    let hasCarrier =
      traits.orientationCarrier == .properties
      || options.geometry.rotation == .upright && traits.orientationCarrier != .none
    let bakes = options.orientation == .bake || !hasCarrier
    (rotation, orientation) = bakes ? (shown, .upright) : (.upright, shown)
    try checkSignaling()
    try chooseProfile()
    if document.image.layout.hasAlpha, options.alpha == .keep, !keepsAlpha {
      notices.append(
        Notice(
          .dropped,
          "dropped: alpha channel ({format} cannot store it); the image is composed on black",
          ["format": traits.title]))
    }
    if primariesCode != .bt2020, options.transfer == .pq || options.transfer == .hlg {
      notices.append(.primariesOutsideISO22028)
    }
    if let matrix = options.matrix, components == .rgb, matrix != .identity {
      notices.append(
        Notice(
          .dropped, "matrix {matrix} is for Y'CbCr; the samples are RGB, which is matrix 0",
          ["matrix": matrix.rawValue]))
    }
    if !options.isStandard, encoding.matrix != .identity,
      encoding.matrix != .bt2020NonConstant
    {
      notices.append(.matrixOutsideISO22028(encoding.matrix))
    }
    if encoding.imageState == .scene, signaling == .cicp || options.icc == .drop {
      notices.append(Notice(.colorSceneReferredNotStorable))
    }
    if !options.isFullRange {
      notices.append(
        Notice(.nonconforming, "narrow range is unusual for still images (rule H5-RNG-1)"))
    }
  }

  /// Returns the layout of the output for a source.
  func layout(like source: ImageLayout) -> ImageLayout {
    ImageLayout(
      width: source.width, height: source.height, components: components, samples: samples,
      hasAlpha: source.hasAlpha && keepsAlpha,
      isAlphaPremultiplied: options.format.traits.isAlphaPremultiplied
        || options.alpha == .premultiplied)
  }

  /// Whether samples are dithered: 8-bit steps are visible in gradients.
  var isDithered: Bool { samples == .integer(bits: 8) && !options.encoder.isLossless }

  /// Light levels that the output declares.
  var declaredLevels: LightLevels.Extent {
    guard options.transfer == .pq || options.transfer == .hlg else { return .nothing }
    return adaptation?.needsContentHeadroom == true ? .all : .levels
  }

  /// Returns the carriers of the color.
  private static func signaling(
    _ options: ConversionOptions, isUnusual: Bool
  ) -> ConversionRequest.Color.Signaling {
    let traits = options.format.traits
    if let signaling = options.signaling { return signaling }
    if traits.declaresColorByProfileAlone { return .icc }
    if traits.declaresColorOnce { return options.profile == nil ? .cicp : .icc }
    return isUnusual ? .both : .cicp
  }

  var cicp: CICP { encoding.cicp }

  /// Returns the profile to embed, given the measured light levels of the output.
  func profile(measured light: LightLevels) throws(ImageError) -> [UInt8]? {
    guard let adaptation, adaptation.goesIntoProfile else { return icc }
    return try ICCProfile.generate(
      for: cicp, imageState: encoding.imageState,
      headroomAdaptation: try adaptation.adaptation(measured: light))
  }

  /// Returns the ST 2094-50 metadata for the bitstream, given the measured light levels.
  func bitstreamAdaptation(measured light: LightLevels) throws(ImageError) -> HeadroomAdaptation? {
    guard let adaptation, adaptation.goesIntoBitstream else { return nil }
    return try adaptation.adaptation(measured: light)
  }

  /// Chooses the profile to embed, which must not contradict the samples.
  private mutating func chooseProfile() throws(ImageError) {
    guard options.format.traits.carriesICC else { return }
    switch options.icc {
    case .value(let bytes) where options.profile != nil: icc = bytes
    case .value(let bytes):
      let given = SuppliedProfile(
        try ICCProfile(parsing: bytes), isGray: components == .gray, encoding: encoding,
        isFallback: options.format.traits.colorPrecedence == .codePoints && signaling != .icc)
      notices += try given.check()
      icc = bytes
    case .drop:
      let isAssumed =
        options.format.traits.isLimitedTo8Bits && encoding.transfer == .srgb
        && encoding.primaries == .bt709
      guard signaling != .icc || isAssumed else {
        throw ImageError(.targetProfileRequired, ["format": options.format.title])
      }
    case .measure, .keep:
      guard signaling != .cicp else { return }
      icc = try ICCProfile.generate(for: cicp, imageState: encoding.imageState)
    }
  }

  /// Returns the image state, which only HLG has; display-referred is the default.
  private static func imageState(
    _ options: ConversionOptions, document: SourceImage
  ) -> ColorEncoding.ImageState? {
    guard options.transfer == .hlg else { return nil }
    switch options.imageState {
    case .value(let state): return state
    case .keep: return document.image.color.imageState
    case .measure, .drop: return nil
    }
  }

  /// Refuses a depth that the format does not store, and PQ and HLG in a format of 8 bits.
  static func check(_ options: ConversionOptions) throws(ImageError) { _ = try samples(options) }

  private static func samples(
    _ options: ConversionOptions
  ) throws(ImageError) -> ImageLayout.Samples {
    let traits = options.format.traits
    let isLinear = options.transfer == .linear && !traits.linearDepths.all.isEmpty
    let depths =
      isLinear
      ? traits.linearDepths
      : options.isStandard && !traits.storesLinearValues
        ? traits.standardDepths : traits.highDynamicRangeDepths
    guard !depths.all.isEmpty else { throw ImageError(.targetNotHDR, ["format": traits.title]) }
    let depth = options.depth ?? depths.usual
    guard depths.all.contains(depth) else {
      throw ImageError(
        .targetDepthUnsupported,
        [
          "bits": depth, "format": traits.title, "supported": depths.all, "usual": depths.usual,
        ])
    }
    if isLinear { return depth == 32 ? .float : .half }
    guard traits.storesLinearValues else { return .integer(bits: depth) }
    // The codec rounds values that it scales to scRGB.
    return options.encoder.isLossless || traits.storesScRGB ? .float : .half
  }

  private static func components(
    _ options: ConversionOptions, isGray: Bool
  ) throws(ImageError) -> ImageLayout.Components {
    let traits = options.format.traits
    guard let usual = traits.subsamplings.first else {
      if let chroma = options.chroma, chroma != .yuv444, chroma != .yuv400 {
        throw ImageError(.targetSubsamplingUnsupported, ["format": traits.title])
      }
      return options.chroma == .yuv400 || isGray ? .gray : .rgb
    }
    if let chroma = options.chroma { return chroma == .yuv400 ? .gray : .ycbcr(chroma) }
    if isGray { return .gray }
    guard traits.isVideoCoded else { return .ycbcr(usual) }
    if options.encoder.isLossless, options.matrix == nil || options.matrix == .identity {
      return .rgb
    }
    if options.matrix == .identity { return .rgb }
    return .ycbcr(options.usualChroma)
  }

  private static func matrix(
    _ options: ConversionOptions, components: ImageLayout.Components, primaries: CICP.Primaries
  ) -> CICP.Matrix {
    guard case .ycbcr = components else {
      let isVideo = options.format.traits.isVideoCoded
      // Monochrome is the luma of a matrix; RGB has none.
      return components == .gray && isVideo ? usualMatrix(options, primaries) : .identity
    }
    return options.matrix ?? usualMatrix(options, primaries)
  }

  /// Returns the usual matrix of images with these primaries.
  private static func usualMatrix(
    _ options: ConversionOptions, _ primaries: CICP.Primaries
  ) -> CICP.Matrix {
    switch primaries {
    case _ where options.isStandard: .bt601
    case .bt709: .bt709
    case .displayP3: .bt601
    default: .bt2020NonConstant
    }
  }

  private func checkSignaling() throws(ImageError) {
    if options.matrix == .identity, case .ycbcr = components {
      throw ImageError(.targetSubsampledRGB)
    }
    let matrix = options.matrix ?? encoding.matrix
    if matrix != .identity, YCbCr(matrix: matrix, primaries: encoding.primaries) == nil {
      throw ImageError(.targetMatrixUnsupported, ["matrix": matrix.rawValue])
    }
    if options.format.traits.declaresColorByProfileAlone, signaling == .cicp {
      throw ImageError(.targetNoCICP, ["format": options.format.title])
    }
    if options.format.traits.storesLinearValues, encoding.transfer != .linear {
      throw ImageError(.targetNotLinear, ["format": options.format.title])
    }
    if options.alpha == .premultiplied, !options.format.traits.isVideoCoded,
      !options.format.traits.isAlphaPremultiplied
    {
      throw ImageError(.targetPremultipliedUnsupported, ["format": options.format.title])
    }
    if !options.isFullRange, !options.format.traits.isVideoCoded {
      throw ImageError(.targetRangeUnsupported, ["format": options.format.title])
    }
  }
}

extension ConversionOptions {
  /// Whether the output is SDR.
  fileprivate var isStandard: Bool { transfer == .srgb || profile != nil }

  /// Default chroma subsampling of Y'CbCr in HEIF and AVIF.
  ///
  /// Most decoders, hardware above all, support only 4:2:0 for SDR images.
  var usualChroma: ChromaSubsampling {
    isStandard ? .yuv420 : format.traits.usualHighDynamicRangeSubsampling
  }
}

extension Notice {
  static let primariesOutsideISO22028 = Notice(.colorPrimariesNonconforming)

  static func matrixOutsideISO22028(_ matrix: CICP.Matrix) -> Notice {
    Notice(
      .nonconforming,
      "matrix {matrix} is outside ISO 22028-5, which has 9 for Y'CbCr (rule H5-MTX-1)",
      ["matrix": matrix.rawValue])
  }
}

/// SMPTE ST 2094-50 metadata of an output: in its ICC profile, and in the bitstream of HEIF and AVIF.
struct OutputAdaptation {
  private let use: ConversionRequest.Metadata.Adaptation
  private let kept: HeadroomAdaptation?
  private let referenceWhite: Double
  /// Whether a generated ICC profile contains them.
  let goesIntoProfile: Bool
  /// Whether a message in the bitstream contains them.
  let goesIntoBitstream: Bool

  /// Chooses the carriers; `nil` without metadata.
  ///
  /// - Throws: `.invalidArgument` if metadata are requested that the output cannot store.
  init?(
    _ options: ConversionOptions, document: SourceImage, referenceWhite: Double
  ) throws(ImageError) {
    use = options.metadata.adaptation ?? .keep
    self.referenceWhite = referenceWhite
    kept = use == .keep && options.rendering == nil ? document.headroomAdaptation : nil
    guard use != .none, use != .keep || kept != nil else { return nil }
    let isHDR = options.transfer == .pq || options.transfer == .hlg
    goesIntoBitstream = isHDR && options.format.traits.carriesBitstreamMetadata
    let isGenerated = options.icc == .measure || options.icc == .keep
    goesIntoProfile =
      isHDR && options.format.traits.carriesICC && options.signaling != .cicp && isGenerated
    guard !goesIntoProfile, !goesIntoBitstream else { return }
    guard use == .keep else {
      throw ImageError(isGenerated || !isHDR ? .adaptationNeedsProfile : .adaptationProfileGiven)
    }
    return nil
  }

  /// Whether the metadata depend on measured light levels.
  var needsContentHeadroom: Bool { kept == nil }

  /// Returns the metadata.
  ///
  /// - Parameter light: Light levels of the output.
  /// - Returns: The metadata of the input, or those of the chosen operator.
  /// - Throws: `.invalidArgument` for a headroom that is not possible.
  func adaptation(measured light: LightLevels) throws(ImageError) -> HeadroomAdaptation {
    if let kept { return kept }
    let content = Headroom(stops: min(light.contentHeadroom.stops, 6))
    let toneMap: AdaptiveToneMap =
      switch use {
      case .referenceWhite: AdaptiveToneMap(baselineHeadroom: content, method: .referenceWhite)
      case .shoulder: try .shoulder(content: content)
      default:
        try .adaptive(content: ToneMapOperator.ContentStatistics(headroom: content, key: light.key))
      }
    let isDefault = referenceWhite == ColorEncoding.defaultReferenceWhite
    return HeadroomAdaptation(referenceWhite: isDefault ? nil : referenceWhite, toneMap: toneMap)
  }
}
