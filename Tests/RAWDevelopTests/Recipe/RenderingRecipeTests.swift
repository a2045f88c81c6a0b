// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("The recipe of a raw file") struct RenderingRecipeTests {
  private static func file() -> SyntheticDNG {
    var file = SyntheticDNG(width: 8, height: 6, planes: 3)
    file.main.chunks = [[UInt8](repeating: 0, count: 288)]
    file.main.entries[50_718] = .rationals([1, 0.5])
    file.main.entries[50_739] = .rationals([0.25])
    file.main.entries[51_041] = .doubles([0.001, 0.00002])
    file.main.entries[50_940] = .floats([0, 0, 0.5, 0.25, 1, 1])
    return file
  }

  @Test("the recipe has the numbers of the file")
  func numbers() throws {
    let recipe = try SyntheticDNG.parsed(Self.file()).recipe()
    #expect(recipe.pixelScale == [1, 0.5] && recipe.shadowScale == 0.25)
    #expect(recipe.noiseProfile == [0.001, 0.00002])
    #expect(recipe.profiles[0].toneCurve == [0, 0, 0.5, 0.25, 1, 1])
    #expect(recipe.corrections.isEmpty)
    var plainFile = SyntheticDNG(width: 8, height: 6, planes: 3)
    plainFile.main.chunks = [[UInt8](repeating: 0, count: 288)]
    let plain = try SyntheticDNG.parsed(plainFile).recipe()
    #expect(plain.pixelScale == [1, 1] && plain.shadowScale == 1 && plain.noiseProfile.isEmpty)
    #expect(plain.profiles[0].toneCurve == nil)
  }

  @Test("corrections with areas and numbers, in order of lists")
  func corrections() throws {
    var file = Self.file()
    let area = [0, 1, 6, 8, 0, 3, 2, 1]
    let polynomial = OpcodeBytes.Opcode(
      identifier: 8,
      payload: area.map { .int($0) } + [.int(1), .double(0.25), .double(0.5)])
    let warp = OpcodeBytes.Opcode(
      identifier: 1,
      payload: [.int(1)] + [1, 0.5, 0, 0, 0.125, 0, 0.5, 0.25].map { .double($0) })
    file.main.entries[51_008] = OpcodeBytes.list(
      .init(identifier: 6, payload: [0, 0, 6, 8].map { .int($0) }))
    file.main.entries[51_022] = OpcodeBytes.list(polynomial, warp)
    let recipe = try SyntheticDNG.parsed(file).recipe()
    #expect(
      recipe.corrections == [
        .init(list: 1, name: "TrimBounds", area: nil, numbers: [0, 0, 6, 8]),
        .init(list: 3, name: "MapPolynomial", area: area, numbers: [0.25, 0.5]),
        .init(
          list: 3, name: "WarpRectilinear", area: nil,
          numbers: [1, 0.5, 0, 0, 0.125, 0, 0.5, 0.25]),
      ])
    #expect(recipe.controls.contains("isLensCorrectionEnabled"))
    #expect(!recipe.controls.contains("localToneMapAmount"))
  }
}
