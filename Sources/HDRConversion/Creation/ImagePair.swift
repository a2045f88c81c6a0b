internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

extension SourceImage {
  /// Whether the file leaves nothing to assume.
  fileprivate var saysItsColor: Bool {
    declaredColor.cicp != nil || declaredColor.icc != nil
      || format.traits.holdsLight || format.traits.isCameraRaw
  }
}

/// Two renditions of a picture, upright and of the same size, from which base and map are made.
struct ImagePair {
  /// An image in memory, in integers, and the rendering that its linear values still need.
  private struct Source {
    var image: Image
    var rendition: Rendition?
  }

  private let hdr: Source
  private let sdr: Source
  private let baseIsHDR: Bool
  /// Mattes of the rendition with headroom, upright.
  let auxiliaries: [AuxiliaryImage]
  /// Of the rendition with headroom.
  let light: LightLevels
  /// Of the rendition with headroom, as its file declares or as it was measured.
  let headroom: Headroom
  let notices: [Notice]
  let exif: [UInt8]?
  let xmp: [UInt8]?
  let further: AuxiliaryMetadata

  /// - Throws: `.unsuitable` for a picture without light above white, `.invalidArgument` for two that
  ///   do not fit each other, and what decoders find wrong.
  init(
    hdr: SourceImage, sdr: SourceImage?, options: GainMapEncoder.Options,
    progress: ((Double) -> Void)?
  ) throws(ImageError) {
    if let sdr, sdr.isHighDynamicRange {
      throw ImageError(.createSDRIsHDR)
    }
    let alpha = BaselineAlpha(hdr: hdr, sdr: sdr, options)
    let master = try Self.convert(
      hdr, keepsAlpha: alpha.isKept, options: options, progress: progress)
    guard master.outcome.light.contentHeadroom.stops > 0 else {
      throw ImageError(
        .createNoHeadroom,
        ["color": hdr.isDeveloped ? "raw" : hdr.saysItsColor ? "specified" : "assumed"])
    }
    var notices = master.outcome.notices
    let encoding = ColorEncoding(primaries: .bt2020, transfer: .pq)
    let source = Source(
      image: Image(
        ImageDescription(layout: master.outcome.output.image.layout, color: encoding),
        try master.outcome.output.image.planes()))
    for (what, isThere) in [
      ("gain map", hdr.gainMap?.isApplicable == true),
      ("ST 2094-50 metadata", hdr.adaptation != nil),
    ] where isThere && sdr == nil {
      notices.append(
        Notice(.createSDRNotKept, ["what": what]))
    }
    notices += alpha.notices
    self.hdr = source
    light = master.outcome.light
    baseIsHDR = options.baseIsHDR
    let content = ContentHeadroom(
      master.declarations, measured: light.contentHeadroom, referenceWhite: encoding.referenceWhite)
    notices += content.notice.map { [$0] } ?? []
    // Words that deny headroom leave no room for gain.
    headroom = content.headroom.stops > 0 ? content.headroom : light.contentHeadroom
    if let sdr {
      self.sdr = try Self.standard(
        sdr, keepsAlpha: alpha.isKept, options: options, notices: &notices)
      let (ours, theirs) = (self.sdr.image.layout, source.image.layout)
      guard (ours.width, ours.height) == (theirs.width, theirs.height) else {
        throw ImageError(
          .createSizesDiffer,
          [
            "sdr": .size(ours.width, ours.height),
            "hdr": .size(theirs.width, theirs.height),
          ])
      }
      if alpha.isKept {
        notices += BaselineAlpha.difference(
          try self.sdr.image.planes(), try source.image.planes(), options)
      }
    } else {
      var rendition = try Rendition.standard(content: headroom, using: options.method)
      rendition.highlightDesaturation = options.highlightDesaturation
      self.sdr = Source(image: source.image, rendition: rendition)
    }
    if options.flavors.contains(.apple),
      headroom.stops > AppleMakerNote.largestHeadroom.stops
    {
      notices.append(
        Notice(.createAppleGainLimited, ["limit": AppleMakerNote.largestHeadroom.stops]))
    }
    let metadata = sdr.map { [$0, hdr] } ?? [hdr]
    exif = metadata.lazy.compactMap(\.exif).first
    xmp = try metadata.lazy.compactMap(\.xmp).first.flatMap(Self.uprightXMP)
    let words = metadata.lazy.map(\.auxiliaryMetadata).first { $0 != AuxiliaryMetadata() }
    further = words?.carried(by: options.format) ?? AuxiliaryMetadata()
    notices += words?.lost(in: options.format) ?? []
    let owner = metadata.first { !$0.auxiliaries.isEmpty } ?? hdr
    auxiliaries = ImageConverter(
      ConversionOptions(format: options.format, encoder: options.encoder)
    )
    .auxiliaries(of: owner, turn: owner.image.orientation, &notices)
    let others = metadata.filter { !$0.auxiliaries.isEmpty }.dropFirst().flatMap(\.auxiliaries)
    if !others.isEmpty {
      notices.append(
        Notice(.createAuxiliariesOfOne, ["types": others.map(\.type).grouped]))
    }
    self.notices = notices
  }

