// SPDX-License-Identifier: Apache-2.0
internal import ImageReports
internal import Platform
internal import GainMap
internal import HDRConversion
internal import HDRCore

/// Adaptation of an image to a display.
struct DisplayRenderingReport: ReportObject {
  static let schemaName = "rendering"
  /// gain-map, st2094-50, hlg, or the tone-mapping operator.
  let authority: String
  let content: HeadroomReport
  let contentOrigin: String
  /// `nil` for any display.
  let display: HeadroomReport?
  /// Headroom that the image uses.
  let usable: HeadroomReport
  /// Whether the display can show the whole image.
  let isIdentity: Bool
  /// Whether SMPTE ST 2094-50 metadata do not allow tone mapping.
  let forbidsToneMapping: Bool
  let pixels: Pixels

  enum CodingKeys: String, CodingKey, CaseIterable {
    case authority = "operator"
    case content = "contentHeadroom"
    case contentOrigin = "contentHeadroomSource"
    case display = "displayHeadroom"
    case usable = "usedHeadroom"
    case isIdentity, forbidsToneMapping
    case pixels = "pixelCounts"
  }

  /// Numbers of pixels.
  struct Pixels: ReportObject {
    static let schemaName = "pixelCounts"
    let all: Int
    let toneMapped: Int
    let gamutMapped: Int
    let clippedAbove: Int
    let clippedBelow: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
      case all, toneMapped, gamutMapped, clippedAbove, clippedBelow
    }
  }

  init(_ rendering: RenderingReport) {
    authority = rendering.authority.name
    content = HeadroomReport(rendering.content.headroom)
    contentOrigin = rendering.content.origin.rawValue
    display = rendering.display == .unlimited ? nil : HeadroomReport(rendering.display)
    usable = HeadroomReport(rendering.usable)
    isIdentity = rendering.isIdentity
    forbidsToneMapping = rendering.forbidsToneMapping
    pixels = Pixels(
      all: rendering.clipping.pixelCount, toneMapped: rendering.changes.toneMapped,
      gamutMapped: rendering.changes.gamutMapped, clippedAbove: rendering.clipping.above,
      clippedBelow: rendering.clipping.below)
  }
}

extension RenderingReport {
  /// Text of `render --verbose`.
  var lines: [String] {
    let pixels = clipping.pixelCount
    func share(_ count: Int) -> String {
      DiagnosticTemplate.short(100 * Double(count) / Double(max(pixels, 1))) + " %"
    }
    var clipped = "\(share(clipping.above)) clipped above"
    if clipping.below > 0 { clipped += ", \(share(clipping.below)) below" }
    return [
      "content: headroom \(content.headroom.text), \(content.origin.rawValue)",
      displayLine,
      "operator: \(authority.title)\(reach)",
      "pixels: " + (isByGainMap ? "" : "\(share(changes.toneMapped)) tone mapped, ")
        + "\(share(changes.gamutMapped)) gamut mapped, \(clipped)",
    ]
  }

  /// The reason for not tone mapping, if there is one.
  private var reach: String {
    if isIdentity { return "; the display can show everything" }
    return forbidsToneMapping
      ? ", which does not allow tone mapping: luminance above the peak of the display is clipped"
      : ""
  }

  /// Headroom of the display, and the part that the image uses.
  private var displayLine: String {
    if usable == .standard { return "display: SDR, headroom \(usable.text)" }
    if display == .unlimited { return "display: any; the image is shown with its full headroom" }
    return display == usable
      ? "display: headroom \(usable.text)"
      : "display: headroom \(display.text), of which the image may use \(usable.text)"
  }

  /// Whether a gain map was applied instead of tone mapping.
  private var isByGainMap: Bool { if case .gainMap = authority { true } else { false } }
}

extension RenderingReport.Authority {
  /// The name in JSON.
  var name: String {
    switch self {
    case .gainMap: "gain-map"
    case .headroomAdaptation: "st2094-50"
    case .hlg: "hlg"
    case .method(let method): method.rawValue
    }
  }

  /// The name in text.
  var title: String {
    switch self {
    case .gainMap(let flavor): "gain map of the file (\(flavor.title))"
    case .headroomAdaptation: "SMPTE ST 2094-50 metadata of the file"
    case .hlg: "HLG system gamma of the display (BT.2100)"
    case .method(let method): method.rawValue
    }
  }
}
