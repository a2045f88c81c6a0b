internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// Result of `convert`, `gainmap apply` and `render`: an image that was converted.
struct ConversionReport: ReportObject {
  static let schemaName = "conversion"
  let input: String
  let output: String
  let format: String
  let bytes: Int
  let layout: LayoutReport
  let cicp: String?
  let light: LightReport
  let hdr: DescriptionReport
  let gainMap: AppliedGainMapReport?
  /// Adaptation to a display; `nil` if the image was not rendered for one.
  let rendering: DisplayRenderingReport?
  let notices: [NoticeReport]

  init(
    input: String, output: String, format: FileFormat, written: ImageConverter.Written,
    byteCount: Int
  ) {
    self.input = input
    self.output = output
    self.format = format.rawValue
    bytes = byteCount
    layout = LayoutReport(
      written.image.layout, isFullRange: written.image.color.isFullRange)
    cicp = format.traits.holdsLight ? nil : written.image.color.cicp.description
    light = LightReport(written.light)
    hdr = DescriptionReport(written.image.light, written.image.color)
    gainMap = written.gainMap.map(AppliedGainMapReport.init)
    rendering = written.rendering.map(DisplayRenderingReport.init)
    notices = written.notices.map(NoticeReport.init)
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, output, format, bytes, layout, cicp, rendering, notices
    case light = "lightLevels"
    case hdr = "lightMetadata"
    case gainMap = "appliedGainMap"
  }
}

/// Layout of the samples of an image.
struct LayoutReport: ReportObject {
  static let schemaName = "layout"
  let width: Int
  let height: Int
  let components: String
  let chroma: String?
  let sampleType: String
  /// `nil` for samples that share bits.
  let bitsPerSample: Int?
  let hasAlpha: Bool
  let range: String

  enum CodingKeys: String, CodingKey, CaseIterable {
    case width, height, components, chroma, sampleType, bitsPerSample, hasAlpha, range
  }

  init(_ format: ImageLayout, isFullRange: Bool) {
    width = format.width
    height = format.height
    switch format.components {
    case .gray: (components, chroma) = ("gray", nil)
    case .rgb: (components, chroma) = ("rgb", nil)
    case .ycbcr(let subsampling): (components, chroma) = ("ycbcr", subsampling.rawValue)
    }
    switch format.samples {
    case .integer(let bits): (sampleType, bitsPerSample) = ("integer", bits)
    case .half: (sampleType, bitsPerSample) = ("float", 16)
    case .float: (sampleType, bitsPerSample) = ("float", 32)
    }
    hasAlpha = format.hasAlpha
    range = isFullRange ? "full" : "limited"
  }

  /// The layout of an image in a file, which may have components and floats of other sizes.
  init(_ image: FileImage) {
    let layout = LayoutReport(image.format, isFullRange: image.isFullRange)
    (width, height, chroma) = (layout.width, layout.height, layout.chroma)
    components = image.isCMYK ? "cmyk" : layout.components
    sampleType = layout.sampleType
    bitsPerSample = layout.sampleType == "float" ? image.floatBits : layout.bitsPerSample
    (hasAlpha, range) = (layout.hasAlpha, layout.range)
  }
}

/// Measured light levels, in cd/m².
struct LightReport: ReportObject {
  static let schemaName = "lightLevels"
  let maxCLL: Double
  let maxFALL: Double
  let minimumLuminance: Double
  let maximumLuminance: Double
  let averageLuminance: Double
  /// 99.99th percentile of max(R, G, B).
  let percentile9999: Double
  let contentHeadroomStops: Double
  let usedPrimaries: String

  enum CodingKeys: String, CodingKey, CaseIterable {
    case maxCLL = "maxCLLNits"
    case maxFALL = "maxFALLNits"
    case minimumLuminance = "minimumLuminanceNits"
    case maximumLuminance = "maximumLuminanceNits"
    case averageLuminance = "averageLuminanceNits"
    case percentile9999 = "percentile9999Nits"
    case contentHeadroomStops
    case usedPrimaries = "containingPrimaries"
  }

  init(_ light: LightLevels) {
    maxCLL = light.maximum
    maxFALL = light.average
    minimumLuminance = light.minimumLuminance
    maximumLuminance = light.maximumLuminance
    averageLuminance = light.averageLuminance
    percentile9999 = light.percentile(0.9999)
    contentHeadroomStops = light.contentHeadroom.stops
    usedPrimaries = light.usedPrimaries.name
  }
}

extension ColorPrimaries {
  /// The name in options, or the chromaticities.
  var name: String {
    let named: [(ColorPrimaries, String)] = [
      (.bt2020, "bt2020"), (.displayP3, "p3"), (.bt709, "bt709"), (.adobeRGB, "adobergb"),
      (.proPhoto, "prophoto"), (.acesAP0, "aces"), (.acesAP1, "acescg"),
    ]
    // Files store four or five digits, and ICC profiles are adapted to D50 and back.
    if let match = named.first(where: { $0.0.isClose(to: self, tolerance: 5e-4) }) {
      return match.1
    }
    return [red, green, blue, white]
      .map { "\(($0.x * 1e4).rounded() / 1e4),\(($0.y * 1e4).rounded() / 1e4)" }
      .joined(separator: " ")
  }
}

extension TransferFunction {
  var name: String {
    switch self {
    case .linear: "linear"
    case .pq: "pq"
    case .hlg: "hlg"
    case .srgb: "srgb"
    case .bt1886: "bt1886"
    case .gamma(let exponent): "gamma \(exponent)"
    case .sampled: "icc curves"
    }
  }
}
