// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

/// Renditions of rows, compared with their definition for each color.
@Suite("Renditions") struct RenditionTests {
  /// Content and displays for which all operators differ from the identity.
  private static let content = Headroom(ratio: 4.926)
  private static let displays = [1, 1.7].map { Headroom(ratio: $0) }

  static let names = ToneMapOperator.allCases.map(\.rawValue) + ["hlg", "limited hlg", "st2094-50"]

  private static func toneMap(_ name: String, for display: Headroom) throws -> ToneMap {
    switch name {
    case "hlg":
      ToneMap(
        try HLGRendering(display: .init(peakLuminance: 203 * display.ratio), displayWhite: 203))
    case "limited hlg":
      ToneMap(
        try HLGRendering(
          display: .init(peakLuminance: 203 * 4), displayWhite: 203, usable: display))
    case "st2094-50": ToneMap(try metadata().gain(for: display))
    default:
      try #require(ToneMapOperator(rawValue: name)).toneMap(content: content, display: display)
    }
  }

  /// Metadata whose alternates use different component mixing, in P3.
  private static func metadata() throws -> AdaptiveToneMap {
    func curve(_ stops: Double) throws -> AdaptiveToneMap.GainCurve {
      try AdaptiveToneMap.GainCurve(pchip: [
        .init(light: 0.5, gain: 0, slope: 0), .init(light: 1, gain: -0.2 * stops, slope: 0),
        .init(light: 4, gain: -stops, slope: 0),
      ])
    }
    return AdaptiveToneMap(
      baselineHeadroom: content,
      method: .alternates(
        [
          AdaptiveToneMap.Alternate(
            headroom: .standard, mixing: .balanced, curve: try curve(content.stops)),
          AdaptiveToneMap.Alternate(
            headroom: Headroom(stops: 1.2), mixing: .componentOnly,
            curve: try curve(content.stops - 1.2)),
        ], primaries: .displayP3))
  }

  /// Linear values from far below a code to above the content's peak, in gray and saturated colors.
  private static let colors: [SIMD3<Float>] = {
    var random = SplitMix(seed: 20)
    func light() -> Float { exp2(Float.random(in: -10...2.6, using: &random)) }
    return (0..<512).map { index in
      switch index % 8 {
      case 0: SIMD3(repeating: light())
      case 1: SIMD3(light(), 0, 0)
      case 2: SIMD3(0, light(), light() / 64)
      case 3: SIMD3(light() / 512, 0, light())
      default: SIMD3(light(), light(), light())
      }
    }
  }()

  private static func image(_ colors: [SIMD3<Float>]) -> LinearImage {
    LinearImage(
      red: plane(colors.map(\.x), width: colors.count),
      green: plane(colors.map(\.y), width: colors.count),
      blue: plane(colors.map(\.z), width: colors.count), primaries: .bt2020)
  }

  private static func light(
    _ image: LinearImage, in target: ColorPrimaries, _ rendition: Rendition
  ) throws -> [SIMD3<Double>] {
    let format = ImageLayout(
      width: image.width, height: image.height, components: .rgb, samples: .float)
    let encoding = ColorEncoding(primaries: target, transfer: .linear)
    let stored = try image.stored(as: .init(layout: format, color: encoding), rendition: rendition)
    let components = try #require(stored.image.floatPlanes).map(samples)
    return components[0].indices.map { index in
      SIMD3(
        Double(components[0][index]), Double(components[1][index]), Double(components[2][index]))
    }
  }

