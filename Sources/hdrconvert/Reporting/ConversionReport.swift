internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// JSON report of `convert`.
struct ConversionReport: ReportObject {
  static let title = "Conversion"
  let schema = "hdrconvert/convert/1"
  let input: String
  let output: String
  let format: String
  let bytes: Int
  let picture: LayoutReport
  let cicp: String?
  let light: LightReport
  let hdr: DescriptionReport
  let gainMap: AppliedGainMapReport?
  let notices: [NoticeReport]

  init(
    input: String, output: String, format: FileFormat, written: ImageConverter.Written,
    byteCount: Int
  ) {
    self.input = input
    self.output = output
    self.format = format.rawValue
    bytes = byteCount
    picture = LayoutReport(
      written.image.layout, isFullRange: written.image.color.isFullRange)
    cicp = format.traits.holdsLight ? nil : written.image.color.cicp.description
    light = LightReport(written.light)
    hdr = DescriptionReport(written.image.light, written.image.color)
    gainMap = written.gainMap.map(AppliedGainMapReport.init)
    notices = written.notices.map(NoticeReport.init)
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case schema, input, output, format, bytes, picture, cicp, light, hdr, gainMap, notices
  }
}

/// Layout of the samples of an image.
struct LayoutReport: ReportObject {
  static let title = "Layout"
  let width: Int
  let height: Int
  let components: String
  let chroma: String?
  /// Bits per sample; 0 for floating point.
  let depth: Int
  let alpha: Bool
  let range: String

  enum CodingKeys: String, CodingKey, CaseIterable {
    case width, height, components, chroma, depth, alpha, range
  }

  init(_ format: ImageLayout, isFullRange: Bool) {
    width = format.width
    height = format.height
    switch format.components {
    case .gray: (components, chroma) = ("gray", nil)
    case .rgb: (components, chroma) = ("rgb", nil)
    case .ycbcr(let subsampling): (components, chroma) = ("ycbcr", subsampling.rawValue)
    }
    if case .integer(let bits) = format.samples { depth = bits } else { depth = 0 }
    alpha = format.hasAlpha
    range = isFullRange ? "full" : "limited"
  }
}

/// Measured light levels, in cd/m².
struct LightReport: ReportObject {
  static let title = "Measured light"
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
    case maxCLL, maxFALL, minimumLuminance, maximumLuminance, averageLuminance, percentile9999
    case contentHeadroomStops, usedPrimaries
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
