internal import HDRCore
internal import ImageCodecs

/// What `inspect --json` prints.
struct InspectionReports: ReportObject {
  static let title = "Report"
  let schema = "hdrconvert/inspect/1"
  let files: [InspectionReport]

  enum CodingKeys: String, CodingKey, CaseIterable { case schema, files }
}

/// What `inspect` tells of one file.
struct InspectionReport: ReportObject {
  static let title = "File"
  let file: String
  let bytes: Int
  let format: String
  let variant: String?
  let isHighDynamicRange: Bool
  let pictures: [PictureReport]
  let gainMaps: [GainMapReport]
  let exif: ExifReport?
  let xmp: XMPReport?
  let light: LightReport?
  let notices: [NoticeReport]
  let structure: StructureReport?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case file, bytes, format, variant, isHighDynamicRange, pictures, gainMaps, exif, xmp, light
    case notices, structure
  }

  /// - Parameters:
  ///   - file: The name that people gave.
  ///   - inspection: What was found.
  ///   - light: What was measured, if it was.
  ///   - showsStructure: Whether the tree is part of the report.
  init(
    file: String, _ inspection: FileInspection, light: LightLevels?, showsStructure: Bool
  ) {
    self.file = file
    bytes = inspection.byteCount
    format = inspection.format.rawValue
    variant = inspection.variant
    isHighDynamicRange = inspection.isHighDynamicRange
    pictures = inspection.pictures.map(PictureReport.init)
    gainMaps = inspection.gainMaps.map(GainMapReport.init)
    exif = inspection.exif.map(ExifReport.init)
    xmp = inspection.xmp.map(XMPReport.init)
    self.light = light.map(LightReport.init)
    notices = inspection.notices.map(NoticeReport.init)
    structure = showsStructure ? StructureReport(inspection.structure) : nil
  }
}
