internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles
internal import RAWDevelop

/// Result of `inspect`: the contents of one file.
struct InspectionReport: ReportObject {
  static let schemaName = "inspectedFile"
  let file: String
  let bytes: Int
  let format: String
  let variant: String?
  let isHighDynamicRange: Bool
  /// `nil` for SDR images.
  let viewers: Viewers?
  let images: [ImageReport]
  let gainMaps: [GainMapReport]
  let raw: RawReport?
  let exif: ExifReport?
  let xmp: XMPReport?
  let light: LightReport?
  let notices: [NoticeReport]
  let structure: StructureReport?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case file = "input"
    case bytes, format, variant, isHighDynamicRange, viewers, images, gainMaps, raw, exif, xmp
    case light = "lightLevels"
    case notices, structure
  }

  init(_ inspected: InspectedFile) {
    let inspection = inspected.contents
    file = inspected.name
    bytes = inspection.byteCount
    format = inspection.format.rawValue
    variant = inspection.variant
    isHighDynamicRange = inspection.isHighDynamicRange
    viewers = Viewers.of(inspection)
    images = inspection.images.map(ImageReport.init)
    gainMaps = inspection.gainMaps.map(GainMapReport.init)
    raw = inspected.raw.map(RawReport.init)
    exif = inspection.exif.map(ExifReport.init)
    xmp = inspection.xmp.map(XMPReport.init)
    light = inspected.light.map(LightReport.init)
    notices = inspection.notices.map(NoticeReport.init)
    structure = inspected.structure.map(StructureReport.init)
  }
}
