// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// A conversion with all its parameters, before samples are converted.
struct PreparedConversion {
  let target: ConversionTarget
  /// Layout and color of the output.
  let output: ImageDescription
  let source: SourceTransform
  /// Encodes the linear values that `source` makes; `nil` if it makes the output.
  private let tableEncoder: ProfileEncoder?
  let metadata: DeclaredMetadata
  let gainMap: AppliedGainMap?
  private var notices: [Notice]
  /// Notices of decoders, which arise while samples are read.
  private let decodingNotices: DecodingNotices?

  /// Prepares a conversion; for HLG and displays, this may read the whole image.
  ///
  /// - Parameters:
  ///   - options: Properties of the output.
  ///   - document: The image.
  /// - Throws: `.invalidArgument` for options that contradict each other or the format; errors of
  ///   the decoder.
  init(_ options: ConversionOptions, _ document: SourceImage) throws(ImageError) {
    let options = options.withColorOfProfile
    var document = document
    notices = document.notices
    decodingNotices = document.file?.decodingNotices
    notices += try document.applyAlpha(options.alpha)
    let applied = try AppliedGainMap(
      document, options.gainMap.limited(for: options.rendering),
      isRequired: options.requiresGainMap, notices: &notices)
    gainMap = applied?.effective
    let hadAdaptation = document.headroomAdaptation != nil
    document.apply(applied?.weight, exposure: options.exposure)
    if hadAdaptation, document.headroomAdaptation == nil {
      notices.append(
        Notice(
          .dropped,
          "dropped: ST 2094-50 metadata (they describe the image before the gain map and the "
            + "exposure)"
        ))
    }
    let geometry = try options.geometry.parameters(
      width: document.image.layout.width, height: document.image.layout.height,
      orientation: document.image.orientation, limits: options.limits)
    let target = try ConversionTarget(
      options, document: document, gainMap: gainMap, shown: geometry.orientation)
    notices += geometry.notices + target.notices
    let tableEncoder = try options.profile?.tableEncoder()
    let purpose = options.purpose ?? (options.format, options.encoder)
    var source = try SourceTransform(
      document, gainMap: applied, for: options.rendering, exposure: options.exposure,
      assumedWhite: options.referenceWhite, orientation: target.rotation,
      resampling: geometry.resampling, isExact: purpose.encoder.isExact(in: purpose.format),
      keepsGamut: options.format.traits.storesScRGB
    ) { layout in
      let output = ImageDescription(layout: target.layout(like: layout), color: target.encoding)
      return tableEncoder == nil ? output : Self.linear(like: output)
    }
    output = ImageDescription(
      layout: target.layout(like: source.target.layout), color: target.encoding)
    notices += source.rendering?.notices ?? []
    if options.rendering != nil, options.referenceWhite == nil,
      document.image.color.transfer == .linear,
      document.format?.traits.storesScRGB == true
    {
      notices.append(Notice(.convertWhiteNotStored, ["white": source.target.color.referenceWhite]))
    }
    source.isDithered = target.isDithered
    if !options.measuresAllLight { source.measurement = target.declaredLevels }
    self.tableEncoder = tableEncoder
    metadata = try DeclaredMetadata(
      options, document: document, target: target, layout: output.layout)
    (self.target, self.source) = (target, source)
  }

  /// Linear BT.2020 values of the size of an output.
  private static func linear(like output: ImageDescription) -> ImageDescription {
    var linear = output
    linear.color = ColorEncoding(
      primaries: .bt2020, transfer: .linear, referenceWhite: output.color.referenceWhite)
    (linear.layout.components, linear.layout.samples) = (.rgb, .float)
    return linear
  }

  /// Whether the rows of the transform are those of the output.
  var makesOutputRows: Bool { tableEncoder == nil }

  /// Converts the whole image.
  ///
  /// - Returns: The samples of the output, and measurements.
  /// - Throws: Errors of the decoder; `.cancelled`.
  func run() throws(ImageError) -> (samples: ImagePlanes, findings: ImageTransform.Findings) {
    guard let tableEncoder else {
      let result = try source.transform.run(source.reader)
      return (result.image, result.findings)
    }
    var pieces: [ImagePlanes] = []
    let findings = try source.transform.run(source.reader) { piece throws(ImageError) in
      pieces.append(try tableEncoder.encoded(piece))
    }
    let whole = ImagePlanes(joining: pieces)
    guard whole.layout != output.layout else { return (whole, findings) }
    // Quantized, and converted to Y'CbCr for JPEG; the device values themselves stay.
    var color = ColorEncoding.data
    color.matrix = output.color.matrix
    color.chromaLocation = output.color.chromaLocation
    var quantization = ImageTransform(
      from: ImageDescription(layout: whole.layout, color: .data),
      to: ImageDescription(layout: output.layout, color: color))
    quantization.measurement = .nothing
    quantization.isDithered = target.isDithered
    return (try quantization.run(whole).image, findings)
  }

  /// Converts the image piece by piece.
  ///
  /// - Parameter body: Takes consecutive rows of the output.
  /// - Returns: Measurements.
  /// - Throws: Errors of the decoder and of `body`; `.cancelled`.
  func run(
    eachPiece body: (ImagePlanes) throws(ImageError) -> Void
  ) throws(ImageError) -> ImageTransform.Findings {
    try source.transform.run(source.reader, eachPiece: body)
  }

  /// All notices, including those about clipping and gamut mapping.
  func notices(
    of clipping: ImageTransform.Clipping, _ changes: ImageTransform.Changes
  ) -> [Notice] {
    let above: NoticeCode =
      switch target.encoding.transfer {
      case .hlg: .pixelsAboveHLGMaximum
      case _ where source.rendering != nil: .pixelsAboveDisplayPeak
      case .pq: .pixelsAbovePQMaximum
      default: .pixelsAboveSignalRange
      }
    let pixels = clipping.notices(of: [
      (.pixelsNotANumber, clipping.notANumber), (.pixelsInfinite, clipping.infinite),
      (.pixelsOutOfGamut, clipping.below), (.pixelsGamutMapped, changes.gamutMapped),
      (.pixelsEmissive, clipping.emissive), (above, clipping.above),
    ])
    return notices + pixels + (decodingNotices?.all ?? []) + metadata.notices
  }
}

extension ImageTransform.Clipping {
  /// Notices about counts of pixels other than 0, with their percentages.
  func notices(of counts: [(code: NoticeCode, count: Int)]) -> [Notice] {
    counts.filter { $0.count > 0 }.map { code, count in
      let share = 100 * Double(count) / Double(max(pixelCount, 1))
      return Notice(code, ["count": count, "share": share])
    }
  }
}
