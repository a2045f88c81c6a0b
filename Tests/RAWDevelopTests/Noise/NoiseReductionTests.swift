// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import RAWDevelop

/// Noise of simulated exposures: photon noise and read noise of known variance.
@Suite("Noise reduction") struct NoiseReductionTests {
  private static let size = (width: 128, height: 96)
  private static let gains = SIMD3<Float>(2, 1, 1.6)

  /// A scene with gradients, edges and texture; red, two greens and blue of a sensor.
  private static let scene: [Plane<Float>] = (0..<4).map { site in
    Plane(width: size.width, height: size.height) { samples in
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (u, v) = (Double(x), Double(y))
          var light = 0.12 + 0.08 * sin(u / 19) * cos(v / 23)
          if (u - 70) * (u - 70) + (v - 50) * (v - 50) < 500 { light += 0.25 }
          if x > 20, x < 40, y > 15, y < 80 { light *= x % 8 < 4 ? 1.6 : 0.6 }
          let color = [1 + 0.3 * sin(v / 31), 1, 1, 1 - 0.3 * cos(u / 37)][site]
          let gain = [gains.x, gains.y, gains.y, gains.z][site]
          samples.append(Float(light * color) / gain)
        }
      }
    }
  }

  private static func noisy(_ model: NoiseModel, seed: UInt64) -> [Plane<Float>] {
    var random = SplitMix(seed: seed)
    return scene.map { plane in
      let source = plane.span
      return Plane(width: plane.width, height: plane.height) { samples in
        for index in source.indices {
          let (a, b) = (
            Double.random(in: 1e-9...1, using: &random), Double.random(in: 0...1, using: &random)
          )
          let normal = (-2 * log(a)).squareRoot() * cos(2 * .pi * b)
          let value = Double(source[index])
          samples.append(Float(value + normal * model.deviation(at: value)))
        }
      }
    }
  }

  /// Mean square of the errors of white-balanced values; of single ones, or of means of 8 x 8.
  private static func error(_ planes: [Plane<Float>], blocks side: Int = 1) -> Double {
    var (sum, count) = (0.0, 0)
    for (site, plane) in planes.enumerated() {
      let gain = Double([gains.x, gains.y, gains.y, gains.z][site])
      let original = scene[site]
      for y in stride(from: 0, to: size.height, by: side) {
        for x in stride(from: 0, to: size.width, by: side) {
          var difference = 0.0
          for row in y..<y + side {
            for column in x..<x + side {
              difference += Double(plane.row(row)[column]) - Double(original.row(row)[column])
            }
          }
          difference *= gain / Double(side * side)
          sum += difference * difference
          count += 1
        }
      }
    }
    return sum / Double(count)
  }

  /// Planes of equal size.
  private struct Sites: SiteSource {
    let planes: [Plane<Float>]

    var size: (width: Int, height: Int) { (planes[0].width, planes[0].height) }
    var count: Int { planes.count }

    func read(row y: Int, columns: Range<Int>, into sites: inout [SampleGrid], at start: Int) {
      for (index, plane) in planes.enumerated() {
        for x in columns { sites[index].samples[start + x - columns.lowerBound] = plane.row(y)[x] }
      }
    }
  }

  private static func reduced(
    _ planes: [Plane<Float>], _ model: NoiseModel, _ amounts: DetailAmounts,
    gains: [Float] = [gains.x, gains.y, gains.y, gains.z]
  ) throws -> [Plane<Float>] {
    let transform = NoiseTransform(
      models: planes.map { _ in model }, gains: gains, amounts: amounts)
    let layout = LinearReference.layout(
      width: planes[0].width, height: planes[0].height, count: planes.count, samples: .float)
    return try SharedPlanes<Float>.makePlanes(layout) { (shared) throws(ImageError) in
      try NoiseReduction(Sites(planes: planes), transform).forEachTile { tile in
        for y in tile.rows {
          for index in tile.sites.indices {
            let (values, start) = (tile.sites[index].samples, tile.start(row: y))
            shared.withRow(y, columns: tile.columns, of: index) { row in
              for x in row.indices { row[x] = values[start + x] }
            }
          }
        }
      }
    }
  }

  /// Mean structural similarity of roots of green to the scene, in blocks of 8 x 8.
  private static func similarity(_ planes: [Plane<Float>]) -> Double {
    let (green, original) = (planes[1], scene[1])
    var (sum, count) = (0.0, 0.0)
    for y in stride(from: 0, to: size.height, by: 8) {
      for x in stride(from: 0, to: size.width, by: 8) {
        var (a, b, aa, bb, ab) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for row in y..<y + 8 {
          for column in x..<x + 8 {
            let u = Double(max(green.row(row)[column], 0)).squareRoot()
            let v = Double(max(original.row(row)[column], 0)).squareRoot()
            (a, b, aa, bb, ab) = (
              a + u / 64, b + v / 64, aa + u * u / 64, bb + v * v / 64, ab + u * v / 64
            )
          }
        }
        let (c, d) = (1e-4, 9e-4)
        sum +=
          (2 * a * b + c) * (2 * (ab - a * b) + d)
          / ((a * a + b * b + c) * (aa - a * a + bb - b * b + d))
        count += 1
      }
    }
    return sum / count
  }

  /// ISO 800, 6400 and 25600 of a sensor that stores 7000 electrons at ISO 800.
  @Test(
    "noise is reduced, detail is kept",
    arguments: [(1.4e-4, 9.5, 0.99), (1.1e-3, 11, 0.98), (4.5e-3, 12, 0.95)])
  func gain(slope: Double, decibels: Double, similarity: Double) throws {
    let model = NoiseModel(slope: slope, offset: slope * slope * 4)
    let noisy = Self.noisy(model, seed: 5)
    let clean = try Self.reduced(noisy, model, DetailAmounts(luminance: 1, color: 1))
    let (before, after) = (Self.error(noisy), Self.error(clean))
    #expect(10 * log10(before / after) > decibels, "\(10 * log10(before / after)) dB")
    let kept = Self.similarity(clean)
    #expect(kept > similarity && kept > Self.similarity(noisy), "\(kept)")
    // Blotches are errors of means.
    let blotches = (Self.error(noisy, blocks: 8), Self.error(clean, blocks: 8))
    #expect(blotches.1 < blotches.0, "\(blotches)")
  }

  /// Mean error of the color differences of means of `side` x `side` squares of photosites.
  private static func colorError(_ planes: [Plane<Float>], blocks side: Int) -> Double {
    func mean(_ planes: [Plane<Float>], _ x: Int, _ y: Int) -> [Double] {
      var sums = [0.0, 0.0, 0.0, 0.0]
      for (site, plane) in planes.enumerated() {
        for row in y..<y + side {
          let row = plane.row(row)
          for column in x..<x + side { sums[site] += Double(row[column]) }
        }
      }
      let area = Double(side * side)
      let green = Double(gains.y) * (sums[1] + sums[2]) / 2
      return [
        (Double(gains.x) * sums[0] - green) / area, (Double(gains.z) * sums[3] - green) / area,
      ]
    }
    var (error, count) = (0.0, 0.0)
    for y in stride(from: 0, to: size.height, by: side) {
      for x in stride(from: 0, to: size.width, by: side) {
        let (found, wanted) = (mean(planes, x, y), mean(scene, x, y))
        error += abs(found[0] - wanted[0]) + abs(found[1] - wanted[1])
        count += 2
      }
    }
    return error / count
  }

  /// Blocks of 8, 16 and 32 pixels.
  ///
  /// Noise reduction in roots alone leaves 0.69, 0.94 and 1.35 of the
  /// errors at ISO 800, 0.5, 0.75 and 1.1 at 6400, 0.36, 0.57 and 1 at 25600.
  @Test(
    "means of colors are closer to the scene than without noise reduction",
    arguments: [
      (1.4e-4, [0.65, 0.82, 0.95]), (1.1e-3, [0.5, 0.68, 0.87]), (4.5e-3, [0.42, 0.6, 0.8]),
    ])
  func colorMeans(slope: Double, shares: [Double]) throws {
    let model = NoiseModel(slope: slope, offset: slope * slope * 4)
    for amounts in [
      DetailAmounts(luminance: 1, color: 1), DetailAmounts(luminance: 0.3, color: 1),
    ] {
      var errors = (before: [0.0, 0, 0], after: [0.0, 0, 0])
      for seed: UInt64 in 5..<8 {
        let noisy = Self.noisy(model, seed: seed)
        let clean = try Self.reduced(noisy, model, amounts)
        for (index, side) in [4, 8, 16].enumerated() {
          errors.before[index] += Self.colorError(noisy, blocks: side)
          errors.after[index] += Self.colorError(clean, blocks: side)
        }
      }
      let left = zip(errors.after, errors.before).map { $0 / $1 }
      for (left, most) in zip(left, shares) { #expect(left < most, "\(left)") }
    }
  }

  /// Two fields with an edge between them, and noise.
  private static func fields(noise: Float) -> [Plane<Float>] {
    (0..<3).map { color in
      Plane(width: 48, height: 40) { samples in
        for y in 0..<40 {
          for x in 0..<48 {
            var random = SplitMix(seed: UInt64(3000 * y + 3 * x + color))
            let level: Float = x < 24 ? 0.1 : 0.4
            samples.append(level * (1 + noise * Float.random(in: -1...1, using: &random)))
          }
        }
      }
    }
  }

  /// Mean and deviation of luminance, and deviation of the difference of red and blue, of roots.
  private static func statistics(
    _ planes: [Plane<Float>]
  ) -> (mean: Double, deviation: Double, color: Double) {
    var (luminance, color): ([Double], Double) = ([], 0)
    for y in 6..<34 {
      for x in 30..<44 {
        let roots = planes.map { Double($0.row(y)[x]).squareRoot() }
        luminance.append((roots[0] + roots[1] + roots[2]) / 3)
        color += (roots[0] - roots[2]) * (roots[0] - roots[2])
      }
    }
    let mean = luminance.reduce(0, +) / Double(luminance.count)
    let squares = luminance.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (
      mean, (squares / Double(luminance.count)).squareRoot(),
      (color / Double(luminance.count)).squareRoot()
    )
  }

  @Test("luminance and color are reduced apart, means and edges are preserved")
  func fields() throws {
    let (model, gains): (NoiseModel, [Float]) = (NoiseModel(slope: 3e-3, offset: 0), [1, 1, 1])
    func reduced(_ noise: Float, _ luminance: Double, _ color: Double) throws -> [Plane<Float>] {
      try Self.reduced(
        Self.fields(noise: noise), model, DetailAmounts(luminance: luminance, color: color),
        gains: gains)
    }
    let before = Self.statistics(Self.fields(noise: 0.15))
    let after = Self.statistics(try reduced(0.15, 1, 0))
    #expect(after.deviation < 0.5 * before.deviation && abs(after.mean / before.mean - 1) < 0.02)
    let gray = Self.statistics(try reduced(0.15, 0, 1))
    #expect(gray.color < 0.4 * before.color && abs(gray.deviation / before.deviation - 1) < 1e-3)
    let green = try reduced(0.05, 0.7, 0.8)[1]
    let (dark, bright) = (green.row(20)[22], green.row(20)[25])
    #expect(dark < 0.15 && bright > 0.34)
  }

  @Test("no noise is removed with amounts of 0")
  func identity() throws {
    let model = NoiseModel(slope: 1e-3, offset: 1e-6)
    let noisy = Self.noisy(model, seed: 8)
    let same = try Self.reduced(noisy, model, .none)
    for (plane, original) in zip(same, noisy) {
      let (a, b) = (plane.span, original.span)
      for index in a.indices { #expect(abs(a[index] - max(b[index], -1e-3)) < 1e-3) }
    }
  }

  @Test("noise is measured within a third", arguments: [1e-4, 1e-3, 1e-2])
  func measurement(slope: Double) {
    let model = NoiseModel(slope: slope, offset: slope * slope)
    let measured = NoiseModel(measuring: Self.noisy(model, seed: 3))
    let ratio = measured.deviation(at: 0.1) / model.deviation(at: 0.1)
    #expect((0.8...1.25).contains(ratio), "\(ratio)")
  }

  @Test("defaults follow NoiseProfile, then the ISO sensitivity")
  func defaults() {
    let none = DetailAmounts(for: nil, removed: 0)
    #expect(none.isIdentity)
    let quiet = NoiseModel(profile: [3e-5, 1e-7], plane: 1)
    #expect(DetailAmounts(for: quiet, removed: 0).isIdentity)
    let amounts = [800.0, 6400, 25_600].map {
      DetailAmounts(for: NoiseModel(iso: $0, baselineNoise: 1), removed: 0)
    }
    #expect(amounts[0].luminance < amounts[1].luminance && amounts[0].color > 0)
    #expect(amounts[1].luminance < amounts[2].luminance && amounts[2].color == 1)
    #expect(NoiseModel(profile: [.nan, 0], plane: 0) == nil)
    #expect(NoiseModel(profile: [1e-4, 1e-6, 2e-4, 2e-6, 3e-4, 3e-6], plane: 2)?.slope == 3e-4)
  }
}
