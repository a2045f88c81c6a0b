// SPDX-License-Identifier: Apache-2.0
#if AVIF && PNG && JPEG && TIFF && EXR && HEIF && JPEGXL && RAW
import HDRCore
import ImageCodecs
import TestSupport
import Testing

@testable import HDRConversion
@testable import ImageFiles

/// Each kind of work keeps every metadata item of a file, or a notice or a step of the plan names it.
@Suite("Kept metadata") struct KeptMetadataTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var work: String
    var input: String
    var fields: [String: String]

    var testDescription: String {
      "\(work) of \(input), " + fields.map { "\($0): \($1)" }.sorted().joined(separator: ", ")
    }
  }

  private static let hdr = "containers/iso22028-5-pq.avif"
  private static let gainMap = "containers/gain-map-iso.avif"
  static let cases: [Case] = {
    var cases = [
      Case(
        work: "edit", input: hdr, fields: ["copying": q("required"), "metadata.orientation": "3"]),
      Case(work: "sameFormat", input: gainMap, fields: ["geometry.longSide": "32"]),
    ]
    func add(_ work: String, _ input: String, _ format: FileFormat, _ fields: [String: String]) {
      var fields = fields
      fields["coding.format"] = q(format.rawValue)
      cases.append(Case(work: work, input: input, fields: fields))
    }
    for format in FileFormat.allCases where format.isWritten {
      add("convert", hdr, format, ["content": q("sdr")])
      if format != .jpeg { add("convert", hdr, format, ["content": q("hdr")]) }
      guard format.traits.gainMapCodec != nil else { continue }
      add("create", hdr, format, ["content": q("gainMap")])
      if format != .avif {
        add("transcode", gainMap, format, ["gainMap.use": q("keep")])
      }
      guard format != .jpeg else { continue }
      add("swap", gainMap, format, ["gainMap.baseline": q("alternate")])
    }
    return cases
  }()

  private static func q(_ text: String) -> String { "\"\(text)\"" }

  private static let full = LightMetadata(
    diffuseWhite: 150,
    referenceEnvironment: .init(
      surroundLuminance: 5, surroundLight: .d65, peripheryLuminance: 4, peripheryLight: .d65),
    ambientEnvironment: .init(illuminance: 10, light: .d65),
    masteringDisplay: .init(
      primaries: .displayP3, maximumLuminance: 1000, minimumLuminance: 0.005),
    contentColorVolume: .init(primaries: .displayP3, maximumLuminance: 900),
    contentLightLevel: .init(maximum: 900, maximumAverage: 90))

  /// A reference file with every item; in one with a gain map, both images have the light metadata.
  private func file(_ name: String) throws -> ImageFile {
    var file = try ImageFile(
      parsing: ByteSource(try ConversionTableTests.reference(name)()))
    for item in try [nil] + file.contents().gainMaps.map(\.toneMapItem) {
      var edit = MetadataEdit()
      edit.item = item
      for light in LightMetadata.items {
        let isPresent = light.isPresent(in: Self.full)
        #expect(isPresent, "\(light.field) is missing in this test")
        light.set(Self.full, in: &edit)
      }
      if item == nil {
        edit.exif = .set(ExifBlock.minimal(orientation: .upright))
        edit.xmp = .set(
          Array(
            String(decoding: XMPPacket.empty, as: UTF8.self).replacing(
              " rdf:about=\"\"",
              with: " rdf:about=\"\" xmlns:x=\"urn:kept\" x:Kept=\"kept\""
            ).utf8))
      }
      file = try file.edited(by: edit).file
    }
    return file
  }

  private func plan(
    _ testCase: Case, _ change: (inout ConversionRequest.Metadata) -> Void
  ) throws -> ConversionPlan {
    var request = try ConversionRequest(json: ConversionRequestTests.json(testCase.fields))
    request.coding.speed = request.copying == .required || testCase.work == "sameFormat" ? nil : 10
    change(&request.metadata)
    let plan = try file(testCase.input).plan(for: request) {
      try ByteSource(ConversionTableTests.reference($0)())
    }
    let work = "\(plan.work)".prefix { $0 != "(" }
    #expect(work == testCase.work)
    return plan
  }

  /// Items that are removed as requested are not reported as lost.
  @Test(arguments: cases) func droppedItemsAreNotNoticed(testCase: Case) throws {
    let dropped = MetadataItem.light.map(\.item).filter { !$0.isMeasurable }
    let plan = try plan(testCase) { metadata in
      for item in dropped { item.drop(&metadata) }
    }
    let (bytes, result) = try plan.bytes()
    let contents = try ImageFile(parsing: ByteSource(bytes)).contents()
    let lights = [contents.primary.light] + contents.gainMaps.map(\.alternate.light)
    for (item, light) in MetadataItem.light where !item.isMeasurable {
      #expect(!lights.contains { light.isPresent(in: $0) }, "\(item.name)")
      let messages = (result.notices + plan.notices).map(\.message)
      #expect(
        !messages.contains { $0.contains(item.title) || $0.contains(item.name) }, "\(item.name)")
    }
  }

  @Test(arguments: cases) func everyItemIsKeptOrNamed(testCase: Case) throws {
    let plan = try plan(testCase) { _ in }
    let (bytes, result) = try plan.bytes()
    let output = try ImageFile(parsing: ByteSource(bytes))
    let contents = try output.contents()
    let lights = [contents.primary.light] + contents.gainMaps.map(\.alternate.light)
    func isNamed(_ names: String...) -> Bool {
      names.contains { name in
        result.notices.contains { $0.message.contains(name) }
          || plan.steps.contains { $0.item == name && $0.action == .drop }
      }
    }
    // Others describe the output, and are measured.
    for (item, light) in MetadataItem.light where !item.isMeasurable {
      let isKept = lights.contains { light.isPresent(in: $0) }
      #expect(isKept || isNamed(item.name, item.title), "\(item.name)")
    }
    let summary = try output.metadataSummary()
    // Where directories of the file are its Exif, its orientation is the file's.
    #expect(summary.exif != nil || output.format.traits.exifIsOfTheFile || isNamed("Exif"))
    let xmp = summary.xmp.map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(xmp.contains("urn:kept") || isNamed("XMP"))
  }
}
#endif
