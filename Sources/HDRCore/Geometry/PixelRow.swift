// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

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
