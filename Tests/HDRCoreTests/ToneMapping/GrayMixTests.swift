import HDRCore
import Testing

@Suite("Gray mix") struct GrayMixTests {
  /// Computed by an independent program from the chromaticities; colors of smaller primaries stay.
  @Test(arguments: [
    (ColorPrimaries.bt2020, ColorPrimaries.bt709, 2.22846), (.bt2020, .displayP3, 2.03536),
    (.displayP3, .bt709, 1.32518), (.bt709, .bt2020, 1), (.bt709, .bt709, 1),
  ])
  func reach(source: ColorPrimaries, target: ColorPrimaries, expected: Double) {
    let mix = GrayMix(from: source, to: target, peak: 1)
    if expected > 1 {
      #expect(isClose(mix.reach, expected, relative: 0, absolute: 1e-5))
    } else {
      #expect(mix.reach < 1 + 1e-12 && mix.knee == 1)
    }
  }

  @Test(arguments: [(ColorPrimaries.bt709, 1.0), (.displayP3, 4)])
  func colorsEndInsideAndKeepLuminance(target: ColorPrimaries, peak: Double) {
    let mix = GrayMix(from: .bt2020, to: target, peak: peak)
    let matrix = ColorPrimaries.bt2020.conversion(to: target)
    var random = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      let source = SIMD3<Double>.random(in: 0...peak * 1.5, using: &random)
      let color = matrix * source
      let mapped = mix.mapped(color)
      #expect(mapped.min() >= -1e-12 * peak && mapped.max() <= peak * (1 + 1e-12), "\(color)")
      let luminance = (color * mix.weights).sum()
      #expect(isClose((mapped * mix.weights).sum(), min(luminance, peak), relative: 1e-9))
      let isWithinKnee = color.min() >= (1 - mix.knee) * luminance && color.max() <= peak
      if isWithinKnee { #expect(mapped == color) }
    }
  }

  @Test func withoutLuminanceIsBlack() {
    let mix = GrayMix(from: .bt2020, to: .bt709, peak: 1)
    for color in [SIMD3<Double>.zero, SIMD3(-1, 0, 0), SIMD3(1, -1, 0)] {
      #expect(mix.mapped(color) == .zero)
    }
  }
}
