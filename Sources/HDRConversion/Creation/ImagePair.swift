// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

extension SourceImage {
  /// Whether the file specifies its color; the color of an image in memory is that of its caller.
  fileprivate var specifiesColor: Bool {
    guard let traits = format?.traits else { return true }
    return declaredColor.cicp != nil || declaredColor.icc != nil || traits.storesLinearValues
      || traits.isCameraRaw
  }
}

extension SourceImage {
  /// Whether the image is HDR: PQ, HLG, or floating-point values above 1.0 in more than one of
  /// 10 000 pixels.
  fileprivate var exceedsReferenceWhite: Bool {
    get throws(ImageError) {
      guard isHighDynamicRange, image.color.transfer != .pq, image.color.transfer != .hlg
      else { return isHighDynamicRange }
      var target = image.description
      target.color = target.color.linear
      (target.layout.components, target.layout.samples) = (.rgb, .float)
      let headroom = try ImageTransform(from: image.description, to: target)
        .contentHeadroom(try image.makeReader())
      // Percentiles are up to 1.6 % too high.
      return headroom.ratio > 1.02
    }
  }
}

/// An HDR and an SDR image of the same size: upright, or in the orientation of a kept SDR image.
struct ImagePair {
  /// An image, whose samples may be decoded on demand, and the rendition that is still to be
  /// applied.
  struct Source {
    var image: Image
    var rendition: Rendition?
  }

  /// The source of the alternate image; `nil` once it is taken.
  private var alternateSource: Source?
  /// The source of the baseline image; `nil` once it is freed.
  private var baseSource: Source?
  /// Layout of the source of the baseline image.
  let base: ImageLayout
  /// The coded SDR image of its file; `nil` if the baseline image is to be encoded.
  let kept: EncodedBaseline?
  /// Auxiliary images, upright.
  let auxiliaries: [AuxiliaryImage]
  /// Light levels of the HDR image.
  let lightLevels: LightLevels
  /// Headroom of the HDR image, as its file declares or as measured.
  let headroom: Headroom
  let notices: [Notice]
  let exif: [UInt8]?
  let xmp: [UInt8]?
  let auxiliaryMetadata: AuxiliaryMetadata

