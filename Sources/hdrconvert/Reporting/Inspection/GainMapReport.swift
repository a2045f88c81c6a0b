internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// A gain map with its metadata.
struct GainMapReport: ReportObject {
  static let title = "Gain map"
  let picture: String
  let width: Int?
  let height: Int?
  let flavors: [String]
  let isApplicable: Bool
  let objection: String?
  /// Headrooms of the metadata in use, in stops.
  let baseHeadroom: Double?
  let alternateHeadroom: Double?
  let spellings: [GainMapSpellingReport]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case picture, width, height, flavors, isApplicable, objection, baseHeadroom
    case alternateHeadroom, spellings
  }

  init(_ map: FoundGainMap) {
    picture = map.place.name
    width = map.layout?.width
    height = map.layout?.height
    flavors = map.flavors.map(\.rawValue)
    isApplicable = map.isApplicable
    objection = map.objection?.message
    baseHeadroom = map.metadata?.baseHeadroom.value
    alternateHeadroom = map.metadata?.alternateHeadroom.value
    spellings = map.carriers.map(GainMapSpellingReport.init)
  }
}

/// Gain map metadata of one flavor.
struct GainMapSpellingReport: ReportObject {
  static let title = "Gain-map description"
  let flavor: String
  let location: String?
  /// The error if it cannot be read.
  let error: String?
  let baseHeadroom: Double?
  let alternateHeadroom: Double?
  let usesBaseColorSpace: Bool?
  let channels: [GainMapChannelReport]?
  /// Curve between samples and gain of the Apple flavor.
  let curve: String?
  let numbers: [GainMapNumberReport]?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case flavor, location, error, baseHeadroom, alternateHeadroom, usesBaseColorSpace, channels
    case curve, numbers
  }

  init(_ carrier: FoundGainMap.Carrier) {
    flavor = carrier.flavor.rawValue
    let place = carrier.location.description
    location = place.isEmpty ? nil : place
    error = carrier.failure?.description
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
  static let title = "Gain-map channel"
  let minimum: Double
  let maximum: Double
  let gamma: Double
  let baseOffset: Double
  let alternateOffset: Double

  enum CodingKeys: String, CodingKey, CaseIterable {
    case minimum, maximum, gamma, baseOffset, alternateOffset
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
  static let title = "Gain-map number"
  let name: String
  let text: String
  let source: String
  let origin: String

  enum CodingKeys: String, CodingKey, CaseIterable { case name, text, source, origin }

  init(_ number: FoundGainMap.Description.Number) {
    name = number.name
    text = number.text
    source = number.source.rawValue
    origin = number.origin
  }
}
