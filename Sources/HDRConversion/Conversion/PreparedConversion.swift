internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// A conversion with all its parameters, before samples are converted.
struct PreparedConversion {
  let target: ConversionTarget
  let source: SourceTransform
  let metadata: DeclaredMetadata
  let gainMap: AppliedGainMap?
  private var notices: [Notice]

  /// Prepares a conversion; for HLG and displays, this may read the whole image.
  ///
  /// - Throws: `.invalidArgument` for options that contradict each other or the format; errors of
  ///   the decoder.
  init(_ options: ConversionOptions, _ document: SourceImage) throws(ImageError) {
    var document = document
    notices = document.notices
    let applied = AppliedGainMap(
      document, options.gainMap.limited(for: options.rendering), notices: &notices)
    gainMap = applied?.effective
    let hadAdaptation = document.headroomAdaptation != nil
    document.apply(applied, exposure: options.exposure)
    if hadAdaptation, document.headroomAdaptation == nil {
      notices.append(
        Notice(.adaptationDropped))
    }
    let geometry = try options.geometry.plan(
      width: document.image.layout.width, height: document.image.layout.height,
      orientation: document.image.orientation, limits: options.limits)
    let target = try ConversionTarget(
      options, document: document, gainMap: gainMap, shown: geometry.orientation)
    notices += geometry.notices + target.notices
    var source = try SourceTransform(
      document, gainMap: applied, for: options.rendering, exposure: options.exposure,
      assumedWhite: options.referenceWhite, orientation: target.turn,
      resampling: geometry.resampling
    ) { ImageDescription(layout: target.layout(like: $0), color: target.encoding) }
    notices += source.rendering?.notices ?? []
    source.isDithered = target.isDithered
    if !options.measuresAllLight { source.measurement = target.declaredLevels }
    metadata = try DeclaredMetadata(
      options, document: document, target: target, layout: source.target.layout)
    (self.target, self.source) = (target, source)
  }

  /// All notices, including those about clipping.
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
        source.rendering != nil
        ? .pixelsAboveDisplayPeak
        : target.encoding.transfer == .pq ? .pixelsAbovePQMaximum : .pixelsAboveSignalRange
      let share = clipping.share(clipping.above)
      notices.append(Notice(code, ["count": clipping.above, "share": share]))
    }
    return notices + metadata.notices
  }
}

extension ImageTransform.Clipping {
  /// The percentage of `count` pixels.
  func share(_ count: Int) -> Double { 100 * Double(count) / Double(max(pixelCount, 1)) }
}
