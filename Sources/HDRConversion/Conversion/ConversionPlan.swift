internal import HDRCore
internal import ImageCodecs
internal import ImageContainers
internal import ImageFiles

/// All that is settled about a conversion before its samples are converted.
struct ConversionPlan {
  let target: TargetCoding
  /// The picture to make.
  let coding: ImageDescription
  let conversion: ImageTransform
  /// Yields the document's samples.
  let reader: any RowReader
  let description: DeclaredMetadata
  let gainMap: AppliedGainMap?
  /// What to make of the light; `nil` leaves it as it is.
  let rendering: RenditionPlan?
  private var notices: [Notice]

  /// Plans a conversion; for HLG and displays, this may take a pass over the picture.
  ///
  /// - Throws: `.invalidArgument` for options that contradict each other or the format, and what
  ///   the decoder finds wrong.
  init(_ options: ConversionOptions, _ document: PictureDocument) throws(ImageError) {
    var document = document
    notices = document.notices
    let weighed = AppliedGainMap(
      document, options.gainMap.limited(for: options.rendering), notices: &notices)
    gainMap = weighed?.effective
    let hadAdaptation = document.adaptation != nil
    document.apply(weighed, exposure: options.exposure)
    if hadAdaptation, document.adaptation == nil {
      notices.append(
        Notice(.lost, "ST 2094-50 metadata, which is about the light as the file holds it"))
    }
    let geometry = try options.geometry.plan(
      width: document.image.layout.width, height: document.image.layout.height,
      orientation: document.image.orientation, limits: options.limits)
    target = try TargetCoding(
      options, document: document, gainMap: gainMap, shown: geometry.orientation)
    notices += geometry.notices + target.notices
    let light = SourceLight(
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
        Notice(.clipped, "\(clipping.share(clipping.notANumber, "was", "were")) not numbers; now 0")
      )
    }
    if clipping.infinite > 0 {
      notices.append(
        Notice(.clipped, "\(clipping.share(clipping.infinite, "had")) infinite light; now finite"))
    }
    if clipping.below > 0 {
      notices.append(
        Notice(
          .clipped,
          "\(clipping.share(clipping.below, "had")) negative light, outside the primaries; now 0"))
    }
    if clipping.glowing > 0 {
      notices.append(
        Notice(
          .lost,
          "\(clipping.share(clipping.glowing, "shines more than it covers", "shine more than they cover")) (flames, glow), which straight "
            + "alpha cannot show; OpenEXR can"))
    }
    if clipping.above > 0 {
      let signal = target.encoding.transfer == .pq ? "10000 cd/m²" : "the largest signal"
      let limit = rendering == nil ? signal : "the display's peak"
      notices.append(
        Notice(.clipped, "\(clipping.share(clipping.above, "was", "were")) above \(limit)"))
    }
    return notices + description.notices
  }
}

extension ImageTransform.Clipping {
  /// Some of the pixels, for people: as a share, or their number where that is small.
  ///
  /// - Parameters:
  ///   - count: How many of them.
  ///   - one: What one of them does.
  ///   - many: What several do, if that is another word.
  /// - Returns: `3.2 % of the pixels were`, `1 pixel was`.
  func share(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    let percent = 100 * Double(count) / Double(max(pixelCount, 1))
    let several = many ?? one
    guard percent < 0.01 else {
      return "\((percent * 100).rounded() / 100) % of the pixels \(several)"
    }
    return count == 1 ? "1 pixel \(one)" : "\(count) pixels \(several)"
  }
}
