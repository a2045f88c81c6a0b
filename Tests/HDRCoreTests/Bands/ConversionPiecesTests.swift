// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

/// Images converted in pieces, compared with whole images.
@Suite("Pieces of a conversion") struct ConversionPiecesTests {
  @Test(arguments: Orientation.allCases, [ImageLayout.Samples.float, .half])
  func piecesAreTheImage(orientation: Orientation, samples: ImageLayout.Samples) throws {
    for hasAlpha in [false, true] {
      // More than one strip of one thread, and not a multiple of it.
      let format = ImageLayout(
        width: 19, height: 301, components: .rgb, samples: .float, hasAlpha: hasAlpha)
      let image = randomImage(format, seed: 7, floats: -1...70_000)
      var target = format.upright(from: orientation)
      target.samples = samples
      let conversion = ImageTransform(
        from: .init(
          layout: format, color: ColorEncoding(primaries: .displayP3, transfer: .linear)),
        to: .init(
          layout: target, color: ColorEncoding(primaries: .bt2020, transfer: .linear)),
        orientation: orientation)
      let whole = try conversion.run(image)
      var first = 0
      let findings = try conversion.run(PlanesReader(image)) { piece throws(ImageError) in
        let rows = first..<first + piece.layout.height
        let expected = whole.image.strip(rows: rows)
        #expect(piece.layout == expected.layout)
        switch (piece.planes, expected.planes) {
        case (.float(let found), .float(let expected)): #expect(found == expected)
        case (.half(let found), .half(let expected)): #expect(found == expected)
        default: Issue.record("planes of an unexpected sample type")
        }
        // A piece of a rotated image takes at most 8 bytes per pixel; otherwise a piece is a strip.
        let bytes = rows.count * target.planeCount * (samples == .float ? 4 : 2)
        #expect(bytes <= 8 * (target.height + 1))
        if orientation == .upright { #expect(rows.count <= 128) }
        first = rows.upperBound
      }
      #expect(first == target.height)
      #expect(findings.lightLevels.maximum == whole.lightLevels.maximum)
      #expect(findings.clipping == whole.clipping)
      #expect(findings.changes == whole.changes)
    }
  }

  @Test func errorsOfTheTakerEndIt() {
    let format = ImageLayout(width: 4, height: 300, components: .gray, samples: .float)
    let coding = ImageDescription(
      layout: format, color: ColorEncoding(primaries: .bt2020, transfer: .linear))
    let reader = PlanesReader(randomImage(format, seed: 1))
    var count = 0
    let error = #expect(throws: ImageError.self) {
      try ImageTransform(from: coding, to: coding).run(reader) {
        _ throws(ImageError) in
        count += 1
        throw ImageError(ErrorCode("test", .inputOutput, "full"))
      }
    }
    #expect(error?.category == .inputOutput && count == 1)
  }
}
