// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// The box filter: each new sample is the mean of an area, and all areas have equal size.
///
/// A sample on the border of two areas contributes to each in proportion to its overlap. The filter
/// averages gain maps, and images on contact sheets.
package struct BoxFilter: Sendable {
  private let first: [Int32]
  /// Weights of the first sample of each area, then of the second, and so on.
  private let weights: [Float]
  private let taps: Int
  private let sourceCount: Int

  /// Prepares `count` areas of equal size that cover `sourceCount` samples.
  package init(from sourceCount: Int, to count: Int) {
    precondition((1...sourceCount).contains(count))
    self.sourceCount = sourceCount
    let size = Double(sourceCount) / Double(count)
    func edge(_ index: Int) -> Double {
      index == count ? Double(sourceCount) : Double(index) * size
    }
    let taps = min(Int(clamping: size.rounded(.up)) + 1, sourceCount)
    let first = (0..<count).map { min(Int(clamping: edge($0)), sourceCount - taps) }
    self.taps = taps
    self.first = first.map(Int32.init)
    weights = (0..<taps).flatMap { tap in
      (0..<count).map { index in
        let sample = Double(first[index] + tap)
        let covered = min(sample + 1, edge(index + 1)) - max(sample, edge(index))
        return Float(max(covered, 0) / size)
      }
    }
  }

  package var count: Int { first.count }

  /// Whether each area is one sample.
  package var isIdentity: Bool { count == sourceCount }

  /// The samples of area `index`, and their weights.
  package subscript(index: Int) -> [(sample: Int, weight: Float)] {
    (0..<taps).map { (Int(first[index]) + $0, weights[$0 * count + index]) }
      .filter { $0.1 > 0 }
  }

  /// Averages a row.
  package func average(_ row: [Float], into averages: inout [Float]) {
    precondition(row.count == sourceCount && averages.count == count)
    // SAFETY: in the first two cases the row has two or four times as many samples as `averages`.
    // Otherwise, `averages` and `first` have the same count, `weights` has `taps` times as many,
    // and areas of `taps` samples end within the row.
    switch sourceCount {
    case 2 * count: unsafe pk_average_pairs(row, &averages, averages.count)
    case 4 * count: unsafe pk_average_fours(row, &averages, averages.count)
    default: unsafe pk_average(row, first, weights, taps, &averages, averages.count)
    }
  }
}

extension [Float] {
  /// Adds another row multiplied by its weight.
  package mutating func add(_ row: [Float], weight: Float) {
    precondition(row.count == count)
    // SAFETY: both rows are `count` long.
    unsafe pk_accumulate(&self, row, weight, count)
  }
}
