// SPDX-License-Identifier: Apache-2.0
import HDRCore
import ImageCodecs
import Testing

@testable import ContactSheet
@testable import HDRConversion
@testable import ImageFiles

@Suite("Views") struct AnalysisViewsTests {
  /// Grays of these luminances, in a row.
  private func image(_ luminances: [Float]) -> Canvas {
    var canvas = Canvas(width: luminances.count, height: 1, background: LinearColor(repeating: 0))
    for (x, luminance) in luminances.enumerated() {
      canvas[x, 0] = LinearColor(repeating: luminance)
    }
    return canvas
  }

  @Test func stopsBeginAtPowersOfTwo() {
    let stops = [0, 0.51, 0.99, 1.01, 1.99, 2.01, 4.01, 1e6].map { StopScale.stop(of: $0) }
    #expect(stops == [StopScale.lowest - 1, -1, -1, 0, 0, 1, 2, StopScale.highest])
  }

  /// A row of linear values, as gray or as the second of three components.
  private func light(_ lights: [Float], _ components: ImageLayout.Components) -> ImagePlanes {
    func plane(_ share: Float) -> Plane<Float> {
      Plane(width: lights.count, height: 1) { output in
        for light in lights { output.append(light * share) }
      }
    }
    return ImagePlanes(
      layout: ImageLayout(
        width: lights.count, height: 1, components: components, samples: .float),
      planes: .float(components == .gray ? [plane(1)] : [plane(0.2), plane(1), plane(-0.1)]))
  }

  /// The largest component of a pixel counts, in gray and in color.
  @Test(arguments: [ImageLayout.Components.rgb, .gray])
  func pixelsAboveADisplayAreCounted(components: ImageLayout.Components) {
    let headrooms = [1, 2, 4, 8].map { Headroom(ratio: $0) }
    let counts = HighlightCounts(
      light([0.5, 1, 1.5, 3, 5], components), content: .standard, above: headrooms)
    #expect(headrooms.map(counts.count) == [3, 2, 1, 0])
    #expect(headrooms.map(counts.share) == ["60 %", "40 %", "20 %", "0 %"])
    #expect(headrooms.map(counts.fits) == [false, false, false, true])
    #expect(abs(counts.reach.ratio - 5) < 1e-9)
  }

  /// One pixel of many is not 0 %.
  @Test func smallSharesAreNotZero() {
    var lights = [Float](repeating: 0.5, count: 20_000)
    lights[7] = 30
    let headrooms = [2, 40].map { Headroom(ratio: $0) }
    let counts = HighlightCounts(light(lights, .gray), content: .standard, above: headrooms)
    #expect(headrooms.map(counts.share) == ["<0.01 %", "0 %"])
  }

  /// Infinite values count as the peak of the content.
  @Test func infiniteValuesCountAsContentPeak() {
    let headrooms = [2, 4].map { Headroom(ratio: $0) }
    let counts = HighlightCounts(
      light([1, 1e30], .gray), content: Headroom(ratio: 3), above: headrooms)
    #expect(abs(counts.reach.ratio - 3) < 1e-9)
    #expect(headrooms.map(counts.count) == [1, 0])
  }

  @Test func maskTakesTheHighestThreshold() {
    let mask = AnalysisViews.clipping(
      image([0.5, 1.5, 3]), above: [Headroom(ratio: 1), Headroom(ratio: 2)])
    #expect(mask[1, 0] == LinearColor(sRGB: AnalysisViews.maskColors[0]))
    #expect(mask[2, 0] == LinearColor(sRGB: AnalysisViews.maskColors[1]))
    #expect(mask[0, 0].luminance < 0.5)
  }

  /// The maximum number of displays has distinct colors.
  @Test func everyThresholdHasADistinctColor() {
    let headrooms = (0..<SheetItem.maximumDisplayCount).map { Headroom(ratio: Double($0 + 1)) }
    let mask = AnalysisViews.clipping(
      image(headrooms.map { Float($0.ratio) + 0.5 }), above: headrooms)
    let colors = Set(headrooms.indices.map { mask[$0, 0] })
    #expect(SheetItem.maximumDisplayCount == 8 && colors.count == 8)
  }

  @Test func histogramAndScaleAgreeOnWhite() throws {
    let bins = AnalysisViews.histogram(image([1, 1, 1, 0.25]), bins: 141)
    let peak = try #require(bins.firstIndex(of: 1))
    #expect(peak == Int(clamping: StopScale.position(of: 1) * 140))
  }

  /// Linear values are averaged, not signal: white and black average to half the luminance.
  @Test func reductionAveragesLinearValues() {
    let plane = Plane<UInt16>(width: 4, height: 2) { output in
      for code in [0, 255, 10, 10, 255, 0, 10, 10] as [UInt16] { output.append(code) }
    }
    let table = (0...255).map { Float($0) / 255 }
    let small = Canvas(reducing: [plane], to: (2, 1), table: table)
    #expect(abs(small[0, 0].x - 0.5) < 1e-6)
    #expect(abs(small[1, 0].x - 10.0 / 255) < 1e-6)
  }

  /// Small images are enlarged by integer factors, large ones are not.
  @Test func tinyImagesAreEnlarged() {
    let large = image([0.25, 1]).enlarged(into: (7, 5))
    #expect((large.width, large.height) == (6, 3))
    #expect(large[2, 2].x == 0.25 && large[3, 0].x == 1)
    #expect(large.enlarged(into: (7, 5)).width == 6)
  }

  @Test func simulationIsMonotonicUpToWhite() throws {
    let simulation = try HeadroomSimulation(brightest: Headroom(ratio: 16))
    let shown = simulation.shown(image([0.1, 1, 4, 16]))
    #expect(abs(shown[1, 0].x - 0.25) < 1e-5)
    #expect(shown[2, 0].x > shown[1, 0].x && shown[3, 0].x > shown[2, 0].x)
    #expect(abs(shown[3, 0].x - 1) < 1e-4)
  }

  @Test func headroomTextHasBothUnits() {
    #expect(Headroom(ratio: 4).words == "4x · 2 stops")
    #expect(Headroom(ratio: 2).words == "2x · 1 stop")
    #expect(Headroom(ratio: 4.926).words == "4.9x · 2.3 stops")
  }

  @Test(arguments: [
    (0, "0"), (0.0351, "0.0351"), (13.44, "13.4"), (482.472, "482"), (10_000, "10000"),
  ])
  func numbersHaveNoExponent(value: Double, text: String) {
    #expect(value.digits == text)
  }
}
