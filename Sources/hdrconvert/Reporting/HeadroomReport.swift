internal import Foundation
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// A headroom as machines read it, in both units.
struct HeadroomReport: ReportObject {
  static let title = "Headroom"
  let ratio: Double
  let stops: Double

  enum CodingKeys: String, CodingKey, CaseIterable { case ratio, stops }

  init(_ headroom: Headroom) { (ratio, stops) = (headroom.ratio, headroom.stops) }
}

extension Headroom {
  /// For people, in both units: `4x (2 stops)`.
  var inWords: String {
    self == .unlimited
      ? "without limit"
      : String(format: "%.4gx (%.4g \(stops == 1 ? "stop" : "stops"))", ratio, stops)
  }
}
