import Foundation
import HDRCore
import Testing

@testable import GainMap

@Suite("Gains between two renditions") struct LogGainPassTests {
  /// What is measured of a dim picture and one that is brighter by `stops` in some of its `rows`.
  private static func result(
    width: Int, height: Int, outlierShare: Double, rows: Set<Int>,
    stops: (_ x: Int, _ y: Int) -> Double
  ) throws -> LogGainPass.Result {
    let format = StoredFormat(width: width, height: height, components: .gray, samples: .float)
    // With what is added to both before gain is taken, the dim one is 1.
    let offset: Float = 1 / 64
    func picture(_ light: (_ x: Int, _ y: Int) -> Float, rows: Set<Int>) -> StoredImage {
      let plane = Plane<Float>(width: width, height: height) { samples in
        for y in 0..<height {
          if rows.contains(y) {
            for x in 0..<width { samples.append(light(x, y) - offset) }
          } else {
            samples.append(repeating: 1 - offset, count: width)
          }
        }
      }
      return StoredImage(format: format, planes: .float([plane]))
    }
    let coding = PictureConversion.Coding(
      format: format, encoding: ColorEncoding(primaries: .bt2020, transfer: .linear))
    let pass = LogGainPass(
      base: coding, alternate: coding,
      options: .init(componentCount: 1, outlierShare: outlierShare))
    return try pass.run(
      base: StoredImageReader(picture({ _, _ in 1 }, rows: [])),
      alternate: StoredImageReader(picture({ Float(exp2(stops($0, $1))) }, rows: rows)),
      threads: 2)
  }

  /// In a map of as many samples as are worth counting only in part: patches between what would be
  /// counted, of more samples than the range may leave out.
  @Test(arguments: [(0, 1, 1), (0, 256, 2), (1e-4, 256, 2)])
  func extremesAreKept(outlierShare: Double, width: Int, height: Int) throws {
    let result = try Self.result(
      width: 2048, height: 2064, outlierShare: outlierShare, rows: [0, 1, 4, 5]
    ) { x, y in
      switch (x, y) {
      case (256..<256 + width, 0..<height): 6
      case (768..<768 + width, 4..<4 + height): -5
      default: 0
      }
    }
    let range = result.histograms[0].range(leavingOut: outlierShare)
    // Bins are 1/128 stop wide.
    let largest = LogGainHistogram.logGain(ofCode: range.upperBound)
    #expect((6...6 + 1.0 / 128).contains(largest))
    let smallest = LogGainHistogram.logGain(ofCode: range.lowerBound)
    #expect((-5 - 1.0 / 128 ... -5).contains(smallest))
  }

  /// Where a quarter of a large map is counted, the range leaves out as much as may be of all of it.
  ///
  /// Of a run of samples down a column, one in four is counted, give or take three quarters of a
  /// sample; a spot that is brighter towards its center has one such run in each of its columns, from
  /// whatever gain on.
  @Test func quarterCount() throws {
    let side = 2264
    let radius = 24.0
    let (bright, dark) = (SIMD2(700.3, 411.7), SIMD2(1500.6, 1290.2))
    func height(_ x: Int, _ y: Int, _ center: SIMD2<Double>) -> Double {
      let offset = SIMD2(Double(x), Double(y)) - center
      return max(1 - (offset * offset).sum().squareRoot() / radius, 0)
    }
    let rows = Set(385...440).union(1263...1318)
    let result = try Self.result(
      width: side, height: side, outlierShare: 1e-4, rows: rows
    ) { x, y in 4 * height(x, y, bright) - 3 * height(x, y, dark) }
    let range = result.histograms[0].range(leavingOut: 1e-4)
    let codes = result.planes[0]
    let allowed = Int(1e-4 * Double(side * side))
    /// Samples with gains that count as outliers, and the columns they lie in.
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
    // With the last bin of either end it would be more.
    let fromTop = outliers { $0 > range.upperBound - 16 }
    #expect(fromTop.count > allowed - 3 * fromTop.columns)
    let fromBottom = outliers { $0 < range.lowerBound + 16 }
    #expect(fromBottom.count > allowed - 3 * fromBottom.columns)
  }
}
