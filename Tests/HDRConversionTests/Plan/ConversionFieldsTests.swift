// SPDX-License-Identifier: Apache-2.0
#if AVIF && PNG && JPEG && TIFF && EXR && HEIF && JPEGXL && RAW
import Foundation
import HDRCore
import ImageCodecs
import ImageFiles
import TestSupport
import Testing

@testable import HDRConversion

/// Each field of a request, alone, on each kind of input: it has an effect, or an error names it.
@Suite("Fields of a request") struct ConversionFieldsTests {
  struct Input: CustomTestStringConvertible, Sendable {
    let name: String
    let format: FileFormat
    let bytes: @Sendable () throws -> [UInt8]

    var testDescription: String { "\(name) to \(format)" }
  }

  static let inputs = [FileFormat.jpeg, .avif].flatMap { format in
    [
      Input(
        name: "SDR", format: format,
        bytes: {
          try ConversionTableTests.ramp(.png, ColorEncoding(primaries: .displayP3, transfer: .srgb))
        }),
      Input(
        name: "PQ", format: format,
        bytes: {
          try ConversionTableTests.ramp(
            .png, ColorEncoding(primaries: .bt2020, transfer: .pq), upTo: 1000, bits: 16)
        }),
      Input(
        name: "gain map", format: format,
        bytes: ConversionTableTests.reference("containers/gain-map-iso-xmp.jpg")),
      Input(name: "raw", format: format, bytes: { ConversionTableTests.mosaic().bytes }),
    ]
  }

  /// Fields that change nothing in these files, and why.
  static let without: [String: String] = [
    "copying": "images that are encoded anyway", "coding.alpha": "no alpha",
    "coding.speed": "small images", "gainMap.isRequired": "a condition",
    "gainMap.isExact": "flavors that are exact", "gainMap.measurement": "a measurement",
    "geometry.isEnlarged": "requires a size", "metadata.exif": "no Exif", "metadata.xmp": "no XMP",
    "metadata.keepsMakerNotes": "no maker note", "metadata.strip": "no location",
    "metadata.adaptation": "see below", "input.assumed": "tagged files",
    "input.declared": "the range that they have", "input.appleCurve": "no Apple gain map",
    "geometry.orientation": "upright images", "rendition.gamutMapping": "colors in gamut",
    "rendition.toneMapping": "SDR images", "rendition.highlightDesaturation": "SDR images",
    "color.primaries": "those that the output has", "gainMap.depth": "in JPEG an error",
    "coding.chroma": "the usual one", "gainMap.use": "the usual one",
    "gainMap.headroomStops": "SDR images", "color.profile": "gray", "color.signaling": "SDR",
    "content": "SDR images", "gainMap.flavors": "the usual ones",
    "color.referenceWhite": "SDR images", "coding.isLossless": "images that are copied",
    "rendition.display": "images darker than the display",
    "rendition.headroomStops": "images darker than the display",
    "rendition.level": "images darker than the display",
  ]

  @Test(arguments: inputs) func fieldsHaveEffects(input: Input) throws {
    let file = try ImageFile(parsing: ByteSource(try input.bytes()))
    func converted(
      _ fields: [String: String]
    ) throws -> (plan: ConversionPlan, bytes: [UInt8], notices: [Notice]) {
      var request = try ConversionRequest(json: ConversionRequestTests.json(fields))
      request.coding.format = request.coding.format ?? input.format
      request.coding.speed = request.coding.speed ?? 10
      let plan = try file.plan(for: request)
      let (bytes, result) = try plan.bytes()
      return (plan, bytes, result.notices)
    }
    let usual = try converted([:])
    for (field, value) in ConversionRequestTests.fields.sorted(by: { $0.key < $1.key }) {
      // Width and height are one size.
      let fields =
        field == "geometry.width"
        ? ["geometry.width": value, "geometry.height": "5"] : [field: value]
      do {
        let other = try converted(fields)
        let isEffective =
          other.bytes != usual.bytes || other.plan.steps != usual.plan.steps
          || other.notices != usual.notices
        // The mosaic is flat, and too dark for a gain map.
        let isRaw = try file.isRaw && (field.hasPrefix("raw.") || field.hasPrefix("gainMap."))
        #expect(
          isEffective || Self.without[field] != nil || isRaw,
          "\(field) is without effect, and no error names it")
      } catch let error as ImageError {
        let names = ["field", "other"].compactMap { name -> String? in
          if case .text(let text)? = error.parameters[name] { text } else { nil }
        }
        let isOfField = names.contains { $0.hasPrefix(field) }
        let isOfValue =
          [.invalidArgument, .unsuitable, .missingInput].contains(error.category)
          && !error.code.id.hasPrefix("request/")
        let isLossy = error.code == .requestLossy && field == "coding.isLossless"
        #expect(isOfField || isOfValue || isLossy, "\(field): \(error)")
      }
    }
  }

  /// Coded images that are copied keep the color that their file declares.
  @Test func declaredColorOfCopies() throws {
    let bytes = try ConversionTableTests.ramp(
      .png, ColorEncoding(primaries: .displayP3, transfer: .srgb))
    let file = try ImageFile(parsing: ByteSource(bytes))
    var request = ConversionRequest(format: .png)
    request.copying = .required
    request.metadata.orientation = .value(.rotated90)
    _ = try file.plan(for: request)
    request.input.declared = .init()
    request.input.declared?.transfer = .pq
    let error = #expect(throws: ImageError.self) { try file.plan(for: request) }
    #expect(error?.parameters["field"] == .text("input.declared"))
  }

  /// Images that would be kept are encoded again, with the declared color.
  @Test(arguments: [
    (FileFormat.jpeg, nil), (.jpeg, "gain-map-iso-xmp.jpg"), (.jpeg, "gain-map-apple.jpg"),
    (.jxl, "gain-map-iso.jxl"), (.avif, "gain-map-iso.avif"), (.heif, "gain-map-iso.heic"),
    (.heif, "gain-map-apple.heic"), (.png, "gain-map-iso.png"), (.avif, "gain-map-iso.jpg"),
  ])
  func declaredColorOfKeptImages(format: FileFormat, name: String?) throws {
    let bytes =
      try name.map { try ConversionTableTests.reference("containers/" + $0)() }
      ?? ConversionTableTests.ramp(.jpeg, ColorEncoding(primaries: .displayP3, transfer: .srgb))
    let file = try ImageFile(parsing: ByteSource(bytes))
    for (primaries, longSide) in [
      (ColorPrimaries.bt709, nil), (.bt709, 16), (.displayP3, nil), (.displayP3, 16),
    ] {
      var request = ConversionRequest(format: format)
      request.coding.speed = 10
      if name != nil { request.gainMap.use = .keep }
      request.geometry.longSide = longSide
      request.input.declared = .init()
      request.input.declared?.primaries = primaries
      let (output, result) = try file.plan(for: request).bytes()
      let contents = try ImageFile(parsing: ByteSource(output)).contents()
      #expect(contents.primary.color?.encoding.primaries == primaries)
      #expect(contents.gainMaps.isEmpty == (name == nil))
      #expect(result.notices.contains { $0.code == .colorDeclared })
    }
  }
}
#endif
