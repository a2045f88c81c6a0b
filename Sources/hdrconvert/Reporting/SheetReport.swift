internal import ContactSheet

/// What `sheet --json` prints.
struct SheetReport: ReportObject {
  static let title = "Sheet"
  let schema = "hdrconvert/sheet/1"
  let output: String
  let headroom: [String]
  let items: [SheetItemReport]

  enum CodingKeys: String, CodingKey, CaseIterable { case schema, output, headroom, items }

  init(output: String, headroom: [String], items: [SheetItem]) {
    self.output = output
    self.headroom = headroom
    self.items = items.map(SheetItemReport.init)
  }
}

/// One picture of a sheet.
struct SheetItemReport: ReportObject {
  static let title = "Item"
  let name: String
  let light: LightReport

  enum CodingKeys: String, CodingKey, CaseIterable { case name, light }

  init(_ item: SheetItem) {
    name = item.name
    light = LightReport(item.light)
  }
}
