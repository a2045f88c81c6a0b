import Foundation
import HDRCore
import TestSupport
import Testing

@Suite("Gray mix") struct GrayMixTests {
  /// Computed by an independent program from the chromaticities; smaller source primaries are
  /// unchanged.
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
    var random = SplitMix(seed: 3)
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

  /// The red of P3 is slightly outside BT.2020; other colors of P3 are not compressed.
  @Test func hardlyWiderPrimaries() {
    let mix = GrayMix(from: .displayP3, to: .bt2020, peak: 1)
    #expect(mix.reach > 1 && mix.reach < 1.01)
    #expect(mix.knee > 0.99 && mix.knee < 1)
    let matrix = ColorPrimaries.displayP3.conversion(to: .bt2020)
    #expect(mix.mapped(matrix * SIMD3(1, 0, 0)).min() >= -1e-15)
    let orange = matrix * SIMD3(0.8, 0.2, 0.01)
    #expect(mix.mapped(orange) == orange)
  }

  @Test func withoutLuminanceIsBlack() {
    let mix = GrayMix(from: .bt2020, to: .bt709, peak: 1)
    for color in [SIMD3<Double>.zero, SIMD3(-1, 0, 0), SIMD3(1, -1, 0)] {
      #expect(mix.mapped(color) == .zero)
    }
  }

  /// Colors within nine tenths of the distance to the boundary are unchanged, others change
  /// smoothly.
  @Test func knee() {
    let mix = GrayMix(from: .bt2020, to: .sRGB, peak: 1)
    func color(_ ratio: Double) -> SIMD3<Double> {
      // From gray toward less red, in steps of r.
      let direction = SIMD3(
        -1, mix.weights.x / (1 - mix.weights.x), mix.weights.x / (1 - mix.weights.x))
      return 0.3 + direction * (0.3 * ratio)
    }
    for ratio in [0.0, 0.3, 0.6, 0.899] { #expect(mix.mapped(color(ratio)) == color(ratio)) }
    var previous = 1.0
    for step in 0...2000 {
      let ratio = mix.reach * Double(step) / 2000
      let red = mix.mapped(color(ratio)).x
      #expect(red < previous, "r = \(ratio)")
      #expect(previous - red < 1e-3 || step == 0)
      previous = red
    }
    #expect(abs(previous) < 1e-12)
    #expect(abs(mix.mapped(color(5)).x) < 1e-12)
  }

  /// With equal primaries, only colors out of gamut change.
  @Test func samePrimaries() {
    let mix = GrayMix(from: .bt2020, to: .bt2020, peak: 2)
    for color in [SIMD3(2.0, 0, 0), SIMD3(0.3, 0, 1.5), .zero] {
      #expect(mix.mapped(color) == color)
    }
    #expect(mix.mapped(SIMD3(1, 1, -0.1)).min() >= -1e-15)
    #expect(isClose(mix.mapped(SIMD3(4, 1, 1)).max(), 2))
  }

  /// Hue shift in ICtCp, in degrees, of random colors out of gamut: mean and 99th percentile.
  ///
  /// Both soft mapping and clipping are measured. The study does not specify the distribution of
  /// its random colors, on which these numbers depend: for linear components of uniform
  /// distribution, soft mapping from BT.2020 to sRGB has a mean of 1.7; for PQ components of
  /// uniform distribution, 4.8. Colors by hue, saturation and value of a gamma-2.2 signal are
  /// closest.
  ///
  /// Source: the specification, section 6.
  @Test(arguments: [0, 1, 2]) func hueShift(pair: Int) throws {
    let (source, target) = [
      (ColorPrimaries.bt2020, ColorPrimaries.bt709), (.bt2020, .displayP3), (.displayP3, .bt709),
    ][pair]
    typealias Shift = (mean: Double, high: Double)
    let study: [(soft: Shift, hard: Shift)] = [
      ((2.8, 12.1), (5.6, 20.1)), ((1.9, 9.1), (3.2, 11.5)), ((1.6, 6.4), (2.9, 9.2)),
    ]
    let mix = GrayMix(from: source, to: target, peak: 1)
    let there = source.conversion(to: target)
    let (fromSource, fromTarget) = (
      source.conversion(to: .bt2020), target.conversion(to: .bt2020)
    )
    var (soft, hard): ([Double], [Double]) = ([], [])
    var random = SplitMix(seed: 8)
    for _ in 0..<60_000 {
      let color = Self.color(
        hue: .random(in: 0..<6, using: &random), saturation: .random(in: 0...1, using: &random),
        value: .random(in: 0...1, using: &random))
      let outside = there * color
      guard outside.min() < 0 || outside.max() > 1 else { continue }
      func shift(_ shown: SIMD3<Double>) -> Double? {
        let a = ICtCp.signal(ofLuminance: fromSource * color * 203)
        let b = ICtCp.signal(ofLuminance: fromTarget * shown * 203)
        guard hypotenuse(a.y, a.z) > 0.02, hypotenuse(b.y, b.z) > 0.02 else { return nil }
        return angle(between: (a.y, a.z), and: (b.y, b.z))
      }
      let clipped = outside.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1))
      guard let moved = shift(mix.mapped(outside)), let cut = shift(clipped) else { continue }
      soft.append(moved)
      hard.append(cut)
    }
    for (shifts, expected) in [
      (soft.sorted(), study[pair].soft), (hard.sorted(), study[pair].hard),
    ] {
      try #require(shifts.count > 5000)
      let mean = shifts.reduce(0, +) / Double(shifts.count)
      #expect(abs(mean / expected.mean - 1) < 0.25, "mean \(mean)")
      let high = shifts[shifts.count * 99 / 100]
      #expect(abs(high / expected.high - 1) < 0.35, "99th percentile \(high)")
    }
  }

  /// Linear color by hue (0..<6), saturation and value.
  private static func color(hue: Double, saturation: Double, value: Double) -> SIMD3<Double> {
    func component(_ shift: Double) -> Double {
      let place = (shift + hue).truncatingRemainder(dividingBy: 6)
      let lack = min(max(min(place, 4 - place), 0), 1)
      return pow(value * (1 - saturation * lack), 2.2)
    }
    return SIMD3(component(5), component(3), component(1))
  }
}
