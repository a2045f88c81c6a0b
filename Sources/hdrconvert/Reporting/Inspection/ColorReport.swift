internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// Color of an image and its sources.
struct ColorReport: ReportObject {
  static let title = "Color"
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
    case primaries, transfer, matrix, referenceWhite, primariesFrom, transferFrom, matrixFrom
    case reason, carriers
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
  static let title = "Carrier"
  let name: String
  let says: String
  let cicp: String?
  let profile: ProfileReport?

  enum CodingKeys: String, CodingKey, CaseIterable { case name, says, cicp, profile }

  init(_ carrier: ColorInspection.Carrier) {
    name = carrier.name
    says = carrier.says
    cicp = carrier.cicp?.description
    profile = carrier.profile.map(ProfileReport.init)
  }
}

/// An ICC profile.
struct ProfileReport: ReportObject {
  static let title = "Profile"
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
