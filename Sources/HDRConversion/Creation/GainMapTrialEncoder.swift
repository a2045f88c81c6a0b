// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// Parameters of one trial.
struct GainMapTrialSettings: Hashable {
  var baseQuality: Int
  var mapQuality: Int
  var scale: Int
  /// Bits per sample of the gain map.
  var mapDepth: Int

  /// Completes options by the values with the least error per byte of baseline image and gain map
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
  /// Whether the quality suffices for 4:4:4 and a gain map of the size of the baseline image.
  var wantsDetail: Bool { encoder.quality >= 85 }
}

/// A file that was written and read back.
struct GainMapTrial {
  let settings: GainMapTrialSettings
  let bytes: SplicedBytes
  let baseByteCount: Int
  let mapByteCount: Int
  let map: GainMapImage
  let quality: GainMapQuality
  let notices: [Notice]
}

/// Encodes an image pair with different parameters, and caches the baseline image.
struct GainMapTrialEncoder {
  private let pair: ImagePair
  let parameters: GainMapEncodingParameters
  let options: GainMapEncoder.Options
  /// The alternate image, which the gain map is computed from.
  private let alternate: Image
  /// The baseline image, while it may be encoded again.
  private var baseImage: Image?
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
  }

  /// Encodes the baseline image, computes the gain map from the decoded one, encodes it, and reads both
  /// back.
  ///
  /// - Throws: Errors of encoders and decoders.
  mutating func make(_ settings: GainMapTrialSettings) throws(ImageError) -> GainMapTrial {
    trialCount += 1
    let base = try base(quality: settings.baseQuality)
    let creation = try GainMapCreation(
      base: base.description, alternate: alternate.description, options: creation(settings))
    let map = try creation.run(
      base: try base.makeReader(), alternate: try alternate.makeReader())
    if trialCount == 1, !options.baseIsHDR, hasColorsOutOfGamut, !needsAlternateColorSpace {
      notices += try notice(
        outOfGamut: creation.countOutOfGamut(alternate: try alternate.makeReader()))
    }
    var encoder = options.encoder
    encoder.quality = settings.mapQuality
    let file = try base.adding(
      parameters.encodable(map.planes), metadata: map.metadata, options,
      encoder: encoder,
      alternate: alternateMetadata)
    let document = try SourceImage.open(file.file)
    guard let written = try document.decodeGainMap() else {
      throw ImageError(.createMapNotFound)
    }
    let quality = try written.quality(
      of: base.description, try document.image.makeReader(), comparedTo: alternate.description,
      try alternate.makeReader(),
      extent: options.targetError == nil ? options.measurement : .full)
    return GainMapTrial(
      settings: settings, bytes: file.bytes, baseByteCount: base.byteCount,
      mapByteCount: file.mapByteCount, map: written, quality: quality, notices: file.notices)
  }

  private mutating func base(quality: Int) throws(ImageError) -> EncodedBaseline {
    if let kept = pair.kept { return kept }
    if let codedBase, codedBase.quality == quality { return codedBase.file }
    var encoder = options.encoder
    encoder.quality = quality
    let cicp = parameters.baseCICP
    let traits = options.format.traits
    let baseImage = try takeBaseImage()
    var exif = pair.exif
    if traits.exifDescribesSamples, let bytes = exif {
      exif = try ExifBlock.completed(
        bytes, width: baseImage.layout.width, height: baseImage.layout.height, isGray: false,
        isSRGB: cicp.primaries == .bt709)
    }
    var image = baseImage
    image.light = options.baseIsHDR ? hdrLight : LightMetadata()
    var output = OutputImage(
      image, icc: traits.declaresColorByProfileAlone ? try ICCProfile.generate(for: cicp) : nil,
      exif: exif, xmp: pair.xmp)
    output.auxiliaries = pair.auxiliaries
    output.auxiliaryMetadata = pair.auxiliaryMetadata
    let file = try EncodedBaseline(output, parameters: parameters, options, encoder: encoder)
    codedBase = (quality, file)
    return file
  }

  /// Returns the baseline image; without a search for a target, its memory is reused afterwards.
  private mutating func takeBaseImage() throws(ImageError) -> Image {
    if let baseImage { return baseImage }
    let image = try pair.baseImage(
      as: .init(
        layout: parameters.baseLayout(like: pair.base), color: parameters.baseEncoding))
    if options.targetError != nil { baseImage = image }
    return image
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

  /// Whether the gain has to be in the primaries of the alternate image, which only ISO 21496-1
  /// represents.
  private var needsAlternateColorSpace: Bool {
    !options.baseIsHDR && options.flavors == [.iso] && !parameters.isGray && hasColorsOutOfGamut
  }

  /// Whether the HDR image has colors that a gain in the primaries of the baseline image cannot produce.
  private var hasColorsOutOfGamut: Bool {
    pair.light.usedPrimaries.reach(
      in: pair.kept?.description.color.primaries ?? options.primaries) > 1 + 1e-3
  }

  /// Notice about colors that a gain in the primaries of the baseline image cannot produce.
  private func notice(outOfGamut count: Int) -> [Notice] {
    guard count > 0 else { return [] }
    let layout = alternate.layout
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
    guard options.baseIsHDR else {
      return FoundGainMap.AlternateImage(
        cicp: CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant),
        light: hdrLight)
    }
    return FoundGainMap.AlternateImage(
      cicp: CICP(
        primaries: options.primaries.cicp ?? .displayP3, transfer: .srgb, matrix: .bt601))
  }

  private var hdrLight: LightMetadata {
    LightMetadata(
      diffuseWhite: ColorEncoding.defaultReferenceWhite,
      contentLightLevel: pair.light.contentLightLevel)
  }
}
