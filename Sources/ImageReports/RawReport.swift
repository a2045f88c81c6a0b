// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
package import RAWDevelop

/// Properties of a raw file.
package struct RawReport: ReportObject {
  package static let schemaName = "raw"
  package let rawType: String?
  package let choice: String?
  package let directory: String?
  package let decoder: String?
  package let levels: LevelsReport?
  package let mattes: [MatteReport]
  package let previews: [PreviewReport]
  package let recipe: RecipeReport?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case decoder, levels, mattes, previews
    case rawType
    case choice = "selectionReason"
    case directory
    case recipe = "developmentParameters"
  }

  package init(_ raw: RawInspection) {
    rawType = raw.rawType?.rawValue
    choice = raw.selectionReason
    directory = raw.directoryPath
    decoder = raw.decoder
    levels = raw.levels.map(LevelsReport.init)
    mattes = raw.mattes.map {
      MatteReport(name: $0.name, type: $0.type, width: $0.width, height: $0.height)
    }
    previews = raw.previews.map {
      PreviewReport(
        width: $0.width, height: $0.height, codec: $0.isJPEGXL ? "JPEG XL" : "JPEG",
        offset: $0.bytes.lowerBound, length: $0.bytes.count)
    }
    recipe = raw.recipe.map(RecipeReport.init)
  }
}

/// Parameters that linearize the samples.
package struct LevelsReport: ReportObject {
  package static let schemaName = "levels"
  package let black: [Double]
  package let blackRows: Int
  package let blackColumns: Int
  package let hasBlackOfRowsOrColumns: Bool
  package let white: [Double]
  package let linearizationEntries: Int?
  package let linearization: [Double]?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case black = "blackLevels"
    case blackRows, blackColumns, hasBlackOfRowsOrColumns
    case white = "whiteLevels"
    case linearizationEntries, linearization
  }

  package init(_ levels: RawInspection.Levels) {
    black = levels.black
    (blackRows, blackColumns) = (levels.blackRows, levels.blackColumns)
    hasBlackOfRowsOrColumns = levels.hasBlackOfRowsOrColumns
    white = levels.white
    linearizationEntries = levels.linearizationEntries
    linearization = levels.linearization
  }
}

/// A semantic mask.
package struct MatteReport: ReportObject {
  package static let schemaName = "matte"
  package let name: String
  package let type: String
  package let width: Int
  package let height: Int

  package enum CodingKeys: String, CodingKey, CaseIterable { case name, type, width, height }
}

/// A preview that can be extracted.
package struct PreviewReport: ReportObject {
  package static let schemaName = "preview"
  package let width: Int
  package let height: Int
  package let codec: String
  package let offset: Int
  package let length: Int

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case width, height, codec
    case offset = "byteOffset"
    case length = "bytes"
  }
}
