// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels
internal import Platform

/// Filter taps for resampling along one side of an image.
///
/// Centers are aligned: both sizes cover the same length. The weights of samples inside the image
/// sum to 1, so that edges do not darken or repeat. A filter with negative lobes can leave the
/// range of its samples: next to a luminance of 10 000 cd/m² the sum would be below black, or it
/// would exceed the largest sample. The sum is therefore clamped to the range of the samples within
/// two lobes. The third lobe, which would cause a bright ring, does not count for the range.
package struct FilterTaps: Sendable {
  package let sourceCount: Int
  package let count: Int
  /// Number of samples in each sum, even.
  package let taps: Int
  /// Number of samples at each end that do not count for the range.
  package let margin: Int
  /// Index of the first sample of each sum; samples outside the image have weight 0.
  package let first: [Int32]
  /// Index of the sample at each center.
  let origin: [Int32]
  /// Weights, `taps` for each sum.
  package let weights: [Float]

  /// Computes the taps for `count` samples from `sourceCount`, both at least 1.
  ///
  /// - Parameters:
  ///   - sourceCount: Number of source samples; the first covers 0 to 1.
  ///   - stretch: Range of the row that the new samples cover; `nil` for the whole row.
  ///   - count: Number of new samples.
  package init(from sourceCount: Int, over stretch: Range<Double>? = nil, to count: Int) {
    precondition(sourceCount > 0 && count > 0, "an image has at least one sample a side")
    let stretch = stretch ?? 0..<Double(sourceCount)
    precondition(stretch.lowerBound >= 0 && stretch.upperBound <= Double(sourceCount))
    self.sourceCount = sourceCount
    self.count = count
    let step = (stretch.upperBound - stretch.lowerBound) / Double(count)
    // Enlarging uses the step of the source; reducing averages over the larger steps of the result.
    let scale = max(step, 1)
    let half = min(Int(clamping: (Lanczos.lobes * scale).rounded(.up)), sourceCount)
    taps = 2 * half
    margin = half - min(Int(clamping: (2 * scale).rounded(.up)), half)
    var (first, origin, weights): ([Int32], [Int32], [Float]) = ([], [], [])
    for index in 0..<count {
      let center = stretch.lowerBound + (Double(index) + 0.5) * step
      let start = Int(clamping: center.rounded()) - half
      let row = (start..<start + 2 * half).map { sample in
        (0..<sourceCount).contains(sample)
          ? Lanczos.weight(at: (Double(sample) + 0.5 - center) / scale) : 0
      }
      let sum = row.reduce(0, +)
      first.append(Int32(start))
      origin.append(Int32(min(Int(clamping: center), sourceCount - 1)))
      weights += row.map { Float($0 / sum) }
    }
    (self.first, self.origin, self.weights) = (first, origin, weights)
  }

  /// Indices of the samples of sum `index` inside the image.
  package func range(ofSum index: Int) -> Range<Int> {
    max(Int(first[index]), 0)..<min(Int(first[index]) + taps, sourceCount)
  }

  /// Taps of some of the sums, with indices relative to their first sample.
  func part(_ sums: Range<Int>) -> (samples: Range<Int>, taps: FilterTaps) {
    precondition(!sums.isEmpty && 0 <= sums.lowerBound && sums.upperBound <= count)
    let start = range(ofSum: sums.lowerBound).lowerBound
    let samples = start..<range(ofSum: sums.upperBound - 1).upperBound
    let taps = FilterTaps(
      sourceCount: samples.count, count: sums.count, taps: taps, margin: margin,
      first: first[sums].map { $0 - Int32(start) }, origin: origin[sums].map { $0 - Int32(start) },
      weights: Array(weights[sums.lowerBound * taps..<sums.upperBound * taps]))
    return (samples, taps)
  }

  private init(
    sourceCount: Int, count: Int, taps: Int, margin: Int, first: [Int32], origin: [Int32],
    weights: [Float]
  ) {
    self.sourceCount = sourceCount
    self.count = count
    self.taps = taps
    self.margin = margin
    self.first = first
    self.origin = origin
    self.weights = weights
  }
}

/// The resampling filter: a sinc function windowed by the main lobe of another, with three lobes
/// per side.
///
/// Source: C. E. Duchon, "Lanczos Filtering in One and Two Dimensions", Journal of Applied
/// Meteorology 18 (1979).
package enum Lanczos {
  /// Number of lobes per side.
  package static let lobes = 3.0

  /// Weight of a sample at a distance from the center, in steps of the coarser grid.
  package static func weight(at distance: Double) -> Double {
    guard distance != 0 else { return 1 }
    guard abs(distance) < lobes, distance != distance.rounded() else { return 0 }
    let angle = Double.pi * distance
    return sin(angle) / angle * sin(angle / lobes) / (angle / lobes)
  }
}

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
