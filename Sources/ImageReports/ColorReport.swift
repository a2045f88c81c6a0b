// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
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
