internal import HDRCore
internal import Foundation
internal import Synchronization

/// Differences of two pictures of light in BT.2020 primaries, 1.0 for 203 cd/m².
///
/// Definitions: `DeltaEITP` and `PQPSNR`. Sums are of integers, so that their order does not matter.
struct LightDifference: Sendable {
  static let sumScale = 1 << 20
  private static let squareScale = Double(1 << 32)
  private static let binsPerUnit = 10.0

  /// Sum of Delta E ITP, in units of 1 / `sumScale`.
  private(set) var sum: UInt64 = 0
  private var squares: UInt64 = 0
  /// Pixels by Delta E ITP; the last bin is for 1000 and more.
  private var histogram = [UInt32](repeating: 0, count: 10_001)

  /// Compares two pictures of the same size, strip by strip, as the first one covers black.
  ///
  /// - Throws: What the readers find wrong.
  static func measure(
    _ first: (rows: RenditionRows, reader: any RowReader),
    _ second: (rows: RenditionRows, reader: any RowReader), height: Int, threads: Int
  ) throws(ImageError) -> LightDifference {
    let total = Mutex(LightDifference())
    let plan = Plan()
    for rows in strips(of: height, threads: threads) {
      let sources = (
        try first.rows.read(rows, from: first.reader),
        try second.rows.read(rows, from: second.reader)
      )
      let (shown, wanted) = (first.rows, second.rows)
      forEachBand(of: rows, threads: threads) { band in
        var part = LightDifference()
        var (shown, wanted) = (shown.makeBand(), wanted.makeBand())
        for y in band {
          shown.decode(y, of: sources.0)
          wanted.decode(y, of: sources.1)
          shown.cover(&wanted)
          part.add(shown.light.visible, wanted.light.visible, plan)
        }
        total.withLock { $0.add(part) }
      }
    }
    return total.withLock { $0 }
  }

  /// What is the same for all rows.
  private struct Plan: Sendable {
    let toLMS = ICtCp.lmsFromRGB.elements.map { Float($0) }
    /// Intensity, T and P: half of Ct, and Cp.
    let toITP: [Float] = {
      let rows = ICtCp.fromPQ
      let scaled = Matrix3x3(rows[row: 0], rows[row: 1] * 0.5, rows[row: 2])
      return scaled.elements.map { Float($0) }
    }()
    let pq = SampledFunction(octaves: -36..<8, stepsPerOctave: 256) {
      PQ.inverseEOTF($0 * LightMetadata.defaultDiffuseWhite)
    }

    func signal(_ row: LightRow) -> LightRow {
      var row = row
      pq.apply(to: &row.red)
      pq.apply(to: &row.green)
      pq.apply(to: &row.blue)
      return row
    }

    func itp(_ row: LightRow) -> LightRow {
      var row = row
      row.multiply(by: toLMS)
      row = signal(row)
      row.multiply(by: toITP)
      return row
    }
  }

  private mutating func add(_ first: LightRow, _ second: LightRow, _ plan: Plan) {
    let (a, b) = (plan.signal(first), plan.signal(second))
    let (p, q) = (plan.itp(first), plan.itp(second))
    for x in 0..<first.width {
      let signal =
        SIMD3(a.red[x], a.green[x], a.blue[x]) - SIMD3(b.red[x], b.green[x], b.blue[x])
      squares += Self.count(Double((signal * signal).sum()) * Self.squareScale)
      let itp = SIMD3(p.red[x], p.green[x], p.blue[x]) - SIMD3(q.red[x], q.green[x], q.blue[x])
      let deltaE = 720 * Double((itp * itp).sum()).squareRoot()
      sum += Self.count(deltaE * Double(Self.sumScale))
      let bin = deltaE * Self.binsPerUnit
      histogram[bin < Double(histogram.count - 1) ? Int(bin) : histogram.count - 1] += 1
    }
  }

  /// Rounded, and bounded so that no sum overflows.
  private static func count(_ value: Double) -> UInt64 {
    value > 0 ? UInt64(min(value, 0x1p33).rounded()) : 0
  }

  private mutating func add(_ other: LightDifference) {
    sum += other.sum
    squares += other.squares
    for bin in histogram.indices { histogram[bin] += other.histogram[bin] }
  }

  func percentile(_ share: Double) -> Double {
    let total = histogram.reduce(0) { $0 + Int($1) }
    var seen = 0
    for (bin, count) in histogram.enumerated() {
      seen += Int(count)
      if Double(seen) >= share * Double(total) { return Double(bin + 1) / Self.binsPerUnit }
    }
    return .infinity
  }

  func pqPSNR(pixels: Double) -> Double {
    -10 * log10(Double(squares) / Self.squareScale / (3 * pixels))
  }
}

extension LightRow {
  /// The row as a display shows it: light of a primary is never negative.
  fileprivate var visible: LightRow {
    var row = self
    for x in 0..<width {
      row.red[x] = max(row.red[x], 0)
      row.green[x] = max(row.green[x], 0)
      row.blue[x] = max(row.blue[x], 0)
    }
    return row
  }
}
