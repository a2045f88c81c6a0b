// SPDX-License-Identifier: Apache-2.0
internal import ContactSheet
internal import HDRConversion
internal import HDRCore
internal import ImageReports

/// Result of `sheet`: an image of the sheet.
struct SheetItemReport: ReportObject {
  static let schemaName = "sheetItem"
  let input: String
  /// The sheet.
  let output: String
  let name: String
  let headrooms: [String]
  let content: HeadroomReport
  let contentOrigin: String
  /// Smallest headroom at which nothing is clipped.
  let full: HeadroomReport
  let light: LightReport

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, output, name, headrooms
    case content = "contentHeadroom"
    case contentOrigin = "contentHeadroomSource"
    case full = "fullHeadroom"
    case light = "lightLevels"
  }

  init(input: String, output: String, headrooms: [String], _ item: SheetItem) {
    self.input = input
    self.output = output
    self.headrooms = headrooms
    name = item.name
    content = HeadroomReport(item.contentHeadroom.headroom)
    contentOrigin = item.contentHeadroom.origin.rawValue
    full = HeadroomReport(item.reach)
    light = LightReport(item.lightLevels)
  }
}