  /// - Throws: `.unsuitable` for an HDR image without pixels above reference white and for an SDR image
  ///   that does not match a raw file, `.invalidArgument` for images of different sizes; errors of
  ///   decoders.
  init(
    hdr: SourceImage, sdr: SourceImage?, options: GainMapEncoder.Options,
    progress: ((Double) -> Void)?
  ) throws(ImageError) {
    var (hdr, sdr) = (hdr, sdr)
    let alphaNotices = try hdr.applyAlpha(.keep) + (try sdr?.applyAlpha(.keep) ?? [])
    if let sdr, try sdr.exceedsReferenceWhite { throw ImageError(.createSDRIsHDR) }
    let alpha = BaselineAlpha(hdr: hdr, sdr: sdr, options)
    var sdrNotices: [Notice] = []
    let baseline = try Self.kept(sdr, options, &sdrNotices)
    kept = baseline
    // Both developments of a raw file have the same position.
    let isCameraPair =
      hdr.isDeveloped && sdr?.isDeveloped != true && options.geometry == GeometryEdit()
    let (master, standard) = try Self.converted(
      hdr: hdr, sdr: sdr, baseline: baseline, keepsAlpha: alpha.isKept,
      isOnDemand: !isCameraPair && !alpha.isKept && !options.baseIsHDR, options: options,
      progress: progress)
    // Memory of the sources.
    freeIdleMemory()
    var notices = master.result.notices + alphaNotices + sdrNotices
    notices += standard?.notices ?? []
    let encoding = ColorEncoding(primaries: .bt2020, transfer: .pq)
    var image = Image(
      ImageDescription(layout: master.result.output.image.layout, color: encoding),
      try master.result.output.image.planes())
    var levels = master.result.lightLevels
    if let standard {
      let placed = try Self.aligned(
        image, isRaw: isCameraPair, to: standard.source.image,
        orientation: baseline == nil ? .upright : sdr?.image.orientation ?? .upright, &notices)
      if placed.isResampled {
        levels = try ImageTransform(from: placed.image.description, to: placed.image.description)
          .measure(try placed.image.planes())
      }
      image = placed.image
    }
    guard levels.contentHeadroom.stops > 0 else {
      throw ImageError(
        .createNoHeadroom,
        ["color": hdr.isDeveloped ? "raw" : hdr.specifiesColor ? "specified" : "assumed"])
    }
    let source = Source(image: image)
    for (what, isThere) in [
      ("gain map", hdr.gainMap?.isApplicable == true),
      ("ST 2094-50 metadata", hdr.headroomAdaptation != nil),
    ] where isThere && sdr == nil {
      notices.append(
        Notice(.createSDRNotKept, ["what": what]))
    }
    notices += alpha.notices
    lightLevels = levels
    let content = ContentHeadroom(
      master.declarations, measured: lightLevels.contentHeadroom,
      referenceWhite: encoding.referenceWhite)
    notices += content.notice.map { [$0] } ?? []
    // Metadata that declare no headroom leave no range for the gain.
    headroom = content.headroom.stops > 0 ? content.headroom : lightLevels.contentHeadroom
    let lower: Source
    if let standard {
      lower = standard.source
      if alpha.isKept {
        notices += BaselineAlpha.difference(
          try lower.image.planes(), try source.image.planes(), options)
      }
    } else {
      var rendition = try Rendition.standard(
        content: headroom, key: lightLevels.key, using: options.method)
      rendition.highlightDesaturation = options.highlightDesaturation
      lower = Source(image: source.image, rendition: rendition)
    }
    let first = options.baseIsHDR ? source : lower
    (baseSource, base) = (first, first.image.layout)
    alternateSource = options.baseIsHDR ? lower : source
    if options.flavors.contains(.apple),
      headroom.stops > AppleMakerNote.largestHeadroom.stops
    {
      notices.append(
        Notice(.createAppleGainLimited, ["limit": AppleMakerNote.largestHeadroom.stops]))
    }
    let metadata = sdr.map { [$0, hdr] } ?? [hdr]
    let layout = source.image.layout
    exif = try metadata.lazy.compactMap(\.exif).first.map {
      bytes throws(ImageError) -> [UInt8] in
      guard options.geometry != GeometryEdit() else { return bytes }
      return try ExifBlock.fitted(
        bytes, width: layout.width, height: layout.height,
        keepsThumbnail: options.geometry.crop == nil && options.geometry.rotation == .upright,
        notices: &notices)
    }
    xmp = try metadata.lazy.compactMap(\.xmp).first.flatMap {
      bytes throws(ImageError) -> [UInt8]? in
      try XMPPacket(parsing: bytes)
        .fitted(to: options.geometry == GeometryEdit() ? nil : layout, orientation: .upright)
        .forNewFile()
    }
    let provider = metadata.lazy.map(\.auxiliaryMetadata).first { $0 != AuxiliaryMetadata() }
    auxiliaryMetadata = provider?.carried(by: options.format) ?? AuxiliaryMetadata()
    notices += provider?.dropped(in: options.format) ?? []
    guard baseline == nil else {
      // Those of the kept file stay.
      auxiliaries = []
      if !hdr.auxiliaries.isEmpty {
        notices.append(
          Notice(.createAuxiliariesOfOne, ["types": hdr.auxiliaries.map(\.displayName).grouped]))
      }
      self.notices = notices
      return
    }
    let owner = metadata.first { !$0.auxiliaries.isEmpty } ?? hdr
    var copying = ConversionOptions(format: options.format, encoder: options.encoder)
    copying.geometry = options.geometry
    auxiliaries = ImageConverter(copying).auxiliaries(
      of: owner, rotation: owner.image.orientation.followed(by: options.geometry.rotation), &notices
    )
    let others = metadata.filter { !$0.auxiliaries.isEmpty }.dropFirst().flatMap(\.auxiliaries)
    if !others.isEmpty {
      notices.append(
        Notice(.createAuxiliariesOfOne, ["types": others.map(\.displayName).grouped]))
    }
    self.notices = notices
  }

  /// Returns the baseline image as it is encoded.
  func baseImage(as target: ImageDescription) throws(ImageError) -> Image {
    try Self.image(availableBase, as: target)
  }

  /// Makes the baseline image piece by piece, as it is encoded.
  ///
  /// - Throws: Errors of `body`; `.cancelled`.
  func forEachPieceOfBase(
    as target: ImageDescription, _ body: (ImagePlanes) throws(ImageError) -> Void
  ) throws(ImageError) {
    let source = availableBase
    _ = try Self.transform(source, to: target).run(
      try source.image.makeReader(), eachPiece: body)
  }

  /// Frees the source of the baseline image, which is not encoded again.
  mutating func freeBase() { baseSource = nil }

