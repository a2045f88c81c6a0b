public import HDRCore
internal import ImageContainers

/// Makes an ISO 22028-5 picture, or scene-linear light, of any picture that can be read.
public struct HDRConversion: Sendable {
  /// A picture ready to be coded, and the news of its making.
  public struct Outcome: Sendable {
    public var picture: PictureOutput
    /// Light levels of the picture that will be coded.
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
    _ document: PictureDocument, progress: ((Double) -> Void)? = nil
  ) throws(ImageError) -> Outcome {
    var document = document
    var notices = document.notices
    let gainMap = AppliedGainMap(document, gainMapUse, notices: &notices)
    if let gainMap { document.hdr = gainMap.description(base: document.hdr) }
    if document.adaptation != nil, gainMap != nil || options.exposure != 0 {
      document.adaptation = nil
      notices.append(
        Notice(.lost, "ST 2094-50 metadata, which is about the light as the file holds it"))
    }
    let target = try TargetCoding(options, document: document)
    notices += target.notices
    let light = SourceLight(
      document: document, gainMap: gainMap, options: options, target: target)
    let reader = try document.base.makeReader()
    let coding = PictureConversion.Coding(
      format: target.format(like: light.turnedFormat), encoding: target.encoding,
      siting: target.siting, isDithered: target.isDithered)
    let plan = try light.rendition(for: coding, reader)
    notices += plan?.notices ?? []
    let result = try light.conversion(to: coding, rendition: plan?.rendition)
      .run(reader, threads: options.encoder.threads, progress: progress)
    notices += Self.notices(of: result.clipping, transfer: target.encoding.transfer)
    let description = try HDRDescriptionPlan(options, document: document, target: target)
    notices += description.notices
    let picture = PictureOutput(
      image: result.image, cicp: target.cicp, chromaSiting: target.siting,
      hdr: description.resolved(measured: result.light),
      orientation: target.bakesOrientation ? .upright : document.orientation,
      signalsCICP: target.signaling != .icc, icc: try target.profile(measured: result.light),
      exif: description.exif, xmp: description.xmp)
    return Outcome(
      picture: picture, light: result.light, gainMap: gainMap, rendering: plan?.report(of: result),
      notices: notices)
  }

  /// How far to go with a gain map: as far as the display can, unless an operator shall do that.
  private var gainMapUse: ConversionOptions.GainMapUse {
    guard let rendering = options.rendering, options.gainMap == .full, rendering.method == nil
    else { return options.gainMap }
    return .display(rendering.display.usableHeadroom)
  }

  private static func notices(
    of clipping: PictureConversion.Clipping, transfer: TransferFunction
  ) -> [Notice] {
    func share(_ count: Int) -> String {
      let percent = 100 * Double(count) / Double(max(clipping.pixelCount, 1))
      return percent >= 0.01
        ? "\((percent * 100).rounded() / 100) % of the pixels" : "\(count) of the pixels"
    }
    var notices: [Notice] = []
    if clipping.notANumber > 0 {
      notices.append(Notice(.clipped, "\(share(clipping.notANumber)) were not numbers; now 0"))
    }
    if clipping.below > 0 {
      notices.append(
        Notice(
          .clipped, "\(share(clipping.below)) had negative light, outside the primaries; now 0"))
    }
    if clipping.glowing > 0 {
      notices.append(
        Notice(
          .lost,
          "\(share(clipping.glowing)) shine more than they cover (flames, glow), which straight "
            + "alpha cannot show; OpenEXR can"))
    }
    if clipping.above > 0 {
      let limit = transfer == .pq ? "10000 cd/m²" : "the largest signal"
      notices.append(Notice(.clipped, "\(share(clipping.above)) were above \(limit); clipped"))
    }
    return notices
  }
}
