public import HDRCore
public import ImageCodecs
internal import ImageFiles

/// Makes an ISO 22028-5 picture, or scene-linear light, of any picture that can be read.
public struct ImageConverter: Sendable {
  /// An image ready to be encoded, and what was found on the way.
  public struct Result: Sendable {
    public var output: OutputImage
    /// Light levels of the image that will be coded, as far as they were to be measured.
    public var light: LightLevels
    /// The gain map that was applied.
    public var gainMap: AppliedGainMap?
    /// What was made of the light, if it was rendered for a display.
    public var rendering: RenderingReport?
    public var notices: [Notice]
  }

  public var options: ConversionOptions

  public init(_ options: ConversionOptions) { self.options = options }

  /// Converts the picture of `document`, with its gain map as `ConversionOptions.gainMap` says.
  ///
  /// PQ is never tone mapped: light beyond 10 000 cd/m² is clipped, and a notice says how much. For
  /// HLG, content beyond 1000 cd/m² passes the default shoulder.
  ///
  /// - Parameters:
  ///   - document: What to convert.
  ///   - progress: Called now and then with the share that is done, 0...1.
  /// - Returns: The picture to code, its light, and what was lost, assumed or clipped.
  /// - Throws: `.invalidArgument` for options that contradict each other or the format, and what
  ///   the decoder finds wrong.
  public func run(
    _ document: SourceImage, progress: ((Double) -> Void)? = nil
  ) throws(ImageError) -> Result {
    try run(try PreparedConversion(options, document), document, progress: progress)
  }

  func run(
    _ plan: PreparedConversion, _ document: SourceImage, progress: ((Double) -> Void)?
  ) throws(ImageError) -> Result {
    let result = try plan.conversion.run(
      plan.reader, progress: progress)
    let description = plan.description
    var image = Image(plan.coding, result.image)
    image.light = description.resolved(measured: result.light)
    image.orientation = plan.target.orientation
    var output = OutputImage(
      image, signalsCICP: plan.target.signaling != .icc,
      icc: try plan.target.profile(measured: result.light),
      adaptation: try plan.target.bitstreamAdaptation(measured: result.light),
      exif: description.exif, xmp: description.xmp)
    output.auxiliaryMetadata = description.further
    var notices = plan.notices(of: result.clipping)
    output.auxiliaries = auxiliaries(of: document, turn: plan.target.turn, &notices)
    return Result(
      output: output, light: result.light, gainMap: plan.gainMap,
      rendering: plan.rendering?.report(changes: result.changes, clipping: result.clipping),
      notices: notices)
  }
}
