internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Output of `render --display list`.
struct DisplayList: ReportObject {
  static let title = "Displays"
  let schema = "hdrconvert/displays/1"
  let displays = DisplayPreset.all.map(Display.init)

  struct Display: ReportObject {
    static let title = "Display"
    let name: String
    let headroom: HeadroomReport
    let referenceWhite: Double
    let peakLuminance: Double
    let surroundLuminance: Double
    let primaries: String
    let summary: String

    enum CodingKeys: String, CodingKey, CaseIterable {
      case name, headroom, referenceWhite = "whiteLuminance", peakLuminance, surroundLuminance
      case primaries, summary
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

  enum CodingKeys: String, CodingKey, CaseIterable { case schema, displays }

  /// A table with a line for each display.
  static var lines: [String] {
    let rows =
      [["name", "headroom", "white", "peak", "surround", "primaries", "stands for"]]
      + DisplayPreset.all.map { preset in
        [
          preset.name, "\(preset.headroom.ratio.formatted(as: "%.3g"))x",
          short(preset.referenceWhite),
          short(preset.peakLuminance), short(preset.surroundLuminance), preset.primaries.name,
          preset.summary,
        ]
      }
    let widths = rows[0].indices.map { column in rows.map(\.[column].count).max() ?? 0 }
    return rows.map { row in
      zip(row, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }.joined(separator: "  ").trimmed
    } + ["White, peak and surround in cd/m²; headroom is peak over white."]
  }
}
