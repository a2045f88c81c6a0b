internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// One picture of a file.
struct PictureReport: ReportObject {
  static let title = "Picture"
  let name: String
  let role: String
  let auxiliaryType: String?
  let width: Int
  let height: Int
  let shownWidth: Int
  let shownHeight: Int
  let orientation: Int
  let components: String
  let chroma: String?
  let samples: String
  /// Bits per sample.
  let depth: Int?
  let range: String
  let alpha: Bool
  let interpretation: String?
  let isHighDynamicRange: Bool
  let coding: CodingReport
  let tiles: TilesReport?
  let color: ColorReport?
  let adaptation: AdaptationReport?
  let hdr: DescriptionReport

  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, role, auxiliaryType, width, height, shownWidth, shownHeight, orientation
    case components, chroma, samples, depth, range, alpha, interpretation, isHighDynamicRange
    case coding, tiles, color, adaptation, hdr
  }

  init(_ picture: FileImage) {
    name = picture.name
    role = picture.role.rawValue
    auxiliaryType = picture.auxiliaryType
    let layout = LayoutReport(picture.format, isFullRange: picture.isFullRange)
    (width, height) = (layout.width, layout.height)
    (shownWidth, shownHeight) = picture.shownSize
    orientation = picture.orientation.rawValue
    (components, chroma) = (picture.isCMYK ? "cmyk" : layout.components, layout.chroma)
    if case .integer(let bits) = picture.format.samples {
      (samples, depth) = ("integer", bits)
    } else {
      (samples, depth) = ("float", picture.floatBits)
    }
    range = layout.range
    alpha = layout.alpha
    interpretation = picture.interpretation
    isHighDynamicRange = picture.isHighDynamicRange
    coding = CodingReport(picture.coding)
    tiles = picture.tiles.map { TilesReport(columns: $0.columns, rows: $0.rows) }
    color = picture.color.map(ColorReport.init)
    adaptation = AdaptationReport(picture.color?.adaptations ?? [])
    hdr = DescriptionReport(picture.hdr)
  }
}

/// How samples are coded.
struct CodingReport: ReportObject {
  static let title = "Coding"
  let codec: String
  let profile: String?
  let level: String?
  let chroma: String?
  let lumaDepth: Int?
  let chromaDepth: Int?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case codec, profile, level, chroma, lumaDepth, chromaDepth
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

/// The tiles of a picture.
struct TilesReport: ReportObject {
  static let title = "Tiles"
  let columns: Int
  let rows: Int

  enum CodingKeys: String, CodingKey, CaseIterable { case columns, rows }
}
