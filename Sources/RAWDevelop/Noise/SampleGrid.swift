// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// Values of a part of a plane with a margin, in memory that is used again.
struct SampleGrid: Sendable {
  private(set) var width = 0
  private(set) var height = 0
  /// The values, row by row; there may be more than needed.
  var samples: [Float] = []

  /// Changes the size; values are undefined afterwards.
  mutating func resize(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    guard samples.count < width * height else { return }
    samples = [Float](repeating: 0, count: width * height)
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
          // SAFETY: the five rows are inside the grid, and so are two steps before and after the columns.
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

  /// Adds the part of the differences to means that is to be removed.
  ///
  /// - Parameters:
  ///   - means: Means of these values.
  ///   - removed: Receives the part, except in the margin.
  ///   - step: Distance of the differences whose energy is averaged.
  ///   - margin: At least two steps more than that of the means.
  ///   - limit: Energy that counts as noise.
  ///   - level: Share to remove, and gain of the others.
  ///   - line: Memory.
  func remove(
    from means: SampleGrid, into removed: inout SampleGrid, step: Int, margin: Int, limit: Float,
    _ level: WaveletShrinkage.Level, line: inout [Float]
  ) {
    let (reach, columns) = (2 * step, width - 2 * margin)
    precondition(margin >= reach && columns > 0 && height > 2 * margin && line.count >= width)
    precondition(means.width == width && means.height == height)
    precondition(removed.width == width && removed.height == height)
    unsafe samples.withUnsafeBufferPointer { fine in
      unsafe means.samples.withUnsafeBufferPointer { means in
        unsafe removed.samples.withUnsafeMutableBufferPointer { removed in
          unsafe line.withUnsafeMutableBufferPointer { line in
            guard let fine = fine.baseAddress, let means = means.baseAddress,
              let removed = removed.baseAddress, let line = line.baseAddress
            else { return }
            // SAFETY: the five rows are inside the grids, and so are two steps before and after the columns.
            for y in margin..<height - margin {
              let first = (y - reach) * width + margin - reach
              unsafe pk_detail_energy(
                fine + first, means + first, step * width, line, columns + 2 * reach)
              let here = y * width + margin
              unsafe pk_remove_detail(
                fine + here, means + here, line, step, removed + here, columns, limit,
                level.amount, level.gain)
            }
          }
        }
      }
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

/// The index inside 0..<count at the same distance from the edge.
func mirroredIndex(_ index: Int, _ count: Int) -> Int {
  guard count > 1 else { return 0 }
  let period = 2 * (count - 1)
  let place = ((index % period) + period) % period
  return min(place, period - place)
}
