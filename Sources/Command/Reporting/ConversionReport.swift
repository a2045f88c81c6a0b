// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports
internal import Platform

/// Result of `convert`, `gainmap apply` and `render`: an image that was converted.
struct ConversionReport: ReportObject {
  static let schemaName = "conversion"
  let input: String
  let output: String
  let format: String
  let bytes: Int
  let layout: LayoutReport
  let cicp: String?
  let light: LightReport
  let hdr: DescriptionReport
  let gainMap: AppliedGainMapReport?
  /// Adaptation to a display; `nil` if the image was not rendered for one.
  let rendering: DisplayRenderingReport?
  let notices: [NoticeReport]

  init(
    input: String, output: String, format: FileFormat, written: ImageConverter.Written,
    byteCount: Int, notices: [Notice]
  ) {
    self.input = input
    self.output = output
    self.format = format.rawValue
    bytes = byteCount
    layout = LayoutReport(written.image.layout, isFullRange: written.image.color.isFullRange)
    cicp = format.traits.storesLinearValues ? nil : written.image.color.cicp.description
    light = LightReport(written.lightLevels)
    hdr = DescriptionReport(written.image.light, written.image.color)
    gainMap = written.gainMap.map(AppliedGainMapReport.init)
    rendering = written.rendering.map(DisplayRenderingReport.init)
    self.notices = notices.map(NoticeReport.init)
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, output, format, bytes, layout, cicp, rendering, notices
    case light = "lightLevels"
    case hdr = "lightMetadata"
    case gainMap = "appliedGainMap"
  }
}

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

/// Result of `render --display list`: a display.
struct DisplayReport: ReportObject {
  static let schemaName = "display"
  let name: String
  let headroom: HeadroomReport
  let referenceWhite: Double
  let peakLuminance: Double
  let surroundLuminance: Double
  let primaries: String
  let summary: String

  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, headroom, primaries, summary
    case referenceWhite = "referenceWhiteNits"
    case peakLuminance = "peakLuminanceNits"
    case surroundLuminance = "surroundLuminanceNits"
  }

  init(_ preset: DisplayPreset) {
    name = preset.name
    headroom = HeadroomReport(preset.headroom)
    referenceWhite = preset.referenceWhite
    peakLuminance = preset.peakLuminance
    surroundLuminance = preset.surroundLuminance
    primaries = preset.primaries.name
    summary = preset.summary
  }
}

extension DisplayReport {
  /// A table with a line for each display.
  static var lines: [String] {
    let rows =
      [["name", "headroom", "white", "peak", "surround", "primaries", "stands for"]]
      + DisplayPreset.all.map { preset in
        [
          preset.name, "\(DiagnosticTemplate.short(preset.headroom.ratio))x",
          short(preset.referenceWhite),
          short(preset.peakLuminance), short(preset.surroundLuminance), preset.primaries.name,
          preset.summary,
        ]
      }
    let widths = rows[0].indices.map { column in rows.map(\.[column].count).max() ?? 0 }
    return rows.map { row in
      zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ").trimmed
    } + [
      "White, peak and surround in cd/m²; headroom is peak over white.",
      "Televisions as in BT.2408 and BT.2100; the other values are typical, not those of a product.",
    ]
  }
}

/// A headroom in both units.
struct HeadroomReport: ReportObject {
  static let schemaName = "headroom"
  let ratio: Double
  let stops: Double

  enum CodingKeys: String, CodingKey, CaseIterable { case ratio, stops }

  init(_ headroom: Headroom) { (ratio, stops) = (headroom.ratio, headroom.stops) }
}

extension Headroom {
  /// Text with both units: `4x (2 stops)`.
  var text: String {
    self == .unlimited
      ? "unlimited"
      : "\(DiagnosticTemplate.short(ratio))x (\(DiagnosticTemplate.short(stops)) \(stops == 1 ? "stop" : "stops"))"
  }
}

/// Result of `remux`, `gainmap flatten`, `gainmap join`, `gainmap swap`, and of `convert` if it
/// keeps a gain map.
struct RewritingReport: ReportObject {
  static let schemaName = "rewrittenFile"
  let input: String
  let output: String
  let format: String
  let bytes: Int
  let before: [String]
  let after: [String]
  /// In stops.
  let worstError: Double
  let payloads: [CodedDataReport]
  let notices: [NoticeReport]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, output, format, bytes, notices
    case before = "flavorsBefore"
    case after = "flavorsAfter"
    case worstError = "maximumGainErrorStops"
    case payloads = "codedData"
  }

  init(input: String, output: String, bytes: Int, _ result: RewrittenFile) throws(ImageError) {
    self.input = input
    self.output = output
    format = result.file.format.rawValue
    self.bytes = bytes
    before = result.before.map(\.rawValue)
    after = result.after.map(\.rawValue)
    worstError = result.worstError
    let digests = try CodedPayload.sha256(of: result.payloads)
    payloads = zip(result.payloads, digests).map { payload, digest in
      let status: CodedDataReport.Status =
        result.rotatedPayloads.contains(payload.name)
        ? .rotated
        : result.transcodedPayloads.contains(payload.name)
          ? .transcoded : result.reencodedPayloads.contains(payload.name) ? .reencoded : .unchanged
      return CodedDataReport(
        name: payload.name, bytes: payload.count, sha256: digest, status: status)
    }
    notices = result.notices.map(NoticeReport.init)
  }

  /// The digests as text.
  var lines: [String] {
    func list(_ flavors: [String]) -> String {
      flavors.isEmpty ? "none" : flavors.joined(separator: ", ")
    }
    let head = [output, "  gain map: \(list(before)) -> \(list(after))"]
    return head + payloads.map(\.line)
  }
}

/// Coded data of an output, compared with the input.
struct CodedDataReport: ReportObject {
  static let schemaName = "codedData"

  enum Status: String, Encodable, CaseIterable {
    /// The bytes are those of the input.
    case unchanged
    /// The coefficients are those of the input, in another order of rows and columns.
    case rotated
    /// The coefficients are those of the input, in another format.
    case transcoded
    case reencoded = "re-encoded"
  }

  let name: String
  let bytes: Int
  let sha256: String
  let status: Status

  enum CodingKeys: String, CodingKey, CaseIterable { case name, bytes, sha256, status }

  /// Name, size, digest and status.
  var line: String { "  \(name), \(bytes) bytes, SHA-256 \(sha256), \(status.rawValue)" }
}
