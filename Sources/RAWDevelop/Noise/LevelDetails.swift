// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// Details of a level of wavelets in some rows of all components, from which noise is separated.
///
/// Details of luminance and color are correlated at edges and in texture; their noise is not. First,
/// the signal of each component is estimated on its own: where the mean energy of 25 details, as far
/// apart as the samples of the spline, is that of noise, it is 0; where it is larger, details are
/// reduced in proportion (Wiener). The covariance of nine of these estimates, plus that of the noise,
/// then determines the least-squares estimate of the noise from the details of all components.
struct LevelDetails: Sendable {
  /// Components of a plane; missing ones are 0.
  static let componentCount = 4

  /// Rows of the values.
  private(set) var rows = 0..<0
  /// Samples to each side of the columns; the estimates reach a step into it.
  private var margin = 0
  private var step = 0
  /// Planes of the components, with a step above and below the rows.
  private var details = SampleGrid()
  private var estimates = SampleGrid()

  /// Begins a level.
  ///
  /// - Parameters:
  ///   - rows: Rows of the values.
  ///   - grid: Values of a component.
  ///   - step: Distance of the samples of the spline.
  ///   - margin: Samples to each side of the columns; at least three steps.
  ///   - components: Number of components.
  mutating func begin(
    rows: Range<Int>, of grid: SampleGrid, step: Int, margin: Int, components: Int
  ) {
    precondition(components <= Self.componentCount && margin >= 3 * step)
    precondition(rows.lowerBound >= 3 * step && rows.upperBound + 3 * step <= grid.height)
    (self.rows, self.step, self.margin) = (rows, step, margin)
    let (width, height) = (grid.width, rows.count + 2 * step)
    details.resize(width: width, height: height, planes: Self.componentCount)
    estimates.resize(width: width, height: height, planes: Self.componentCount)
    for position in components * width * height..<Self.componentCount * width * height {
      details.samples[position] = 0
      estimates.samples[position] = 0
    }
  }

  /// Index of the first sample of a row of a component.
  private func start(_ component: Int, row y: Int) -> Int {
    (component * details.height + y - rows.lowerBound + step) * details.width
  }

  /// Computes the details of a component and estimates of their signal.
  ///
  /// - Parameters:
  ///   - component: A component.
  ///   - fine: Its values.
  ///   - means: Means of them; both with three steps around the rows and columns.
  ///   - limit: Energy that counts as noise, in units of the variance.
  ///   - variance: Variance of the noise of the values.
  ///   - line: Memory.
  mutating func split(
    _ component: Int, _ fine: SampleGrid, means: SampleGrid, limit: Float,
    variance: NoiseVariance, line: inout [Float]
  ) {
    let (width, reach) = (fine.width, 2 * step)
    let (first, columns) = (margin - step, fine.width - 2 * (margin - step))
    precondition(columns > 0 && component < Self.componentCount && details.width == width)
    precondition(fine.height >= rows.upperBound + 3 * step && means.height == fine.height)
    precondition(means.width == width && variance.covers(fine))
    if line.count < width { line = [Float](repeating: 0, count: width) }
    let start = start(component, row: rows.lowerBound - step) + first
    unsafe fine.samples.withUnsafeBufferPointer { fine in
      unsafe means.samples.withUnsafeBufferPointer { means in
        unsafe variance.samples.withUnsafeBufferPointer { variances in
          unsafe details.samples.withUnsafeMutableBufferPointer { details in
            unsafe estimates.samples.withUnsafeMutableBufferPointer { estimates in
              unsafe line.withUnsafeMutableBufferPointer { line in
                guard let fine = fine.baseAddress, let means = means.baseAddress,
                  let variances = variances.baseAddress, let details = details.baseAddress,
                  let estimates = estimates.baseAddress, let line = line.baseAddress
                else { return }
                // SAFETY: the five rows are inside the grids, and two steps around the columns.
                for y in 0..<rows.count + 2 * step {
                  let row = (y + rows.lowerBound - step) * width + first
                  let above = row - reach * width - reach
                  unsafe pk_detail_energy(
                    fine + above, means + above, step * width, line, columns + 2 * reach)
                  let noise = variance.start(component, row: y + rows.lowerBound - step) + first
                  let target = start + y * width
                  unsafe pk_split_detail(
                    fine + row, means + row, line, step, variances + noise, limit,
                    details + target, estimates + target, columns)
                }
              }
            }
          }
        }
      }
    }
  }

