internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// Color of an image and its sources.
struct ColorReport: ReportObject {
  static let schemaName = "color"
  let primaries: String
  let transfer: String
  let matrix: Int
  let referenceWhite: Double
  let primariesFrom: String
  let transferFrom: String
  let matrixFrom: String?
  let reason: String
  let carriers: [CarrierReport]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case primaries, transfer, matrix, reason
    case carriers = "colorCarriers"
    case referenceWhite = "referenceWhiteNits"
    case primariesFrom = "primariesSource"
    case transferFrom = "transferSource"
    case matrixFrom = "matrixSource"
  }

  init(_ color: ColorInspection) {
    primaries = color.encoding.primaries.name
    transfer = color.encoding.transfer.name
    matrix = Int(color.encoding.matrix.rawValue)
    referenceWhite = color.encoding.referenceWhite
    primariesFrom = color.primariesFrom
    transferFrom = color.transferFrom
    matrixFrom = color.matrixFrom
    reason = color.reason
    carriers = color.carriers.map(CarrierReport.init)
  }
}

/// A place in the file that declares color.
struct CarrierReport: ReportObject {
  static let schemaName = "colorCarrier"
  let name: String
  let description: String
  let cicp: String?
  let profile: ProfileReport?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case name, description, cicp
    case profile = "iccProfile"
  }

  init(_ carrier: ColorInspection.Carrier) {
    name = carrier.name
    description = carrier.summary
    cicp = carrier.cicp?.description
    profile = carrier.profile.map(ProfileReport.init)
  }
}

/// An ICC profile.
struct ProfileReport: ReportObject {
  static let schemaName = "profile"
  let bytes: Int
  let description: String?
  let version: String
  let deviceClass: String
  let colorSpace: String
  let cicp: String?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case bytes, description, version, deviceClass, colorSpace, cicp
  }

  init(_ profile: ProfileSummary) {
    bytes = profile.byteCount
    description = profile.description
    version = profile.version
    deviceClass = profile.deviceClass
    colorSpace = profile.colorSpace
    cicp = profile.cicp?.description
  }
}
