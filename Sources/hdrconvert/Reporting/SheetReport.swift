internal import ContactSheet
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// JSON report of `sheet`.
struct SheetReport: ReportObject {
  static let title = "Sheet"
  let schema = "hdrconvert/sheet/1"
  let output: String
  let headroom: [String]
  let items: [SheetItemReport]
  let failures: [FailureReport]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case schema, output, headroom, items, failures
  }
}

/// One image of a sheet.
struct SheetItemReport: ReportObject {
  static let title = "Item"
  let input: String
  let name: String
  let content: HeadroomReport
  let contentOrigin: String
  /// Smallest headroom at which nothing is clipped.
  let full: HeadroomReport
  let light: LightReport

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, name, content, contentOrigin, full, light
  }

  init(input: String, _ item: SheetItem) {
    self.input = input
    name = item.name
    content = HeadroomReport(item.content.headroom)
    contentOrigin = item.content.origin.rawValue
    full = HeadroomReport(item.reach)
    light = LightReport(item.light)
  }
}
