internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// All that is settled about a conversion before its samples are converted.
struct PreparedConversion {
  let target: ConversionTarget
  /// The picture to make.
  let coding: ImageDescription
  let conversion: ImageTransform
  /// Yields the document's samples.
  let reader: any RowReader
  let description: DeclaredMetadata
  let gainMap: AppliedGainMap?
  /// What to make of the light; `nil` leaves it as it is.
  let rendering: DisplayRendition?
  private var notices: [Notice]

  /// Plans a conversion; for HLG and displays, this may take a pass over the picture.
  ///
  /// - Throws: `.invalidArgument` for options that contradict each other or the format, and what
  ///   the decoder finds wrong.
  init(_ options: ConversionOptions, _ document: SourceImage) throws(ImageError) {
    var document = document
    notices = document.notices
    let weighed = AppliedGainMap(
      document, options.gainMap.limited(for: options.rendering), notices: &notices)
    gainMap = weighed?.effective
    let hadAdaptation = document.adaptation != nil
    document.apply(weighed, exposure: options.exposure)
    if hadAdaptation, document.adaptation == nil {
      notices.append(
        Notice(.adaptationDropped))
    }
    let geometry = try options.geometry.plan(
      width: document.image.layout.width, height: document.image.layout.height,
      orientation: document.image.orientation, limits: options.limits)
    target = try ConversionTarget(
      options, document: document, gainMap: gainMap, shown: geometry.orientation)
    notices += geometry.notices + target.notices
    let light = ConversionSource(
      document: document, gainMap: weighed, options: options, target: target,
      resampling: geometry.resampling)
    reader = try document.image.makeReader()
    coding = ImageDescription(
      layout: target.format(like: light.shownFormat), color: target.encoding)
    rendering = try light.rendition(for: coding, reader)
    notices += rendering?.notices ?? []
    var conversion = light.conversion(to: coding, rendition: rendering?.rendition)
    conversion.isDithered = target.isDithered
    if !options.measuresAllLight { conversion.measurement = target.statedLight }
    self.conversion = conversion
    description = try DeclaredMetadata(
      options, document: document, target: target, format: coding.layout)
  }

  /// All notices, with what had to be clipped.
  func notices(of clipping: ImageTransform.Clipping) -> [Notice] {
    var notices = self.notices
    if clipping.notANumber > 0 {
      notices.append(
        Notice(
          .pixelsNotANumber,
          ["count": clipping.notANumber, "share": clipping.share(clipping.notANumber)])
      )
    }
    if clipping.infinite > 0 {
      notices.append(
        Notice(
          .pixelsInfinite, ["count": clipping.infinite, "share": clipping.share(clipping.infinite)])
      )
    }
    if clipping.below > 0 {
      notices.append(
        Notice(
          .pixelsOutOfGamut, ["count": clipping.below, "share": clipping.share(clipping.below)]))
    }
    if clipping.glowing > 0 {
      notices.append(
        Notice(
          .pixelsEmissive, ["count": clipping.glowing, "share": clipping.share(clipping.glowing)]))
    }
    if clipping.above > 0 {
      let code: NoticeCode =
        rendering != nil
        ? .pixelsAboveDisplayPeak
        : target.encoding.transfer == .pq ? .pixelsAbovePQMaximum : .pixelsAboveSignalRange
      let share = clipping.share(clipping.above)
      notices.append(Notice(code, ["count": clipping.above, "share": share]))
    }
    return notices + description.notices
  }
}

extension ImageTransform.Clipping {
  /// The percentage that `count` pixels are of all.
  func share(_ count: Int) -> Double { 100 * Double(count) / Double(max(pixelCount, 1)) }
}
