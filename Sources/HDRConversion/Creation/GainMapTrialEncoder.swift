internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// What is chosen for one coding of base and map.
struct GainMapTrialSettings: Hashable {
  var baseQuality: Int
  var mapQuality: Int
  var scale: Int
  /// Bits of a sample of the map.
  var mapDepth: Int

  /// What was asked for, completed by what gives the least error for the bytes of base and map
  /// together, as measured on photographs.
  init(_ options: GainMapEncoder.Options) {
    let quality = options.encoder.quality
    let isFull = options.wantsDetail && !options.flavors.contains(.apple)
    baseQuality = quality
    mapQuality = options.map.quality ?? max(quality - (100 - quality) / 2, 0)
    scale = options.map.scale ?? (isFull ? 1 : 2)
    mapDepth = options.map.depth ?? 8
  }
}

extension GainMapEncoder.Options {
  /// Whether there are bytes enough for full chroma and a map of the base's size.
  var wantsDetail: Bool { encoder.quality >= 85 }
}

/// A file, made and read back.
struct GainMapTrial {
  let settings: GainMapTrialSettings
  let bytes: SplicedBytes
  let baseByteCount: Int
  let mapByteCount: Int
  let map: GainMapImage
  let quality: GainMapQuality
  let notices: [Notice]
}

/// Codes two renditions again and again, and keeps what can be used again.
struct GainMapTrialEncoder {
  private let pair: ImagePair
  let parameters: GainMapEncodingParameters
  let options: GainMapEncoder.Options
  private let alternate: Image
  private let baseImage: Image
  private var codedBase: (quality: Int, file: EncodedBaseline)?
  private(set) var trialCount = 0
  private(set) var notices: [Notice] = []

  init(
    pair: ImagePair, parameters: GainMapEncodingParameters, options: GainMapEncoder.Options
  ) throws(ImageError) {
    self.pair = pair
    self.parameters = parameters
    self.options = options
    alternate = try pair.alternate(primaries: options.primaries)
    baseImage = try pair.baseImage(
      as: .init(
        layout: parameters.baseFormat(like: pair.base), color: parameters.baseEncoding))
  }

  /// Codes the base, makes the map for what a decoder makes of it, codes that, and reads both back.
  ///
  /// - Throws: What encoders and decoders say.
  mutating func make(_ settings: GainMapTrialSettings) throws(ImageError) -> GainMapTrial {
    trialCount += 1
    let base = try base(quality: settings.baseQuality)
    let creation = try GainMapCreation(
      base: base.coding, alternate: alternate.description, options: creation(settings))
    let map = try creation.run(
      base: try base.makeReader(), alternate: try alternate.makeReader())
    if trialCount == 1, !options.baseIsHDR, hasColorsOutside, !needsAlternateColorSpace {
      notices += try notice(
        ofOutside: creation.countOutside(
          alternate: try alternate.makeReader()))
    }
    var encoder = options.encoder
    encoder.quality = settings.mapQuality
    let file = try base.adding(
      try parameters.coded(map.planes), meaning: map.meaning, options, encoder: encoder,
      alternate: description)
    let document = try SourceImage.open(file.file)
    guard let written = try document.decodeGainMap() else {
      throw ImageError(.createMapNotFound)
    }
    let quality = try written.quality(
      of: base.coding, try document.image.makeReader(), comparedTo: alternate.description,
      try alternate.makeReader())
    return GainMapTrial(
      settings: settings, bytes: file.bytes, baseByteCount: base.byteCount,
      mapByteCount: file.mapByteCount, map: written, quality: quality, notices: file.notices)
  }

  private mutating func base(quality: Int) throws(ImageError) -> EncodedBaseline {
    if let codedBase, codedBase.quality == quality { return codedBase.file }
    var encoder = options.encoder
    encoder.quality = quality
    let cicp = parameters.baseCICP
    let traits = options.format.traits
    var exif = pair.exif
    if traits.exifDescribesSamples, let bytes = exif {
      exif = try ExifBlock.completed(
        bytes, width: baseImage.layout.width, height: baseImage.layout.height, isGray: false,
        isSRGB: cicp.primaries == .bt709)
    }
    var image = baseImage
    image.light = options.baseIsHDR ? headroomDescription : LightMetadata()
    var output = OutputImage(
      image, icc: traits.declaresColorByProfileAlone ? try ICCProfile.generate(for: cicp) : nil,
      exif: exif, xmp: pair.xmp)
    output.auxiliaries = pair.auxiliaries
    output.auxiliaryMetadata = pair.further
    let file = try EncodedBaseline(output, coding: parameters, options, encoder: encoder)
    codedBase = (quality, file)
    return file
  }

  private func creation(_ settings: GainMapTrialSettings) -> GainMapCreation.Options {
    let wantsApple = options.flavors.contains(.apple)
    var headroom = pair.headroom
    if wantsApple {
      headroom.stops = min(headroom.stops, AppleMakerNote.largestHeadroom.stops)
    }
    return GainMapCreation.Options(
      componentCount: parameters.isGray ? 1 : 3, scale: settings.scale, bits: settings.mapDepth,
      offset: wantsApple ? SignedRational(0) : GainMapCreation.Options.standardOffset,
      baseIsHDR: options.baseIsHDR, usesBaseColorSpace: !needsAlternateColorSpace,
      headroom: headroom, appleCurve: wantsApple ? .srgb : nil)
  }

  /// Whether the rendition with headroom has colors that gain in the base's primaries cannot make.
  ///
  /// Only ISO 21496-1 has words for gain in other primaries.
  private var needsAlternateColorSpace: Bool {
    !options.baseIsHDR && options.flavors == [.iso] && !parameters.isGray && hasColorsOutside
  }

  private var hasColorsOutside: Bool {
    GrayMix.reach(of: pair.light.usedPrimaries, in: options.primaries) > 1 + 1e-3
  }

  /// The notice about colors that gain in the primaries of the base cannot make.
  private func notice(ofOutside count: Int) -> [Notice] {
    guard count > 0 else { return [] }
    let format = alternate.layout
    let percent = 100 * Double(count) / Double(format.width * format.height)
    return [
      Notice(
        .createColorsOutsideBase,
        [
          "share": percent, "flavors": options.flavors.map(\.rawValue).sorted(),
          "components": options.map.componentCount ?? 3,
        ])
    ]
  }

  /// What the file says about the rendition that is not the base.
  private var description: AlternateRendition {
    guard options.baseIsHDR else {
      return AlternateRendition(
        cicp: CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant),
        hdr: headroomDescription)
    }
    return AlternateRendition(
      cicp: CICP(
        primaries: options.primaries.cicp ?? .displayP3, transfer: .srgb, matrix: .bt601))
  }

  private var headroomDescription: LightMetadata {
    LightMetadata(
      diffuseWhite: LightMetadata.defaultDiffuseWhite,
      contentLightLevel: pair.light.contentLightLevel)
  }
}
