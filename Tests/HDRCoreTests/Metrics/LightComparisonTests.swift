// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import HDRCore

@Suite("Comparison of linear values") struct LightComparisonTests {
  private static let white = 203.0

  /// A row of BT.2020 values in multiples of reference white, as an image.
  private func image(_ colors: [SIMD3<Double>], width: Int) -> ImagePlanes {
    let format = ImageLayout(
      width: width, height: colors.count / width, components: .rgb, samples: .float)
    let planes = (0..<3).map { component in
      plane(colors.map { Float($0[component] / Self.white) }, width: width)
    }
    return ImagePlanes(layout: format, planes: .float(planes))
  }

  private func compare(
    _ first: ImagePlanes, _ second: ImagePlanes, makesMap: Bool = false
  ) throws -> LightComparison.Result {
    let encoding = ColorEncoding(primaries: .bt2020, transfer: .linear)
    let ways = try [first, second].map {
      try LightComparison.linear(of: .init(layout: $0.layout, color: encoding))
    }
    return try LightComparison(ways[0], ways[1]).run(
      PlanesReader(first), PlanesReader(second), makesMap: makesMap)
  }

  /// Of twelve bands of rows, the upper halves of the third, seventh and eleventh with a distance of four; of 24, the
  /// upper quarters of the fifth, 13th and 21st with a distance of eight.
  @Test(arguments: [1, 3], [(interval: 4, parts: 2), (8, 4)])
  func someBands(threads: Int, bands: (interval: Int, parts: Int)) throws {
    let (interval, parts) = bands
    let (width, height) = (5, 3 * interval * bandHeight - 7)
    let first = image(
      (0..<width * height).map { SIMD3(repeating: Double($0 % 97) + 1) }, width: width)
    let second = image(
      (0..<width * height).map { index in
        let piece = index / width % (interval * bandHeight) / (bandHeight / parts)
        let isCompared = piece == interval / 2 * parts
        return SIMD3(repeating: Double(index % 97) + (isCompared ? 2 : 500))
      }, width: width)
    let encoding = ColorEncoding(primaries: .bt2020, transfer: .linear)
    let ways = try [first, second].map {
      try LightComparison.linear(of: .init(layout: $0.layout, color: encoding))
    }
    var comparison = try LightComparison(ways[0], ways[1])
    comparison.bandInterval = interval
    let result = try Execution(threads: threads).perform {
      try comparison.run(PlanesReader(first), PlanesReader(second))
    }
    #expect(result.comparedShare == Double(3 * bandHeight / parts) / Double(height))
    #expect(result.firstClipping.pixelCount == 3 * bandHeight / parts * width)
    comparison.bandInterval = 1
    let whole = try comparison.run(PlanesReader(first), PlanesReader(second))
    #expect(whole.comparedShare == 1)
    #expect(result.deltaE.maximum < whole.deltaE.maximum / 4)
    #expect(result.deltaE.mean > 0)
  }

  /// Emissive pixels of premultiplied alpha are visible on black.
  @Test func glowIsSeen() throws {
    let opaque = image([SIMD3(10, 500, 90), SIMD3(0, 20, 300)], width: 2)
    let planes = try #require(opaque.floatPlanes)
    var format = opaque.layout
    (format.hasAlpha, format.isAlphaPremultiplied) = (true, true)
    let glow = ImagePlanes(layout: format, planes: .float(planes + [plane([0, 0.5], width: 2)]))
    let result = try compare(glow, opaque)
    #expect(result.deltaE.maximum == 0)
    #expect(abs(result.first.maximum - 500) < 0.1)
  }

  /// Source: `delta_e_itp.csv`, from colour-science.
  @Test func equalsVectors() throws {
    for row in try VectorTable("delta_e_itp").rows {
      let (a, b) = (row.color("a_r", "a_g", "a_b"), row.color("b_r", "b_g", "b_b"))
      guard a.min() >= 0, b.min() >= 0, a.max() <= 10_000, b.max() <= 10_000 else { continue }
      let result = try compare(image([a], width: 1), image([b], width: 1)).deltaE
      #expect(abs(result.mean - row["delta_e_itp"]) < 2e-4, "\(row.name)")
      #expect(result.maximum == Double(Float(result.mean)))
    }
  }

