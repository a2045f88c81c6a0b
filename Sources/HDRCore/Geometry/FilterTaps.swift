/// The samples along one side of an image that each sample of another size is made of.
///
/// Centers are aligned: both sizes cover the same length. Weights of samples inside the image sum
/// to 1, so that edges neither darken nor repeat. The sum of a filter with negative lobes can leave
/// the range of its samples: beside a light of 10 000 cd/m² it would be below black, and light
/// beyond the brightest sample would appear. So the sum is held between the smallest and the largest
/// of the samples within two lobes; the third, which would draw a bright ring, has no say in that.
package struct FilterTaps: Sendable {
  package let sourceCount: Int
  package let count: Int
  /// Samples that each sum is of, an even number.
  package let taps: Int
  /// Samples at each end that do not limit the sum.
  package let margin: Int
  /// The first sample of each sum; below 0 and beyond the end weights are 0.
  package let first: [Int32]
  /// The sample at each center.
  let origin: [Int32]
  /// `taps` for each sum.
  package let weights: [Float]

  /// Plans to make `count` samples of `sourceCount`, both at least 1.
  ///
  /// - Parameters:
  ///   - sourceCount: Samples that there are; the first lies between 0 and 1.
  ///   - stretch: Part of the row that the new samples cover; `nil` for all of it.
  ///   - count: Samples to make.
  package init(from sourceCount: Int, over stretch: Range<Double>? = nil, to count: Int) {
    precondition(sourceCount > 0 && count > 0, "a picture has at least one sample a side")
    let stretch = stretch ?? 0..<Double(sourceCount)
    precondition(stretch.lowerBound >= 0 && stretch.upperBound <= Double(sourceCount))
    self.sourceCount = sourceCount
    self.count = count
    let step = (stretch.upperBound - stretch.lowerBound) / Double(count)
    // An image that grows keeps its own steps, one that shrinks is averaged over larger ones.
    let scale = max(step, 1)
    let half = min(Int((Lanczos.lobes * scale).rounded(.up)), sourceCount)
    taps = 2 * half
    margin = half - min(Int((2 * scale).rounded(.up)), half)
    var (first, origin, weights): ([Int32], [Int32], [Float]) = ([], [], [])
    for index in 0..<count {
      let center = stretch.lowerBound + (Double(index) + 0.5) * step
      let start = Int(center.rounded()) - half
      let row = (start..<start + 2 * half).map { sample in
        (0..<sourceCount).contains(sample)
          ? Lanczos.weight(at: (Double(sample) + 0.5 - center) / scale) : 0
      }
      let sum = row.reduce(0, +)
      first.append(Int32(start))
      origin.append(Int32(min(Int(center), sourceCount - 1)))
      weights += row.map { Float($0 / sum) }
    }
    (self.first, self.origin, self.weights) = (first, origin, weights)
  }

  /// The samples of sum `index` that lie in the image.
  package func range(ofSum index: Int) -> Range<Int> {
    max(Int(first[index]), 0)..<min(Int(first[index]) + taps, sourceCount)
  }

  /// Some of the sums, and the samples that they are of, from the first of those on.
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
