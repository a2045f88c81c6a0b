// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Reconstruction of highlights") struct HighlightColorsTests {
  private static let neutral = [0.5, 1, 0.625]
  private static let size = (width: 120, height: 72)

  /// Two lamps of opposite colors before a dim wall, up to three times the saturation of green.
  private static func light(x: Int, y: Int) -> SIMD3<Double> {
    func lamp(_ column: Double) -> Double {
      let (across, down) = ((Double(x) - column) / 16, (Double(y) - 36) / 16)
      return 3 * exp(-(across * across + down * down))
    }
    let wall = SIMD3(0.02, 0.02, 0.02)
    return wall + (x < 60 ? lamp(30) * SIMD3(1, 0.6, 0.3) : lamp(90) * SIMD3(0.35, 0.6, 1))
  }

  /// A camera whose colors are linear BT.2020, but for its sensitivities.
  private static var file: SyntheticDNG {
    var file = SyntheticDNG(width: size.width, height: size.height, planes: 3)
    let camera = Matrix3x3(diagonal: SIMD3(neutral[0], neutral[1], neutral[2]))
    file.main.entries[50_721] = .signedRationals((camera * ColorPrimaries.bt2020.xyzToRGB).elements)
    file.main.entries[50_729] = nil
    file.main.entries[50_728] = .rationals(neutral)
    file.main.chunks = [
      (0..<size.width * size.height).flatMap { place in
        let light = light(x: place % size.width, y: place / size.width)
        return (0..<3).flatMap { plane -> [UInt8] in
          let level = min(light[plane] * neutral[plane], 1)
          return file.number(Int(clamping: (65_535 * level).rounded()), 2)
        }
      }
    ]
    return file
  }

  private static func developed(_ highlights: RawDevelopment.Highlights) throws -> [[[Float]]] {
    var development = RawDevelopment.sceneLinear
    development.highlights = highlights
    return try file.document(development).light()
  }

  /// Error in stops of the components of pixels in which some but not all are saturated.
  private static func error(_ highlights: RawDevelopment.Highlights) throws -> Double {
    let found = try developed(highlights)
    var errors: [Double] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let light = light(x: x, y: y)
        let saturated = (0..<3).filter { light[$0] * neutral[$0] >= 1 }.count
        guard saturated == 1 || saturated == 2 else { continue }
        for plane in 0..<3 { errors.append(log2(Double(found[plane][y][x]) / light[plane])) }
      }
    }
    #expect(errors.count > 1000)
    return (errors.map { $0 * $0 }.reduce(0, +) / Double(errors.count)).squareRoot()
  }

  @Test("saturated components follow the colors around, on either side of an edge")
  func neighbors() throws {
    let (clipped, kept) = (try Self.error(.clip), try Self.error(.keep))
    let reconstructed = try Self.error(.reconstruct)
    #expect(5 * reconstructed < kept)
    #expect(10 * reconstructed < clipped)
  }

  @Test("unsaturated pixels do not change")
  func unsaturated() throws {
    let (kept, found) = (try Self.developed(.keep), try Self.developed(.reconstruct))
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        let light = Self.light(x: x, y: y)
        guard (0..<3).allSatisfy({ light[$0] * Self.neutral[$0] < 0.89 }) else { continue }
        for plane in 0..<3 {
          #expect(abs(found[plane][y][x] - kept[plane][y][x]) <= 1e-6 * kept[plane][y][x])
        }
      }
    }
  }

  @Test("the look with headroom shows reconstructed highlights")
  func look() throws {
    func largest(_ highlights: RawDevelopment.Highlights) throws -> Float {
      var development = RawDevelopment()
      development.highlights = highlights
      return try Self.file.document(development).light().joined().joined().max() ?? 0
    }
    let (clipped, found) = (try largest(.clip), try largest(.reconstruct))
    #expect(found > 1.5 * clipped)
  }

  @Test("the same image for any number of threads, any strips, and nearly the same at a half size")
  func determinism() throws {
    var development = RawDevelopment.sceneLinear
    development.highlights = .reconstruct
    let light = try Self.file.document(development).light(threads: 1)
    #expect(try Self.file.document(development).light(stripHeight: 7, threads: 3) == light)
    development.scaleFactor = 0.5
    let half = try Self.file.document(development).light()
    for y in 0..<36 {
      for x in 0..<60 {
        let mean = (light[1][2 * y][2 * x] + light[1][2 * y + 1][2 * x + 1]) / 2
        #expect(abs(half[1][y][x] - mean) < 0.1 * mean + 0.02)
      }
    }
  }
}
