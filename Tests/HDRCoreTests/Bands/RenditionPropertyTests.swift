// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

/// Properties of renditions, on rows in single precision.
@Suite("Rendition properties") struct RenditionPropertyTests {
  private static let content = Headroom(ratio: 1000 / 203)

  /// Colors at small steps of luminance, with every hue, some of them outside the primaries.
  private static let colors: [SIMD3<Double>] = {
    var random = SplitMix(seed: 21)
    let gray = (0..<4000).map { SIMD3<Double>(repeating: Double($0) / 600) }
    let dark = (0..<400).map { SIMD3<Double>(repeating: Headroom(stops: -Double($0) / 20).ratio) }
    let hues = (0..<8000).map { _ in
      let peak = Headroom(stops: Double.random(in: -8...3, using: &random)).ratio
      return SIMD3(
        Double.random(in: -0.05...1, using: &random), Double.random(in: -0.05...1, using: &random),
        Double.random(in: -0.05...1, using: &random)) * peak
    }
    // Rounded to single precision, as in rows.
    return (gray + dark + hues + [.zero, SIMD3(-1, -2, 0)]).map {
      SIMD3(Double(Float($0.x)), Double(Float($0.y)), Double(Float($0.z)))
    }
  }()

  private static func render(
    _ colors: [SIMD3<Double>], _ rendition: Rendition, from source: ColorPrimaries = .bt2020,
    to target: ColorPrimaries = .bt2020
  ) throws -> (
    colors: [SIMD3<Double>], changes: ImageTransform.Changes,
    clipping: ImageTransform.Clipping
  ) {
    func plane(_ component: Int) -> Plane<Float> {
      Plane(width: colors.count, height: 1) { samples in
        for color in colors { samples.append(Float(color[component])) }
      }
    }
    let image = LinearImage(red: plane(0), green: plane(1), blue: plane(2), primaries: source)
    let format = ImageLayout(width: colors.count, height: 1, components: .rgb, samples: .float)
    let result = try image.stored(
      as: .init(layout: format, color: ColorEncoding(primaries: target, transfer: .linear)),
      rendition: rendition)
    guard case .float(let planes) = result.image.planes else {
      return ([], result.changes, result.clipping)
    }
    let rows = planes.map { plane in (0..<colors.count).map { Double(plane.row(0)[$0]) } }
    return (
      colors.indices.map { SIMD3(rows[0][$0], rows[1][$0], rows[2][$0]) }, result.changes,
      result.clipping
    )
  }

