// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// The rendition of a conversion for a display, or for the range of the output.
struct DisplayRendition {
  let rendition: Rendition
  let notices: [Notice]
  /// Report without the measurements of the conversion; `nil` if no display was requested.
  let report: RenderingReport?

  init(_ rendition: Rendition, notices: [Notice]) {
    self.rendition = rendition
    self.notices = notices
    report = nil
  }

  /// Returns the report with the measurements of the conversion.
  func report(
    changes: ImageTransform.Changes, clipping: ImageTransform.Clipping
  ) -> RenderingReport? {
    guard var report else { return nil }
    report.changes = changes
    report.clipping = clipping
    report.isIdentity =
      report.isIdentity && changes == .init() && clipping.above + clipping.below == 0
    // This operator clips all that it changes.
    if report.authority == .method(.clip) {
      report.clipping.above += changes.toneMapped
      report.changes.toneMapped = 0
    }
    return report
  }
}

/// Headroom that the metadata of a file declare, after its gain map is applied.
struct DeclaredHeadroom {
  var content: ContentHeadroom.Declarations
  /// Headroom that follows from the encoding or the gain map; `nil` if it has to be measured.
  var certain: Headroom?
  /// Flavor of the gain map that adapts the image to the display.
  var gainMap: GainMapFlavor?

  /// Collects the declarations of a document and its gain map, which may have no effect.
  init(
    _ document: SourceImage, gainMap: AppliedGainMap?, exposure: Double,
    method: ToneMapOperator?
  ) {
    content = ContentHeadroom.Declarations(
      // The metadata describe linear values as stored.
      headroomAdaptation: gainMap == nil && exposure == 0 ? document.headroomAdaptation : nil,
      light: document.image.light,
      isHLG: document.image.color.transfer == .hlg,
      exposure: exposure)
    if let gainMap {
      content.isHLG = false
      let metadata = gainMap.map.metadata
      content.gainMapAlternate = metadata.fullHeadroom
      guard method == nil else { return }
      self.gainMap = gainMap.weight.flavor
      let reached = [metadata.baseHeadroom.value, metadata.alternateHeadroom.value].sorted()
      let stops = min(max(gainMap.weight.display.stops, reached[0]), reached[1])
      certain = Headroom(stops: stops + exposure)
    } else if !document.isHighDynamicRange {
      certain = Headroom(stops: exposure)
    }
  }
}

extension DisplayRendition {
  /// Chooses the tone mapping for a display.
  ///
  /// - Parameters:
  ///   - options: The display, and the operator if one is chosen.
  ///   - declarations: Headroom that the file declares.
  ///   - target: Color of the output.
  ///   - keepsGamut: Whether the output stores colors outside of its primaries.
  ///   - measure: Measures headroom and key in BT.2020. The headroom need not be exact above the
  ///     argument; the key is needed without one.
  /// - Throws: Errors of the measurement; `.invalidArgument` for a display that is not possible.
  init(
    _ options: RenderingOptions, _ declarations: DeclaredHeadroom,
    target: ColorEncoding, keepsGamut: Bool = false,
    measure: (_ enough: Headroom?) throws(ImageError) -> ToneMapOperator.ContentStatistics
  ) throws(ImageError) {
    let white = target.referenceWhite
    let usable = options.display.usableHeadroom
    let display = Headroom(stops: min(usable.stops, target.largestHeadroom.stops))
    let method = options.method ?? .adaptive
    let adaptation = options.method == nil ? declarations.content.headroomAdaptation?.toneMap : nil
    let viewing =
      options.method == nil && declarations.content.isHLG && options.display.headroom.stops > 0
      ? options.display.viewing : nil
    let usesKey = method.usesKey && adaptation == nil && viewing == nil
    let content: ContentHeadroom
    var key: Double?
    if let certain = declarations.certain {
      content = ContentHeadroom(certain, origin: declarations.gainMap == nil ? .encoding : .gainMap)
      if usesKey, certain.stops > display.stops { key = try measure(nil).key }
    } else {
      let needsKey = usesKey && declarations.content.mayExceed(display, referenceWhite: white)
      let enough = needsKey ? nil : declarations.content.sufficient(referenceWhite: white)
      let measured = try measure(enough)
      key = measured.key
      content = ContentHeadroom(
        declarations.content, measured: measured.headroom, referenceWhite: white)
    }
    var forbidsToneMapping = false
    let authority: RenderingReport.Authority
    let toneMap: ToneMap
    if let adaptation {
      authority = .headroomAdaptation
      forbidsToneMapping = adaptation.alternates.isEmpty
      toneMap = ToneMap(adaptation.gain(for: display))
    } else if let viewing, let hlgDisplay = options.display.hlgDisplay {
      authority = .hlg
      toneMap = ToneMap(
        try HLGRendering(
          display: hlgDisplay, displayWhite: viewing.referenceWhite, usable: display,
          referenceWhite: white))
    } else {
      authority = declarations.gainMap.map { .gainMap($0) } ?? .method(method)
      toneMap = try method.toneMap(
        content: content.headroom, key: key, display: display, referenceWhite: white)
    }
    // The red primary of P3 is slightly outside BT.2020, with no visible effect.
    let gamut = options.display.primaries ?? (keepsGamut ? .bt2020 : nil)
    let isInside = gamut.map { keepsGamut || $0.reach(in: target.primaries) < 1.01 }
    var rendition = Rendition(
      toneMap, gamutMapping: options.gamutMapping,
      highlightDesaturation: options.highlightDesaturation
        ?? (authority == .method(method) ? method.highlightDesaturation : 0),
      primaries: isInside == true ? gamut : nil)
    // The lowest signal of other transfer functions is the black of the display already.
    if let viewing = options.display.viewing, target.transfer == .pq || target.transfer == .linear {
      rendition.black = viewing.blackLuminance / viewing.referenceWhite
    }
    self.rendition = rendition
    notices = [content.notice, toneMap.mapping.notice].compactMap { $0 }
    // With a gain map, the report has the headroom of the whole image and not that for this display.
    let whole = declarations.gainMap == nil ? nil : declarations.content.gainMapAlternate
    let source = whole.map {
      ContentHeadroom(Headroom(stops: $0.stops + declarations.content.exposure), origin: .gainMap)
    }
    report = RenderingReport(
      authority: authority, content: source ?? content, display: options.display.headroom,
      usable: display,
      isIdentity: toneMap.isIdentity && rendition.black == 0
        && (source ?? content).headroom.stops <= display.stops + 1e-6,
      forbidsToneMapping: forbidsToneMapping)
  }
}

extension ColorEncoding {
  /// Headroom of the largest signal.
  fileprivate var largestHeadroom: Headroom {
    switch transfer {
    case .linear: Headroom(stops: GainMapMetadata.largestStops)
    case .pq: Headroom(ratio: PQ.peakLuminance / referenceWhite)
    case .hlg: Headroom(ratio: HLG.Display.reference.peakLuminance / referenceWhite)
    default: .standard
    }
  }
}
