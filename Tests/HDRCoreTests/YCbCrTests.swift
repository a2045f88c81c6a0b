// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("Y'CbCr") struct YCbCrTests {
  @Test func matricesEqualVectors() throws {
    let systems: [String: YCbCr] = ["BT601": .bt601, "BT709": .bt709, "BT2020_NCL": .bt2020]
    for row in try VectorTable("matrix_ycbcr").rows {
      let name = row.text("name").split(separator: " ").map(String.init)
      let system = try #require(systems[name[0]])
      let matrix = name[1] == "RGB->YCbCr" ? system.fromRGB : system.toRGB
      #expect(isClose(matrix, row.matrix), "\(row.name)")
    }
  }

  @Test func codesEqualVectors() throws {
    for row in try VectorTable("ycbcr_bt2020_quantised").rows {
      let coded = YCbCr.bt2020.fromRGB * row.color("r", "g", "b")
      #expect(isClose(coded, row.color("y", "cb", "cr"), absolute: 1e-15), "\(row.name)")
      let codes = Quantization(
        bits: Int(clamping: row["bits"]), isFullRange: row.text("range") == "full")
      #expect(Double(codes.code(ofSignal: coded.x)) == row["code_y"], "\(row.name)")
      #expect(Double(codes.code(ofChroma: coded.y)) == row["code_cb"], "\(row.name)")
      #expect(Double(codes.code(ofChroma: coded.z)) == row["code_cr"], "\(row.name)")
    }
  }

  @Test(arguments: [YCbCr.bt601, .bt709, .bt2020, .fcc, .smpte240])
  func theTwoMatricesAreInverses(system: YCbCr) {
    #expect(isClose(system.fromRGB * system.toRGB, .identity, absolute: 1e-15))
    #expect(isClose(system.fromRGB * SIMD3(1, 1, 1), SIMD3(1, 0, 0), absolute: 1e-15))
    #expect(isClose((system.fromRGB * SIMD3(1, 0, 0)).z, 0.5))
    #expect(isClose((system.fromRGB * SIMD3(0, 0, 1)).y, 0.5))
  }

  @Test(arguments: [
    (UInt16(1), YCbCr.bt709), (4, .fcc), (5, .bt601), (6, .bt601), (7, .smpte240), (9, .bt2020),
  ])
  func codePoints(value: UInt16, system: YCbCr) {
    #expect(YCbCr(matrix: CICP.Matrix(rawValue: value), primaries: .displayP3) == system)
  }

  @Test func otherCodePointsAreNoMatrix() {
    for value: UInt16 in [0, 2, 3, 8, 10, 11, 13, 14, 255] {
      #expect(YCbCr(matrix: CICP.Matrix(rawValue: value), primaries: .bt2020) == nil)
    }
  }

  /// Weights of P3-D65 in ST 2113, from its normalized primary matrix.
  @Test func weightsDerivedFromPrimaries() throws {
    let system = try #require(YCbCr(matrix: .chromaDerivedNonConstant, primaries: .displayP3))
    #expect(isClose(system.redWeight, 0.228974564069749))
    #expect(isClose(system.blueWeight, 0.079286914093745))
    var broken = ColorPrimaries.bt709
    broken.green = broken.red
    #expect(YCbCr(matrix: .chromaDerivedNonConstant, primaries: broken) == nil)
    // With red at Y, the luminance weights of green and blue are 0.
    let allRed = ColorPrimaries(
      red: Chromaticity(x: 0, y: 1), green: Chromaticity(x: 1, y: 0),
      blue: Chromaticity(x: 0, y: 0), white: .illuminantE)
    #expect(YCbCr(matrix: .chromaDerivedNonConstant, primaries: allRed) == nil)
  }
}
