// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Scale factor") struct ScaleFactorTests {
  private static let neutral: [Double] = [0.5, 1, 0.625]

  /// A camera whose colors are linear BT.2020 times its sensitivities.
  private static func file(width: Int, height: Int, planes: Int = 3) -> SyntheticDNG {
    var file = SyntheticDNG(width: width, height: height, planes: planes)
    let camera = Matrix3x3(diagonal: SIMD3(neutral)) * ColorPrimaries.bt2020.xyzToRGB
    file.main.entries[50_721] = .signedRationals(camera.elements)
    file.main.entries[50_729] = nil
    file.main.entries[50_728] = .rationals(neutral)
    return file
  }

  private static func linear(
    width: Int, height: Int, _ light: (_ x: Int, _ y: Int, _ plane: Int) -> Double
  ) -> SyntheticDNG {
    var file = file(width: width, height: height)
    file.main.chunks = [
      (0..<width * height).flatMap { place in
        (0..<3).flatMap { plane in
          let seen = light(place % width, place / width, plane) * neutral[plane]
          return file.number(Int(clamping: (min(seen, 1) * 65_535).rounded()), 2)
        }
      }
    ]
    return file
  }

  private static func scene(
    _ file: SyntheticDNG, _ factor: Double, stripHeight: Int = 40, threads: Int = 2
  ) throws -> [[[Float]]] {
    var development = RawDevelopment.sceneLinear
    development.scaleFactor = factor
    return try file.document(development).light(stripHeight: stripHeight)
  }

  private static func noise(_ x: Int, _ y: Int, _ plane: Int) -> Double {
    var random = SplitMix(seed: UInt64(10_000 * y + 10 * x + plane))
    return Double.random(in: 0...0.9, using: &random)
  }

  @Test("the size is rounded, and at least 1")
  func size() throws {
    for (factor, width, height) in [(1.0, 13, 9), (0.5, 7, 5), (0.3, 4, 3), (0.001, 1, 1)] {
      let light = try Self.scene(Self.linear(width: 13, height: 9, Self.noise), factor)
      #expect(light[0].count == height && light[0][0].count == width)
    }
  }

  @Test("linear values are filtered as defined", arguments: [0.5, 0.37, 0.9])
  func definition(factor: Double) throws {
    let file = Self.linear(width: 60, height: 48, Self.noise)
    let whole = try Self.scene(file, 1)
    let small = try Self.scene(file, factor)
    let columns = FilterTaps(from: 60, to: small[0][0].count)
    let rows = FilterTaps(from: 48, to: small[0].count)
    for plane in 0..<3 {
      let narrow = whole[plane].map { columns.filtered($0.map(Double.init)) }
      for x in 0..<small[0][0].count {
        let expected = rows.filtered(narrow.map { $0[x] })
        for y in 0..<small[0].count {
          #expect(abs(Double(small[plane][y][x]) - expected[y]) < 1e-4)
        }
      }
    }
  }

  @Test("the same for any strips and threads, also for mosaics")
  func determinism() throws {
    var file = Self.file(width: 1300, height: 90, planes: 1)
    var noise = SplitMix(seed: 11)
    file.main.chunks = [(0..<1300 * 90 * 2).map { _ in UInt8.random(in: 0...255, using: &noise) }]
    for factor in [0.5, 0.11] {
      let light = try Self.scene(file, factor, threads: 1)
      #expect(try Self.scene(file, factor, stripHeight: 3, threads: 3) == light)
    }
  }

  @Test("edges of highlights have no color cast")
  func highlights() throws {
    // Red and blue are recorded beyond where green saturates.
    let file = Self.linear(width: 64, height: 16) { x, _, _ in x / 5 % 2 == 0 ? 3 : 0.02 }
    for y in try Self.scene(file, 0.4).first?.indices ?? 0..<0 {
      let light = try Self.scene(file, 0.4).map { $0[y] }
      for x in light[0].indices {
        let (least, most) = (light.map { $0[x] }.min() ?? 0, light.map { $0[x] }.max() ?? 1)
        #expect(most - least < 1e-3, "\(x): \(light.map { $0[x] })")
      }
    }
  }

  @Test("a mosaic at half size has a smaller error than at full size")
  func mosaic() throws {
    let (width, height) = (128, 96)
    func light(_ x: Double, _ y: Double, _ plane: Int) -> Double {
      0.4 + 0.25 * sin(x / 2.2 + y / 5) + 0.1 * cos(y / 1.9 + Double(plane)) + 0.05 * Double(plane)
    }
    var file = Self.file(width: width, height: height, planes: 1)
    file.main.chunks = [
      (0..<width * height).flatMap { place in
        let (x, y) = (place % width, place / width)
        let plane = [0, 1, 1, 2][y % 2 * 2 + x % 2]
        let seen = light(Double(x) + 0.5, Double(y) + 0.5, plane) * Self.neutral[plane]
        return file.number(Int(clamping: (seen * 65_535).rounded()), 2)
      }
    ]
    func error(_ factor: Double) throws -> Double {
      let found = try Self.scene(file, factor)
      let truth = try Self.scene(
        Self.linear(width: width, height: height) { light(Double($0) + 0.5, Double($1) + 0.5, $2) },
        factor)
      let squares = zip(found.joined().joined(), truth.joined().joined()).map {
        ($0 - $1) * ($0 - $1)
      }
      return Double(squares.reduce(0, +)) / Double(squares.count)
    }
    #expect(try error(0.5) < error(1))
  }

  /// Large files are measured at half their size, whatever that of the result.
  @Test("results of any size get the same tone curve")
  func toneCurve() throws {
    let (width, height) = (2400, 1800)
    var file = Self.file(width: width, height: height, planes: 1)
    file.main.entries[50_730] = .signedRationals([2])
    var chunk: [UInt8] = []
    chunk.reserveCapacity(2 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        let isLamp = 600..<700 ~= x && 400..<440 ~= y
        let seen =
          (isLamp ? 0.8 : 0.15 * Double(x) / 2400) * Self.neutral[[0, 1, 1, 2][y % 2 * 2 + x % 2]]
        let code = Int(clamping: (seen * 65_535).rounded())
        chunk.append(UInt8(code & 255))
        chunk.append(UInt8(code >> 8))
      }
    }
    file.main.chunks = [chunk]
    let document = try file.document(RawDevelopment())
    let options = RenderingOptions(display: DisplayTarget(headroom: .standard))
    let crop = PixelRectangle(x: 101, y: 51, width: 2299, height: 1749)
    let edits = [
      GeometryEdit(), GeometryEdit(size: .longSide(1200)), GeometryEdit(size: .longSide(300)),
      GeometryEdit(crop: crop),
    ]
    let found = try edits.map { edit in
      try SourceTransform(linear: document, geometry: edit, for: options, primaries: .bt2020)
        .content?.headroom.stops ?? 0
    }
    #expect(found[1] == found[0] && found[2] == found[0])
    let whole = try document.image.contentHeadroom().stops
    #expect(whole > 1 && found.allSatisfy { abs($0 - whole) < 0.02 }, "\(whole): \(found)")
  }

  @Test("local tone curves and masks have the same position at any size")
  func places() throws {
    var file = RawMatteTests.file([RawMatteTests.mask()])
    file.main.entries[50_721] = .signedRationals([1, 0, 0, 0, 1, 0, 0, 0, 1])
    var development = RawDevelopment.sceneLinear
    development.localExposures = [.init(matte: "skin", stops: 1)]
    let whole = try file.document(development).light()
    development.scaleFactor = 0.5
    let small = try file.document(development).light()
    let sum = whole[0].joined().reduce(0, +) / Float(whole[0].joined().count)
    let mean = small[0].joined().reduce(0, +) / Float(small[0].joined().count)
    #expect(abs(mean / sum - 1) < 0.1)
    // Where pixels lie: the first of three lies over the first two of six, from column 2 on.
    let area = RawArea(x: 2, y: 4, width: 6, height: 8)
    let grid = DevelopedGrid(
      crop: area, active: RawArea(x: 0, y: 0, width: 12, height: 16), scale: [0.5, 0.5])
    #expect(grid.center(column: 0) == 3 && grid.center(row: 3) == 11)
    #expect(grid.area == RawArea(x: 0, y: 0, width: 3, height: 4))
    let same = DevelopedGrid(
      crop: area, active: RawArea(x: 0, y: 0, width: 12, height: 16), scale: .one)
    #expect(same.area == area && same.center(column: 2) == 2.5 && !same.isResampled)
  }

  @Test("factors outside of the range are errors", arguments: [0, -1, 1.01, .nan])
  func refusals(factor: Double) {
    let error = #expect(throws: ImageError.self) {
      try Self.scene(Self.linear(width: 4, height: 4, Self.noise), factor)
    }
    #expect(error?.category == .invalidArgument)
  }
}
