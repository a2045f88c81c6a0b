import Foundation
import Testing

@testable import hdrconvert

@Suite("Documentation of inspect --json") struct InspectionSchemaTests {
  /// Every object that the report is made of.
  static let objects: [(title: String, keys: [String])] = [
    object(InspectionReports.self), object(InspectionReport.self), object(PictureReport.self),
    object(CodingReport.self), object(TilesReport.self), object(ColorReport.self),
    object(CarrierReport.self), object(ProfileReport.self), object(DescriptionReport.self),
    object(DescriptionReport.Light.self), object(DescriptionReport.Display.self),
    object(DescriptionReport.Volume.self), object(DescriptionReport.Environment.self),
    object(DescriptionReport.Ambient.self), object(ExifReport.self), object(XMPReport.self),
    object(GainMapReport.self), object(GainMapSpellingReport.self),
    object(GainMapChannelReport.self), object(GainMapNumberReport.self),
    object(RawReport.self), object(LevelsReport.self), object(MatteReport.self),
    object(PreviewReport.self), object(RecipeReport.self), object(CameraProfileReport.self),
    object(CalibrationReport.self), object(CorrectionReport.self), object(GainTableReport.self),
    object(ColorTableReport.self),
    object(LightReport.self),
    object(NoticeReport.self), object(StructureReport.self),
    object(AdaptationReport.self),
  ]

  static func object<Object: ReportObject>(
    _ type: Object.Type
  ) -> (title: String, keys: [String]) {
    (type.title, type.keys)
  }

  /// Keys in the first column of the table under each heading.
  static func documentedKeys(_ name: String) throws -> [String: Set<String>] {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Documentation/\(name)").standardized
    var keys: [String: Set<String>] = [:]
    var title = ""
    for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("## ") { title = String(line.dropFirst(3)) }
      guard line.hasPrefix("| `"), let cell = line.split(separator: "|").first else { continue }
      for name in cell.split(separator: ",") {
        keys[title, default: []].insert(
          name.trimmingCharacters(in: CharacterSet(charactersIn: " `")))
      }
    }
    return keys
  }

  /// The page has a table for each of the objects, which holds its keys, and no other.
  static func expect(_ objects: [(title: String, keys: [String])], in page: String) throws {
    let documented = try documentedKeys(page)
    #expect(Set(documented.keys) == Set(objects.map(\.title)))
    for object in objects {
      #expect(documented[object.title] == Set(object.keys), "\(object.title)")
    }
  }

  @Test func everyKeyIsDocumentedAndNoOther() throws {
    try Self.expect(Self.objects, in: "InspectJSON.md")
  }
}

@Suite("Documentation of compare --json") struct ComparisonSchemaTests {
  static let objects = [
    InspectionSchemaTests.object(ComparisonReport.self),
    InspectionSchemaTests.object(PixelComparisonReport.self),
    InspectionSchemaTests.object(DifferenceReport.self),
    InspectionSchemaTests.object(AppliedGainMapReport.self),
    InspectionSchemaTests.object(MetadataComparison.self),
    InspectionSchemaTests.object(PayloadReport.self),
    InspectionSchemaTests.object(StructureDifferenceReport.self),
    InspectionSchemaTests.object(PartReport.self),
  ]

  @Test func everyKeyIsDocumentedAndNoOther() throws {
    try InspectionSchemaTests.expect(Self.objects, in: "CompareJSON.md")
  }
}

@Suite("Documentation of convert --json") struct ConversionSchemaTests {
  static let objects = [
    InspectionSchemaTests.object(ConversionReport.self),
    InspectionSchemaTests.object(LayoutReport.self),
  ]

  @Test func everyKeyIsDocumentedAndNoOther() throws {
    try InspectionSchemaTests.expect(Self.objects, in: "ConvertJSON.md")
  }
}

@Suite("Documentation of render --json") struct RenderSchemaTests {
  static let objects = [
    InspectionSchemaTests.object(RenderReport.self),
    InspectionSchemaTests.object(RenderReport.Rendering.self),
    InspectionSchemaTests.object(RenderReport.Pixels.self),
    InspectionSchemaTests.object(HeadroomReport.self),
    InspectionSchemaTests.object(DisplayList.self),
    InspectionSchemaTests.object(DisplayList.Display.self),
  ]

  @Test func everyKeyIsDocumentedAndNoOther() throws {
    try InspectionSchemaTests.expect(Self.objects, in: "RenderJSON.md")
  }
}

@Suite("Documentation of sheet --json") struct SheetSchemaTests {
  static let objects = [
    InspectionSchemaTests.object(SheetReport.self),
    InspectionSchemaTests.object(SheetItemReport.self),
  ]

  @Test func everyKeyIsDocumentedAndNoOther() throws {
    try InspectionSchemaTests.expect(Self.objects, in: "SheetJSON.md")
  }
}

@Suite("Documentation of tag --json") struct TagSchemaTests {
  static let objects = [
    InspectionSchemaTests.object(TagReport.self),
    InspectionSchemaTests.object(TagReport.Change.self),
    InspectionSchemaTests.object(TagReport.Payload.self),
  ]

  @Test func everyKeyIsDocumentedAndNoOther() throws {
    try InspectionSchemaTests.expect(Self.objects, in: "TagJSON.md")
  }
}

@Suite("Documentation of validate --json") struct ValidationSchemaTests {
  static let objects = [
    InspectionSchemaTests.object(ValidationReports.self),
    InspectionSchemaTests.object(ValidationReport.self),
    InspectionSchemaTests.object(ValidationReport.RuleReport.self),
    InspectionSchemaTests.object(ValidationReport.FindingReport.self),
  ]

  @Test func everyKeyIsDocumentedAndNoOther() throws {
    try InspectionSchemaTests.expect(Self.objects, in: "ValidateJSON.md")
  }
}

@Suite("Documentation of codecs --json") struct CodecsSchemaTests {
  static let objects = [
    InspectionSchemaTests.object(CodecsReport.self),
    InspectionSchemaTests.object(CodecsReport.Format.self),
  ]

  @Test func everyKeyIsDocumentedAndNoOther() throws {
    try InspectionSchemaTests.expect(Self.objects, in: "CodecsJSON.md")
  }
}

@Suite("Documentation of gainmap create --json") struct CreationSchemaTests {
  static let objects = [
    InspectionSchemaTests.object(GainMapCreationReport.self),
    InspectionSchemaTests.object(GainMapCreationReport.Bytes.self),
    InspectionSchemaTests.object(GainMapCreationReport.Picture.self),
    InspectionSchemaTests.object(GainMapCreationReport.Difference.self),
  ]

  @Test func everyKeyIsDocumentedAndNoOther() throws {
    try InspectionSchemaTests.expect(Self.objects, in: "CreateJSON.md")
  }
}

@Suite("Documentation of remux --json") struct RearrangingSchemaTests {
  static let objects = [
    InspectionSchemaTests.object(RearrangingReport.self),
    InspectionSchemaTests.object(RearrangingReport.Payload.self),
  ]

  @Test func everyKeyIsDocumentedAndNoOther() throws {
    try InspectionSchemaTests.expect(Self.objects, in: "RemuxJSON.md")
  }
}
