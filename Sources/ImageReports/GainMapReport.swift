// SPDX-License-Identifier: Apache-2.0
package import GainMap
internal import HDRCore
package import ImageFiles

/// A gain map with its metadata.
package struct GainMapReport: ReportObject {
  package static let schemaName = "gainMap"
  package let image: String
  package let width: Int?
  package let height: Int?
  package let flavors: [String]
  package let isApplicable: Bool
  /// The reason why it cannot be applied.
  package let obstacle: CauseReport?
  /// Headrooms of the metadata in use, in stops.
  package let baseHeadroom: Double?
  package let alternateHeadroom: Double?
  package let carriers: [GainMapCarrierReport]

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case image, width, height, flavors, isApplicable, obstacle
    case carriers = "gainMapCarriers"
    case baseHeadroom = "baselineHeadroomStops"
    case alternateHeadroom = "alternateHeadroomStops"
  }

  package init(_ map: FoundGainMap) {
    image = map.location.name
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
package struct GainMapCarrierReport: ReportObject {
  package static let schemaName = "gainMapCarrier"
  package let flavor: String
  package let location: LocationReport?
  /// The error if it cannot be read.
  package let error: CauseReport?
  package let baseHeadroom: Double?
  package let alternateHeadroom: Double?
  package let usesBaseColorSpace: Bool?
  package let channels: [GainMapChannelReport]?
  /// Curve between samples and gain of the Apple flavor.
  package let curve: String?
  package let numbers: [GainMapNumberReport]?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case flavor, location, error, channels, numbers
    case baseHeadroom = "baselineHeadroomStops"
    case alternateHeadroom = "alternateHeadroomStops"
    case usesBaseColorSpace = "usesBaselineColorSpace"
    case curve = "appleCurve"
  }

  package init(_ carrier: FoundGainMap.Carrier) {
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
package struct GainMapChannelReport: ReportObject {
  package static let schemaName = "gainMapChannel"
  package let minimum: Double
  package let maximum: Double
  package let gamma: Double
  package let baseOffset: Double
  package let alternateOffset: Double

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case minimum = "minimumGainStops"
    case maximum = "maximumGainStops"
    case baseOffset = "baselineOffset"
    case gamma, alternateOffset
  }

  package init(_ channel: GainMapMetadata.Channel) {
    minimum = channel.minimum.value
    maximum = channel.maximum.value
    gamma = channel.gamma.value
    baseOffset = channel.baseOffset.value
    alternateOffset = channel.alternateOffset.value
  }
}

/// A value of gain map metadata and its source.
package struct GainMapNumberReport: ReportObject {
  package static let schemaName = "gainMapNumber"
  package let name: String
  package let value: String
  package let source: String
  package let origin: String

  package enum CodingKeys: String, CodingKey, CaseIterable { case name, value, source, origin }

  package init(_ number: FoundGainMap.Description.Number) {
    name = number.name
    value = number.text
    source = number.source.rawValue
    origin = number.origin
  }
}
