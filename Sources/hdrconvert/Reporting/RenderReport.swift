internal import Foundation
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// What `render --json` prints: what `convert` reports, and what was done for the display.
struct RenderReport: ReportObject {
  static let title = "Render report"
  let schema = "hdrconvert/render/1"
  private let conversion: ConversionReport
  private let rendering: Rendering

  struct Rendering: ReportObject {
    static let title = "Rendering"
    /// gain-map, st2094-50, hlg, or the operator.
    let authority: String
    let content: HeadroomReport
    let contentOrigin: String
    /// `nil` for one without limit.
    let display: HeadroomReport?
    /// Headroom that the picture got.
    let usable: HeadroomReport
    /// Whether the display can show everything: no pixel was changed.
    let identity: Bool
    /// Whether metadata of SMPTE ST 2094-50 have no other picture for any display.
    let forbidsToneMapping: Bool
    let pixels: Pixels

    enum CodingKeys: String, CodingKey, CaseIterable {
      case authority, content, contentOrigin, display, usable, identity, forbidsToneMapping
      case pixels
    }
  }

  /// Numbers of pixels.
  struct Pixels: ReportObject {
    static let title = "Pixels"
    let all: Int
    let toneMapped: Int
    let gamutMapped: Int
    let clippedAbove: Int
    let clippedBelow: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
      case all, toneMapped, gamutMapped, clippedAbove, clippedBelow
    }
  }

  init(_ conversion: ConversionReport, _ rendering: RenderingReport) {
    self.conversion = conversion
    self.rendering = Rendering(
      authority: rendering.authority.name, content: HeadroomReport(rendering.content.headroom),
      contentOrigin: rendering.content.origin.rawValue,
      display: rendering.display == .unlimited ? nil : HeadroomReport(rendering.display),
      usable: HeadroomReport(rendering.usable), identity: rendering.isIdentity,
      forbidsToneMapping: rendering.forbidsToneMapping,
      pixels: Pixels(
        all: rendering.clipping.pixelCount, toneMapped: rendering.changes.toneMapped,
        gamutMapped: rendering.changes.gamutMapped, clippedAbove: rendering.clipping.above,
        clippedBelow: rendering.clipping.below))
  }

  enum CodingKeys: String, CodingKey, CaseIterable { case schema, rendering }

  func encode(to encoder: any Encoder) throws {
    try conversion.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schema, forKey: .schema)
    try container.encode(rendering, forKey: .rendering)
  }
}

/// What `render --explain` says.
struct RenderingText {
  let lines: [String]

  init(_ rendering: RenderingReport) {
    let pixels = rendering.clipping.pixelCount
    func share(_ count: Int) -> String {
      String(format: "%.4g %%", 100 * Double(count) / Double(max(pixels, 1)))
    }
    let (above, below) = (rendering.clipping.above, rendering.clipping.below)
    var clipped = "\(share(above)) clipped above"
    if below > 0 { clipped += ", \(share(below)) below" }
    lines = [
      "content: headroom \(rendering.content.headroom.inWords), \(rendering.content.origin.rawValue)",
      Self.displayLine(rendering),
      "operator: \(rendering.authority.title)"
        + Self.reach(rendering),
      "pixels: "
        + (rendering.isByGainMap ? "" : "\(share(rendering.changes.toneMapped)) tone mapped, ")
        + "\(share(rendering.changes.gamutMapped)) gamut mapped, \(clipped)",
    ]
  }
}

extension RenderingText {
  /// What of the picture needs no operator, or gets none.
  private static func reach(_ rendering: RenderingReport) -> String {
    if rendering.isIdentity { return "; the display can show everything" }
    return rendering.forbidsToneMapping
      ? ", which has no other picture for any display: what this one cannot show is cut off" : ""
  }

  /// A level says what the picture gets of any display.
  fileprivate static func displayLine(_ rendering: RenderingReport) -> String {
    let usable = "headroom \(rendering.usable.inWords)"
    if rendering.display == .unlimited {
      return "display: any; the picture gets all of its headroom, up to \(rendering.usable.inWords)"
    }
    return rendering.display == rendering.usable
      ? "display: \(usable)"
      : "display: headroom \(rendering.display.inWords), of which the picture gets "
        + rendering.usable.inWords
  }
}

extension RenderingReport {
  /// Whether a gain map has done what otherwise an operator does.
  fileprivate var isByGainMap: Bool { if case .gainMap = authority { true } else { false } }
}

extension RenderingReport.Authority {
  /// For machines.
  var name: String {
    switch self {
    case .gainMap: "gain-map"
    case .adaptation: "st2094-50"
    case .hlg: "hlg"
    case .method(let method): method.rawValue
    }
  }

  /// For people.
  var title: String {
    switch self {
    case .gainMap(let flavor): "the file's gain map (\(flavor.title))"
    case .adaptation: "the file's SMPTE ST 2094-50 metadata"
    case .hlg: "HLG with the display's system gamma (BT.2100)"
    case .method(let method): method.rawValue
    }
  }
}
