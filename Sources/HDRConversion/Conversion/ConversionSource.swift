internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// The source image of a conversion, with the steps up to its linear values.
struct ConversionSource {
  let source: ImageDescription
  /// Exposure in stops.
  private let exposure: Double
  /// The gain map to apply.
  private let gainMap: AppliedGainMap?
  /// Part of the image, and size of the result.
  private let resampling: Resampling
  /// Orientation of the stored samples, which are rotated upright.
  private let orientation: Orientation
  /// The display to render for.
  private let rendering: (options: RenderingOptions, declarations: DeclaredHeadroom)?

  /// Prepares a document, whose gain map may have no effect for this display.
  init(
    document: SourceImage, gainMap: AppliedGainMap?, options: ConversionOptions,
    target: ConversionTarget, resampling: Resampling
  ) {
    self.init(
      document: document, gainMap: gainMap, rendering: options.rendering,
      exposure: options.exposure, assumedWhite: options.referenceWhite,
      referenceWhite: target.encoding.referenceWhite, orientation: target.turn,
      resampling: resampling)
  }

  /// Prepares the linear values of a document.
  ///
  /// - Parameters:
  ///   - document: The image, with the metadata that holds after its gain map.
  ///   - gainMap: The gain map, which may change nothing for this display.
  ///   - rendering: The display to render for; `nil` keeps the linear values.
  ///   - exposure: Gain of the linear values, in stops.
  ///   - assumedWhite: Luminance of linear 1.0 of encodings without luminances, in cd/m²; `nil` for
  ///     the document's.
  ///   - referenceWhite: Luminance of reference white of the target, in cd/m².
  ///   - orientation: Relation of the stored rows and columns to the target's.
  ///   - resampling: Part of the image, and size of the result.
  init(
    document: SourceImage, gainMap: AppliedGainMap?, rendering: RenderingOptions?,
    exposure: Double = 0, assumedWhite: Double? = nil, referenceWhite: Double,
    orientation: Orientation, resampling: Resampling
  ) {
    var source = document.image.description
    switch source.color.transfer {
    case .pq, .hlg:
      // Absolute luminances stay what they are, whatever the reference white of each side.
      source.color.referenceWhite = referenceWhite
    default:
      source.color.referenceWhite = assumedWhite ?? source.color.referenceWhite
    }
    self.source = source
    self.exposure = exposure
    self.gainMap = gainMap?.effective
    self.resampling = resampling
    self.orientation = orientation
    self.rendering = rendering.map {
      (
        $0,
        DeclaredHeadroom(
          document, gainMap: gainMap, exposure: exposure, method: $0.method)
      )
    }
  }

  /// Layout of the cropped, resized and rotated image.
  var targetLayout: ImageLayout {
    var layout = source.layout
    (layout.width, layout.height) = (resampling.width, resampling.height)
    return layout.upright(from: orientation)
  }

  /// Returns the transform to a target.
  func transform(
    to target: ImageDescription, rendition: Rendition? = nil
  ) -> ImageTransform {
    transform(to: target, rendition: rendition, resampling)
  }

  private func transform(
    to target: ImageDescription, rendition: Rendition?, _ resampling: Resampling
  ) -> ImageTransform {
    let isWhole = resampling.isIdentity(
      forWidth: source.layout.width, height: source.layout.height)
    let transform = ImageTransform(
      from: source, to: target, exposure: exposure, rendition: rendition,
      resampling: isWhole ? nil : resampling, orientation: orientation)
    guard let gainMap else { return transform }
    return transform.applying(gainMap.map, for: gainMap.display)
  }

  /// Returns the rendition for a display, or for the range of HLG; `nil` if linear values are kept.
  ///
  /// May read the whole image, which can be read again.
  ///
  /// - Throws: Errors of the decoder; `.invalidArgument` for a display that is not possible.
  func rendition(
    for target: ImageDescription, _ reader: any RowReader
  ) throws(ImageError) -> DisplayRendition? {
    guard let rendering else { return try shoulder(for: target, reader) }
    return try DisplayRendition(
      rendering.options, rendering.declarations, target: target.color
    ) { (enough) throws(ImageError) in
      try measure(reader, for: target, enough: enough)
    }
  }

  /// Measures the headroom of the input of tone-mapping operators: the largest component in BT.2020.
  ///
  /// The part is measured in its original size, so that resized images get the same curve.
  private func measure(
    _ reader: any RowReader, for target: ImageDescription, enough: Headroom? = nil
  ) throws(ImageError) -> Headroom {
    var measured = target
    measured.color.primaries = .bt2020
    measured.color.transfer = .linear
    measured.color.matrix = .identity
    measured.layout.components = .rgb
    measured.layout.samples = .float
    let part = resampling.part
    var size = source.layout
    (size.width, size.height) = (part.width, part.height)
    size = size.upright(from: orientation)
    (measured.layout.width, measured.layout.height) = (size.width, size.height)
    let unscaled = Resampling(part: part, width: part.width, height: part.height)
    return try transform(to: measured, rendition: nil, unscaled).contentHeadroom(
      reader, enough: enough)
  }

  /// Returns the shoulder for content above the peak of the HLG reference display; `nil` if nothing
  /// exceeds the peak.
  private func shoulder(
    for target: ImageDescription, _ reader: any RowReader
  ) throws(ImageError) -> DisplayRendition? {
    guard target.color.transfer == .hlg, source.color.transfer != .hlg || exposure > 0
    else { return nil }
    let found = try measure(reader, for: target)
    let peak = HLG.Display.reference.peakLuminance
    let display = Headroom(ratio: peak / target.color.referenceWhite)
    guard found.stops > display.stops else { return nil }
    let content = Int((found.ratio * target.color.referenceWhite).rounded())
    return DisplayRendition(
      Rendition(
        ToneMap(try RationalShoulder(content: found, display: display)),
        gamutMapping: .clip),
      notices: [
        Notice(.hlgToneMapped, ["content": content, "peak": peak])
      ])
  }
}
