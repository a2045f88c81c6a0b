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

/// Rows of interleaved pixels with four components that are filtered together.
struct PixelGroup {
  /// Number of rows.
  static let height = Int(PK_GROUP_ROWS)

  /// The pixels, of which those of a column are adjacent.
  private var samples: [Float]
  /// The rows of the result, one after the other.
  private var filtered: [Float]
  /// Number of pixels before the first and after the last, which repeat those.
  private let padding: Int
  private let width: Int
  private let taps: FilterTaps?

  /// Prepares to filter rows of a width, unless `taps` is `nil`.
  init(width: Int, _ taps: FilterTaps?) {
    (self.width, self.taps, padding) = (width, taps, taps?.padding ?? 0)
    precondition(taps == nil || width == taps?.sourceCount)
    samples = [Float](
      repeating: 0, count: PixelRow.components * Self.height * (width + 2 * padding))
    filtered = [Float](
      repeating: 0, count: PixelRow.components * Self.height * (taps?.count ?? width))
  }

  /// Assigns a part of a row of linear values to one of the rows, and repeats its ends.
  mutating func assign(_ row: LinearRow, columns: Range<Int>, to y: Int) {
    precondition(columns.count == width && 0 <= columns.lowerBound)
    precondition(columns.upperBound <= row.width && 0 <= y && y < Self.height)
    let first = columns.lowerBound
    let (column, start) = (PixelRow.components * Self.height, PixelRow.components * y)
    let (padding, width) = (padding, width)
    let alpha = row.alpha.isEmpty ? row.red : row.alpha
    unsafe samples.withUnsafeMutableBufferPointer { pixels in
      unsafe row.red.withUnsafeBufferPointer { red in
        unsafe row.green.withUnsafeBufferPointer { green in
          unsafe row.blue.withUnsafeBufferPointer { blue in
            unsafe alpha.withUnsafeBufferPointer { alpha in
              guard let pixels = pixels.baseAddress, let red = red.baseAddress,
                let green = green.baseAddress, let blue = blue.baseAddress,
                let alpha = alpha.baseAddress
              else { return }
              // SAFETY: `columns` is inside the four rows, and equals the number of pixels after
              // the padding.
              unsafe pk_interleave(
                red + first, green + first, blue + first, alpha + first,
                pixels + column * padding + start, width)
            }
          }
        }
      }
    }
    for x in 0..<padding {
      for index in start..<start + PixelRow.components {
        samples[column * x + index] = samples[column * padding + index]
        samples[column * (padding + width + x) + index] =
          samples[column * (padding + width - 1) + index]
      }
    }
  }

  /// Computes the filtered sums along all rows.
  mutating func filter() {
    guard let taps else {
      // SAFETY: both have the pixels of all rows.
      return unsafe pk_separate_rows(samples, &filtered, width)
    }
    unsafe samples.withUnsafeBufferPointer { pixels in
      guard let pixels = pixels.baseAddress else { return }
      // SAFETY: relative to the first pixel of the image, sums start at most `padding` pixels
      // before it and end at most as many after its last pixel; the result has all rows.
      unsafe pk_filter_columns(
        pixels + PixelRow.components * Self.height * padding, taps.first, taps.origin,
        taps.weights, taps.taps, taps.margin, &filtered, taps.count)
    }
  }

  /// Writes one of the filtered rows.
  func write(_ y: Int, to row: inout MutableSpan<Float>) {
    row.assign(filtered.span.extracting(y * row.count..<(y + 1) * row.count))
  }
}

/// A row of interleaved pixels with four components, during resampling.
struct PixelRow {
  /// Number of interleaved components.
  static let components = 4

  private(set) var samples: [Float]
  private let width: Int

  init(width: Int) {
    self.width = width
    samples = [Float](repeating: 0, count: Self.components * width)
  }

  /// Assigns a row of a plane without padding.
  mutating func assign(_ plane: Plane<Float>, row y: Int) { samples.assign(plane, row: y) }

  /// Assigns the filtered sum of rows of a plane, whose first row is row `start` of the image.
  mutating func assign(
    sum index: Int, of taps: FilterTaps, _ plane: borrowing Plane<Float>, startingAt start: Int
  ) {
    let range = taps.range(ofSum: index)
    let rows = range.lowerBound - start..<range.upperBound - start
    precondition(0 <= rows.lowerBound && rows.upperBound <= plane.height)
    precondition(plane.width == samples.count)
    let (first, stride) = (Int(taps.first[index]), plane.width)
    let nearest =
      max(
        first + taps.margin, 0)..<min(
        first + taps.taps - taps.margin, taps.sourceCount)
    let weights = index * taps.taps + range.lowerBound - first
    let source = plane.span
    unsafe samples.withUnsafeMutableBufferPointer { sum in
      unsafe source.withUnsafeBufferPointer { source in
        unsafe taps.weights.withUnsafeBufferPointer { all in
          guard let sum = sum.baseAddress, let source = source.baseAddress,
            let all = all.baseAddress
          else { return }
          // SAFETY: `rows` is inside the plane, with one weight each; `nearest` and the origin are
          // inside `rows`; the sum is as long as a row.
          unsafe pk_filter_rows(
            source + rows.lowerBound * stride, stride, all + weights, rows.count,
            nearest.lowerBound - range.lowerBound, nearest.upperBound - range.lowerBound,
            Int(taps.origin[index]) - range.lowerBound, sum, stride)
        }
      }
    }
  }

  /// Copies the pixels to a row of linear values.
  func copy(into row: inout LinearRow) {
    precondition(row.width == width)
    var unused = [Float](repeating: 0, count: row.alpha.isEmpty ? width : 0)
    if row.alpha.isEmpty {
      copy(into: &row.red, &row.green, &row.blue, &unused)
    } else {
      copy(into: &row.red, &row.green, &row.blue, &row.alpha)
    }
  }

  private func copy(
    into red: inout [Float], _ green: inout [Float], _ blue: inout [Float],
    _ alpha: inout [Float]
  ) {
    // SAFETY: all four rows are `width` long, `samples` four times that.
    unsafe pk_deinterleave(samples, &red, &green, &blue, &alpha, width)
  }
}

extension FilterTaps {
  /// Maximum number of pixels by which sums extend beyond the image on either side.
  var padding: Int { taps / 2 }
}

extension MutableSpan<Float> {
  /// Assigns another row.
  mutating func assign(_ other: Span<Float>) {
    precondition(other.count == count)
    unsafe withUnsafeMutableBufferPointer { row in
      // SAFETY: both rows are `count` long.
      unsafe other.withUnsafeBufferPointer { unsafe _ = row.update(fromContentsOf: $0) }
    }
  }
}
