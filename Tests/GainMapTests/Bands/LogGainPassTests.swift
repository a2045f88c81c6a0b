// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Gains between two images") struct LogGainPassTests {
  /// Measures a uniform image and one that is brighter by `stops` in some of its `rows`.
  private static func result(
    width: Int, height: Int, outlierShare: Double, rows: Set<Int>,
    stops: (_ x: Int, _ y: Int) -> Double
  ) throws -> LogGainPass.Result {
    let format = ImageLayout(width: width, height: height, components: .gray, samples: .float)
    // The uniform image plus the offset of the gain is 1.
    let offset: Float = 1 / 64
    func image(_ light: (_ x: Int, _ y: Int) -> Float, rows: Set<Int>) -> ImagePlanes {
      let plane = Plane<Float>(width: width, height: height) { samples in
        for y in 0..<height {
          if rows.contains(y) {
            for x in 0..<width { samples.append(light(x, y) - offset) }
          } else {
            samples.append(repeating: 1 - offset, count: width)
          }
        }
      }
      return ImagePlanes(layout: format, planes: .float([plane]))
    }
    let coding = ImageDescription(
      layout: format, color: ColorEncoding(primaries: .bt2020, transfer: .linear))
    let pass = LogGainPass(
      base: coding, alternate: coding,
      options: .init(componentCount: 1, outlierShare: outlierShare))
    return try pass.run(
      base: PlanesReader(image({ _, _ in 1 }, rows: [])),
      alternate: PlanesReader(image({ Float(exp2(stops($0, $1))) }, rows: rows)))[0]
  }

  /// Number of consecutive samples that are counted or skipped when a quarter is counted.
  private static let run = LogGainPass.run
  private static let outlierShare = 1e-4
  /// Number of samples from which a quarter is counted; the range may then exclude two rows of two
  /// runs.
  private static let quarterCount = Double(4 * run) / outlierShare
  /// Width of the maps with about that number of samples.
  private static let width = 16 * run
  private static let quarterHeight = Int(clamping: (quarterCount / Double(width)).rounded(.up))

  /// A map with two patches of the given size, located between the samples that a quarter count
  /// uses.
  private static func patches(
    height: Int, outlierShare: Double, patch: (width: Int, height: Int)
  ) throws -> LogGainPass.Result {
    try result(width: width, height: height, outlierShare: outlierShare, rows: [0, 1, 4, 5]) {
      x, y in
      switch (x, y) {
      case (2 * run..<2 * run + patch.width, 0..<patch.height): 6
      case (6 * run..<6 * run + patch.width, 4..<4 + patch.height): -5
      default: 0
      }
    }
  }

  /// Patches of more samples than the range may exclude extend it.
  ///
  /// The maps are one row short of being counted in part.
  @Test(arguments: [(0, 1, 1), (0, 2 * run, 2), (outlierShare, 2 * run, 2)])
  func extremesAreKept(outlierShare: Double, width: Int, height: Int) throws {
    let result = try Self.patches(
      height: Self.quarterHeight - 1, outlierShare: outlierShare, patch: (width, height))
    let range = result.histograms[0].range(leavingOut: outlierShare)
    let bin = Double(LogGainHistogram.stepsPerBin) / Double(LogGainHistogram.stepsPerStop)
    let largest = LogGainHistogram.logGain(ofCode: range.upperBound)
    #expect((6...6 + bin).contains(largest))
    let smallest = LogGainHistogram.logGain(ofCode: range.lowerBound)
    #expect((-5 - bin ... -5).contains(smallest))
  }

  /// All samples are counted in maps that are too small, or that may not exclude any sample.
  ///
  /// In other maps the samples between the runs are skipped.
  @Test(arguments: [
    (quarterHeight - 1, outlierShare, true), (quarterHeight, outlierShare, false),
    (quarterHeight, 0, true),
  ])
  func whatIsCounted(height: Int, outlierShare: Double, isWhole: Bool) throws {
    let result = try Self.patches(
      height: height, outlierShare: outlierShare, patch: (2 * Self.run, 2))
    let range = result.histograms[0].range(leavingOut: 0)
    #expect((range != LogGainHistogram.zero...LogGainHistogram.zero) == isWhole)
  }

  /// If a quarter of a large map is counted, the range excludes the permitted share of all samples.
  ///
  /// One in four samples of a run in a column is counted, with an error of at most three quarters
  /// of a sample. A spot whose center is brightest has one such run in each of its columns, for any
  /// threshold of the gain.
  @Test func outliersOfAQuarter() throws {
    let side = Int(clamping: Self.quarterCount.squareRoot().rounded(.up))
    let radius = 24.0
    let (bright, dark) = (SIMD2(700.3, 411.7), SIMD2(1500.6, 1290.2))
    func height(_ x: Int, _ y: Int, _ center: SIMD2<Double>) -> Double {
      let offset = SIMD2(Double(x), Double(y)) - center
      return max(1 - (offset * offset).sum().squareRoot() / radius, 0)
    }
    let rows = Set(385...440).union(1263...1318)
    let result = try Self.result(
      width: side, height: side, outlierShare: Self.outlierShare, rows: rows
    ) { x, y in 4 * height(x, y, bright) - 3 * height(x, y, dark) }
    let range = result.histograms[0].range(leavingOut: Self.outlierShare)
    let codes = result.planes[0]
    let allowed = Int(clamping: Self.outlierShare * Double(side * side))
    /// Number of samples whose gains are outliers, and of the columns that contain them.
    func outliers(_ isOutlier: (Int) -> Bool) -> (count: Int, columns: Int) {
      var (count, columns) = (0, Set<Int>())
      for y in rows {
        let row = codes.row(y)
        for x in row.indices where isOutlier(Int(row[x])) {
          count += 1
          columns.insert(x)
        }
      }
      return (count, columns.count)
    }
    let above = outliers { $0 > range.upperBound }
    #expect(above.count <= allowed + 3 * above.columns)
    let below = outliers { $0 < range.lowerBound }
    #expect(below.count <= allowed + 3 * below.columns)
    // Excluding one more bin at either end would exceed the permitted share.
    let fromTop = outliers { $0 > range.upperBound - LogGainHistogram.stepsPerBin }
    #expect(fromTop.count > allowed - 3 * fromTop.columns)
    let fromBottom = outliers { $0 < range.lowerBound + LogGainHistogram.stepsPerBin }
    #expect(fromBottom.count > allowed - 3 * fromBottom.columns)
  }
}
