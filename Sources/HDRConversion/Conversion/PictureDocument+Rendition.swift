internal import Foundation
internal import GainMap
public import HDRCore
public import ImageCodecs
internal import ImageFiles

extension PictureDocument {
  /// What a display shows of the picture.
  ///
  /// A gain map counts first, then the file's SMPTE ST 2094-50 metadata, then the default operator.
  ///
  ///     let document = try PictureDocument.open(source, options: OpeningOptions())
  ///     let shown = try document.rendition(for: .constrainedHigh, display: Headroom(ratio: 4))
  ///
  /// - Parameters:
  ///   - range: How much of the display's headroom the picture may use.
  ///   - display: Headroom of the display.
  ///   - method: The operator to use whatever the file asks for.
  ///   - primaries: Primaries of the result, which hold all its colors.
  ///   - threads: Bands worked on at the same time; `nil` for one on each core.
  /// - Returns: Light, upright, nothing of it above the headroom that the picture may use.
  /// - Throws: What the decoder finds wrong; `.invalidArgument` for what is no display.
  public func rendition(
    for range: DynamicRange, display: Headroom, using method: ToneMapOperator? = nil,
    primaries: ColorPrimaries = .bt2020, threads: Int? = nil
  ) throws(ImageError) -> Image {
    let target = DisplayTarget(headroom: display, range: DynamicRangeMix(range))
    return try light(
      for: RenderingOptions(display: target, method: method), primaries, threads: threads)
  }

  /// The picture with all its headroom, a gain map applied in full.
  ///
  /// - Parameters:
  ///   - primaries: Primaries of the result.
  ///   - threads: Bands worked on at the same time; `nil` for one on each core.
  /// - Returns: Light, upright.
  /// - Throws: What the decoder finds wrong.
  public func expandedToHDR(
    primaries: ColorPrimaries = .bt2020, threads: Int? = nil
  ) throws(ImageError) -> Image {
    try light(for: nil, primaries, threads: threads)
  }

  /// The picture for displays without headroom: of a file with a gain map its SDR rendition.
  ///
  /// - Parameters:
  ///   - method: The operator to use whatever the file asks for.
  ///   - primaries: Primaries of the result, which hold all its colors.
  ///   - threads: Bands worked on at the same time; `nil` for one on each core.
  /// - Returns: Light of at most 1.0, upright.
  /// - Throws: What the decoder finds wrong.
  public func toneMappedToSDR(
    using method: ToneMapOperator? = nil, primaries: ColorPrimaries = .displayP3,
    threads: Int? = nil
  ) throws(ImageError) -> Image {
    try rendition(
      for: .standard, display: .standard, using: method, primaries: primaries, threads: threads)
  }

  /// Headroom that the picture uses with all of its gain map, and who says so.
  ///
  /// May read all of the picture. Single pixels can be brighter.
  ///
  /// - Parameter threads: Bands worked on at the same time; `nil` for one on each core.
  /// - Returns: What renditions are made from.
  /// - Throws: What the decoder finds wrong.
  public func contentHeadroom(threads: Int? = nil) throws(ImageError) -> ContentHeadroom {
    let brightest = Headroom(stops: GainMapMetadata.largestStops)
    let rendering = RenderingOptions(display: DisplayTarget(headroom: brightest))
    let plan = try ConversionPlan(lightOptions(rendering, .bt2020, threads: threads), self)
    guard let report = plan.rendering?.report else { preconditionFailure("nothing is rendered") }
    return report.content
  }

  private func light(
    for rendering: RenderingOptions?, _ primaries: ColorPrimaries, threads: Int?
  ) throws(ImageError) -> Image {
    let options = lightOptions(rendering, primaries, threads: threads)
    let picture = try ImageConverter(options).run(self).picture
    let color = ColorEncoding(
      primaries: primaries, transfer: .linear,
      referenceWhite: picture.hdr.diffuseWhite ?? LightMetadata.defaultDiffuseWhite)
    let description = ImageDescription(
      layout: picture.image.layout, color: color, light: picture.hdr)
    return try Image(description, picture.image).linear(
      execution: .current(threads: options.encoder.threads))
  }

  /// Linear light in single precision, as OpenEXR would hold it.
  private func lightOptions(
    _ rendering: RenderingOptions?, _ primaries: ColorPrimaries, threads: Int?
  ) -> ConversionOptions {
    let threads = threads ?? ProcessInfo.processInfo.activeProcessorCount
    var options = ConversionOptions(
      format: .exr, encoder: EncoderOptions(isLossless: true, threads: threads))
    options.primaries = primaries
    options.rendering = rendering
    options.orientation = .bake
    options.measuresAllLight = false
    return options
  }
}
