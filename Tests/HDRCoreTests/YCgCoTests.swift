// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("YCgCo") struct YCgCoTests {
  /// Source: ITU-T H.273, equations of MatrixCoefficients 8.
  @Test(arguments: [
    (SIMD3(1, 0, 0), SIMD3(0.25, -0.25, 0.5)), (SIMD3(0, 1, 0), SIMD3(0.5, 0.5, 0)),
    (SIMD3(0, 0, 1), SIMD3(0.25, -0.25, -0.5)), (SIMD3(1, 1, 1), SIMD3(1, 0, 0)),
  ])
  func primaries(rgb: SIMD3<Double>, coded: SIMD3<Double>) {
    #expect(YCgCo.toRGB * coded == rgb)
  }

  /// Source: libavif 1.1, `avifImageYUVAnyToRGBAnySlow` and its inverse for YCgCo-Re.
  @Test func reversible() {
    func coded(_ rgb: SIMD3<Int>) -> SIMD3<Int> {
      let orange = rgb.x - rgb.z
      let rest = rgb.z + orange >> 1
      let green = rgb.y - rest
      return SIMD3(rest + green >> 1, green, orange)
    }
    #expect(YCgCo.rgb(ofReversible: SIMD3(63, -127, 255)) == SIMD3(255, 0, 0))
    #expect(YCgCo.rgb(ofReversible: SIMD3(110, 180, -21)) == SIMD3(10, 200, 31))
    for index in 0..<4096 {
      let rgb = SIMD3(index % 16 * 17, index / 16 % 16 * 17, index / 256 * 17)
      #expect(YCgCo.rgb(ofReversible: coded(rgb)) == rgb)
    }
  }

  /// Every matrix is either decoded or rejected with its name.
  @Test func everyMatrixIsDecodedOrRefused() {
    let format = ImageLayout(
      width: 2, height: 2, components: .ycbcr(.yuv444), samples: .integer(bits: 10))
    for value in UInt16(0)...255 {
      let encoding = ColorEncoding(
        primaries: .bt2020, transfer: .pq, matrix: .init(rawValue: value))
      let isKnown = [1, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 16, 17].contains(value)
      do throws(ImageError) {
        try encoding.requireDecodable(format)
        #expect(isKnown, "\(value) is taken")
      } catch {
        #expect(!isKnown && error.category == .unsupported)
        #expect(error.parameters["matrix"] == .text(encoding.matrix.numberedName))
      }
    }
  }

  @Test func whatAMatrixDependsOn() {
    func refusal(
      _ matrix: CICP.Matrix, _ transfer: TransferFunction, bits: Int, isFullRange: Bool = true
    ) -> String? {
      let format = ImageLayout(
        width: 2, height: 2, components: .ycbcr(.yuv444), samples: .integer(bits: bits))
      let encoding = ColorEncoding(
        primaries: .bt709, transfer: transfer, matrix: matrix, isFullRange: isFullRange)
      do throws(ImageError) {
        try encoding.requireDecodable(format)
        return nil
      } catch {
        return error.code.english
      }
    }
    #expect(refusal(.ictcp, .srgb, bits: 10) == "{matrix} requires PQ or HLG")
    #expect(refusal(.ictcp, .hlg, bits: 10) == nil)
    #expect(refusal(.yCgCoRe, .srgb, bits: 9, isFullRange: false) != nil)
    #expect(refusal(.yCgCoRe, .srgb, bits: 10, isFullRange: false) == nil)
    #expect(refusal(.yCgCoRo, .srgb, bits: 1) != nil)
  }
}