  @Test(arguments: names, [ColorPrimaries.bt2020, .displayP3, .bt709])
  func equalsDefinition(name: String, target: ColorPrimaries) throws {
    let image = Self.image(Self.colors)
    for display in Self.displays {
      for (gamutMapping, desaturation) in [
        (GamutMapping.soft, 0), (.soft, 0.05), (.clip, 0),
      ] {
        let rendition = Rendition(
          try Self.toneMap(name, for: display), gamutMapping: gamutMapping,
          highlightDesaturation: desaturation)
        let primaries = rendition.toneMap.primaries
        let mapper = rendition.gamutMapper(from: .bt2020, to: target)
        let toOperator = ColorPrimaries.bt2020.conversion(to: primaries)
        var worst = (error: 0.0, color: SIMD3<Float>.zero)
        for (color, found) in zip(Self.colors, try Self.light(image, in: target, rendition)) {
          let mapped = rendition.toneMapped(toOperator * SIMD3<Double>(color), for: target)
          let shown = (mapper?.mapped(mapped) ?? mapped)
            .clamped(
              lowerBound: .zero, upperBound: SIMD3(repeating: rendition.toneMap.displayPeak))
          let difference = found - shown
          let error =
            difference.sum().isFinite
            ? max(difference.max(), -difference.min()) / max(shown.max(), 1e-6) : .infinity
          // Relative to the largest component.
          if !(error <= worst.error) { worst = (error, color) }
        }
        #expect(
          worst.error < 1e-4, "\(name) to \(display.ratio), \(rendition), at \(worst.color)")
      }
    }
  }

  /// A display clips its own components, so its primaries are unchanged.
  @Test(arguments: [ColorPrimaries.displayP3, .bt709])
  func clippedPrimaries(target: ColorPrimaries) throws {
    let toneMap = try ToneMapOperator.clip.toneMap(content: Self.content, display: .standard)
    let colors: [SIMD3<Double>] = [SIMD3(4, 0, 0), SIMD3(0, 4, 0), SIMD3(0, 0, 4)]
    let toBT2020 = target.conversion(to: .bt2020)
    let image = Self.image(colors.map { SIMD3<Float>(toBT2020 * $0) })
    let found = try Self.light(image, in: target, Rendition(toneMap, gamutMapping: .clip))
    for (color, shown) in zip(colors, found) {
      let difference = shown - color / 4
      #expect(max(difference.max(), -difference.min()) < 1e-5, "\(shown)")
    }
  }

  /// Infinite values become the content's peak, including on displays with more headroom; hue is
  /// preserved.
  @Test(arguments: ToneMapOperator.allCases) func infiniteLight(method: ToneMapOperator) throws {
    let colors: [SIMD3<Float>] = [
      SIMD3(repeating: .infinity), SIMD3(.infinity, 0, 0), SIMD3(repeating: 5),
    ]
    for display in [1.7, 8] {
      let toneMap = try method.toneMap(
        content: Self.content, display: Headroom(ratio: display))
      let found = try Self.light(Self.image(colors), in: .bt2020, Rendition(toneMap))
      let peak = min(display, Self.content.ratio)
      for component in 0..<3 {
        #expect(abs(found[0][component] - peak) < 1e-3, "\(method) to \(display)")
      }
      // BT.2446-A maps saturated colors above the peak of any color, where gamut mapping starts.
      if method != .bt2446a || toneMap.isIdentity {
        #expect(found[1].x > 0.5 && found[1].y < 1e-3 && found[1].z < 1e-3)
      }
      // Finite values slightly above the content's peak are not replaced.
      if toneMap.isIdentity { #expect(found[2] == SIMD3(repeating: 5)) }
    }
  }

  /// For very bright content the knee of BT.2390 is at black, without a linear part.
  @Test func curveWithoutStraightPart() throws {
    let curve = try BT2390(
      content: Headroom(ratio: 10_000), display: .standard, referenceWhite: 1)
    #expect(curve.knee == 0)
    let colors = [0, 1e-6, 0.01, 1, 100, 10_000].map { SIMD3<Float>(repeating: $0) }
    let found = try Self.light(Self.image(colors), in: .bt2020, Rendition(ToneMap(curve)))
    for (color, found) in zip(colors, found) {
      let expected = curve.mapped(Double(color.x))
      #expect(
        abs(PQ.inverseEOTF(found.x) - PQ.inverseEOTF(expected)) < 2e-5, "\(color.x)")
    }
  }
}
