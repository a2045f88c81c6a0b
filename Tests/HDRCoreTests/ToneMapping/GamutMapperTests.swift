// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("Gamut mapper") struct GamutMapperTests {
  /// Sources with imaginary primaries, and one of a camera whose blue has negative luminance.
  private static let sources: [(name: String, primaries: ColorPrimaries)] = [
    ("BT.2020", .bt2020), ("AP0", .acesAP0), ("AP1", .acesAP1), ("ProPhoto", .proPhoto),
    (
      "camera",
      ColorPrimaries(
        red: Chromaticity(x: 0.8, y: 0.3), green: Chromaticity(x: 0.13, y: 0.98),
        blue: Chromaticity(x: 0.09, y: -0.12), white: .d65)
    ),
  ]
  private static let targets: [ColorPrimaries] = [.bt709, .displayP3]

  /// Maps colors by the kernel.
  private static func rows(_ mapper: GamutMapper, _ colors: [SIMD3<Double>]) -> [SIMD3<Double>] {
    var row = LinearRow(width: colors.count, hasAlpha: false)
    for (index, color) in colors.enumerated() {
      row.red[index] = Float(color.x)
      row.green[index] = Float(color.y)
      row.blue[index] = Float(color.z)
    }
    row.map(by: mapper)
    return colors.indices.map {
      SIMD3(Double(row.red[$0]), Double(row.green[$0]), Double(row.blue[$0]))
    }
  }

  /// Computed by an independent program from the chromaticities; smaller source primaries are
  /// unchanged.
  @Test(arguments: [
    (ColorPrimaries.bt2020, ColorPrimaries.bt709, 2.22846), (.bt2020, .displayP3, 2.03536),
    (.displayP3, .bt709, 1.32518), (.bt709, .bt2020, 1), (.bt709, .bt709, 1),
  ])
  func reach(source: ColorPrimaries, target: ColorPrimaries, expected: Double) {
    let mapper = GamutMapper(from: source, to: target, peak: 1)
    if expected > 1 {
      #expect(isClose(source.reach(in: target), expected, relative: 0, absolute: 1e-5))
      #expect(mapper.knee == 0.9)
    } else {
      #expect(source.reach(in: target) < 1 + 1e-12 && mapper.knee == 1)
    }
  }

  /// Luminance is brightness, unless a primary has negative luminance.
  @Test func brightness() {
    for target in Self.targets {
      let luminance = target.luminanceWeights
      for source in [ColorPrimaries.bt2020, .displayP3, .acesAP1, .proPhoto] {
        let weights = GamutMapper(from: source, to: target, peak: 1).weights
        #expect(isClose(weights, luminance, absolute: 1e-9))
      }
      for source in [ColorPrimaries.acesAP0, Self.sources[4].primaries] {
        let weights = GamutMapper(from: source, to: target, peak: 1).weights
        let primaries = source.conversion(to: target).transposed
        #expect(isClose(weights.sum(), 1))
        for index in 0..<3 { #expect((primaries[row: index] * weights).sum() > 0) }
      }
    }
  }

  @Test(arguments: [(ColorPrimaries.bt709, 1.0), (.displayP3, 4)])
  func colorsEndInsideAndKeepBrightness(target: ColorPrimaries, peak: Double) {
    let mapper = GamutMapper(from: .bt2020, to: target, peak: peak)
    let matrix = ColorPrimaries.bt2020.conversion(to: target)
    var random = SplitMix(seed: 3)
    for _ in 0..<3000 {
      let color = matrix * SIMD3<Double>.random(in: 0...peak * 1.5, using: &random)
      let mapped = mapper.mapped(color)
      #expect(mapped.min() >= 0 && mapped.max() <= peak, "\(color)")
      let luminance = (color * mapper.weights).sum()
      #expect(
        isClose((mapped * mapper.weights).sum(), min(luminance, peak), relative: 2e-6), "\(color)")
      let isWithinKnee =
        color.min() >= (1 - mapper.knee) * luminance
        && color.max() - luminance <= mapper.kneeAtPeak * (peak - luminance)
      if isWithinKnee { #expect(mapped == color) }
    }
  }

  /// If more of a component is added, the result is not darker: brightness does not decrease, and
  /// neither does luminance, unless a primary has negative luminance.
  @Test(arguments: [0, 1, 2, 3, 4], [1.0, 2, 4, 8])
  func brighterInNeverDarkerOut(source: Int, peak: Double) {
    let primaries = Self.sources[source].primaries
    var random = SplitMix(seed: 5)
    for target in Self.targets {
      let mapper = GamutMapper(from: primaries, to: target, peak: peak)
      let matrix = primaries.conversion(to: target)
      let weights =
        primaries.luminanceWeights.min() >= 0 ? target.luminanceWeights : mapper.weights
      for ramp in 0..<24 {
        var base = SIMD3<Double>.random(in: 0...1, using: &random)
        base *= base * peak * (ramp % 2 == 0 ? 1 : 0.05)
        if ramp % 3 == 0 { base[(ramp + 1) % 3] = 0 }
        let colors = (0...160).map { step in
          var color = base
          color[ramp % 3] = 1.5 * peak * Double(step) / 160
          return matrix * color
        }
        var most = 0.0
        for (color, mapped) in zip(colors, Self.rows(mapper, colors)) {
          let brightness = (mapped * weights).sum()
          #expect(brightness >= most * (1 - 4e-5), "\(Self.sources[source].name), \(color)")
          most = max(most, brightness)
        }
      }
    }
  }

  /// The blue of ACES does not end in black.
  ///
  /// Its code value falls from 121 to 113 between 0.2 and 0.4, where luminance rises: green rises.
  @Test func brighteningBlueOfACES() {
    let mapper = GamutMapper(from: .acesAP0, to: .bt709, peak: 1)
    let matrix = ColorPrimaries.acesAP0.conversion(to: .bt709)
    let codes = [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 4, 10].map { blue in
      SRGB.inverseEOTF(mapper.mapped(matrix * SIMD3(0.05, 0.05, blue)).z) * 255
    }
    #expect(codes.dropFirst(2).min() ?? 0 > 105)
    #expect(zip(codes.dropFirst(3), codes.dropFirst(4)).allSatisfy { $0 <= $1 })
    #expect(codes.last ?? 0 > 200)
  }

  /// The red of P3 is slightly outside BT.2020; other colors of P3 are not compressed.
  @Test func hardlyWiderPrimaries() {
    let mapper = GamutMapper(from: .displayP3, to: .bt2020, peak: 1)
    #expect(mapper.knee > 0.99 && mapper.knee < 1)
    let matrix = ColorPrimaries.displayP3.conversion(to: .bt2020)
    #expect(mapper.mapped(matrix * SIMD3(1, 0, 0)).min() >= 0)
    let orange = matrix * SIMD3(0.8, 0.2, 0.01)
    #expect(mapper.mapped(orange) == orange)
  }

  @Test func ends() {
    let mapper = GamutMapper(from: .bt2020, to: .bt709, peak: 2)
    for color in [SIMD3<Double>.zero, SIMD3(-1, 0, 0), SIMD3(1, -1, 0)] {
      #expect(mapper.mapped(color) == .zero)
    }
    for color in [SIMD3<Double>(repeating: 2), SIMD3(2, 2.5, 1), SIMD3(0, 9, 0)] {
      #expect(mapper.mapped(color) == SIMD3(repeating: 2))
    }
  }

  @Test func grayStaysGray() {
    for (_, source) in Self.sources {
      let mapper = GamutMapper(from: source, to: .bt709, peak: 1)
      let grays = (0...1000).map { SIMD3(repeating: Double($0) / 1000) }
      for (gray, mapped) in zip(grays, Self.rows(mapper, grays)) {
        #expect(mapper.mapped(gray) == gray)
        #expect(mapped == SIMD3<Double>(SIMD3<Float>(gray)))
      }
    }
  }

  /// With equal primaries, only colors out of gamut change.
  @Test func samePrimaries() {
    let mapper = GamutMapper(from: .bt2020, to: .bt2020, peak: 2)
    for color in [SIMD3(2.0, 0, 0), SIMD3(0.3, 0, 1.5), .zero] {
      #expect(mapper.mapped(color) == color)
    }
    #expect(mapper.mapped(SIMD3(1, 1, -0.1)).min() >= 0)
    #expect(isClose(mapper.mapped(SIMD3(4, 1, 1)).max(), 2, relative: 1e-3))
  }

  /// The change of slope between adjacent steps halves with the steps, as it would not at a corner.
  @Test(arguments: [0, 1, 2, 3, 4], [(ColorPrimaries.bt709, true), (.displayP3, false)])
  func continuouslyDifferentiable(
    source: Int, target: (primaries: ColorPrimaries, exceedsPeak: Bool)
  ) {
    let primaries = Self.sources[source].primaries
    let mapper = GamutMapper(
      from: primaries, to: target.primaries, peak: 4, exceedsPeak: target.exceedsPeak)
    let matrix = primaries.conversion(to: target.primaries)
    func largestBend(from start: SIMD3<Double>, to end: SIMD3<Double>, steps: Int) -> Double {
      let colors = (0...steps).map { step in
        mapper.mapped(matrix * (start + (end - start) * (Double(step) / Double(steps))))
      }
      let slopes = zip(colors, colors.dropFirst()).map { ($1 - $0) * Double(steps) }
      return zip(slopes, slopes.dropFirst()).map { first, next in
        let bend = next - first
        return max(bend.max(), -bend.min())
      }.max() ?? 0
    }
    let segments = [
      (SIMD3(0.0, 0.5, 1.2), SIMD3(1.5, 0.4, 0)), (SIMD3(1.6, 0.0, 0.3), SIMD3(0.2, 0.9, 0.9)),
      (SIMD3(0.1, 1.4, 0.1), SIMD3(0.3, 0.3, 1.9)), (SIMD3(0.5, 0.5, 0.5), SIMD3(0.4, 2.0, 0.0)),
    ]
    for (start, end) in segments {
      let (coarse, fine) = (
        largestBend(from: start, to: end, steps: 1000),
        largestBend(from: start, to: end, steps: 2000)
      )
      #expect(fine < 0.6 * coarse, "\(start) to \(end): \(coarse), \(fine)")
    }
  }

  /// Hue shift in ICtCp, in degrees, of colors of BT.2020 out of gamut, compared with clipping.
  ///
  /// The expected values are from a prototype in another language.
  /// Colors are up to half of the peak; brighter displays shift more (Decision 24).
  @Test(
    arguments: [ColorPrimaries.bt709, .displayP3],
    [(1.0, 1.0, 6.5, 1.8), (2, 1.25, 7, 1.5), (4, 1.25, 7.5, 1.5), (8, 1.25, 8, 1.5)])
  func hueShift(
    target: ColorPrimaries, display: (peak: Double, mean: Double, limit: Double, ratio: Double)
  ) throws {
    let mapper = GamutMapper(from: .bt2020, to: target, peak: display.peak)
    let (there, back) = (
      ColorPrimaries.bt2020.conversion(to: target), target.conversion(to: .bt2020)
    )
    var (mapped, clipped): ([Double], [Double]) = ([], [])
    var random = SplitMix(seed: 8)
    let colors = (0..<20_000).map { _ in
      let linear = SIMD3<Double>.random(in: 0...1, using: &random)
      return linear * linear * linear * (0.5 * display.peak)
    }
    let moved = Self.rows(mapper, colors.map { there * $0 })
    for (color, moved) in zip(colors, moved) {
      let outside = there * color
      guard outside.min() < 0 || outside.max() > display.peak else { continue }
      func hue(_ shown: SIMD3<Double>) -> (Double, Double)? {
        let signal = ICtCp.signal(ofLuminance: shown * 203)
        return hypotenuse(signal.y, signal.z) > 0.02 ? (signal.y, signal.z) : nil
      }
      let cut = outside.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: display.peak))
      guard let before = hue(color), let after = hue(back * moved),
        let afterClipping = hue(back * cut)
      else { continue }
      mapped.append(angle(between: before, and: after))
      clipped.append(angle(between: before, and: afterClipping))
    }
    mapped.sort()
    clipped.sort()
    try #require(mapped.count > 3000)
    let high = mapped[mapped.count * 99 / 100]
    #expect(mapped.reduce(0, +) / Double(mapped.count) < display.mean)
    #expect(high < display.limit, "99th percentile \(high)")
    #expect(clipped[clipped.count * 99 / 100] > display.ratio * high)
  }
}
