internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// The light of a document's picture, as a conversion takes it in.
struct ConversionSource {
  let source: ImageDescription
  /// In stops, still to be applied.
  private let exposure: Double
  /// Still to be applied.
  private let gainMap: AppliedGainMap?
  /// The part that is wanted, and its size.
  private let resampling: Resampling
  /// How that is stored, to be turned upright; `.upright` leaves it as it is.
  private let orientation: Orientation
  /// What to make of the light, if that is wanted.
  private let rendering: (options: RenderingOptions, declarations: DeclaredHeadroom)?

  /// Prepares the light of a document, whose gain map may change nothing for this display.
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

  /// The layout of the picture once it is cut, sized and turned.
  var shownFormat: ImageLayout {
    var format = source.layout
    (format.width, format.height) = (resampling.width, resampling.height)
    return format.upright(from: orientation)
  }

  /// The way from this light to a coded picture.
  func conversion(
    to target: ImageDescription, rendition: Rendition? = nil
  ) -> ImageTransform {
    conversion(to: target, rendition: rendition, resampling)
  }

  private func conversion(
    to target: ImageDescription, rendition: Rendition?, _ resampling: Resampling
  ) -> ImageTransform {
    let isWhole = resampling.isIdentity(
      forWidth: source.layout.width, height: source.layout.height)
    let conversion = ImageTransform(
      from: source, to: target, exposure: exposure, rendition: rendition,
      resampling: isWhole ? nil : resampling, orientation: orientation)
    guard let gainMap else { return conversion }
    return conversion.applying(gainMap.map, for: gainMap.display)
  }

  /// What to make of the light: what a display shows, or what HLG can say.
  ///
  /// May read all of the picture, which can be read again afterwards.
  ///
  /// - Returns: `nil` where light stays as it is.
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

  /// Headroom of the light as operators take it in: they map the largest component in BT.2020.
  ///
  /// That of the part in its own size, so that small copies get the curve of the large picture.
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
    return try conversion(to: measured, rendition: nil, unscaled).contentHeadroom(
      reader, enough: enough)
  }

  /// The shoulder that HLG needs for light above its reference display's peak.
  ///
  /// - Returns: `nil` where nothing exceeds the peak.
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
