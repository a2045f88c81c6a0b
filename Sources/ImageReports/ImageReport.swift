// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
package import ImageFiles

/// One image of a file.
package struct ImageReport: ReportObject {
  package static let schemaName = "image"
  package let name: String
  package let number: Int?
  package let role: String
  package let auxiliaryType: String?
  package let layout: LayoutReport
  package let displayedWidth: Int
  package let displayedHeight: Int
  package let orientation: Int
  package let interpretation: String?
  package let isHighDynamicRange: Bool
  package let coding: CodingReport
  package let tiles: TilesReport?
  package let color: ColorReport?
  package let headroomAdaptation: AdaptationReport?
  package let lightMetadata: DescriptionReport

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case name, number, role, auxiliaryType, layout, displayedWidth, displayedHeight, orientation
    case interpretation, isHighDynamicRange, coding, tiles, color, headroomAdaptation
    case lightMetadata
  }

  package init(_ image: FileImage) {
    name = image.name
    number = image.number
    role = image.role.rawValue
    auxiliaryType = image.auxiliaryType
    layout = LayoutReport(image)
    (displayedWidth, displayedHeight) = image.uprightSize
    orientation = image.orientation.rawValue
    interpretation = image.interpretation
    isHighDynamicRange = image.isHighDynamicRange
    coding = CodingReport(image.coding)
    tiles = image.tiles.map { TilesReport(columns: $0.columns, rows: $0.rows) }
    color = image.color.map(ColorReport.init)
    headroomAdaptation = AdaptationReport(image.color?.adaptations ?? [])
    lightMetadata = DescriptionReport(image.light, image.color?.encoding)
  }
}

/// Coding of the samples.
package struct CodingReport: ReportObject {
  package static let schemaName = "coding"
  package let codec: String
  package let profile: String?
  package let level: String?
  package let chroma: String?
  package let lumaDepth: Int?
  package let chromaDepth: Int?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case codec, chroma
    case profile = "codecProfile"
    case level = "codecLevel"
    case lumaDepth = "lumaBitsPerSample"
    case chromaDepth = "chromaBitsPerSample"
  }

  package init(_ coding: CodecConfiguration) {
    codec = coding.codec
    profile = coding.profile
    level = coding.level
    chroma = coding.chroma?.rawValue
    lumaDepth = coding.lumaDepth
    chromaDepth = coding.chromaDepth
  }
}

/// Tiles of an image.
package struct TilesReport: ReportObject {
  package static let schemaName = "tiles"
  package let columns: Int
  package let rows: Int

  package enum CodingKeys: String, CodingKey, CaseIterable { case columns, rows }
}
