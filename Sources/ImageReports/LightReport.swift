// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
package import HDRCore
internal import ImageFiles

/// Measured light levels, in cd/m².
package struct LightReport: ReportObject {
  package static let schemaName = "lightLevels"
  package let maxCLL: Double
  package let maxFALL: Double
  package let minimumLuminance: Double
  package let maximumLuminance: Double
  package let averageLuminance: Double
  /// 99.99th percentile of max(R, G, B).
  package let percentile9999: Double
  package let contentHeadroomStops: Double
  package let usedPrimaries: String

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case maxCLL = "maxCLLNits"
    case maxFALL = "maxFALLNits"
    case minimumLuminance = "minimumLuminanceNits"
    case maximumLuminance = "maximumLuminanceNits"
    case averageLuminance = "averageLuminanceNits"
    case percentile9999 = "percentile9999Nits"
    case contentHeadroomStops
    case usedPrimaries = "containingPrimaries"
  }

  package init(_ light: LightLevels) {
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
