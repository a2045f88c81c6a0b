internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// One image of a file.
struct ImageReport: ReportObject {
  static let schemaName = "image"
  let name: String
  let role: String
  let auxiliaryType: String?
  let layout: LayoutReport
  let displayedWidth: Int
  let displayedHeight: Int
  let orientation: Int
  let interpretation: String?
  let isHighDynamicRange: Bool
  let coding: CodingReport
  let tiles: TilesReport?
  let color: ColorReport?
  let headroomAdaptation: AdaptationReport?
  let lightMetadata: DescriptionReport

  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, role, auxiliaryType, layout, displayedWidth, displayedHeight, orientation
    case interpretation, isHighDynamicRange, coding, tiles, color, headroomAdaptation
    case lightMetadata
  }

  init(_ image: FileImage) {
    name = image.name
    role = image.role.rawValue
    auxiliaryType = image.auxiliaryType
    layout = LayoutReport(image)
    (displayedWidth, displayedHeight) = image.shownSize
    orientation = image.orientation.rawValue
    interpretation = image.interpretation
    isHighDynamicRange = image.isHighDynamicRange
    coding = CodingReport(image.coding)
    tiles = image.tiles.map { TilesReport(columns: $0.columns, rows: $0.rows) }
    color = image.color.map(ColorReport.init)
    headroomAdaptation = AdaptationReport(image.color?.adaptations ?? [])
    lightMetadata = DescriptionReport(image.hdr, image.color?.encoding)
  }
}

/// Coding of the samples.
struct CodingReport: ReportObject {
  static let schemaName = "coding"
  let codec: String
  let profile: String?
  let level: String?
  let chroma: String?
  let lumaDepth: Int?
  let chromaDepth: Int?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case codec, chroma
    case profile = "codecProfile"
    case level = "codecLevel"
    case lumaDepth = "lumaBitsPerSample"
    case chromaDepth = "chromaBitsPerSample"
  }

  init(_ coding: CodecConfiguration) {
    codec = coding.codec
    profile = coding.profile
    level = coding.level
    chroma = coding.chroma?.rawValue
    lumaDepth = coding.lumaDepth
    chromaDepth = coding.chromaDepth
  }
}

/// Tiles of an image.
struct TilesReport: ReportObject {
  static let schemaName = "tiles"
  let columns: Int
  let rows: Int

  enum CodingKeys: String, CodingKey, CaseIterable { case columns, rows }
}
