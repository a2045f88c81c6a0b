// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// Values of a part of a plane with a margin, in memory that is used again.
struct SampleGrid: Sendable {
  private(set) var width = 0
  private(set) var height = 0
  /// The values, row by row; there may be more than needed.
  var samples: [Float] = []

  /// Changes the size; values are undefined afterwards.
  ///
  /// - Parameters:
  ///   - width: Samples of a row.
  ///   - height: Rows of a plane.
  ///   - planes: Planes, one after the other.
  mutating func resize(width: Int, height: Int, planes: Int = 1) {
    (self.width, self.height) = (width, height)
    guard samples.count < planes * width * height else { return }
    samples = [Float](repeating: 0, count: planes * width * height)
  }

  /// Computes means over a cubic B-spline.
  ///
  /// - Parameters:
  ///   - means: Receives the means, except in the margin.
  ///   - step: Distance of the samples of the spline.
  ///   - margin: At least two steps.
  ///   - line: Memory.
  func smooth(into means: inout SampleGrid, step: Int, margin: Int, line: inout [Float]) {
    let (reach, columns) = (2 * step, width - 2 * margin)
    means.resize(width: width, height: height)
    precondition(margin >= reach && columns > 0 && height > 2 * margin && line.count >= width)
    unsafe samples.withUnsafeBufferPointer { source in
      unsafe means.samples.withUnsafeMutableBufferPointer { target in
        unsafe line.withUnsafeMutableBufferPointer { line in
          guard let source = source.baseAddress, let target = target.baseAddress,
            let line = line.baseAddress
          else { return }
          // SAFETY: the five rows are inside the grid, and so are two steps around the columns.
          for y in margin..<height - margin {
            let row = unsafe source + (y - reach) * width
            let next = step * width
            unsafe pk_spline_rows(
              row, row + next, row + 2 * next, row + 3 * next, row + 4 * next, line, width)
            unsafe pk_spline_columns(
              line + margin - reach, target + y * width + margin, columns, step)
          }
        }
      }
    }
  }

  /// Fills a part of the margin with mirrored values.
  ///
  /// - Parameters:
  ///   - margin: Samples to each side of the values.
  ///   - reach: Samples to fill; at most the margin.
  mutating func mirror(margin: Int, reach: Int) {
    let (columns, rows) = (width - 2 * margin, height - 2 * margin)
    precondition(reach <= margin && columns > 0 && rows > 0)
    for y in margin..<margin + rows {
      let start = y * width + margin
      for x in 1...max(reach, 1) where x <= reach {
        samples[start - x] = samples[start + mirroredIndex(-x, columns)]
        let last = start + columns - 1
        samples[last + x] = samples[start + mirroredIndex(columns - 1 + x, columns)]
      }
    }
    let line = margin - reach..<margin + columns + reach
    for y in Array(-reach..<0) + Array(rows..<rows + reach) {
      let (from, to) = ((margin + mirroredIndex(y, rows)) * width, (margin + y) * width)
      for x in line { samples[to + x] = samples[from + x] }
    }
  }

  /// Subtracts other values, in rows outside of the margin.
  mutating func subtract(_ other: SampleGrid, margin: Int) {
    precondition(other.width == width && other.height == height && height > 2 * margin)
    let (width, height) = (width, height)
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      unsafe other.samples.withUnsafeBufferPointer { other in
        guard let samples = samples.baseAddress, let other = other.baseAddress else { return }
        // SAFETY: the rows are inside both grids.
        unsafe pk_subtract(
          samples + margin * width, other + margin * width, (height - 2 * margin) * width)
      }
    }
  }
}

extension SampleGrid {
  /// The samples of a plane, with an undefined margin.
  init(_ plane: Plane<Float>, margin: Int) {
    self.init()
    resize(width: plane.width + 2 * margin, height: plane.height + 2 * margin)
    for y in 0..<plane.height {
      let (row, start) = (plane.row(y), (y + margin) * width + margin)
      for x in 0..<plane.width { samples[start + x] = row[x] }
    }
  }

  /// The samples without the margin.
  func plane(margin: Int) -> Plane<Float> {
    Plane(width: width - 2 * margin, height: height - 2 * margin) { output in
      for y in margin..<height - margin {
        for x in y * width + margin..<(y + 1) * width - margin { output.append(samples[x]) }
      }
    }
  }
}

/// The index inside 0..<count at the same distance from the edge.
func mirroredIndex(_ index: Int, _ count: Int) -> Int {
  guard count > 1 else { return 0 }
  let period = 2 * (count - 1)
  let place = ((index % period) + period) % period
  return min(place, period - place)
}
