// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
package import ImageFiles

/// Common Exif values.
package struct ExifReport: ReportObject {
  package static let schemaName = "exif"
  package let bytes: Int
  package let make: String?
  package let model: String?
  package let lens: String?
  package let software: String?
  package let date: String?
  package let exposureTime: Double?
  package let fNumber: Double?
  package let sensitivity: Double?
  package let focalLength: Double?
  package let orientation: Int?
  package let hasLocation: Bool
  package let makerNoteBytes: Int?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case bytes, make, model, lens, software, date, fNumber, orientation, hasLocation
    case exposureTime = "exposureTimeSeconds"
    case sensitivity = "isoSensitivity"
    case focalLength = "focalLengthMillimeters"
    case makerNoteBytes
  }

  package init(_ exif: ExifSummary) {
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
package struct XMPReport: ReportObject {
  package static let schemaName = "xmp"
  package let bytes: Int
  package let namespaces: [String]
  package let creatorTool: String?

  package enum CodingKeys: String, CodingKey, CaseIterable { case bytes, namespaces, creatorTool }

  package init(_ xmp: XMPSummary) {
    bytes = xmp.byteCount
    namespaces = xmp.namespaces
    creatorTool = xmp.creatorTool
  }
}