  /// Compared with definitions in double precision and sorted values.
  @Test func statisticsFollowTheirDefinitions() throws {
    var random = SplitMix(seed: 5)
    let (width, count) = (61, 61 * 83)
    func color() -> SIMD3<Double> {
      let level = exp2(Double.random(in: -6...13, using: &random))
      return SIMD3<Double>.random(in: 0.2...1, using: &random) * level
    }
    let colors = (0..<count).map { _ in color() }
    let others = colors.map { $0 * SIMD3<Double>.random(in: 0.8...1.2, using: &random) }
    let (first, second) = (image(colors, width: width), image(others, width: width))
    let result = try compare(first, second)
    let deltas = zip(colors, others).map { DeltaEITP.between($0, $1) }.sorted()
    #expect(isClose(result.deltaE.mean, deltas.reduce(0, +) / Double(count), relative: 1e-5))
    #expect(isClose(result.deltaE.maximum, deltas[count - 1], relative: 1e-5))
    func nearestRank(_ share: Double) -> Double {
      deltas[Int(clamping: (share * Double(count)).rounded(.up)) - 1]
    }
    #expect(isClose(result.deltaE.percentile95, nearestRank(0.95), relative: 5e-5))
    #expect(isClose(result.deltaE.percentile99, nearestRank(0.99), relative: 5e-5))
    #expect(isClose(result.pqPSNR, PQPSNR.decibels(colors, others), relative: 1e-5))
    let weights = ColorPrimaries.bt2020.luminanceWeights
    let squares = zip(colors, others).map { one, other in
      let error =
        PU21.signal(ofLuminance: (weights * one).sum())
        - PU21.signal(ofLuminance: (weights * other).sum())
      return error * error
    }
    let pu21 = 10 * log10(256 * 256 * Double(count) / squares.reduce(0, +))
    #expect(isClose(result.pu21PSNR, pu21, relative: 1e-5))
    #expect(isClose(result.first.maximum, colors.map { $0.max() }.max() ?? 0, relative: 1e-5))
  }

  @Test func equalImagesDoNotDiffer() throws {
    let image = randomImage(
      ImageLayout(width: 40, height: 70, components: .rgb, samples: .float), seed: 3)
    let result = try compare(image, image, makesMap: true)
    #expect(result.deltaE.maximum == 0 && result.deltaE.percentile99 == 0)
    #expect(result.pqPSNR == .infinity && result.pu21PSNR == .infinity)
    #expect(samples(try #require(result.map)).allSatisfy { $0 == 0 })
  }

  @Test func isTheSameForAnyNumberOfThreads() throws {
    let format = ImageLayout(width: 33, height: 300, components: .rgb, samples: .float)
    let (first, second) = (randomImage(format, seed: 1), randomImage(format, seed: 2))
    let one = try Execution(threads: 1).perform { try compare(first, second, makesMap: true) }
    let three = try Execution(threads: 3).perform { try compare(first, second, makesMap: true) }
    #expect(one.deltaE == three.deltaE)
    #expect(one.pqPSNR == three.pqPSNR && one.pu21PSNR == three.pu21PSNR)
    #expect(one.map == three.map)
  }

  /// Files that encode the same linear values differently do not differ.
  @Test func codingsOfTheSameLightAreEqual() throws {
    let linear = randomImage(
      ImageLayout(width: 64, height: 40, components: .rgb, samples: .float), seed: 9)
    let source = ImageDescription(
      layout: linear.layout, color: ColorEncoding(primaries: .displayP3, transfer: .linear))
    let target = ImageDescription(
      layout: ImageLayout(
        width: 64, height: 40, components: .rgb, samples: .integer(bits: 16)),
      color: ColorEncoding(primaries: .bt2020, transfer: .pq))
    let coded = try ImageTransform(from: source, to: target).run(linear).image
    let result = try LightComparison(
      try LightComparison.linear(of: source), try LightComparison.linear(of: target)
    ).run(PlanesReader(linear), PlanesReader(coded))
    #expect(result.deltaE.maximum < 0.05)
    #expect(result.pqPSNR > 100)
  }

  @Test func mapShowsWhere() throws {
    let gray = SIMD3<Double>(repeating: 100)
    var colors = [SIMD3<Double>](repeating: gray, count: 8 * 6)
    let first = image(colors, width: 8)
    colors[3 * 8 + 5] = gray * 2
    let map = try #require(try compare(first, image(colors, width: 8), makesMap: true).map)
    let marked = samples(map).indices.filter { samples(map)[$0] > 0 }
    #expect(marked == [3 * 8 + 5])
    let expected = DifferenceScale.position(of: DeltaEITP.between(gray, gray * 2)) * 255
    #expect(abs(Double(samples(map)[3 * 8 + 5]) - expected) <= 0.51)
  }
}
