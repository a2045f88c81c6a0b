internal import GainMap
internal import HDRCore

/// The light of a document's picture, as a conversion takes it in.
struct SourceLight {
  let source: PictureConversion.Coding
  /// In stops, still to be applied.
  private let exposure: Double
  /// Still to be applied.
  private let gainMap: AppliedGainMap?
  private let threads: Int

  init(
    document: PictureDocument, gainMap: AppliedGainMap?, options: ConversionOptions,
    target: ColorEncoding
  ) {
    var encoding = document.base.encoding
    switch encoding.transfer {
    case .pq, .hlg:
      // Absolute light stays what it is, whatever each side calls white.
      encoding.referenceWhite = target.referenceWhite
    default:
      encoding.referenceWhite = options.referenceWhite ?? encoding.referenceWhite
    }
    source = PictureConversion.Coding(
      format: document.base.format, encoding: encoding, siting: document.base.chromaSiting)
    exposure = options.exposure
    self.gainMap = gainMap
    threads = options.encoder.threads
  }

  /// Light to which everything was done already.
  private init(_ source: PictureConversion.Coding, threads: Int) {
    self.source = source
    exposure = 0
    gainMap = nil
    self.threads = threads
  }

  /// The way from this light to a coded picture.
  func conversion(
    to target: PictureConversion.Coding, rendition: Rendition? = nil
  ) -> PictureConversion {
    let conversion = PictureConversion(
      from: source, to: target, exposure: exposure, rendition: rendition)
    guard let gainMap else { return conversion }
    return conversion.applying(gainMap.map, for: gainMap.display)
  }

  /// The picture turned upright, in full chroma and in the target's signal.
  ///
  /// 16 bits hold the signal of any output exactly enough; float targets get float.
  func turned(
    _ reader: any RowReader, from orientation: Orientation, into encoding: ColorEncoding,
    progress: ((Double) -> Void)?
  ) throws(ImageError) -> (light: SourceLight, reader: any RowReader) {
    var encoding = encoding
    encoding.matrix = .identity
    var format = source.format
    format.components = format.components == .gray ? .gray : .rgb
    format.samples = encoding.transfer == .linear ? .float : .integer(bits: 16)
    format.isFullRange = true
    format.isAlphaPremultiplied =
      source.format.isAlphaPremultiplied && encoding.transfer == .linear
    let coding = PictureConversion.Coding(format: format, encoding: encoding)
    let shoulder = try shoulder(for: coding, reader)
    let image = try conversion(to: coding, rendition: shoulder?.rendition)
      .run(reader, threads: threads, progress: progress).image.upright(from: orientation)
    let turned = PictureConversion.Coding(format: image.format, encoding: encoding)
    return (SourceLight(turned, threads: threads), StoredImageReader(image))
  }

  /// The shoulder that HLG needs for light above its reference display's peak.
  ///
  /// Reads all of the picture, which can be read again afterwards.
  ///
  /// - Returns: `nil` where nothing exceeds the peak.
  func shoulder(
    for target: PictureConversion.Coding, _ reader: any RowReader
  ) throws(ImageError) -> (rendition: Rendition, notice: Notice)? {
    guard target.encoding.transfer == .hlg, source.encoding.transfer != .hlg || exposure > 0
    else { return nil }
    // The shoulder maps the largest component in BT.2020, so that is what counts.
    var measured = target
    measured.encoding.primaries = .bt2020
    let levels = try conversion(to: measured).measure(reader, threads: threads)
    let peak = HLG.Display.reference.peakLuminance
    let display = Headroom(ratio: peak / target.encoding.referenceWhite)
    guard levels.contentHeadroom.stops > display.stops else { return nil }
    let content = Int((levels.contentHeadroom.ratio * target.encoding.referenceWhite).rounded())
    return (
      Rendition(
        .shoulder(try RationalShoulder(content: levels.contentHeadroom, display: display)),
        gamutMapping: .clip),
      Notice(
        .clipped, "tone mapped from \(content) to \(Int(peak)) cd/m², which HLG cannot exceed")
    )
  }
}
