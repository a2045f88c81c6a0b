// SPDX-License-Identifier: Apache-2.0
internal import ImageReports
internal import Platform
internal import HDRConversion
internal import HDRCore

/// A headroom in both units.
struct HeadroomReport: ReportObject {
  static let schemaName = "headroom"
  let ratio: Double
  let stops: Double

  enum CodingKeys: String, CodingKey, CaseIterable { case ratio, stops }

  init(_ headroom: Headroom) { (ratio, stops) = (headroom.ratio, headroom.stops) }
}

extension Headroom {
  /// Text with both units: `4x (2 stops)`.
  var text: String {
    self == .unlimited
      ? "unlimited"
      : "\(DiagnosticTemplate.short(ratio))x (\(DiagnosticTemplate.short(stops)) \(stops == 1 ? "stop" : "stops"))"
  }
}