  /// Clips a color to the range of a display with this peak.
  private static func clipped(_ color: SIMD3<Double>, peak: Double) -> SIMD3<Double> {
    color.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: peak))
  }

  /// Increasing gray values do not decrease in single precision.
  @Test(arguments: ToneMapOperator.allCases)
  func rowsNeverFall(method: ToneMapOperator) throws {
    let steps = 16_384
    let rising = (0..<steps).map { step in
      let stops = Double(step) / Double(steps) * 16 - 12
      return SIMD3<Double>(repeating: Headroom(stops: stops).ratio)
    }
    for display in [1, 1.1, 2, 3.9] {
      let map = try method.toneMap(content: Headroom(ratio: 4), display: Headroom(ratio: display))
      let shown = try Self.render(rising, Rendition(map, gamutMapping: .clip)).colors
      // The rounded product with a rounded quotient may decrease by two units of the 24-bit
      // significand.
      for (light, next) in zip(shown, shown.dropFirst()) {
        #expect(next.y >= light.y * (1 - 0x1p-22))
      }
    }
  }

  /// Including negative values; colors outside the primaries are mapped to the boundary, by an
  /// equation that the kernel solves in single precision.
  @Test func identityLeavesEveryBit() throws {
    let map = try ToneMapOperator.shoulder.toneMap(
      content: Headroom(ratio: 64), display: Headroom(ratio: 64))
    let shown = try Self.render(Self.colors, Rendition(map))
    let boundary = GamutMapper(from: .bt2020, to: .bt2020, peak: 64)
    var outside = 0
    for (color, found) in zip(Self.colors, shown.colors) {
      if color.min() >= 0 {
        #expect(found == color)
      } else {
        if Float(color.min()) < -(0.01 * Float(color.max()) + Float(0.02 / 203)) { outside += 1 }
        #expect(isClose(found, boundary.mapped(color), absolute: 2e-5 * color.max()), "\(color)")
      }
    }
    #expect(shown.changes.toneMapped == 0)
    #expect(shown.changes.gamutMapped == outside && outside > 500)
  }

  @Test func clippingIsAnIdentityToo() throws {
    let map = try ToneMapOperator.clip.toneMap(
      content: Headroom(ratio: 64), display: Headroom(ratio: 64))
    let shown = try Self.render(Self.colors, Rendition(map, gamutMapping: .clip))
    for (color, found) in zip(Self.colors, shown.colors) {
      #expect(found == Self.clipped(color, peak: 64))
    }
    #expect(shown.changes.toneMapped == 0 && shown.changes.gamutMapped == 0)
  }

  @Test func changedPixelsAreCounted() throws {
    let map = try ToneMapOperator.shoulder.toneMap(content: Self.content, display: .standard)
    let colors =
      [0.2, 0.5, 0.50001, 1, 6].map { SIMD3<Double>(repeating: $0) } + [SIMD3(0, 0.4, 0)]
    let shown = try Self.render(colors, Rendition(map), to: .sRGB)
    #expect(shown.changes.toneMapped == 3)
    #expect(shown.changes.gamutMapped == 1)
  }

  /// Values above the peak count as clipped, although the gamut mapping limits them; colors outside
  /// the primaries count as gamut mapped.
  @Test func lightAboveThePeakIsClipped() throws {
    let map = try ToneMapOperator.shoulder.toneMap(content: .standard, display: Headroom(ratio: 2))
    let colors =
      [0.5, 1.9, 2, 30].map { SIMD3<Double>(repeating: $0) }
      + [SIMD3(5, 0.1, 0.1), SIMD3(0, 0.4, -0.05)]
    let shown = try Self.render(colors, Rendition(map))
    #expect(shown.clipping.above == 2 && shown.changes.gamutMapped == 1)
    #expect(shown.changes.toneMapped == 0)
  }

  /// Colors on the boundary of P3, in PQ with 10 bits, are not out of the gamut of P3, although
  /// rounding moves half of them outside; those of BT.2020 are.
  @Test func roundingOfPQIsNotOutOfGamut() throws {
    let map = try ToneMapOperator.shoulder.toneMap(content: Self.content, display: Self.content)
    let toBT2020 = ColorPrimaries.displayP3.conversion(to: .bt2020)
    var random = SplitMix(seed: 12)
    func stored(_ linear: Double) -> Double {
      PQ.eotf((PQ.inverseEOTF(max(linear, 0) * 203) * 1023).rounded() / 1023) / 203
    }
    func colors(_ matrix: Matrix3x3?) -> [SIMD3<Double>] {
      (0..<4000).map { index in
        var color = SIMD3<Double>.random(in: 0...1, using: &random)
        color[index % 3] = 0
        color *= Headroom(stops: Double.random(in: -16...2, using: &random)).ratio
        if let matrix { color = matrix * color }
        return SIMD3(stored(color.x), stored(color.y), stored(color.z))
      }
    }
    let rounded = try Self.render(colors(toBT2020), Rendition(map), to: .displayP3)
    #expect(rounded.changes.gamutMapped == 0)
    let wide = try Self.render(colors(nil), Rendition(map), to: .displayP3)
    #expect(wide.changes.gamutMapped > 2000)
  }

  /// A lamp within the target's primaries keeps its color, without gamut mapping.
  @Test(
    arguments: [ColorPrimaries.bt709, .displayP3], ToneMapPropertyTests.curves)
  func saturatedHighlightsKeepTheirColor(
    target: ColorPrimaries, method: ToneMapOperator
  ) throws {
    let map = try method.toneMap(content: Self.content, display: .standard)
    let lamps = [SIMD3(4.5, 1.2, 0.1), SIMD3(3, 0.05, 0), SIMD3(0.1, 0.2, 2)]
    let shown = try Self.render(lamps, Rendition(map), from: target, to: target)
    #expect(shown.changes.gamutMapped == 0)
    for (lamp, found) in zip(lamps, shown.colors) {
      let gray = map.toneMapped(SIMD3(repeating: lamp.max())).x
      #expect(isClose(found.max(), gray, relative: 2e-4), "\(lamp)")
      #expect(isClose(found / found.max(), lamp / lamp.max(), relative: 2e-5), "\(lamp)")
    }
  }

  /// The SDR rendition, and baseline images of gain maps, keep the hue of real colors of 1000 cd/m²
  /// within 3 degrees in ICtCp at the 99th percentile, where BT.709 cannot show the blue and cyan of
  /// BT.2020 vividly within 7 (Decision 24), with and without a way to white (Decision 46).
  @Test(
    arguments: [
      (ColorPrimaries.displayP3, ColorPrimaries.displayP3, 3.0), (.displayP3, .bt709, 3),
      (.bt2020, .displayP3, 3), (.bt2020, .bt709, 7),
    ], [0.1, 0.4, 1])
  func standardKeepsHue(
    colors: (source: ColorPrimaries, target: ColorPrimaries, limit: Double), key: Double
  ) throws {
    var random = SplitMix(seed: 31)
    let originals = (0..<20_000).map { _ in
      SIMD3<Double>.random(in: 0...Self.content.ratio, using: &random)
    }
    var rendition = try Rendition.standard(content: Self.content, key: key)
    #expect(rendition.highlightDesaturation == 0.05)
    func percentile() throws -> Double {
      let shown = try Self.render(originals, rendition, from: colors.source, to: colors.target)
      let (fromSource, fromTarget) = (
        colors.source.conversion(to: .bt2020), colors.target.conversion(to: .bt2020)
      )
      let shifts = zip(originals, shown.colors).compactMap { original, shown -> Double? in
        let a = ICtCp.signal(ofLuminance: fromSource * original * 203)
        let b = ICtCp.signal(ofLuminance: fromTarget * shown * 203)
        guard hypotenuse(a.y, a.z) > 0.02, hypotenuse(b.y, b.z) > 0.02 else { return nil }
        return angle(between: (a.y, a.z), and: (b.y, b.z))
      }
      return shifts.sorted()[shifts.count * 99 / 100]
    }
    #expect(try percentile() < colors.limit)
    rendition.highlightDesaturation = 0
    #expect(try percentile() < colors.limit)
  }

  /// Desaturation keeps the largest component, and colors that are not compressed.
  @Test func pathToWhite() throws {
    let rendition = try Rendition.standard(content: Self.content)
    var plain = rendition
    plain.highlightDesaturation = 0
    #expect(rendition.toneMapped(SIMD3(0.2, 0.1, 0)) == plain.toneMapped(SIMD3(0.2, 0.1, 0)))
    let lamp = SIMD3(4.5, 0.4, 0.2)
    let (white, colored) = (rendition.toneMapped(lamp), plain.toneMapped(lamp))
    #expect(isClose(white.max(), colored.max()))
    #expect(white.y > colored.y && white.z > colored.z)
    // Other operators are those of standards.
    for method in ToneMapOperator.allCases where method != .adaptive {
      let other = try Rendition.standard(content: Self.content, using: method)
      #expect(other.highlightDesaturation == 0)
    }
  }

  /// A lamp that becomes brighter becomes whiter, and no component of it ever darker: neither on one display
  /// nor from display to display.
  @Test func lampsGrow() throws {
    let lamps = [
      SIMD3(1, 0.02, 0), SIMD3(1, 0.5, 0), SIMD3(0, 1, 0.1), SIMD3(0.05, 0.05, 1), SIMD3(1, 0, 0.9),
    ]
    let ratio = Self.content.ratio
    for lamp in lamps {
      var (dimmer, least) = (SIMD3<Double>.zero, 0.0)
      for step in 1...200 {
        let standard = try Rendition.standard(content: Self.content)
        let shown = standard.toneMapped(lamp * (ratio * Double(step) / 200))
        #expect((shown - dimmer).min() > -1e-9, "\(lamp), \(step)")
        #expect(shown.min() / shown.max() >= least - 1e-9)
        (dimmer, least) = (shown, shown.min() / shown.max())
      }
      var before = 0.0
      for stops in stride(from: 0, through: Self.content.stops, by: 0.1) {
        let display = Headroom(stops: stops)
        let rendition = try Rendition(.adaptive, content: Self.content, display: display)
        let shown = rendition.toneMapped(lamp * ratio)
        let luminance = 0.2627 * shown.x + 0.678 * shown.y + 0.0593 * shown.z
        #expect(luminance > before, "\(lamp), \(stops) stops")
        before = luminance
      }
    }
  }

  /// A gradient of 8 stops in 8 bits has steps of one code value: no value is left out.
  @Test(arguments: [0.1, 0.4, 1]) func gradientHasNoBands(key: Double) throws {
    let rendition = try Rendition.standard(content: Self.content, key: key)
    let grays = (0...65_536).map { step in
      SIMD3<Double>(repeating: Self.content.ratio * Double(step) / 65_536)
    }
    let codes = try Self.render(grays, rendition, to: .bt709).colors.map {
      (SRGB.inverseEOTF(min($0.y, 1)) * 255).rounded()
    }
    #expect(codes.first == 0 && codes.last == 255)
    #expect(zip(codes, codes.dropFirst()).allSatisfy { 0...1 ~= $1 - $0 })
  }

  /// A step edge does not get a halo: each side is as bright next to the edge as far from it, and as an image
  /// of that color alone.
  @Test(arguments: [0.1, 0.4, 1]) func stepEdgeHasNoHalo(key: Double) throws {
    let rendition = try Rendition.standard(content: Self.content, key: key)
    let sides = [SIMD3(0.05, 0.08, 0.02), SIMD3(4.5, 2, 0.3)]
    let edge = sides.flatMap { Array(repeating: $0, count: 100) }
    let shown = try Self.render(edge, rendition, to: .bt709).colors
    for (side, first) in zip(sides, [0, 100]) {
      let alone = try Self.render([side], rendition, to: .bt709).colors
      #expect(shown[first..<first + 100].allSatisfy { $0 == alone[0] })
    }
  }

  /// Metadata with one gain for all components yields a count of changed pixels.
  @Test func changesByMetadataAreCounted() throws {
    let map = try AdaptiveToneMap.shoulder(content: Headroom(ratio: 4))
    let gain = map.gain(for: .standard)
    let colors = [0.1, 0.49, 0.6, 1, 3].map { SIMD3<Double>(repeating: $0) }
    let shown = try Self.render(colors, Rendition(ToneMap(gain)))
    #expect(shown.changes.toneMapped == 3)
    for (color, found) in zip(colors, shown.colors) {
      #expect(isClose(found, gain.toneMapped(color), relative: 1.5e-4))
    }
  }
}
