// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// A row of interleaved pixels with four components, during resampling.
struct PixelRow {
  /// Number of interleaved components.
  static let components = 4

  private(set) var samples: [Float]
  /// Number of pixels before the first and after the last, which repeat those.
  private let padding: Int
  private let width: Int

  init(width: Int, padding: Int = 0) {
    self.width = width
    self.padding = padding
    samples = [Float](repeating: 0, count: Self.components * (width + 2 * padding))
  }

  /// Assigns a part of a row of linear values, and repeats its ends.
  mutating func assign(_ row: LinearRow, columns: Range<Int>) {
    precondition(columns.count == width && 0 <= columns.lowerBound)
    precondition(columns.upperBound <= row.width)
    let first = columns.lowerBound
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
                pixels + Self.components * padding, width)
            }
          }
        }
      }
    }
    for index in 0..<Self.components * padding {
      let component = index % Self.components
      samples[index] = samples[Self.components * padding + component]
      let end = Self.components * (padding + width)
      samples[end + index] = samples[end - Self.components + component]
    }
  }

  /// Assigns a row of a plane without padding.
  mutating func assign(_ plane: Plane<Float>, row y: Int) {
    samples.assign(plane, row: y)
  }

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
    precondition(padding == 0 && row.width == width)
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

  /// Writes the interleaved pixels.
  func write(to row: inout MutableSpan<Float>) {
    precondition(padding == 0)
    samples.copy(into: &row)
  }

  /// Writes the filtered sums along this row, which is padded with `taps.padding` pixels.
  func filter(_ taps: FilterTaps, into row: inout MutableSpan<Float>) {
    precondition(padding == taps.padding && width == taps.sourceCount)
    precondition(row.count == Self.components * taps.count)
    unsafe row.withUnsafeMutableBufferPointer { row in
      unsafe samples.withUnsafeBufferPointer { pixels in
        guard let row = row.baseAddress, let pixels = pixels.baseAddress else { return }
        // SAFETY: relative to the first pixel of the image, sums start at most `padding` pixels
        // before it and end at most as many after its last pixel.
        unsafe pk_filter_columns(
          pixels + Self.components * padding, taps.first, taps.origin, taps.weights, taps.taps,
          taps.margin, row, taps.count)
      }
    }
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
