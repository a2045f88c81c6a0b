// SPDX-License-Identifier: Apache-2.0
#if JPEG
import Foundation
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("The layout of Apple ProRAW") struct ProRAWTests {
  private static let width = 40
  private static let height = 24

  private static func codes(_ code: (_ x: Int, _ y: Int, _ component: Int) -> Int) -> [UInt16] {
    (0..<width * height * 3).map { place in
      UInt16(code(place / 3 % width, place / 3 / width, place % 3))
    }
  }

  private static func file(_ codes: [UInt16]) throws -> SyntheticDNG {
    let preview = try jpeg(width, height, .ycbcr(.yuv444)) { 100 }
    let mattes = try [200, 90].map { value in
      try jpeg(width / 2, height / 2, .gray) { value }
    }
    return SyntheticDNG(
      .init(width: width, height: height, codes: codes, preview: preview, mattes: mattes))
  }

  private static func jpeg(
    _ width: Int, _ height: Int, _ components: ImageLayout.Components, _ value: () -> UInt16
  ) throws -> [UInt8] {
    let format = ImageLayout(
      width: width, height: height, components: components, samples: .integer(bits: 8))
    let plane = Plane<UInt16>(width: width, height: height, filledWith: value())
    let image = ImagePlanes(
      layout: format, planes: .integer(Array(repeating: plane, count: format.planeCount)))
    return try OutputImage(Image(image, CICP(primaries: .bt709, transfer: .srgb, matrix: .bt601)))
      .encoded(as: .jpeg, options: EncoderOptions(quality: 100))
  }

  @Test("type, recipe, mattes and preview are found in Apple's layout")
  func inspection() throws {
    let file = try Self.file(Self.codes { x, y, c in 30 * x + 20 * y + c })
    let raw = try #require(try RawInspection.inspect(ImageFile(parsing: ByteSource(file.bytes))))
    #expect(raw.rawType == .proRAW && raw.directoryPath == "IFD0/SubIFD 0")
    #expect(raw.selectionReason?.contains("40x24") == true && raw.notices.isEmpty)
    #expect(
      raw.levels?.linearizationEntries == 4096 && raw.levels?.white == [65_535, 65_535, 65_535])
    #expect(raw.mattes.map(\.name) == ["portraiteffects", "skin"])
    #expect(raw.mattes.allSatisfy { ($0.width, $0.height) == (20, 12) })
    #expect(raw.previews.first?.width == 40 && raw.previews.first?.isJPEGXL == false)
    let recipe = try #require(raw.recipe)
    #expect(recipe.orientation == .rotated90)
    let looked = try ImageFile(parsing: ByteSource(file.bytes)).contentsWithRaw().file
    #expect(looked.images.count == 4)
    for image in looked.images {
      #expect(image.orientation == .rotated90)
      #expect(image.uprightSize.width < image.uprightSize.height)
    }
    #expect(recipe.asShotNeutral == [1, 1, 1])
    #expect(abs(recipe.baselineExposure - 3.47) < 1e-9)
    #expect(recipe.analogBalance == SyntheticDNG.ProRAW.analogBalance)
    #expect(recipe.noiseReductionApplied == 0.95)
    let profile = try #require(recipe.profiles.first)
    #expect(profile.name == "Apple Embedded Color Profile" && profile.keepsBlack)
    #expect(profile.calibrations.map(\.illuminantCode) == [17, 21])
    #expect(profile.toneCurvePoints == 257)
    let table = try #require(profile.gainTable)
    #expect((table.rows, table.columns, table.size) == (2, 3, 4))
    #expect(abs(table.gains.lowerBound - 0.6) < 1e-6 && table.gains.upperBound == 1.5)
  }

  @Test("samples are exact, and linearized by the table")
  func samples() throws {
    let codes = Self.codes { x, y, c in (97 * x + 61 * y + 1013 * c) % 4096 }
    let file = try Self.file(codes)
    let dng = try SyntheticDNG.parsed(file)
    let samples = try dng.decodeRaw()
    #expect(samples.integers == codes)
    let parameters = try DevelopmentParameters(dng, limits: ImageLimits())
    let reference = LinearReference(samples, parameters.levels)
    var row = [Float](repeating: 0, count: Self.width)
    for component in 0..<3 {
      reference.read(row: 5, columns: 0..<Self.width, plane: component, into: &row, at: 0)
      for (x, value) in row.enumerated() {
        let code = Int(codes[(5 * Self.width + x) * 3 + component])
        let linear = Float(SyntheticDNG.ProRAW.linearization[code]) / 65_535
        #expect(abs(value - linear) < 1e-6)
      }
    }
  }

  @Test("neutral code values are neutral, and scene-linear values exclude baseline exposure")
  func light() throws {
    let file = try Self.file(Self.codes { _, _, _ in 1500 })
    var development = RawDevelopment()
    development.isSceneLinear = true
    let light = try file.document(development).light()
    let expected = Float(SyntheticDNG.ProRAW.linearization[1500]) / 65_535
    for plane in light { #expect(plane.joined().allSatisfy { abs($0 - expected) < 2e-4 }) }
  }

  @Test("mattes are decoded from lossy JPEG")
  func mattes() throws {
    let dng = try SyntheticDNG.parsed(Self.file(Self.codes { _, _, _ in 7 }))
    for (matte, value) in zip(try dng.mattes().found, [200, 90] as [UInt16]) {
      let coverage = try dng.decode(matte)
      let samples = Array(coverage.span)
      #expect(samples.allSatisfy { abs(Int($0) - Int(value) * 257) <= 257 })
    }
  }
}
#endif
