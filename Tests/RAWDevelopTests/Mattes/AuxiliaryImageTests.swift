// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Mattes in HEIF and AVIF") struct AuxiliaryImageTests {
  private static func convert(
    _ format: FileFormat, _ masks: [SyntheticDNG.Directory],
    edit: (inout ConversionOptions) -> Void = { _ in }
  ) throws -> (bytes: [UInt8], notices: [Notice]) {
    let document = try RawMatteTests.file(masks).document()
    var options = ConversionOptions(
      format: format, encoder: EncoderOptions(isLossless: true))
    edit(&options)
    let result = try ImageConverter(options).run(document)
    return (try result.output.encoded(as: format, options: options.encoder), result.notices)
  }

  @Test(
    "a matte becomes an auxiliary image with its URN and samples",
    arguments: [
      FileFormat.heif, .avif,
    ])
  func carried(format: FileFormat) throws {
    let masks = [RawMatteTests.mask(), RawMatteTests.mask(name: "Sky")]
    let (bytes, notices) = try Self.convert(format, masks)
    #expect(!notices.contains { $0.category == .dropped })
    let file = try ImageFile(parsing: ByteSource(bytes))
    #expect(
      try file.namedAuxiliaries.map(\.type) == [
        RawMatteTests.skin, "urn:com:apple:photo:2020:aux:semanticskymatte",
      ])
    let alone = try file.standaloneFile(ofItem: file.namedAuxiliaries[0].item).allBytes()
    let matte = try SourceImage.open(ByteSource(alone), options: OpeningOptions())
    #expect(matte.image.orientation == .rotated90)
    let image = try matte.image.makeReader().read(rows: 0..<matte.image.layout.height)
    guard case .integer(let planes) = image.planes else {
      Issue.record("no integers")
      return
    }
    let plane = planes[0]
    let samples = Array(plane.span)
    #expect(samples == [20, 30, 40, 60, 70, 80])
  }

  @Test("mattes are dropped for formats without auxiliary images, resized images and unknown names")
  func matteIsDropped() throws {
    func droppedCount(_ format: FileFormat, edit: (inout ConversionOptions) -> Void = { _ in })
      throws
      -> Int
    {
      let (_, notices) = try Self.convert(format, [RawMatteTests.mask()], edit: edit)
      let codes = ["auxiliary/not-storable", "auxiliary/not-cropped"]
      return notices.count { codes.contains($0.code.id) }
    }
    #expect(try droppedCount(.png) == 1)
    #expect(try droppedCount(.avif) { $0.geometry.size = .longSide(3) } == 1)
    let (bytes, notices) = try Self.convert(.avif, [RawMatteTests.mask(name: "Dog")])
    #expect(notices.contains { $0.parameters["matte"] == .text("Dog") })
    #expect(try ImageFile(parsing: ByteSource(bytes)).namedAuxiliaries.isEmpty)
  }
}
#endif
