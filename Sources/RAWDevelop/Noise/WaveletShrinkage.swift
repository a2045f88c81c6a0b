// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Noise reduction of values with uniform noise, by wavelets without decimation.
///
/// A level is the difference of the values and their mean over a cubic B-spline, whose samples are
/// twice as far apart at each level. Where the mean energy of 25 differences, as far apart as the
/// samples of the spline, is that of noise, they are removed; where it is larger, in proportion
/// (Wiener).
///
/// Source: J.-L. Starck and F. Murtagh, "Automatic noise estimation from the multiresolution
/// support", PASP 110, 1998, for the wavelets.
struct WaveletShrinkage: Sendable {
  /// Change of the differences of one level.
  struct Level: Hashable, Sendable {
    /// Share of the noise that is removed, 0...1.
    var amount: Float
    /// Energy that counts as noise, in units of its mean energy.
    var limit: Float
    /// Factor of what remains; above 1, details are enhanced.
    var gain: Float = 1

    fileprivate var isIdentity: Bool { amount == 0 && gain == 1 }
  }

  /// Memory of a thread.
  struct Buffers: Sendable {
    /// Means of the first level.
    fileprivate var means = SampleGrid()
    /// Means of the second level.
    fileprivate(set) var coarse = SampleGrid()
    /// The noise that is removed.
    var removed = SampleGrid()
    /// A row.
    var line: [Float] = []

    /// Sets the size of the grids.
    mutating func resize(width: Int, height: Int) {
      removed.resize(width: width, height: height)
      if line.count < width { line = [Float](repeating: 0, count: width) }
    }
  }

  /// Variance of the noise.
  private let variance: Float
  /// From the finest to the coarsest that changes.
  private let levels: [Level]

  /// Number of levels at full size; the means of the last are stored at half the size.
  static let fineCount = 2
  /// Samples to each side that the means of the fine levels depend on, and the energies.
  static let meanReach = 2 + 4
  static let fineReach = meanReach + 4
  /// Largest number of levels.
  static let maximumCount = deviations.count

  /// Standard deviation of the levels of noise with a standard deviation of 1.
  private static let deviations: [Float] = [0.8908, 0.2007, 0.0856, 0.0413, 0.0205, 0.0103]

  init(variance: Float, levels: [Level]) {
    self.variance = variance
    let count = levels.lastIndex { !$0.isIdentity }.map { $0 + 1 } ?? 0
    self.levels = variance > 0 ? Array(levels.prefix(count)) : []
  }

  /// Whether nothing changes.
  var isIdentity: Bool { levels.isEmpty }

  /// Whether levels change that are computed at half the size.
  var hasCoarseLevels: Bool { levels.count > Self.fineCount }

  private func limit(_ level: Int) -> Float {
    levels[level].limit * variance * Self.deviations[level] * Self.deviations[level]
  }

  /// Computes the means of the fine levels.
  ///
  /// - Parameters:
  ///   - grid: Values with a margin of at least `meanReach`, in which the means are undefined.
  ///   - buffers: Receives the means.
  static func smooth(_ grid: SampleGrid, _ buffers: inout Buffers) {
    grid.smooth(into: &buffers.means, step: 1, margin: 2, line: &buffers.line)
    buffers.means.smooth(
      into: &buffers.coarse, step: 2, margin: meanReach, line: &buffers.line)
  }

  /// Changes the fine levels of a grid, and subtracts what is removed from the coarse ones.
  ///
  /// - Parameters:
  ///   - grid: Values with a margin of `fineReach`.
  ///   - buffers: Noise of the coarse levels, and memory.
  func apply(to grid: inout SampleGrid, _ buffers: inout Buffers) {
    let margin = Self.fineReach
    Self.smooth(grid, &buffers)
    if !levels.isEmpty, !levels[0].isIdentity {
      grid.remove(
        from: buffers.means, into: &buffers.removed, step: 1, margin: margin, limit: limit(0),
        levels[0], line: &buffers.line)
    }
    if levels.count > 1, !levels[1].isIdentity {
      buffers.means.remove(
        from: buffers.coarse, into: &buffers.removed, step: 2, margin: margin, limit: limit(1),
        levels[1], line: &buffers.line)
    }
    grid.subtract(buffers.removed, margin: margin)
  }

  /// Noise to be removed from coarse levels.
  ///
  /// - Parameter plane: Every other mean of the fine levels, in both directions.
  /// - Returns: A plane of the same size.
  func removed(fromMeans plane: Plane<Float>) -> Plane<Float> {
    let last = 1 << max(levels.count - 2, 0)
    // The means reach two steps of each level further, the energies two steps of the last.
    let reach = 4 * last - 4 + 2 * last
    var buffers = Buffers()
    var grid = SampleGrid()
    let (width, height) = (plane.width + 2 * reach, plane.height + 2 * reach)
    grid.resize(width: width, height: height)
    buffers.resize(width: width, height: height)
    for y in 0..<height {
      let row = plane.row(mirroredIndex(y - reach, plane.height))
      for x in 0..<width {
        grid.samples[y * width + x] = row[mirroredIndex(x - reach, plane.width)]
      }
    }
    var margin = 0
    for level in Self.fineCount..<levels.count {
      let step = 1 << (level - 1)
      margin += 2 * step
      grid.smooth(into: &buffers.means, step: step, margin: margin, line: &buffers.line)
      if !levels[level].isIdentity {
        grid.remove(
          from: buffers.means, into: &buffers.removed, step: step, margin: reach,
          limit: limit(level), levels[level], line: &buffers.line)
      }
      swap(&grid, &buffers.means)
    }
    let removed = buffers.removed.samples
    return Plane(width: plane.width, height: plane.height) { samples in
      for y in 0..<plane.height {
        let first = (y + reach) * width + reach
        for x in first..<first + plane.width { samples.append(removed[x]) }
      }
    }
  }
}
