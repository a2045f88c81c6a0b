// SPDX-License-Identifier: Apache-2.0
import Foundation
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
  /// Cameras of DNG files of the corpus: native primaries after white balance, by the color matrix
  /// for D65 of the Canon EOS 6D, Blackmagic Pocket Cinema Camera, iPhone 12 Pro and GoPro Fusion.
  private static let cameras: [(name: String, primaries: ColorPrimaries)] = [
    ("EOS 6D", camera((0.7274, 0.2526), (0.0902, 1.3714), (0.1290, -0.1163))),
    ("Pocket", camera((0.7913, 0.2956), (0.3499, 1.5681), (0.0654, -0.0587))),
    ("iPhone", camera((0.7178, 0.2314), (0.3532, 1.2317), (0.1160, -0.0279))),
    ("Fusion", camera((0.8558, 0.1960), (0.3300, 0.8350), (-0.0202, -0.2344))),
  ]
  private static let targets: [ColorPrimaries] = [.bt709, .displayP3]

  private static func camera(
    _ red: (Double, Double), _ green: (Double, Double), _ blue: (Double, Double)
  ) -> ColorPrimaries {
    ColorPrimaries(
      red: Chromaticity(x: red.0, y: red.1), green: Chromaticity(x: green.0, y: green.1),
      blue: Chromaticity(x: blue.0, y: blue.1), white: .d65)
  }

  /// Maps colors by the kernel.
  private static func rows(_ mapper: GamutMapper, _ colors: [SIMD3<Double>]) -> [SIMD3<Double>] {
    var row = LinearRow(width: colors.count, hasAlpha: false)
    for (index, color) in colors.enumerated() {
      row.red[index] = Float(color.x)
      row.green[index] = Float(color.y)
      row.blue[index] = Float(color.z)
    }
    row.map(by: GamutRows(mapper))
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

  @Test(arguments: [(ColorPrimaries.bt709, 1.0), (.displayP3, 4)], [false, true])
  func colorsEndInsideAndKeepTheLargestComponent(
    target: (primaries: ColorPrimaries, peak: Double), exceedsPeak: Bool
  ) {
    let peak = target.peak
    let mapper = GamutMapper(
      from: .bt2020, to: target.primaries, peak: peak, exceedsPeak: exceedsPeak)
    let matrix = ColorPrimaries.bt2020.conversion(to: target.primaries)
    var random = SplitMix(seed: 3)
    for _ in 0..<3000 {
      var color = matrix * SIMD3<Double>.random(in: 0...peak * 1.5, using: &random)
      // As after a tone curve.
      if !exceedsPeak { color *= min(1, peak / color.max()) }
      let mapped = mapper.mapped(color)
      #expect(mapped.min() >= 0 && mapped.max() <= peak, "\(color)")
      #expect(mapped.max() <= color.max() * (1 + 1e-12), "\(color)")
      if !exceedsPeak { #expect(isClose(mapped.max(), color.max(), relative: 1e-9), "\(color)") }
      let luminance = (color * mapper.weights).sum()
      let isWithinKnee =
        color.min() >= (1 - mapper.knee) * luminance
        && color.max() - luminance <= mapper.kneeAtPeak * (peak - luminance)
      if isWithinKnee { #expect(mapped == color) }
    }
  }

  /// If more of a component is added to gray or black, the brightest component of the 8-bit result
  /// does not decrease, whatever the primaries; limit: two codes (issue 44).
  @Test(arguments: 0..<9, [(1.0, true), (1, false), (4, true)])
  func brighterInNeverDarkerOut(source: Int, display: (peak: Double, exceedsPeak: Bool)) {
    let (name, primaries) = (Self.sources + Self.cameras)[source]
    let peak = display.peak
    for target in Self.targets {
      let mapper = GamutMapper(
        from: primaries, to: target, peak: peak, exceedsPeak: display.exceedsPeak)
      let matrix = primaries.conversion(to: target)
      for (component, base) in (0..<3).flatMap({ component in
        [0, 0.02, 0.05, 0.2, 0.5].map { (component, $0 * peak) }
      }) {
        let colors = (0...400).map { step in
          var color = SIMD3<Double>(repeating: base)
          color[component] += (1.2 * peak - base) * Double(step) / 400
          color = matrix * color
          return display.exceedsPeak ? color : color * min(1, peak / max(color.max(), 1e-9))
        }
        var most = 0.0
        for (color, mapped) in zip(colors, Self.rows(mapper, colors)) {
          let code = (SRGB.inverseEOTF(mapped.max() / peak) * 255).rounded()
          #expect(code >= most - 2, "\(name), \(color)")
          most = max(most, code)
        }
      }
    }
  }

  /// The blue of ACES grows brighter with its light.
  @Test func brighteningBlueOfACES() {
    let mapper = GamutMapper(from: .acesAP0, to: .bt709, peak: 1)
    let matrix = ColorPrimaries.acesAP0.conversion(to: .bt709)
    let codes = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85].map { blue in
      SRGB.inverseEOTF(mapper.mapped(matrix * SIMD3(0.05, 0.05, blue)).z) * 255
    }
    #expect(zip(codes, codes.dropFirst()).allSatisfy { $0 < $1 })
    #expect(codes.last ?? 0 > 245)
  }

  /// All colors of P3 and BT.2020, tone mapped or not, keep 0.85 of the Oklab chroma of clipping,
  /// and their hue in ICtCp within 10 degrees where clipping keeps it.
  @Test(
    arguments: [
      (ColorPrimaries.displayP3, ColorPrimaries.bt709), (.bt2020, .bt709), (.bt2020, .displayP3),
    ], [false, true])
  func chromaOfClipping(
    colors: (source: ColorPrimaries, target: ColorPrimaries), exceedsPeak: Bool
  ) {
    let target = colors.target
    let mapper = GamutMapper(
      from: colors.source, to: target, peak: 1, exceedsPeak: exceedsPeak)
    let (there, toXYZ) = (colors.source.conversion(to: target), target.rgbToXYZ)
    let toBT2020 = target.conversion(to: .bt2020)
    // A grid that is denser in the dark.
    let steps = (0...20).map { Double($0 * $0) / 400 }
    let grid = steps.flatMap { red in
      steps.flatMap { green in steps.map { there * SIMD3(red, green, $0) } }
    }.map { exceedsPeak ? $0 : $0 * min(1, 1 / max($0.max(), 1e-9)) }
    func hue(_ color: SIMD3<Double>) -> (Double, Double)? {
      let signal = ICtCp.signal(ofLuminance: toBT2020 * color * 203)
      return hypotenuse(signal.y, signal.z) > 0.02 ? (signal.y, signal.z) : nil
    }
    var (least, most) = (1.0, 0.0)
    for (color, mapped) in zip(grid, Self.rows(mapper, grid)) {
      let clipped = color.clamped(lowerBound: .zero, upperBound: .one)
      let chroma = oklabChroma(toXYZ * clipped)
      if chroma > 0.02 { least = min(least, oklabChroma(toXYZ * mapped) / chroma) }
      guard let before = hue(color), let after = hue(mapped), let cut = hue(clipped),
        angle(between: before, and: cut) <= 10
      else { continue }
      most = max(most, angle(between: before, and: after))
    }
    #expect(least >= 0.85)
    #expect(most <= 10)
  }

  /// A blue LED of a photograph: its blue was 154 in 8 bits, where clipping gives 205.
  @Test func blueLED() {
    let mapper = GamutMapper(from: .bt2020, to: .bt709, peak: 1, exceedsPeak: false)
    let mapped = mapper.mapped(SIMD3(-0.12, 0.17, 0.61))
    // Computed by an independent program.
    #expect(isClose(mapped, SIMD3(1.0889796e-4, 0.23605442, 0.61), absolute: 1e-6))
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
    for color in [SIMD3<Double>.zero, SIMD3(-1, 0, 0), SIMD3(0, -1, -0.1)] {
      #expect(mapper.mapped(color) == .zero)
    }
    // Brightness of at least twice the peak.
    for color in [SIMD3<Double>(repeating: 4), SIMD3(4, 5, 3), SIMD3(0, 9, 0)] {
      #expect(mapper.mapped(color) == SIMD3(repeating: 2))
    }
    // Between the peak and twice the peak, a color is whiter the brighter it is.
    let lamps = [0.5, 0.8, 1.2, 1.6].map { mapper.mapped(SIMD3(4, 2, 0.5) * $0) }
    for lamp in lamps { #expect(isClose(lamp.max(), 2, relative: 0.02)) }
    for (lamp, next) in zip(lamps.dropFirst(), lamps.dropFirst(2)) {
      #expect(next.y > lamp.y && next.z > lamp.z)
    }
    // Brightness below 0 is not the end of a color.
    let blue = mapper.mapped(SIMD3(-0.2, -0.2, 1))
    #expect(isClose(blue.z, 1, relative: 1e-9) && blue.x < 0.05 && blue.y < 0.15)
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

  /// The change of slope between adjacent steps halves with the steps, as it would not at a corner,
  /// except where another component becomes the largest: corners there are as those of the largest
  /// component.
  @Test(arguments: [0, 1, 2, 3, 4], [(ColorPrimaries.bt709, true), (.displayP3, false)])
  func cornersOnlyOfTheLargestComponent(
    source: Int, target: (primaries: ColorPrimaries, exceedsPeak: Bool)
  ) {
    let primaries = Self.sources[source].primaries
    let mapper = GamutMapper(
      from: primaries, to: target.primaries, peak: 4, exceedsPeak: target.exceedsPeak)
    let matrix = primaries.conversion(to: target.primaries)
    func largestBend(
      from start: SIMD3<Double>, to end: SIMD3<Double>, steps: Int,
      _ map: (SIMD3<Double>) -> SIMD3<Double>
    ) -> Double {
      let colors = (0...steps).map { step in
        map(matrix * (start + (end - start) * (Double(step) / Double(steps))))
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
        largestBend(from: start, to: end, steps: 1000, mapper.mapped),
        largestBend(from: start, to: end, steps: 2000, mapper.mapped)
      )
      let corner = largestBend(from: start, to: end, steps: 2000) { SIMD3(repeating: $0.max()) }
      #expect(
        fine < 0.6 * coarse || fine < 1.3 * corner, "\(start) to \(end): \(coarse), \(fine)")
    }
  }

  /// Hue shift in ICtCp, in degrees, of colors of BT.2020 out of gamut, compared with clipping.
  ///
  /// The expected values are from a prototype in another language.
  /// Colors are up to half of the peak. Blue and cyan shift most, to remain vivid (Decision 24).
  @Test(
    arguments: [ColorPrimaries.bt709, .displayP3],
    [(1.0, 2.1, 11.2, 2.8), (2, 2.2, 11.6, 2.8), (4, 2.3, 12, 2.7), (8, 2.4, 12.3, 2.7)])
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
    let mean = mapped.reduce(0, +) / Double(mapped.count)
    #expect(mean < display.mean)
    #expect(high < display.limit, "99th percentile \(high)")
    #expect(clipped.reduce(0, +) / Double(clipped.count) > display.ratio * mean)
    #expect(clipped[clipped.count * 99 / 100] > high)
  }
}

/// Chroma in Oklab of XYZ under D65.
///
/// Source: Björn Ottosson, "A perceptual color space for image processing", 2020.
private func oklabChroma(_ xyz: SIMD3<Double>) -> Double {
  let cones = SIMD3(
    (xyz * SIMD3(0.8189330101, 0.3618667424, -0.1288597137)).sum(),
    (xyz * SIMD3(0.0329845436, 0.9293118715, 0.0361456387)).sum(),
    (xyz * SIMD3(0.0482003018, 0.2643662691, 0.6338517070)).sum())
  let roots = SIMD3(cbrt(cones.x), cbrt(cones.y), cbrt(cones.z))
  return hypotenuse(
    (roots * SIMD3(1.9779984951, -2.4285922050, 0.4505937099)).sum(),
    (roots * SIMD3(0.0259040371, 0.7827717662, -0.8086757660)).sum())
}
