internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// One image of a file.
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

  init(_ image: FileImage) {
    name = image.name
    role = image.role.rawValue
    auxiliaryType = image.auxiliaryType
    let layout = LayoutReport(image.format, isFullRange: image.isFullRange)
    (width, height) = (layout.width, layout.height)
    (shownWidth, shownHeight) = image.shownSize
    orientation = image.orientation.rawValue
    (components, chroma) = (image.isCMYK ? "cmyk" : layout.components, layout.chroma)
    if case .integer(let bits) = image.format.samples {
      (samples, depth) = ("integer", bits)
    } else {
      (samples, depth) = ("float", image.floatBits)
    }
    range = layout.range
    alpha = layout.alpha
    interpretation = image.interpretation
    isHighDynamicRange = image.isHighDynamicRange
    coding = CodingReport(image.coding)
    tiles = image.tiles.map { TilesReport(columns: $0.columns, rows: $0.rows) }
    color = image.color.map(ColorReport.init)
    adaptation = AdaptationReport(image.color?.adaptations ?? [])
    hdr = DescriptionReport(image.hdr, image.color?.encoding)
  }
}

/// Coding of the samples.
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

/// Tiles of an image.
struct TilesReport: ReportObject {
  static let title = "Tiles"
  let columns: Int
  let rows: Int

  enum CodingKeys: String, CodingKey, CaseIterable { case columns, rows }
}
