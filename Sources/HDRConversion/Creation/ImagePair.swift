// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
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

  /// The alternate image before and after it is taken.
  private enum AlternateState {
    case source(Source)
    /// An HDR image that is converted while the baseline image is encoded.
    case unconverted(SourceImage)
    case rows(HDRImage.Rows)
    /// Rows that were taken; they are measured once they were read.
    case takenRows(HDRImage.Rows)
    case taken
  }

  private var alternate: AlternateState
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
  /// Light levels and headroom of the HDR image; `nil` until it is measured.
  private(set) var measurement: Measurement?
  private(set) var notices: [Notice]
  let exif: [UInt8]?
  let xmp: [UInt8]?
  let auxiliaryMetadata: AuxiliaryMetadata
  /// The cause for which light metadata of the HDR image are not copied.
  static let lightCause = "the alternate image is computed"
  private let options: GainMapEncoder.Options
  /// Origin of the color of the HDR image, for messages.
  private let colorOrigin: String

  /// - Throws: `.unsuitable` for an HDR image without pixels above reference white, if it is converted
  ///   here, and for an SDR image that does not match a raw file, `.invalidArgument` for images of
  ///   different sizes; errors of decoders.
  init(
    hdr: SourceImage, sdr: SourceImage?, options: GainMapEncoder.Options
  ) throws(ImageError) {
    var (hdr, sdr) = (hdr, sdr)
    let alphaNotices = try hdr.applyAlpha(.keep) + (try sdr?.applyAlpha(.keep) ?? [])
    let isHDR = try Execution.part(upTo: 0.2) { () throws(ImageError) in
      try sdr?.exceedsReferenceWhite == true
    }
    if isHDR { throw ImageError(.createSDRIsHDR) }
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
      isOnDemand: !isCameraPair && !alpha.isKept && !options.isBaseHDR,
      measuresOnDemand: orientation == .upright, options: options)
    // Memory of the sources.
    freeIdleMemory()
    var notices = converted.notices + alphaNotices + sdrNotices
    if let sdr {
      notices += sdr.notices.filter { $0.category != .dropped }
      if sdr.gainMap?.isApplicable == true {
        notices.append(
          Notice(.dropped, "dropped: gain map of the SDR image (replaced by the new one)"))
      }
    }
    if let standard {
      try converted.align(
        to: standard.image, isRaw: isCameraPair, orientation: orientation, &notices)
    }
    for (what, isThere) in [
      ("gain map", hdr.gainMap?.isApplicable == true),
      ("ST 2094-50 metadata", hdr.headroomAdaptation != nil),
    ] where isThere && sdr == nil {
      notices.append(Notice(.createSDRNotKept, ["what": what]))
    }
    notices += alpha.notices + hdr.image.light.notCopied(Self.lightCause)
    let first: Source
    var description = converted.description
    switch (converted.samples, standard) {
    case (.rows(let rows), let standard?):
      (first, alternate) = (standard, .rows(rows))
    case (.unconverted(let document), let standard?):
      (first, alternate) = (standard, .unconverted(document))
    case (.rows, nil), (.unconverted, nil):
      preconditionFailure("only pairs are measured later")
    case (.image(let image, let levels, let declarations), _):
      let measurement = try Measurement(levels, declarations, colorOrigin: colorOrigin, options)
      self.measurement = measurement
      let lower: Source
      if let standard {
        lower = standard
        if alpha.isKept {
          notices += BaselineAlpha.difference(try lower.image.planes(), try image.planes(), options)
        }
      } else {
        var rendition = try Rendition.standard(
          content: measurement.headroom, key: levels.key, using: options.method)
        rendition.highlightDesaturation =
          options.highlightDesaturation
          ?? (options.isMapGray ? 0 : options.method.highlightDesaturation)
        lower = Source(image: image, rendition: rendition)
      }
      let higher = Source(image: image)
      let other = options.isBaseHDR ? lower : higher
      (first, alternate) = (options.isBaseHDR ? higher : lower, .source(other))
      description = other.image.description
      if other.rendition != nil {
        description.color = ColorEncoding(primaries: options.primaries, transfer: .srgb)
      }
    }
    (baseSource, base) = (first, first.image.layout)
    (description.layout.hasAlpha, description.layout.isAlphaPremultiplied) = (false, false)
    alternateDescription = description
    let metadata = sdr.map { [$0, hdr] } ?? [hdr]
    let layout = converted.description.layout
    var blocks = metadata.compactMap(\.exif)
    if blocks.count > 1, try ExifBlock.describesPrintAlone(blocks[0]) { blocks.removeFirst() }
    exif = try blocks.first.map {
      bytes throws(ImageError) -> [UInt8] in
      let bytes = try MetadataOfNewFile.exif(
        bytes, keepsMakerNotes: options.keepsMakerNotes, notices: &notices)
      guard options.geometry != GeometryEdit() else { return bytes }
      return try ExifBlock.fitted(
        bytes, width: layout.width, height: layout.height, keepsThumbnail: false, notices: &notices)
    }
    let packet = try metadata.lazy.compactMap(\.xmp).first.flatMap {
      bytes throws(ImageError) -> [UInt8]? in
      try XMPPacket(parsing: bytes)
        .fitted(to: options.geometry == GeometryEdit() ? nil : layout, orientation: .upright)
        .forNewFile(keepsMakerNotes: options.keepsMakerNotes, notices: &notices)
    }
    let provider = metadata.lazy.map(\.auxiliaryMetadata).first { !$0.isEmpty }
    let fitted = try (provider ?? AuxiliaryMetadata()).fitted(to: options.format, xmp: packet)
    (auxiliaryMetadata, xmp) = (fitted.carried, fitted.xmp)
    notices += fitted.notices
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
    auxiliaries = try ImageConverter(copying).auxiliaries(
      of: owner, rotation: owner.image.orientation.followed(by: options.geometry.rotation), &notices
    )
    let others = metadata.filter { !$0.auxiliaries.isEmpty }.dropFirst().flatMap(\.auxiliaries)
    if !others.isEmpty {
      notices.append(Notice(.createAuxiliariesOfOne, ["types": others.map(\.displayName).grouped]))
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
    _ = try Self.transform(source, to: target).run(try source.image.makeReader(), eachPiece: body)
  }

  /// Whether subsampled chroma would blur the baseline image; false for one that is decoded as it is encoded.
  ///
  /// - Parameter target: Its description, in Y'CbCr of 8 bits.
  /// - Returns: Whether 4:4:4 is needed.
  /// - Throws: `.cancelled`.
  func hasDetailedChroma(as target: ImageDescription) throws(ImageError) -> Bool {
    guard kept == nil, let source = baseSource, source.image.isInMemory else { return false }
    let reader = try source.image.makeReader()
    var bands: [ImagePlanes] = []
    for rows in ChromaDetail.bands(ofHeight: base.height) {
      bands.append(try reader.read(rows: rows))
    }
    // One conversion: each makes tables.
    let planes = ImagePlanes(joining: bands)
    var (description, target) = (source.image.description, target)
    description.layout = planes.layout
    target.layout.height = planes.layout.height
    target.layout.components = .ycbcr(.yuv444)
    let joined = Source(image: Image(description, planes), rendition: source.rendition)
    return ChromaDetail.isHigh(in: try Self.image(joined, as: target).planes())
  }

  /// Frees the source of the baseline image, which is not encoded again.
  mutating func freeBase() { baseSource = nil }

  private var availableBase: Source {
    guard let baseSource else { preconditionFailure("the baseline image is encoded once") }
    return baseSource
  }

  /// The HDR image, if it is to be converted before the alternate image is taken.
  var unconvertedHDR: SourceImage? {
    guard case .unconverted(let document) = alternate else { return nil }
    return document
  }

  /// Takes the converted `unconvertedHDR`.
  ///
  /// - Throws: `.unsuitable` for an image without pixels above reference white.
  mutating func finishConversion(_ converted: HDRImage.Converted) throws(ImageError) {
    let result = converted.result
    precondition(
      result.output.image.layout == alternateDescription.layout, "the layout is known before")
    try finishMeasuring(result.lightLevels, converted.declarations, result.notices)
    alternate = .source(
      Source(image: Image(alternateDescription, try result.output.image.planes())))
  }

  /// Returns the alternate image, once: its source is freed, or its rows can be read once.
  ///
  /// - Throws: Errors of the decoder.
  mutating func takeAlternate() throws(ImageError) -> Alternate {
    let source: Source
    switch alternate {
    case .source(let image): (source, alternate) = (image, .taken)
    case .rows(let rows):
      alternate = .takenRows(rows)
      return .rows(rows.reader)
    case .unconverted: preconditionFailure("the HDR image is converted before")
    case .takenRows, .taken: preconditionFailure("the alternate image is taken once")
    }
    var image = source.image
    if source.rendition != nil {
      image = try Self.image(
        source, as: ImageDescription(layout: image.layout, color: alternateDescription.color))
    }
    let planes = try image.planes().separatingAlpha().main
    return .image(Image(ImageDescription(layout: planes.layout, color: image.color), planes))
  }

  /// Takes the measurements of an HDR image whose rows were read.
  ///
  /// - Throws: `.unsuitable` for an image without pixels above reference white.
  mutating func finishMeasuring() throws(ImageError) {
    guard case .takenRows(let rows) = alternate else { return }
    alternate = .taken
    let findings = rows.reader.findings
    try finishMeasuring(
      findings.lightLevels, rows.declarations,
      rows.prepared.notices(of: findings.clipping, findings.changes))
  }

  private mutating func finishMeasuring(
    _ levels: LightLevels, _ declarations: ContentHeadroom.Declarations, _ conversion: [Notice]
  ) throws(ImageError) {
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
    isOnDemand: Bool, measuresOnDemand: Bool, options: GainMapEncoder.Options
  ) throws(ImageError) -> (HDRImage, Source?) {
    func convertedHDR() throws(ImageError) -> HDRImage {
      try HDRImage(
        try HDRImage.Converted(hdr, keepsAlpha: keepsAlpha, options: options))
    }
    guard let sdr else { return (try convertedHDR(), nil) }
    let isSequential = hdr.format?.traits.isDecodedSequentially == true
    if isOnDemand, let standard = try standardOnDemand(sdr, baseline, options: options) {
      guard measuresOnDemand, try isWhole(hdr.image, options) else {
        return (try convertedHDR(), standard)
      }
      if try readsHDROnce(options, height: standard.image.layout.height) {
        return (try HDRImage(onDemand: hdr, options: options), standard)
      }
      if baseline == nil, isSequential, hdr.image.layout.componentCount == 3 {
        return (HDRImage(unconverted: hdr), standard)
      }
      return (try convertedHDR(), standard)
    }
    @Sendable func standard() throws(ImageError) -> Source {
      guard let baseline else {
        return try convertStandard(sdr, keepsAlpha: keepsAlpha, options: options)
      }
      return Source(image: Image(baseline.description, try sdr.image.planes()))
    }
    guard isSequential else {
      return (try Execution.part(upTo: 0.7, nil, convertedHDR), try standard())
    }
    let (standard, converted) = try concurrently(standard, convertedHDR)
    return (converted, standard)
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
