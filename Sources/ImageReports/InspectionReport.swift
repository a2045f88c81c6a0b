// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
package import HDRCore
package import ImageFiles
package import RAWDevelop

/// Result of `inspect`: the contents of one file.
package struct InspectionReport: ReportObject {
  package static let schemaName = "inspectedFile"
  package let file: String
  package let bytes: Int
  package let format: String
  package let variant: String?
  package let isHighDynamicRange: Bool
  /// `nil` for SDR images.
  package let viewers: Viewers?
  package let images: [ImageReport]
  package let gainMaps: [GainMapReport]
  package let raw: RawReport?
  package let exif: ExifReport?
  package let xmp: XMPReport?
  /// Size of the video of a motion photo, in bytes.
  package let videoBytes: Int?
  package let light: LightReport?
  /// Of the SDR image, if `light` is with the gain map.
  package let baselineLight: LightReport?
  package let notices: [NoticeReport]
  package let structure: StructureReport?

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case file = "input"
    case bytes, format, variant, isHighDynamicRange, viewers, images, gainMaps, raw, exif, xmp
    case videoBytes
    case light = "lightLevels"
    case baselineLight = "baselineLightLevels"
    case notices, structure
  }

  /// Reports the contents of a file.
  ///
  /// - Parameters:
  ///   - inspected: The contents.
  ///   - remedy: Returns the suggested action for a notice, if there is one.
  package init(_ inspected: InspectedFile, remedy: (Notice) -> String? = { _ in nil }) {
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
    videoBytes = inspection.videoByteCount
    light = inspected.light.map(LightReport.init)
    baselineLight = inspected.baselineLight.map(LightReport.init)
    notices = inspection.notices.map { NoticeReport($0, remedy: remedy($0)) }
    structure = inspected.structure.map(StructureReport.init)
  }
}

/// A file with the parts that its report contains.
package struct InspectedFile {
  /// The name as it was given.
  package let name: String
  package private(set) var contents: FileContents
  /// Development parameters of a raw file.
  package let raw: RawInspection?
  /// Boxes, segments, chunks or directories, if they were requested.
  package private(set) var structure: StructureNode?
  /// Light levels of the image with its gain map applied in full, if they were measured.
  package private(set) var light: LightLevels?
  /// Those of the SDR image of a file with a gain map.
  package private(set) var baselineLight: LightLevels?

  /// Inspects a file; samples are decoded if light levels are measured.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - name: Its name as it was given.
  ///   - showsStructure: Whether the structure is included.
  ///   - measuresLight: Whether light levels are measured.
  /// - Throws: Errors of parsers, and of decoders if light levels are measured.
  package init(
    _ file: ImageFile, named name: String, showsStructure: Bool = false, measuresLight: Bool = false
  ) throws(ImageError) {
    self.name = name
    (contents, raw) = try file.contentsWithRaw()
    if showsStructure { structure = try file.structure() }
    guard measuresLight else { return }
    (light, baselineLight) = try SourceImage.open(file).measuredLight(notices: &contents.notices)
    contents.notices += file.decodingNotices.all
  }
}

/// A field of a part of a file, as text.
package struct FieldReport: ReportObject {
  package static let schemaName = "field"
  package let name: String
  package let value: String

  package enum CodingKeys: String, CodingKey, CaseIterable { case name, value }

  package init(_ field: StructureNode.Field) {
    name = field.name
    value = field.value
  }
}

/// A part of a file: a box, a segment, a chunk, a directory.
package struct StructureReport: ReportObject {
  package static let schemaName = "structure"
  package let name: String
  package let offset: Int?
  package let length: Int?
  package let fields: [FieldReport]
  package let children: [StructureReport]

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case name, fields, children
    case offset = "byteOffset"
    case length = "bytes"
  }

  package init(_ node: StructureNode) {
    name = node.name
    offset = node.range?.lowerBound
    length = node.range?.count
    fields = node.fields.map(FieldReport.init)
    children = node.children.map(StructureReport.init)
  }
}

extension StructureNode {
  /// The tree as people read it: a line for each part, those inside it indented.
  package func lines(indentation: Int = 0) -> [String] {
    let place = range.map { "  @\($0.lowerBound) +\($0.count)" } ?? ""
    let fields = fields.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
    let line =
      String(repeating: "  ", count: indentation) + name + place
      + (fields.isEmpty ? "" : "  " + fields)
    return [line] + children.flatMap { $0.lines(indentation: indentation + 1) }
  }
}

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