  /// The rendition that the file will hold, in the samples that it is made of.
  var base: ImageLayout { (baseIsHDR ? hdr : sdr).image.layout }

  /// The base's samples as they will be coded.
  func baseImage(as coding: ImageDescription) throws(ImageError) -> Image {
    try Self.image(baseIsHDR ? hdr : sdr, as: coding)
  }

  /// The alternate image, without alpha, which is the baseline image's alone.
  func alternate(primaries: ColorPrimaries) throws(ImageError) -> Image {
    var alternate = baseIsHDR ? sdr.image : hdr.image
    if baseIsHDR, sdr.rendition != nil {
      let color = ColorEncoding(primaries: primaries, transfer: .srgb)
      alternate = try Self.image(
        sdr, as: ImageDescription(layout: sdr.image.layout, color: color))
    }
    let planes = try alternate.planes().separatingAlpha().main
    return Image(ImageDescription(layout: planes.layout, color: alternate.color), planes)
  }

  private static func image(
    _ source: Source, as coding: ImageDescription
  ) throws(ImageError) -> Image {
    var conversion = ImageTransform(
      from: source.image.description, to: coding, rendition: source.rendition)
    conversion.measurement = .nothing
    return Image(coding, try conversion.run(source.image.planes()).image)
  }

  /// The rendition with headroom as PQ in BT.2020, 16 bits a sample, upright, and what its file says
  /// about its light.
  private static func convert(
    _ document: SourceImage, keepsAlpha: Bool, options: GainMapEncoder.Options,
    progress: ((Double) -> Void)?
  ) throws(ImageError) -> (
    outcome: ImageConverter.Result, declarations: ContentHeadroom.Declarations
  ) {
    var document = document
    (document.auxiliaries, document.auxiliaryMetadata) = ([], AuxiliaryMetadata())
    var conversion = ConversionOptions(format: .png, encoder: options.encoder)
    conversion.orientation = .bake
    conversion.keepsAlpha = keepsAlpha
    conversion.referenceEnvironment = .none
    conversion.ambientEnvironment = .none
    conversion.contentColorVolume = .none
    conversion.masteringDisplay = .none
    // Gain counts from one white for all pictures.
    let white = LightMetadata.defaultDiffuseWhite
    if document.image.color.transfer == .pq, let stated = document.image.light.diffuseWhite,
      stated > 0
    {
      conversion.exposure = Headroom(ratio: white / stated).stops
    }
    conversion.referenceWhite = white
    let outcome = try ImageConverter(conversion).run(document) { progress?($0 / 2) }
    let declarations = DeclaredHeadroom(
      document, gainMap: outcome.gainMap, exposure: conversion.exposure, method: nil)
    return (outcome, declarations.content)
  }

  /// A standard rendition that was given, upright, in the primaries it shall have.
  private static func standard(
    _ document: SourceImage, keepsAlpha: Bool, options: GainMapEncoder.Options,
    notices: inout [Notice]
  ) throws(ImageError) -> Source {
    notices += document.notices.filter { $0.kind != .lost }
    if let map = document.gainMap, map.isApplicable {
      notices.append(
        Notice(.createExistingMapReplaced))
    }
    var source = document.image.description
    // Its 1.0 is white, whatever luminance that was meant to have.
    source.color.referenceWhite = LightMetadata.defaultDiffuseWhite
    let stored = source.layout
    var target = ImageDescription(
      layout: ImageLayout(
        width: stored.width, height: stored.height, components: .rgb, samples: .integer(bits: 16),
        hasAlpha: keepsAlpha && stored.hasAlpha),
      color: ColorEncoding(primaries: options.primaries, transfer: .srgb))
    let isWider =
      GrayMix.reach(of: source.color.primaries, in: target.color.primaries) > 1 + widerTolerance
    let mapping = Rendition(
      ToneMap(try RationalShoulder(content: .standard, display: .standard)))
    let result = try ImageTransform(
      from: source, to: target, rendition: isWider ? mapping : nil
    ).run(try document.image.makeReader())
    target.orientation = document.image.orientation
    return Source(image: try Image(target, result.image).upright())
  }

  /// Primaries that ICC profiles round are the same.
  private static let widerTolerance = 2e-3

  /// XMP for a picture whose samples were turned, without words about other parts of its old file;
  /// `nil` if that leaves nothing.
  private static func uprightXMP(_ bytes: [UInt8]) throws(ImageError) -> [UInt8]? {
    var packet = try XMPPacket(parsing: bytes)
    _ = try packet.updateOrientation(.upright)
    try packet.removeGainMapWords()
    try packet.removeDirectory()
    return packet.properties.isEmpty ? nil : packet.bytes
  }
}
