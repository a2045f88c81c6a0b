internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import RAWDevelop

/// Properties of a raw file.
struct RawReport: ReportObject {
  static let schemaName = "raw"
  let kind: String
  let choice: String
  let picture: String?
  let decoder: String?
  let levels: LevelsReport?
  let mattes: [MatteReport]
  let preview: PreviewReport?
  let recipe: RecipeReport?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case decoder, levels, mattes, preview
    case kind = "rawType"
    case choice = "selectionReason"
    case picture = "directory"
    case recipe = "developmentParameters"
  }

  init(_ raw: RawInspection) {
    kind = raw.rawType.rawValue
    choice = raw.selectionReason
    picture = raw.directoryPath
    decoder = raw.decoder
    levels = raw.levels.map(LevelsReport.init)
    mattes = raw.mattes.map {
      MatteReport(name: $0.name, type: $0.type, width: $0.width, height: $0.height)
    }
    preview = raw.preview.map {
      PreviewReport(
        width: $0.width, height: $0.height, codec: $0.isJPEGXL ? "JPEG XL" : "JPEG",
        offset: $0.bytes.lowerBound, length: $0.bytes.count)
    }
    recipe = raw.recipe.map(RecipeReport.init)
  }
}

/// Parameters that linearize the samples.
struct LevelsReport: ReportObject {
  static let schemaName = "levels"
  let black: [Double]
  let blackRows: Int
  let blackColumns: Int
  let hasBlackOfRowsOrColumns: Bool
  let white: [Double]
  let linearizationEntries: Int?
  let linearization: [Double]?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case black = "blackLevels"
    case blackRows, blackColumns, hasBlackOfRowsOrColumns
    case white = "whiteLevels"
    case linearizationEntries, linearization
  }

  init(_ levels: RawInspection.Levels) {
    black = levels.black
    (blackRows, blackColumns) = (levels.blackRows, levels.blackColumns)
    hasBlackOfRowsOrColumns = levels.hasBlackOfRowsOrColumns
    white = levels.white
    linearizationEntries = levels.linearizationEntries
    linearization = levels.linearization
  }
}

/// A semantic mask.
struct MatteReport: ReportObject {
  static let schemaName = "matte"
  let name: String
  let type: String
  let width: Int
  let height: Int

  enum CodingKeys: String, CodingKey, CaseIterable { case name, type, width, height }
}

/// The largest preview.
struct PreviewReport: ReportObject {
  static let schemaName = "preview"
  let width: Int
  let height: Int
  let codec: String
  let offset: Int
  let length: Int

  enum CodingKeys: String, CodingKey, CaseIterable {
    case width, height, codec
    case offset = "byteOffset"
    case length = "bytes"
  }
}
