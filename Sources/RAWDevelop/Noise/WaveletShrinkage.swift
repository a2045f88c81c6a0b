// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Noise reduction of values with uniform noise, by wavelets without decimation: the fine levels.
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

    var isIdentity: Bool { amount == 0 && gain == 1 }
  }

  /// Memory of a thread.
  struct Buffers: Sendable {
    /// Means of the first level.
    fileprivate var means = SampleGrid()
    /// Means of the second level.
    fileprivate var coarse = SampleGrid()
    /// Values to subtract: noise, less the gain of enhanced details.
    fileprivate var removed = SampleGrid()
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

  /// Number of levels at full size.
  static let fineCount = 2
  /// Samples to each side that the means depend on, and the energies.
  private static let meanReach = 2 + 4
  static let reach = meanReach + 4
  /// Largest number of levels.
  static let maximumCount = 6

  /// Standard deviation of the fine levels of noise with a standard deviation of 1.
  private static let deviations: [Float] = [0.8908, 0.2007]

  init(variance: Float, levels: [Level]) {
    self.variance = variance
    let count = levels.lastIndex { !$0.isIdentity }.map { $0 + 1 } ?? 0
    self.levels = variance > 0 ? Array(levels.prefix(count)) : []
  }

  /// Whether nothing changes.
  var isIdentity: Bool { levels.isEmpty }

  /// Levels that are computed at half the size.
  var coarseLevels: [Level] { Array(levels.dropFirst(Self.fineCount)) }

  private func limit(_ level: Int) -> Float {
    levels[level].limit * variance * Self.deviations[level] * Self.deviations[level]
  }

  /// Changes the fine levels of a grid.
  ///
  /// - Parameters:
  ///   - grid: Values with a margin of `reach`.
  ///   - buffers: Memory.
  func apply(to grid: inout SampleGrid, _ buffers: inout Buffers) {
    let margin = Self.reach
    grid.smooth(into: &buffers.means, step: 1, margin: 2, line: &buffers.line)
    buffers.means.smooth(
      into: &buffers.coarse, step: 2, margin: Self.meanReach, line: &buffers.line)
    for index in 0..<grid.width * grid.height { buffers.removed.samples[index] = 0 }
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
}
