// SPDX-License-Identifier: Apache-2.0
package import HDRCore
package import ImageFiles

/// Color of an image and its sources.
package struct ColorReport: ReportObject {
  package static let schemaName = "color"
  package let primaries: String
  package let transfer: String
  package let matrix: Int
  package let referenceWhite: Double
  package let primariesSource: String
  package let transferSource: String
  package let matrixSource: String?
  package let reason: String
  package let carriers: [CarrierReport]

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case primaries, transfer, matrix, primariesSource, transferSource, matrixSource, reason
    case carriers = "colorCarriers"
    case referenceWhite = "referenceWhiteNits"
  }

  package init(_ color: ColorInspection) {
    primaries = color.isColorManaged ? "icc profile" : color.encoding.primaries.name
    transfer = color.isColorManaged ? "icc profile" : color.encoding.transfer.name
    matrix = Int(color.encoding.matrix.rawValue)
    referenceWhite = color.encoding.referenceWhite
    primariesSource = color.primariesSource
    transferSource = color.transferSource
    matrixSource = color.matrixSource
    reason = color.reason
    carriers = color.carriers.map(CarrierReport.init)
  }
}

/// A place in the file that declares color.
package struct CarrierReport: ReportObject {
  package static let schemaName = "colorCarrier"
  package let name: String
  package let description: String
  package let cicp: String?
  package let profile: ProfileReport?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case name, description, cicp
    case profile = "iccProfile"
  }

  package init(_ carrier: ColorInspection.Carrier) {
    name = carrier.name
    description = carrier.summary
    cicp = carrier.cicp?.description
    profile = carrier.profile.map(ProfileReport.init)
  }
}

/// An ICC profile.
package struct ProfileReport: ReportObject {
  package static let schemaName = "profile"
  package let bytes: Int
  package let description: String?
  package let version: String
  package let deviceClass: String
  package let colorSpace: String
  package let cicp: String?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case bytes, description, version, deviceClass, colorSpace, cicp
  }

  package init(_ profile: ProfileSummary) {
    bytes = profile.byteCount
    description = profile.description
    version = profile.version
    deviceClass = profile.deviceClass
    colorSpace = profile.colorSpace
    cicp = profile.cicp?.description
  }
}

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

extension ColorPrimaries {
  /// The name in options, or the chromaticities.
  package var name: String {
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

/// The common name of primaries.
///
/// - Parameter name: Their name in options, or chromaticities.
/// - Returns: Text for people.
package func primariesTitle(_ name: String) -> String {
  switch name {
  case "bt2020": "BT.2020"
  case "p3": "Display P3"
  case "bt709": "BT.709 primaries"
  case "adobergb": "Adobe RGB"
  case "prophoto": "ProPhoto RGB"
  case "aces": "ACES"
  case "acescg": "ACEScg"
  default: "primaries " + name
  }
}

extension TransferFunction {
  package var name: String {
    switch self {
    case .linear: "linear"
    case .pq: "pq"
    case .hlg: "hlg"
    case .srgb: "srgb"
    case .bt1886: "bt1886"
    case .gamma(let exponent): "gamma \(exponent)"
    case .sampled(let curves): curves.isBT709 ? "bt709" : "icc curves"
    }
  }
}

extension ProfileCurves {
  /// Whether the curves are the inverse OETF of BT.709, rounded as in profiles.
  package var isBT709: Bool {
    (0...256).allSatisfy { step in
      let signal = Double(step) / 256
      return (0..<3).allSatisfy { component in
        abs(self[component].linearValue(ofSignal: signal) - BT709.inverseOETF(signal)) <= 5e-4
      }
    }
  }
}
