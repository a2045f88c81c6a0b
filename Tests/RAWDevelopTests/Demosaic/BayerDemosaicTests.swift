// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Demosaic") struct BayerDemosaicTests {
  /// An image as a function of position and component, and its mosaic.
  struct Scene {
    var width: Int
    var height: Int
    var bayer: ColorFilterArray.Bayer
    /// Red, green or blue (0...2) at a position, 0...1.
    var color: (_ x: Int, _ y: Int, _ component: Int) -> Double

    func component(_ x: Int, _ y: Int) -> Int {
      let (row, column) = (y % 2 == bayer.redRow, x % 2 == bayer.redColumn)
      return row == column ? (row ? 0 : 2) : 1
    }

    /// A mosaic of 16 bits.
    var samples: RawSamples {
      RawSamples(
        planeCount: 1,
        rows: .integer(
          Plane(width: width, height: height) { output in
            for y in 0..<height {
              for x in 0..<width {
                output.append(UInt16(clamping: (color(x, y, component(x, y)) * 65_535).rounded()))
              }
            }
          }))
    }

    /// The demosaiced image: `[component][y][x]`.
    func demosaiced(
      tile: (rows: Int, columns: Int)? = nil, gains: SIMD3<Float> = SIMD3(1, 1, 1)
    ) throws -> [[[Float]]] {
      let demosaic = TiledDemosaic<BayerTile>(try mosaic(gains, suppressesHotPixels: false))
      return planes(width, height, tile ?? (height, width), demosaic)
    }

    /// The image at half the size: `[component][y][x]`.
    func halved(tile: (rows: Int, columns: Int)) throws -> [[[Float]]] {
      let (width, height) = ((width + 1) / 2, (height + 1) / 2)
      let demosaic = TiledDemosaic<HalfSizeTile>(
        try mosaic(SIMD3(1, 1, 1), suppressesHotPixels: true))
      return planes(width, height, tile, demosaic)
    }

    private func mosaic(
      _ gains: SIMD3<Float>, suppressesHotPixels: Bool
    ) throws -> BayerMosaic {
      var file = SyntheticDNG(width: width, height: height)
      file.main.chunks = [[UInt8](repeating: 0, count: 2 * width * height)]
      let dng = try SyntheticDNG.parsed(file)
      let layout = try RawLayout(of: dng.raw, version: dng.version, limits: ImageLimits())
      return BayerMosaic(
        reference: LinearReference(samples, try RawLevels(of: dng.raw, layout)), bayer: bayer,
        gains: gains, suppressesHotPixels: suppressesHotPixels)
    }

    private func planes(
      _ width: Int, _ height: Int, _ tile: (rows: Int, columns: Int), _ camera: any CameraRows
    ) -> [[[Float]]] {
      var planes = [[[Float]]](
        repeating: Array(repeating: Array(repeating: -1, count: width), count: height), count: 3)
      for top in stride(from: 0, to: height, by: tile.rows) {
        for left in stride(from: 0, to: width, by: tile.columns) {
          let columns = left..<min(left + tile.columns, width)
          camera.make(rows: top..<min(top + tile.rows, height), columns: columns) { y, row in
            planes[0][y].replaceSubrange(columns, with: row.red)
            planes[1][y].replaceSubrange(columns, with: row.green)
            planes[2][y].replaceSubrange(columns, with: row.blue)
          }
        }
      }
      return planes
    }

    /// Away from the edges, in dB.
    func psnr(_ planes: [[[Float]]]) -> Double {
      var (sum, count) = (0.0, 0)
      for component in 0..<3 {
        for y in 12..<height - 12 {
          for x in 12..<width - 12 {
            let error = Double(planes[component][y][x]) - color(x, y, component)
            sum += error * error
            count += 1
          }
        }
      }
      return -10 * log10(sum / Double(count))
    }

    /// The mean of the nearest photosites of each color.
    var bilinear: [[[Float]]] {
      (0..<3).map { component in
        (0..<height).map { y in
          (0..<width).map { x in
            var (sum, weights) = (0.0, 0.0)
            for dy in -1...1 {
              for dx in -1...1 {
                let (column, row) = (x + dx, y + dy)
                guard (0..<width).contains(column), (0..<height).contains(row),
                  self.component(column, row) == component
                else { continue }
                let weight = Double((2 - abs(dx)) * (2 - abs(dy)))
                sum += weight * color(column, row, component)
                weights += weight
              }
            }
            return Float(sum / weights)
          }
        }
      }
    }
  }

  private static let phases = (0..<4).map {
    ColorFilterArray.Bayer(redRow: $0 / 2, redColumn: $0 % 2)
  }

  @Test("a uniform color is preserved", arguments: phases)
  func flat(phase: ColorFilterArray.Bayer) throws {
    let colors = [0.25, 0.75, 0.5]
    let scene = Scene(width: 21, height: 17, bayer: phase) { _, _, component in colors[component] }
    for (component, plane) in try scene.demosaiced().enumerated() {
      let expected = Float(colors[component])
      #expect(plane.joined().allSatisfy { abs($0 - expected) < 2e-5 })
    }
  }

  @Test("ramps of each color are preserved", arguments: phases)
  func ramps(phase: ColorFilterArray.Bayer) throws {
    let scene = Scene(width: 60, height: 50, bayer: phase) { x, y, component in
      0.1 + Double(x) * 0.004 + Double(y) * 0.003 + Double(component) * 0.2
    }
    #expect(scene.psnr(try scene.demosaiced()) > 90)
  }

  @Test("at half the size, ramps are exact and hot pixels replaced", arguments: phases)
  func halfSize(phase: ColorFilterArray.Bayer) throws {
    let scene = Scene(width: 61, height: 50, bayer: phase) { x, y, component in
      (x, y) == (31, 20)
        ? 1 : 0.1 + Double(x) * 0.004 + Double(y) * 0.003 + Double(component) * 0.02
    }
    let whole = try scene.halved(tile: (25, 31))
    // The last tile has one column, half of which is beyond the edge.
    for columns in [11, 10] { #expect(try scene.halved(tile: (7, columns)) == whole) }
    for (component, plane) in whole.enumerated() {
      #expect(plane.count == 25 && plane[0].count == 31)
      for y in 2..<23 {
        for x in 2..<28 {
          let center = 0.1 + (Double(2 * x) + 0.5) * 0.004 + (Double(2 * y) + 0.5) * 0.003
          let error = Double(plane[y][x]) - center - Double(component) * 0.02
          let isNearHotPixel = abs(x - 15) < 3 && abs(y - 10) < 3
          #expect(abs(error) < (isNearHotPixel ? 0.02 : 2e-5), "\(component) \(x) \(y)")
        }
      }
    }
  }

  /// Colored edges, fine lines and smooth shading.
  private static func test(_ phase: ColorFilterArray.Bayer) -> Scene {
    Scene(width: 150, height: 110, bayer: phase) { x, y, component in
      let (u, v) = (Double(x) / 150, Double(y) / 110)
      let rings = 0.5 + 0.5 * cos(160 * (u * u + v * v))
      let edge = 1 / (1 + exp(-4 * (Double(x) - 40 - Double(y) * 0.4)))
      let tint = [0.9, 0.7, 0.5][component] * (1 - edge) + [0.3, 0.5, 0.8][component] * edge
      return tint * (0.15 + 0.75 * rings)
    }
  }

  /// Bilinear is 23 to 24 dB here.
  @Test("much better than bilinear on edges and fine lines", arguments: phases)
  func quality(phase: ColorFilterArray.Bayer) throws {
    let scene = Self.test(phase)
    let (directed, bilinear) = (scene.psnr(try scene.demosaiced()), scene.psnr(scene.bilinear))
    #expect(directed > bilinear + 6, "\(directed) dB, bilinear \(bilinear) dB")
  }

  @Test("an image does not depend on tiles")
  func tiles() throws {
    let scene = Self.test(Self.phases[1])
    let whole = try scene.demosaiced()
    #expect(try scene.demosaiced(tile: (32, 48)) == whole)
    #expect(try scene.demosaiced(tile: (7, 149)) == whole)
  }

  @Test("images smaller than the margin")
  func small() throws {
    for (width, height) in [(2, 2), (3, 5), (11, 4), (1, 1)] {
      let scene = Scene(width: width, height: height, bayer: Self.phases[0]) { _, _, _ in 0.5 }
      let samples = try scene.demosaiced().joined().joined()
      #expect(samples.allSatisfy { abs($0 - 0.5) < 2e-5 })
    }
  }

  @Test("demosaicing is linear; gains are applied first")
  func linearity() throws {
    let scene = Self.test(Self.phases[2])
    var dim = scene
    dim.color = { x, y, component in (scene.color(x, y, component) * 16_383).rounded() / 65_535 }
    var bright = dim
    bright.color = { dim.color($0, $1, $2) * 4 }
    let pairs = zip(
      try dim.demosaiced().joined().joined(), try bright.demosaiced().joined().joined())
    #expect(pairs.allSatisfy { abs($0 * 4 - $1) < 2e-4 })
    let gains: SIMD3<Float> = [2, 1, 1.5]
    let balanced = try Scene(width: 30, height: 30, bayer: Self.phases[3]) { _, _, component in
      0.6 / Double(gains[component])
    }.demosaiced(gains: gains)
    #expect(balanced.joined().joined().allSatisfy { abs($0 - 0.6) < 5e-5 })
  }

  /// The kernels agree with the formulas of the paper in double precision.
  @Test func definition() throws {
    let scene = Self.test(Self.phases[0])
    let planes = try scene.demosaiced()
    let mosaic = (0..<110).map { y in
      (0..<150).map { x in
        (scene.color(x, y, scene.component(x, y)) * 65_535).rounded() / 65_535
      }
    }
    func sign(_ x: Int, _ y: Int) -> Double { scene.component(x, y) == 1 ? -1 : 1 }
    func across(_ x: Int, _ y: Int) -> Double {
      let row = mosaic[y]
      return sign(x, y)
        * ((row[x - 1] + row[x + 1]) / 2 + (2 * row[x] - row[x - 2] - row[x + 2]) / 4 - row[x])
    }
    func along(_ x: Int, _ y: Int) -> Double {
      let near = (mosaic[y - 1][x] + mosaic[y + 1][x]) / 2
      let far = (2 * mosaic[y][x] - mosaic[y - 2][x] - mosaic[y + 2][x]) / 4
      return sign(x, y) * (near + far - mosaic[y][x])
    }
    func mean(_ range: ClosedRange<Int>, _ value: (Int) -> Double) -> Double {
      range.map(value).reduce(0, +) / Double(range.count)
    }
    func weight(_ x: ClosedRange<Int>, _ y: ClosedRange<Int>, _ change: (Int, Int) -> Double)
      -> Double
    {
      let sum = y.flatMap { y in x.map { x in change(x, y) } }.reduce(0, +)
      return 1 / (sum * sum + 1e-9)
    }
    func green(_ x: Int, _ y: Int) -> Double {
      func h(_ x: Int, _ y: Int) -> Double { abs(across(x - 1, y) - across(x + 1, y)) }
      func v(_ x: Int, _ y: Int) -> Double { abs(along(x, y - 1) - along(x, y + 1)) }
      let parts = [
        (weight(x - 4...x, y - 2...y + 2, h), mean(x - 4...x) { across($0, y) }),
        (weight(x...x + 4, y - 2...y + 2, h), mean(x...x + 4) { across($0, y) }),
        (weight(x - 2...x + 2, y - 4...y, v), mean(y - 4...y) { along(x, $0) }),
        (weight(x - 2...x + 2, y...y + 4, v), mean(y...y + 4) { along(x, $0) }),
      ]
      let weights = parts.map(\.0).reduce(0, +)
      return mosaic[y][x] + parts.reduce(0) { $0 + $1.0 * $1.1 } / weights
    }
    for (x, y) in [(20, 20), (21, 21), (44, 60), (75, 33), (120, 80), (41, 11)]
    where scene.component(x, y) != 1 {
      #expect(abs(green(x, y) - Double(planes[1][y][x])) < 1e-5, "at \(x), \(y)")
      let other = 2 - scene.component(x, y)
      func difference(_ dx: Int, _ dy: Int) -> Double {
        green(x + dx, y + dy) - mosaic[y + dy][x + dx]
      }
      let near = [(-1, -1), (1, -1), (-1, 1), (1, 1)].map(difference).reduce(0, +)
      let far = [(-1, -3), (1, -3), (-1, 3), (1, 3), (-3, -1), (-3, 1), (3, -1), (3, 1)]
        .map(difference).reduce(0, +)
      let expected = green(x, y) - (10 * near - far) / 32
      #expect(abs(expected - Double(planes[other][y][x])) < 2e-5, "at \(x), \(y)")
    }
  }
}
