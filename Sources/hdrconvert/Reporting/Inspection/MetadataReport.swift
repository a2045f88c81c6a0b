internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// Common Exif values.
struct ExifReport: ReportObject {
  static let schemaName = "exif"
  let bytes: Int
  let make: String?
  let model: String?
  let lens: String?
  let software: String?
  let date: String?
  let exposureTime: Double?
  let fNumber: Double?
  let sensitivity: Double?
  let focalLength: Double?
  let orientation: Int?
  let hasLocation: Bool
  let makerNoteBytes: Int?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case bytes, make, model, lens, software, date, fNumber, orientation, hasLocation
    case exposureTime = "exposureTimeSeconds"
    case sensitivity = "isoSensitivity"
    case focalLength = "focalLengthMillimeters"
    case makerNoteBytes
  }

  init(_ exif: ExifSummary) {
    bytes = exif.byteCount
    make = exif.make
    model = exif.model
    lens = exif.lens
    software = exif.software
    date = exif.date
    exposureTime = exif.exposureTime
    fNumber = exif.fNumber
    sensitivity = exif.sensitivity
    focalLength = exif.focalLength
    orientation = exif.orientation?.rawValue
    hasLocation = exif.hasLocation
    makerNoteBytes = exif.makerNoteBytes
  }
}

/// Summary of an XMP packet.
struct XMPReport: ReportObject {
  static let schemaName = "xmp"
  let bytes: Int
  let namespaces: [String]
  let creatorTool: String?

  enum CodingKeys: String, CodingKey, CaseIterable { case bytes, namespaces, creatorTool }

  init(_ xmp: XMPSummary) {
    bytes = xmp.byteCount
    namespaces = xmp.namespaces
    creatorTool = xmp.creatorTool
  }
}
