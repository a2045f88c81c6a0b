internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// A gain map with its metadata.
struct GainMapReport: ReportObject {
  static let schemaName = "gainMap"
  let image: String
  let width: Int?
  let height: Int?
  let flavors: [String]
  let isApplicable: Bool
  /// The reason why it cannot be applied.
  let obstacle: CauseReport?
  /// Headrooms of the metadata in use, in stops.
  let baseHeadroom: Double?
  let alternateHeadroom: Double?
  let carriers: [GainMapCarrierReport]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case image, width, height, flavors, isApplicable, obstacle
    case carriers = "gainMapCarriers"
    case baseHeadroom = "baselineHeadroomStops"
    case alternateHeadroom = "alternateHeadroomStops"
  }

  init(_ map: FoundGainMap) {
    image = map.place.name
    width = map.layout?.width
    height = map.layout?.height
    flavors = map.flavors.map(\.rawValue)
    isApplicable = map.isApplicable
    obstacle = map.objection.map(CauseReport.init)
    baseHeadroom = map.metadata?.baseHeadroom.value
    alternateHeadroom = map.metadata?.alternateHeadroom.value
    carriers = map.carriers.map(GainMapCarrierReport.init)
  }
}

/// Gain map metadata of one flavor.
struct GainMapCarrierReport: ReportObject {
  static let schemaName = "gainMapCarrier"
  let flavor: String
  let location: LocationReport?
  /// The error if it cannot be read.
  let error: CauseReport?
  let baseHeadroom: Double?
  let alternateHeadroom: Double?
  let usesBaseColorSpace: Bool?
  let channels: [GainMapChannelReport]?
  /// Curve between samples and gain of the Apple flavor.
  let curve: String?
  let numbers: [GainMapNumberReport]?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case flavor, location, error, channels, numbers
    case baseHeadroom = "baselineHeadroomStops"
    case alternateHeadroom = "alternateHeadroomStops"
    case usesBaseColorSpace = "usesBaselineColorSpace"
    case curve = "appleCurve"
  }

  init(_ carrier: FoundGainMap.Carrier) {
    flavor = carrier.flavor.rawValue
    location = LocationReport(carrier.location)
    error = carrier.failure.map(CauseReport.init)
    let metadata = carrier.metadata
    baseHeadroom = metadata?.baseHeadroom.value
    alternateHeadroom = metadata?.alternateHeadroom.value
    usesBaseColorSpace = metadata?.usesBaseColorSpace
    curve = metadata?.appleCurve?.rawValue
    channels = curve == nil ? metadata?.channels.all.map(GainMapChannelReport.init) : nil
    numbers = carrier.description?.numbers.map(GainMapNumberReport.init)
  }
}

/// Gain map metadata of one component.
struct GainMapChannelReport: ReportObject {
  static let schemaName = "gainMapChannel"
  let minimum: Double
  let maximum: Double
  let gamma: Double
  let baseOffset: Double
  let alternateOffset: Double

  enum CodingKeys: String, CodingKey, CaseIterable {
    case minimum = "minimumGainStops"
    case maximum = "maximumGainStops"
    case baseOffset = "baselineOffset"
    case gamma, alternateOffset
  }

  init(_ channel: GainMapMetadata.Channel) {
    minimum = channel.minimum.value
    maximum = channel.maximum.value
    gamma = channel.gamma.value
    baseOffset = channel.baseOffset.value
    alternateOffset = channel.alternateOffset.value
  }
}

/// A value of gain map metadata and its source.
struct GainMapNumberReport: ReportObject {
  static let schemaName = "gainMapNumber"
  let name: String
  let value: String
  let source: String
  let origin: String

  enum CodingKeys: String, CodingKey, CaseIterable { case name, value, source, origin }

  init(_ number: FoundGainMap.Description.Number) {
    name = number.name
    value = number.text
    source = number.source.rawValue
    origin = number.origin
  }
}
