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

  /// The alternate image, without alpha.
  enum Alternate {
    case image(Image)
    /// Rows of the HDR image, which are converted and measured as they are read, once.
    case rows(ConvertedRows)
  }

  /// The source of the alternate image in memory; `nil` once it is taken.
  private var alternateSource: Source?
  private var isAlternateTaken = false
  /// Layout and color of the alternate image, without alpha.
  let alternateDescription: ImageDescription
  /// The source of the baseline image; `nil` once it is freed.
  private var baseSource: Source?
  /// Layout of the source of the baseline image.
  let base: ImageLayout
  /// The coded SDR image of its file; `nil` if the baseline image is to be encoded.
  let kept: EncodedBaseline?
  /// Auxiliary images, upright.
  let auxiliaries: [AuxiliaryImage]
  /// The HDR image, if it is measured later; `nil` once it is measured.
  private var unmeasured: HDRImage?
  /// Light levels and headroom of the HDR image; `nil` until it is measured.
  private(set) var measurement: Measurement?
  private(set) var notices: [Notice]
  let exif: [UInt8]?
  let xmp: [UInt8]?
  let auxiliaryMetadata: AuxiliaryMetadata
  private let options: GainMapEncoder.Options
  /// Origin of the color of the HDR image, for messages.
  private let colorOrigin: String

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
    self.options = options
    colorOrigin = hdr.isDeveloped ? "raw" : hdr.specifiesColor ? "specified" : "assumed"
    // Both developments of a raw file have the same position.
    let isCameraPair =
      hdr.isDeveloped && sdr?.isDeveloped != true && options.geometry == GeometryEdit()
    let orientation = baseline == nil ? .upright : sdr?.image.orientation ?? .upright
    var (converted, standard) = try Self.converted(
      hdr: hdr, sdr: sdr, baseline: baseline, keepsAlpha: alpha.isKept,
      isOnDemand: !isCameraPair && !alpha.isKept && !options.baseIsHDR,
      measuresOnDemand: orientation == .upright, options: options, progress: progress)
    // Memory of the sources.
    freeIdleMemory()
    var notices = converted.notices + alphaNotices + sdrNotices
    notices += standard?.notices ?? []
    if let standard {
      try converted.align(
        to: standard.source.image, isRaw: isCameraPair, orientation: orientation, &notices)
    }
    for (what, isThere) in [
      ("gain map", hdr.gainMap?.isApplicable == true),
      ("ST 2094-50 metadata", hdr.headroomAdaptation != nil),
    ] where isThere && sdr == nil {
      notices.append(
        Notice(.createSDRNotKept, ["what": what]))
    }
    notices += alpha.notices
    let higher: Source?
    let lower: Source
    switch converted.samples {
    case .rows, .pending:
      guard let standard else { preconditionFailure("only pairs are measured later") }
      (higher, lower) = (nil, standard.source)
      unmeasured = converted
    case .image(let image, let levels, let declarations):
      let measurement = try Measurement(levels, declarations, colorOrigin: colorOrigin, options)
      self.measurement = measurement
      higher = Source(image: image)
      if let standard {
        lower = standard.source
        if alpha.isKept {
          notices += BaselineAlpha.difference(
            try lower.image.planes(), try image.planes(), options)
        }
      } else {
        var rendition = try Rendition.standard(
          content: measurement.headroom, key: levels.key, using: options.method)
        rendition.highlightDesaturation = options.highlightDesaturation
        lower = Source(image: image, rendition: rendition)
      }
    }
    let first = options.baseIsHDR ? higher ?? lower : lower
    (baseSource, base) = (first, first.image.layout)
    let other = options.baseIsHDR ? lower : higher
    alternateSource = other
    var description = other?.image.description ?? converted.description
    if other?.rendition != nil {
      description.color = ColorEncoding(primaries: options.primaries, transfer: .srgb)
    }
    (description.layout.hasAlpha, description.layout.isAlphaPremultiplied) = (false, false)
    alternateDescription = description
    let metadata = sdr.map { [$0, hdr] } ?? [hdr]
    let layout = converted.description.layout
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
      self.notices = notices + (measurement?.notices ?? [])
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
    self.notices = notices + (measurement?.notices ?? [])
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

  /// Returns the alternate image, once: its source is freed, or its rows can be read once.
  ///
  /// - Throws: Errors of the decoder; `.unsuitable` for an HDR image without pixels above reference
  ///   white.
  mutating func takeAlternate() throws(ImageError) -> Alternate {
    precondition(!isAlternateTaken, "the alternate image is taken once")
    isAlternateTaken = true
    switch unmeasured?.samples {
    case .rows(let rows, _, _): return .rows(rows)
    case .pending(let conversion):
      let converted = try HDRImage(try conversion.get())
      precondition(converted.description == alternateDescription, "the layout is known before")
      guard case .image(let image, let levels, let declarations) = converted.samples else {
        preconditionFailure("a converted image is in memory")
      }
      try finishMeasuring(levels, declarations, converted.notices)
      return .image(image)
    case .image, .none: break
    }
    guard let alternateSource else { preconditionFailure("an image in memory has a source") }
    self.alternateSource = nil
    var alternate = alternateSource.image
    if alternateSource.rendition != nil {
      alternate = try Self.image(
        alternateSource,
        as: ImageDescription(layout: alternate.layout, color: alternateDescription.color))
    }
    let planes = try alternate.planes().separatingAlpha().main
    return .image(
      Image(ImageDescription(layout: planes.layout, color: alternate.color), planes))
  }

  /// Waits for the HDR image if another thread converts it, so that the thread ends with the operation.
  func waitForConversion() {
    if case .pending(let conversion) = unmeasured?.samples { _ = try? conversion.get() }
  }

  /// Takes the measurements of an HDR image whose rows were read.
  ///
  /// - Throws: `.unsuitable` for an image without pixels above reference white.
  mutating func finishMeasuring() throws(ImageError) {
    guard case .rows(let rows, let prepared, let declarations) = unmeasured?.samples else { return }
    let findings = rows.findings
    try finishMeasuring(
      findings.lightLevels, declarations,
      prepared.notices(of: findings.clipping, findings.changes))
  }

  private mutating func finishMeasuring(
    _ levels: LightLevels, _ declarations: ContentHeadroom.Declarations, _ conversion: [Notice]
  ) throws(ImageError) {
    unmeasured = nil
    let measurement = try Measurement(levels, declarations, colorOrigin: colorOrigin, options)
    notices = conversion + notices + measurement.notices
    self.measurement = measurement
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

  /// Decodes and converts both images: at the same time if the decoder of the HDR image uses one
  /// thread.
  ///
  /// `isOnDemand` states whether the SDR image may be decoded when it is encoded, and
  /// `measuresOnDemand` whether the HDR image may be converted meanwhile, or when the gain is
  /// computed.
  private static func converted(
    hdr: SourceImage, sdr: SourceImage?, baseline: EncodedBaseline?, keepsAlpha: Bool,
    isOnDemand: Bool, measuresOnDemand: Bool, options: GainMapEncoder.Options,
    progress: ((Double) -> Void)?
  ) throws(ImageError) -> (HDRImage, Standard?) {
    let deferred = try sdr.flatMap { sdr throws(ImageError) in
      isOnDemand ? try standardOnDemand(sdr, baseline, options: options) : nil
    }
    func convertedHDR() throws(ImageError) -> HDRImage.Converted {
      try HDRImage.Converted(hdr, keepsAlpha: keepsAlpha, options: options, progress: progress)
    }
    if let deferred {
      if measuresOnDemand, try isWhole(hdr.image, options),
        try readsHDROnce(options, height: deferred.source.image.layout.height)
      {
        return (try HDRImage(onDemand: hdr, options: options), deferred)
      }
      if measuresOnDemand, baseline == nil,
        hdr.format?.traits.isDecodedSequentially == true, hdr.image.layout.componentCount == 3,
        Execution.current.threads > 1, try isWhole(hdr.image, options)
      {
        return (HDRImage(concurrently: hdr, options: options), deferred)
      }
      return (try HDRImage(try convertedHDR()), deferred)
    }
    guard let sdr, hdr.format?.traits.isDecodedSequentially == true else {
      let converted = try HDRImage(try convertedHDR())
      return (
        converted,
        try sdr.map { sdr throws(ImageError) in
          try standard(sdr, baseline, keepsAlpha: keepsAlpha, options: options)
        }
      )
    }
    // SAFETY: only one of the two calls uses it, while the caller waits.
    nonisolated(unsafe) let convertedHDR = convertedHDR
    let results = try concurrentMap(2) {
      (index) throws(ImageError) -> (hdr: HDRImage.Converted?, standard: Standard?) in
      if index == 0 { return (try unsafe convertedHDR(), nil) }
      return (nil, try standard(sdr, baseline, keepsAlpha: keepsAlpha, options: options))
    }
    guard let converted = results[0].hdr else { preconditionFailure("the first result") }
    return (try HDRImage(converted), results[1].standard)
  }

  /// Whether the HDR image is read once, and its light levels are not needed before.
  ///
  /// Offsets of an RGB map depend on them; a search and the measurement of all pixels read the image again.
  private static func readsHDROnce(
    _ options: GainMapEncoder.Options, height: Int
  ) throws(ImageError) -> Bool {
    try GainMapEncodingParameters(options).isGray && options.targetError == nil
      && !options.measurement.bands(ofHeight: height).isEmpty
  }
}
