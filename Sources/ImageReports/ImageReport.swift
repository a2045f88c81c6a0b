// SPDX-License-Identifier: Apache-2.0
package import HDRCore
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

/// Layout of the samples of an image.
package struct LayoutReport: ReportObject {
  package static let schemaName = "layout"
  package let width: Int
  package let height: Int
  package let components: String
  package let chroma: String?
  package let sampleType: String
  /// `nil` for samples that share bits.
  package let bitsPerSample: Int?
  package let hasAlpha: Bool
  /// `nil` without alpha.
  package let isAlphaPremultiplied: Bool?
  package let range: String

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case width, height, components, chroma, sampleType, bitsPerSample, hasAlpha
    case isAlphaPremultiplied, range
  }

  package init(_ format: ImageLayout, isFullRange: Bool) {
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
    isAlphaPremultiplied = hasAlpha ? format.isAlphaPremultiplied : nil
    range = isFullRange ? "full" : "limited"
  }

  /// The layout of an image in a file, which may have components and floats of other sizes.
  package init(_ image: FileImage) {
    let layout = LayoutReport(image.layout, isFullRange: image.isFullRange)
    (width, height, chroma) = (layout.width, layout.height, layout.chroma)
    components = image.isCMYK ? "cmyk" : layout.components
    sampleType = layout.sampleType
    bitsPerSample = layout.sampleType == "float" ? image.floatBits : layout.bitsPerSample
    (hasAlpha, range) = (layout.hasAlpha, layout.range)
    isAlphaPremultiplied = layout.isAlphaPremultiplied
  }
}

/// SMPTE ST 2094-50 metadata for displays of other headrooms.
package struct AdaptationReport: ReportObject {
  package static let schemaName = "headroomAdaptation"
  package let carriers: [String]
  package let referenceWhite: Double
  package let method: String?
  package let baselineHeadroomStops: Double?
  package let alternateHeadroomStops: [Double]?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case carriers = "carrierNames"
    case referenceWhite = "referenceWhiteNits"
    case method = "toneMapping"
    case baselineHeadroomStops
    case alternateHeadroomStops = "alternateHeadroomsStops"
  }

  /// The adaptation of the first carrier, and all carriers of the same; `nil` without carriers.
  package init?(_ found: [FoundHeadroomAdaptation]) {
    guard let adaptation = found.first?.adaptation else { return nil }
    carriers = found.filter { $0.adaptation == adaptation }.map(\.carrier.rawValue)
    referenceWhite = adaptation.referenceWhite ?? ColorEncoding.defaultReferenceWhite
    switch adaptation.toneMap?.method {
    case .referenceWhite: method = "reference-white"
    case .alternates: method = "alternates"
    case nil: method = nil
    }
    baselineHeadroomStops = adaptation.toneMap?.baselineHeadroom.stops
    alternateHeadroomStops = adaptation.toneMap?.alternates.map(\.headroom.stops)
  }

  /// The report as two lines of text.
  package var lines: [String] {
    let sources = carriers.joined(separator: ", ")
    guard let baselineHeadroomStops, let alternateHeadroomStops else {
      return ["reference white \(short(referenceWhite)) nits, tone mapping not specified", sources]
    }
    let displays = alternateHeadroomStops.map(short).joined(separator: ", ")
    let others =
      if method == "reference-white" {
        "reference-white tone mapping for smaller displays"
      } else if alternateHeadroomStops.isEmpty {
        "clipping on smaller displays"
      } else {
        "separate renditions for \(displays) stops"
      }
    return ["baseline headroom \(short(baselineHeadroomStops)) stops, \(others)", sources]
  }
}
