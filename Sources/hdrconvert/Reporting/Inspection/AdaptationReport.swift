internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// SMPTE ST 2094-50 metadata: what displays of other headrooms shall show.
struct AdaptationReport: ReportObject {
  static let title = "Headroom adaptation"
  let carriers: [String]
  let referenceWhite: Double
  let method: String?
  let baselineHeadroomStops: Double?
  let alternateHeadroomStops: [Double]?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case carriers, referenceWhite, method, baselineHeadroomStops, alternateHeadroomStops
  }

  /// What the strongest carrier says, and those that say the same; `nil` if there is none.
  init?(_ found: [FoundAdaptation]) {
    guard let adaptation = found.first?.adaptation else { return nil }
    carriers = found.filter { $0.adaptation == adaptation }.map(\.carrier.rawValue)
    referenceWhite = adaptation.referenceWhite
    switch adaptation.toneMap?.method {
    case .referenceWhite: method = "reference-white"
    case .alternates: method = "alternates"
    case nil: method = nil
    }
    baselineHeadroomStops = adaptation.toneMap?.baselineHeadroom.stops
    alternateHeadroomStops = adaptation.toneMap?.alternates.map(\.headroom.stops)
  }

  /// Two lines for people.
  var lines: [String] {
    let sources = carriers.joined(separator: ", ")
    guard let baselineHeadroomStops, let alternateHeadroomStops else {
      return ["reference white at \(short(referenceWhite)) cd/m², nothing about tone", sources]
    }
    let displays = alternateHeadroomStops.map(short).joined(separator: ", ")
    let others =
      if method == "reference-white" {
        "reference-white tone mapping for smaller displays"
      } else if alternateHeadroomStops.isEmpty {
        "to be clipped on smaller displays"
      } else {
        "pictures of its own for \(displays) stops"
      }
    return ["made for \(short(baselineHeadroomStops)) stops, \(others)", sources]
  }
}