  private var availableBase: Source {
    guard let baseSource else { preconditionFailure("the baseline image is encoded once") }
    return baseSource
  }

  /// Returns the alternate image, without alpha, and frees its source.
  mutating func takeAlternate(primaries: ColorPrimaries) throws(ImageError) -> Image {
    guard let alternateSource else { preconditionFailure("the alternate image is taken once") }
    self.alternateSource = nil
    var alternate = alternateSource.image
    if alternateSource.rendition != nil {
      let color = ColorEncoding(primaries: primaries, transfer: .srgb)
      alternate = try Self.image(
        alternateSource, as: ImageDescription(layout: alternate.layout, color: color))
    }
    let planes = try alternate.planes().separatingAlpha().main
    return Image(ImageDescription(layout: planes.layout, color: alternate.color), planes)
  }

  private static func image(
    _ source: Source, as target: ImageDescription
  ) throws(ImageError) -> Image {
    Image(target, try transform(source, to: target).run(try source.image.makeReader()).image)
  }

  private static func transform(_ source: Source, to target: ImageDescription) -> ImageTransform {
    var transform = ImageTransform(
      from: source.image.description, to: target, rendition: source.rendition)
    transform.measurement = .nothing
    return transform
  }

  /// The HDR image in PQ.
  private struct Master {
    let result: ImageConverter.Result
    let declarations: ContentHeadroom.Declarations
  }

  /// Decodes and converts both images: at the same time if the decoder of the HDR image uses one
  /// thread.
  ///
  /// `isOnDemand` states whether the SDR image may be decoded when it is encoded.
  private static func converted(
    hdr: SourceImage, sdr: SourceImage?, baseline: EncodedBaseline?, keepsAlpha: Bool,
    isOnDemand: Bool, options: GainMapEncoder.Options, progress: ((Double) -> Void)?
  ) throws(ImageError) -> (Master, Standard?) {
    let deferred = try sdr.flatMap { sdr throws(ImageError) in
      isOnDemand ? try standardOnDemand(sdr, baseline, options: options) : nil
    }
    guard let sdr, deferred == nil, hdr.format?.traits.isDecodedSequentially == true else {
      let master = try convert(
        hdr, keepsAlpha: keepsAlpha, options: options, progress: progress)
      if let deferred { return (master, deferred) }
      return (
        master,
        try sdr.map { sdr throws(ImageError) in
          try standard(sdr, baseline, keepsAlpha: keepsAlpha, options: options)
        }
      )
    }
    // SAFETY: only one of the two calls uses it, while the caller waits.
    nonisolated(unsafe) let progress = progress
    let results = try concurrentMap(2) {
      (index) throws(ImageError) -> (master: Master?, standard: Standard?) in
      if index == 0 {
        let master = try convert(
          hdr, keepsAlpha: keepsAlpha, options: options, progress: unsafe progress)
        return (master, nil)
      }
      return (nil, try standard(sdr, baseline, keepsAlpha: keepsAlpha, options: options))
    }
    guard let master = results[0].master else { preconditionFailure("the first result") }
    return (master, results[1].standard)
  }

  /// Converts the HDR image to PQ in BT.2020, 16 bits per sample, upright.
  private static func convert(
    _ document: SourceImage, keepsAlpha: Bool, options: GainMapEncoder.Options,
    progress: ((Double) -> Void)?
  ) throws(ImageError) -> Master {
    var document = document
    (document.auxiliaries, document.auxiliaryMetadata) = ([], AuxiliaryMetadata())
    document.exif = nil
    var conversion = ConversionOptions(format: .png, encoder: options.encoder)
    conversion.orientation = .bake
    (conversion.geometry, conversion.limits) = (options.geometry, options.limits)
    conversion.alpha = keepsAlpha ? .keep : .drop
    conversion.referenceEnvironment = .none
    conversion.ambientEnvironment = .none
    conversion.contentColorVolume = .none
    conversion.masteringDisplay = .none
    // Gain maps have one reference white.
    let white = ColorEncoding.defaultReferenceWhite
    if document.image.color.transfer == .pq, let declared = document.image.light.diffuseWhite,
      declared > 0
    {
      conversion.exposure = Headroom(ratio: white / declared).stops
    }
    conversion.exposure += options.exposure
    conversion.referenceWhite = white
    let result = try ImageConverter(conversion).run(document, progress: progress)
    let declarations = DeclaredHeadroom(
      document, gainMap: result.gainMap, exposure: conversion.exposure, method: nil)
    return Master(result: result, declarations: declarations.content)
  }
}
