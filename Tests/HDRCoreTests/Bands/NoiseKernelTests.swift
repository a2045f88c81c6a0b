// SPDX-License-Identifier: Apache-2.0
import PixelKernels
import TestSupport
import Testing

/// Kernels of noise reduction against their definitions in double precision.
@Suite("Noise kernels") struct NoiseKernelTests {
  private static func row(_ seed: UInt64, _ count: Int = 131) -> [Float] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { _ in Float.random(in: -0.1...1, using: &random) }
  }

  private static func expect(_ row: [Float], equals definition: (Int) -> Double) {
    for index in row.indices {
      let wanted = definition(index)
      #expect(abs(Double(row[index]) - wanted) <= 2e-6 * max(abs(wanted), 1), "\(index)")
    }
  }

  @Test func splines() {
    let rows = (0..<5).map { Self.row(UInt64(10 + $0)) }
    let weights: [Double] = [1, 4, 6, 4, 1]
    var out = rows[0]
    unsafe pk_spline_rows(rows[0], rows[1], rows[2], rows[3], rows[4], &out, out.count)
    Self.expect(out) { x in
      var sum = 0.0
      for tap in 0..<5 { sum += weights[tap] * Double(rows[tap][x]) }
      return sum / 16
    }
    var columns = [Float](repeating: 0, count: 131 - 16)
    unsafe pk_spline_columns(rows[0], &columns, columns.count, 4)
    Self.expect(columns) { x in
      var sum = 0.0
      for tap in 0..<5 { sum += weights[tap] * Double(rows[0][x + 4 * tap]) }
      return sum / 16
    }
  }

  @Test func removal() {
    let (stride, count, step) = (140, 131, 2)
    let (fine, coarse) = (Self.row(1, 5 * stride), Self.row(2, 5 * stride))
    var energy = [Float](repeating: 0, count: count + 4 * step)
    unsafe pk_detail_energy(fine, coarse, stride, &energy, energy.count)
    Self.expect(energy) { x in
      (0..<5).reduce(0) { sum, row in
        let detail = Double(fine[x + row * stride]) - Double(coarse[x + row * stride])
        return sum + detail * detail
      }
    }
    let variance = Self.row(5).map { abs($0) }
    var (detail, estimate) = (Self.row(3), Self.row(6))
    unsafe pk_split_detail(
      fine, coarse, energy, step, variance, 0.1, &detail, &estimate, count)
    Self.expect(detail) { Double(fine[$0]) - Double(coarse[$0]) }
    Self.expect(estimate) { x in
      let total = (0..<5).reduce(0) { $0 + Double(energy[x + step * $1]) }
      let noise = min(0.1 * Double(variance[x]) / max(total / 25, 1e-21), 1)
      return (Double(fine[x]) - Double(coarse[x])) * (1 - noise)
    }
    var difference = fine
    unsafe pk_subtract(&difference, coarse, count)
    for x in 0..<count { #expect(difference[x] == fine[x] - coarse[x]) }
  }

  /// Solves the equations of the covariance by elimination.
  private static func solution(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
    var (rows, values) = (matrix, vector)
    for pivot in rows.indices {
      for row in rows.indices where row != pivot {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        for column in rows.indices { rows[row][column] -= factor * rows[pivot][column] }
        values[row] -= factor * values[pivot]
      }
    }
    return values.indices.map { values[$0] / rows[$0][$0] }
  }

  @Test("noise of four components is the least-squares estimate") func jointNoise() {
    let (plane, stride, step, count) = (140 * 3, 140, 3, 125)
    let estimate = Self.row(7, 4 * plane).map { $0 - 0.45 }
    var products = [Float](repeating: 0, count: 10 * stride)
    unsafe pk_estimate_products(estimate, plane, stride, &products, stride, count + 2 * step)
    let pairs = (0..<4).flatMap { a in (a..<4).map { b in (a, b) } }
    for (index, (a, b)) in pairs.enumerated() {
      let start = index * stride
      Self.expect(Array(products[start..<start + count + 2 * step])) { x in
        (0..<3).reduce(0.0) { sum, row in
          let at = x + row * stride
          return sum + Double(estimate[a * plane + at]) * Double(estimate[b * plane + at])
        }
      }
    }
    let before = Self.row(8, 4 * stride)
    let variance = Self.row(9, 4 * stride).map { abs($0) + 0.1 }
    let factors: [Float] = [0, 1, -0.25, 1, 0, 0.5, 0, 1]
    var details = before
    unsafe pk_joint_noise(
      &details, stride, products, stride, step, variance, stride, 0.5, factors, count)
    for x in 0..<count {
      var matrix = [[Double]](repeating: [0, 0, 0, 0], count: 4)
      for (index, (a, b)) in pairs.enumerated() {
        let sum = (0..<3).reduce(0.0) { $0 + Double(products[index * stride + x + step * $1]) }
        matrix[a][b] = sum / 9
        matrix[b][a] = sum / 9
      }
      let noise = (0..<4).map { 0.5 * Double(variance[$0 * stride + x]) }
      for index in 0..<4 { matrix[index][index] += noise[index] }
      let solved = Self.solution(matrix, (0..<4).map { Double(before[$0 * stride + x]) })
      for index in 0..<4 {
        let wanted =
          Double(factors[2 * index]) * Double(before[index * stride + x])
          + Double(factors[2 * index + 1]) * noise[index] * solved[index]
        #expect(abs(Double(details[index * stride + x]) - wanted) < 2e-5, "\(x), \(index)")
      }
    }
  }

  @Test func saturation() {
    var row: [Float] = [0.5, 0.6, 1, 0.7, 0.2, 1]
    unsafe pk_replace_unsaturated(&row, 2, [0.3, 0.4, 1.2], 3)
    #expect(row == [0.3, 0.6, 1, 0.7, 1, 1])
  }

  @Test("the inverse of a stabilized value is the value") func stabilization() {
    let source = Self.row(4).map { abs($0) }
    var row = source
    let (slope, offset) = (Float(1e-3), Float(2e-5))
    unsafe pk_stabilize(&row, row.count, slope, offset, 2 / slope)
    for x in row.indices {
      let wanted = 2000 * (1e-3 * Double(source[x]) + 2e-5).squareRoot()
      #expect(abs(Double(row[x]) - wanted) < 1e-4 * wanted)
    }
    unsafe pk_unstabilize(&row, row.count, slope / 4, offset / slope)
    for x in row.indices { #expect(abs(row[x] - source[x]) < 1e-5) }
  }

  @Test("transforms are orthonormal and inverted") func transforms() {
    let rows = (0..<4).map { Self.row(UInt64(30 + $0)) }
    func energy(_ rows: [[Float]], _ x: Int) -> Double {
      rows.reduce(0) { $0 + Double($1[x]) * Double($1[x]) }
    }
    var (a, b, c, d) = (rows[0], rows[1], rows[2], rows[3])
    unsafe pk_noise_quad(&a, &b, &c, &d, a.count)
    for x in a.indices {
      #expect(abs(energy([a, b, c, d], x) - energy(rows, x)) < 1e-5)
    }
    unsafe pk_noise_quad_inverse(&a, &b, &c, &d, a.count)
    for (changed, row) in zip([a, b, c, d], rows) { Self.expect(changed) { Double(row[$0]) } }
    (a, b, c) = (rows[0], rows[1], rows[2])
    unsafe pk_noise_triple(&a, &b, &c, a.count)
    for x in a.indices {
      #expect(abs(energy([a, b, c], x) - energy(Array(rows[..<3]), x)) < 1e-5)
    }
    unsafe pk_noise_triple_inverse(&a, &b, &c, a.count)
    for (changed, row) in zip([a, b, c], rows) { Self.expect(changed) { Double(row[$0]) } }
  }

  @Test("single bright photosites are replaced, small lights stay") func hotPixels() {
    var rows = (0..<5).map { _ in [Float](repeating: 0.1, count: 21) }
    rows[2][9] = 0.9
    var out = rows[2]
    unsafe pk_hot_pixels(rows[0], rows[1], rows[2], rows[3], rows[4], &out, 21)
    #expect(out == [Float](repeating: 0.1, count: 21))
    (rows[1][9], rows[2][10]) = (0.4, 0.5)
    out = rows[2]
    unsafe pk_hot_pixels(rows[0], rows[1], rows[2], rows[3], rows[4], &out, 21)
    #expect(out == rows[2])
  }
}