  /// Replaces the details by their part that is to be removed.
  ///
  /// - Parameters:
  ///   - variance: Variance of the noise of the values.
  ///   - deviation: Standard deviation of the details of noise with a standard deviation of 1.
  ///   - levels: Changes of the components.
  ///   - line: Memory.
  mutating func keepRemovedPart(
    variance: NoiseVariance, deviation: Float, levels: [WaveletShrinkage.Level],
    line: inout [Float]
  ) {
    let (width, plane) = (details.width, details.width * details.height)
    let columns = width - 2 * margin
    let count = columns + 2 * step
    precondition(columns > 0 && levels.count <= Self.componentCount)
    if line.count < 10 * count { line = [Float](repeating: 0, count: 10 * count) }
    var factors: [Float] = []
    for level in levels { factors += [1 - level.gain, level.gain * level.amount] }
    factors += [Float](repeating: 0, count: 2 * (Self.componentCount - levels.count))
    unsafe estimates.samples.withUnsafeBufferPointer { estimates in
      unsafe variance.samples.withUnsafeBufferPointer { variances in
        unsafe details.samples.withUnsafeMutableBufferPointer { details in
          unsafe line.withUnsafeMutableBufferPointer { line in
            guard let estimates = estimates.baseAddress, let variances = variances.baseAddress,
              let details = details.baseAddress, let line = line.baseAddress
            else { return }
            // SAFETY: the three rows are inside the grid, and so is a step around the columns.
            for y in 0..<rows.count {
              unsafe pk_estimate_products(
                estimates + y * width + margin - step, plane, step * width, line, count, count)
              let noise = variance.start(0, row: y + rows.lowerBound) + margin
              unsafe pk_joint_noise(
                details + (y + step) * width + margin, plane, line, count, step,
                variances + noise, variance.plane, deviation * deviation, factors, columns)
            }
          }
        }
      }
    }
  }

  /// Subtracts the part from values.
  func subtract(_ component: Int, from grid: inout SampleGrid) {
    let (width, start) = (grid.width, start(component, row: rows.lowerBound))
    precondition(details.width == width && grid.height >= rows.upperBound)
    unsafe grid.samples.withUnsafeMutableBufferPointer { samples in
      unsafe details.samples.withUnsafeBufferPointer { details in
        guard let samples = samples.baseAddress, let details = details.baseAddress else { return }
        // SAFETY: the rows are inside both grids.
        for y in 0..<rows.count {
          unsafe pk_subtract(
            samples + (y + rows.lowerBound) * width + margin, details + start + y * width + margin,
            width - 2 * margin)
        }
      }
    }
  }

  /// The part of a component: the rows one after the other.
  func part(_ component: Int) -> ArraySlice<Float> {
    let start = start(component, row: rows.lowerBound)
    return details.samples[start..<start + rows.count * details.width]
  }

  /// Frees the memory of the estimates.
  mutating func freeEstimates() { estimates = SampleGrid() }
}

/// Variance of the noise of each component: of each value, or the same of all values.
struct NoiseVariance: Sendable {
  /// Variances of four components.
  let samples: [Float]
  /// Samples of a component.
  let plane: Int
  /// Samples of a row; 0 if all rows have the same variances.
  private let stride: Int

  /// Variances that are the same in all rows and columns; those of missing components are 1.
  init(uniform variances: [Float], width: Int) {
    let missing = LevelDetails.componentCount - variances.count
    let all = variances + [Float](repeating: 1, count: missing)
    samples = all.flatMap { [Float](repeating: $0, count: width) }
    (plane, stride) = (width, 0)
  }

  /// Variances of all values; those of missing components are 1.
  init(_ grids: [SampleGrid]) {
    let count = grids[0].width * grids[0].height
    var all: [Float] = []
    all.reserveCapacity(LevelDetails.componentCount * count)
    for grid in grids { all += grid.samples[..<count] }
    all += [Float](repeating: 1, count: LevelDetails.componentCount * count - all.count)
    (samples, plane, stride) = (all, count, grids[0].width)
  }

  /// Index of the first sample of a row.
  func start(_ component: Int, row y: Int) -> Int { component * plane + y * stride }

  /// Whether there is a variance for each value of a grid.
  func covers(_ grid: SampleGrid) -> Bool { plane >= (grid.height - 1) * stride + grid.width }
}
