internal import GainMap
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// What a conversion makes of light for a display, or for what the output can say.
struct DisplayRendition {
  let rendition: Rendition
  let notices: [Notice]
  /// What is known before it is done; `nil` where nobody asked for a display.
  let report: RenderingReport?

  init(_ rendition: Rendition, notices: [Notice]) {
    self.rendition = rendition
    self.notices = notices
    report = nil
  }

  /// What was done, given what came out.
  func report(
    changes: ImageTransform.Changes, clipping: ImageTransform.Clipping
  ) -> RenderingReport? {
    guard var report else { return nil }
    report.changes = changes
    report.clipping = clipping
    report.isIdentity =
      report.isIdentity && changes == .init() && clipping.above + clipping.below == 0
    // What this operator changes it cuts off.
    if report.authority == .method(.clip) {
      report.clipping.above += changes.toneMapped
      report.changes.toneMapped = 0
    }
    return report
  }
}

/// What a file says about the light of the picture that its decoder and its gain map make.
struct DeclaredHeadroom {
  var content: ContentHeadroom.Declarations
  /// Headroom that the light has by the way it is made.
  var certain: Headroom?
  /// The gain map that has made the picture what a display shows.
  var gainMap: GainMapFlavor?

  /// Gathers what a document says; of its gain map even if that changes nothing for this display.
  init(
    _ document: SourceImage, gainMap: AppliedGainMap?, exposure: Double,
    method: ToneMapOperator?
  ) {
    content = ContentHeadroom.Declarations(
      // Metadata is about the light as the file holds it.
      adaptation: gainMap == nil && exposure == 0 ? document.adaptation : nil,
      description: document.image.light,
      isHLG: document.image.color.transfer == .hlg,
      exposure: exposure)
    if let gainMap {
      content.isHLG = false
      let meaning = gainMap.map.meaning
      content.gainMapAlternate = meaning.fullHeadroom
      guard method == nil else { return }
      self.gainMap = gainMap.flavor
      let reached = [meaning.baseHeadroom.stops, meaning.alternateHeadroom.stops].sorted()
      let stops = min(max(gainMap.display.stops, reached[0]), reached[1])
      certain = Headroom(stops: stops + exposure)
    } else if !document.isHighDynamicRange {
      certain = Headroom(stops: exposure)
    }
  }
}

extension DisplayRendition {
  /// Plans what a display shows.
  ///
  /// - Parameters:
  ///   - options: The display, and the operator if the caller has chosen one.
  ///   - declarations: What the file says.
  ///   - target: What the output says.
  ///   - measure: Measures the headroom of the light, in BT.2020, which need not be exact from its
  ///     argument on.
  /// - Throws: What measuring meets; `.invalidArgument` for a display that makes no sense.
  init(
    _ options: RenderingOptions, _ declarations: DeclaredHeadroom,
    target: ColorEncoding, measure: (_ enough: Headroom?) throws(ImageError) -> Headroom
  ) throws(ImageError) {
    let white = target.referenceWhite
    let usable = options.display.usableHeadroom
    let display = Headroom(stops: min(usable.stops, target.largestHeadroom.stops))
    let content: ContentHeadroom
    if let certain = declarations.certain {
      content = ContentHeadroom(
        certain, origin: declarations.gainMap == nil ? .encoding : .gainMap)
    } else {
      let enough = declarations.content.sufficient(referenceWhite: white)
      content = ContentHeadroom(
        declarations.content, measured: try measure(enough), referenceWhite: white)
    }
    var forbidsToneMapping = false
    let authority: RenderingReport.Authority
    let toneMap: ToneMap
    if let adaptation = declarations.content.adaptation?.toneMap, options.method == nil {
      authority = .adaptation
      forbidsToneMapping = adaptation.alternates.isEmpty
      toneMap = ToneMap(adaptation.gain(for: display))
    } else if let viewing = options.display.viewing, let hlgDisplay = options.display.hlgDisplay,
      options.method == nil, declarations.content.isHLG, options.display.headroom.stops > 0
    {
      authority = .hlg
      toneMap = ToneMap(
        try HLGRendering(
          display: hlgDisplay, displayWhite: viewing.referenceWhite, usable: display,
          referenceWhite: white))
    } else {
      let method = options.method ?? .shoulder
      authority = declarations.gainMap.map { .gainMap($0) } ?? .method(method)
      toneMap = try method.toneMap(
        content: content.headroom, display: display, referenceWhite: white)
    }
    // P3's red lies a little outside BT.2020, which all the same holds what P3 displays show.
    let isInside = options.display.primaries.map {
      GrayMix.reach(of: $0, in: target.primaries) < 1.01
    }
    rendition = Rendition(
      toneMap, gamutMapping: options.gamutMapping,
      highlightDesaturation: options.highlightDesaturation,
      primaries: isInside == true ? options.display.primaries : nil)
    notices = [content.notice, toneMap.mapping.notice].compactMap { $0 }
    // What a gain map has made of the picture for this display is not all that there is.
    let whole =
      declarations.gainMap == nil ? nil : declarations.content.gainMapAlternate
    let source = whole.map {
      ContentHeadroom(Headroom(stops: $0.stops + declarations.content.exposure), origin: .gainMap)
    }
    report = RenderingReport(
      authority: authority, content: source ?? content, display: options.display.headroom,
      usable: display,
      isIdentity: toneMap.isIdentity
        && (source ?? content).headroom.stops <= display.stops + 1e-6,
      forbidsToneMapping: forbidsToneMapping)
  }
}

extension ColorEncoding {
  /// Headroom of the brightest light that a signal can say.
  fileprivate var largestHeadroom: Headroom {
    switch transfer {
    case .linear: Headroom(stops: GainMapMetadata.largestStops)
    case .pq: Headroom(ratio: PQ.peakLuminance / referenceWhite)
    case .hlg: Headroom(ratio: HLG.Display.reference.peakLuminance / referenceWhite)
    default: .standard
    }
  }
}
