// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
package import ImageFiles

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
