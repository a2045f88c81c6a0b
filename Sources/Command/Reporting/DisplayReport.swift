// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageReports
internal import Platform

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
