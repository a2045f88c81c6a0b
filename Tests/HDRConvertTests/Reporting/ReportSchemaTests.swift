// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
import Foundation
import ImageReports
import Testing

@testable import Command

@Suite("JSON Schemas of reports") struct ReportSchemaTests {
  /// Definitions by name: the keys of an object, and those that are required.
  typealias Definitions = [String: (keys: Set<String>, required: Set<String>)]

  private static func keys<Report: ReportObject>(_ type: Report.Type) -> (String, Set<String>) {
    (type.schemaName, Set(type.keys))
  }

  /// The objects of the reports, by the name of their definition.
  private static let objects = Dictionary(uniqueKeysWithValues: [
    keys(FailureReport.self), keys(FieldReport.self), keys(NoticeReport.self),
    keys(CauseReport.self),
    keys(LocationReport.self), keys(LayoutReport.self), keys(LightReport.self),
    keys(DescriptionReport.self), keys(DescriptionReport.Light.self),
    keys(DescriptionReport.Display.self), keys(DescriptionReport.Volume.self),
    keys(DescriptionReport.Environment.self), keys(DescriptionReport.Ambient.self),
    keys(HeadroomReport.self), keys(AppliedGainMapReport.self), keys(DisplayRenderingReport.self),
    keys(DisplayRenderingReport.Pixels.self), keys(ConversionReport.self),
    keys(RewritingReport.self), keys(CodedDataReport.self), keys(GainMapCreationReport.self),
    keys(GainMapCreationReport.CodedImage.self), keys(DifferenceReport.self),
    keys(DisplayReport.self), keys(TagReport.self), keys(TagReport.Change.self),
    keys(ExtractedPartReport.self), keys(ExtractedGainMapReport.self), keys(SheetItemReport.self),
    keys(CodecsReport.self), keys(CodecsReport.Platform.self),
    keys(CodecsReport.Format.self), keys(CodecsReport.Choice.self),
    keys(ComparisonReport.self), keys(SizeReport.self), keys(PixelComparisonReport.self),
    keys(MetadataComparison.self), keys(ValidationReport.FixReport.self),
    keys(PayloadReport.self), keys(StructureDifferenceReport.self), keys(PartReport.self),
    keys(ValidationReport.self), keys(ValidationReport.RuleReport.self),
    keys(ValidationReport.FindingReport.self), keys(InspectionReport.self),
    keys(ImageReport.self), keys(Viewers.self), keys(CodingReport.self), keys(TilesReport.self),
    keys(ColorReport.self), keys(CarrierReport.self), keys(ProfileReport.self),
    keys(AdaptationReport.self), keys(GainMapReport.self), keys(GainMapCarrierReport.self),
    keys(GainMapChannelReport.self), keys(GainMapNumberReport.self), keys(RawReport.self),
    keys(LevelsReport.self), keys(MatteReport.self), keys(PreviewReport.self),
    keys(RecipeReport.self), keys(CorrectionReport.self), keys(CameraProfileReport.self),
    keys(CalibrationReport.self), keys(GainTableReport.self), keys(ColorTableReport.self),
    keys(ExifReport.self), keys(XMPReport.self), keys(StructureReport.self),
    keys(JournalReport.self), keys(JournalReport.CodeCount.self),
    keys(ListedOutputReport.self), keys(ListedRuleReport.self),
  ])

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Documentation/schemas").standardized

  private static func schema(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: folder.appending(path: "\(name).json"))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path())
      .map { String($0.prefix { $0 != "." }) }
      .filter { !["gainmap-metadata", "journal-line"].contains($0) }
  }

  /// The closed objects that a schema defines.
  private static func definitions(_ name: String) throws -> Definitions {
    let all = try schema(name)["$defs"] as? [String: [String: Any]] ?? [:]
    return all.compactMapValues { definition in
      guard let properties = definition["properties"] as? [String: Any] else { return nil }
      #expect(definition["additionalProperties"] as? Bool == false, "\(name)")
      return (Set(properties.keys), Set(definition["required"] as? [String] ?? []))
    }
  }

  /// Every object is defined once, with its keys, and every definition is of an object.
  @Test func definitionsHaveTheKeys() throws {
    var defined: Set<String> = []
    for name in try Self.names() {
      for (title, definition) in try Self.definitions(name) {
        #expect(defined.insert(title).inserted, "\(title) is defined twice")
        #expect(Self.objects[title] == definition.keys, "\(name): \(title)")
        #expect(definition.required.isSubset(of: definition.keys), "\(name): \(title)")
      }
    }
    #expect(defined == Set(Self.objects.keys))
  }

  /// Coded data have the status that the schema lists.
  @Test func statusesAreListed() throws {
    let all = try Self.schema("common")["$defs"] as? [String: [String: Any]]
    let properties = all?["codedData"]?["properties"] as? [String: [String: Any]]
    let statuses = properties?["status"]?["enum"] as? [String]
    #expect(statuses == CodedDataReport.Status.allCases.map(\.rawValue))
  }

  /// Reports without a verb, or of a group of verbs, are those of the default verb.
  @Test(arguments: [
    ("gainmap foo --json", "convert"), ("gainmap", "convert"), ("gainmap swap a", "gainmap swap"),
    ("a.heic", "convert"), ("remux", "remux"),
  ])
  func reportsHaveTheSchemaOfAVerb(words: String, verb: String) {
    let arguments = ["hdrconvert"] + words.split(separator: " ").map(String.init)
    #expect(Invocation(arguments).verbOfReport == verb)
  }

  /// There is a schema for each verb, with the keys of a report.
  @Test func everyVerbHasASchema() throws {
    let verbs = HDRConvert.configuration.subcommands.flatMap { verb in
      let nested = verb.configuration.subcommands
      return nested.isEmpty
        ? [verb._commandName] : nested.map { "\(verb._commandName)-\($0._commandName)" }
    }
    #expect(try Set(Self.names()) == Set(verbs).union(["common", "request"]))
    for verb in verbs {
      let schema = try Self.schema(verb)
      let properties = try #require(schema["properties"] as? [String: [String: Any]])
      #expect(Set(properties.keys) == Set(JSONReport<ConversionReport>.keys))
      #expect(properties["schema"]?["const"] as? String == "hdrconvert/\(verb)/1")
      #expect(schema["additionalProperties"] as? Bool == false)
    }
  }
}
