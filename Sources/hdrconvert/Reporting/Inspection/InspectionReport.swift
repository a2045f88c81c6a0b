internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles
internal import RAWDevelop

/// JSON report of `inspect`.
struct InspectionReports: ReportObject {
  static let title = "Report"
  let schema = "hdrconvert/inspect/1"
  let files: [InspectionReport]
  let failures: [FailureReport]

  enum CodingKeys: String, CodingKey, CaseIterable { case schema, files, failures }
}

/// Report about one file.
struct InspectionReport: ReportObject {
  static let title = "File"
  let file: String
  let bytes: Int
  let format: String
  let variant: String?
  let isHighDynamicRange: Bool
  let pictures: [PictureReport]
  let gainMaps: [GainMapReport]
  let raw: RawReport?
  let exif: ExifReport?
  let xmp: XMPReport?
  let light: LightReport?
  let notices: [NoticeReport]
  let structure: StructureReport?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case file, bytes, format, variant, isHighDynamicRange, pictures, gainMaps, raw, exif, xmp
    case light, notices, structure
  }

  init(_ inspected: InspectedFile) {
    let inspection = inspected.contents
    file = inspected.name
    bytes = inspection.byteCount
    format = inspection.format.rawValue
    variant = inspection.variant
    isHighDynamicRange = inspection.isHighDynamicRange
    pictures = inspection.images.map(PictureReport.init)
    gainMaps = inspection.gainMaps.map(GainMapReport.init)
    raw = inspected.raw.map(RawReport.init)
    exif = inspection.exif.map(ExifReport.init)
    xmp = inspection.xmp.map(XMPReport.init)
    light = inspected.light.map(LightReport.init)
    notices = inspection.notices.map(NoticeReport.init)
    structure = inspected.structure.map(StructureReport.init)
  }
}
