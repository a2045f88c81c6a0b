import Foundation
import Testing

@testable import hdrconvert

@Suite("Documentation of reports as JSON") struct ReportSchemaTests {
  /// The title of an object's table and its keys.
  typealias Object = (title: String, keys: [String])

  private static func object<Report: ReportObject>(_ type: Report.Type) -> Object {
    (type.title, type.keys)
  }

  /// The objects in the reports of a page, without those of other pages.
  private static let objects: [String: [Object]] = [
    "InspectJSON.md": [
      object(InspectionReports.self), object(FailureReport.self), object(InspectionReport.self),
      object(PictureReport.self),
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
      object(ColorTableReport.self), object(LightReport.self), object(NoticeReport.self),
      object(CauseReport.self),
      object(StructureReport.self), object(AdaptationReport.self),
    ],
    "CompareJSON.md": [
      object(ComparisonReport.self), object(PixelComparisonReport.self),
      object(DifferenceReport.self), object(AppliedGainMapReport.self),
      object(MetadataComparison.self), object(PayloadReport.self),
      object(StructureDifferenceReport.self), object(PartReport.self),
    ],
    "ConvertJSON.md": [object(ConversionReport.self), object(LayoutReport.self)],
    "RenderJSON.md": [
      object(RenderReport.self), object(RenderReport.Rendering.self),
      object(RenderReport.Pixels.self), object(HeadroomReport.self), object(DisplayList.self),
      object(DisplayList.Display.self),
    ],
    "SheetJSON.md": [object(SheetReport.self), object(SheetItemReport.self)],
    "TagJSON.md": [
      object(TagReport.self), object(TagReport.Change.self), object(TagReport.Payload.self),
    ],
    "ValidateJSON.md": [
      object(ValidationReports.self), object(ValidationReport.self),
      object(ValidationReport.RuleReport.self), object(ValidationReport.FindingReport.self),
    ],
    "CodecsJSON.md": [
      object(CodecsReport.self), object(CodecsReport.Format.self),
      object(CodecsReport.Choice.self),
    ],
    "CreateJSON.md": [
      object(GainMapCreationReport.self), object(GainMapCreationReport.Bytes.self),
      object(GainMapCreationReport.Picture.self), object(GainMapCreationReport.Difference.self),
    ],
    "FailureJSON.md": [object(FailureEnvelope.self)],
    "RemuxJSON.md": [object(RearrangingReport.self), object(RearrangingReport.Payload.self)],
  ]

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Documentation").standardized

  /// The keys in the first column of the table under each heading.
  private static func documentedKeys(_ page: String) throws -> [String: Set<String>] {
    let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
    var keys: [String: Set<String>] = [:]
    var title = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("## ") { title = String(line.dropFirst(3)) }
      guard line.hasPrefix("| `"), let cell = line.split(separator: "|").first else { continue }
      for name in cell.split(separator: ",") {
        keys[title, default: []].insert(
          name.trimmingCharacters(in: CharacterSet(charactersIn: " `")))
      }
    }
    return keys
  }

  /// The page contains a table for each object, with its keys and no other tables.
  @Test(arguments: objects.keys.sorted())
  func everyKeyIsDocumentedAndNoOther(page: String) throws {
    let objects = try #require(Self.objects[page])
    let documented = try Self.documentedKeys(page)
    #expect(Set(documented.keys) == Set(objects.map(\.title)))
    for object in objects {
      #expect(documented[object.title] == Set(object.keys), "\(object.title)")
    }
  }

  /// All pages are covered except the one on gain map files, whose keys are those of the standard.
  @Test func everyPageIsHeld() throws {
    let pages = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
      .filter { $0.hasSuffix("JSON.md") }
    #expect(Set(pages) == Set(Self.objects.keys).union(["GainMapJSON.md"]))
  }
}
