// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Noise reduction of the coarse levels, in linear values at half the size.
///
/// The means of linear values are those of the scene, but for their noise. Means of roots are not,
/// and weights that vary from sample to sample change the mean of what they remove. The fine levels
/// have both errors, which are visible as blotches of color; so means of their results are replaced
/// by those of the original values, less the noise of the coarse levels.
struct CoarseNoiseReduction: Sendable {
  let transform: NoiseTransform
  let shrinkages: [WaveletShrinkage]

  /// Standard deviation of the levels of means of 2 x 2 samples, smoothed once, of noise with a
  /// standard deviation of 1.
  private static let deviations: [Float] = [0.1006, 0.0432, 0.0207, 0.0103]

  /// Computes values to add to the results of the fine levels.
  ///
  /// - Parameters:
  ///   - original: Means of 2 x 2 linear values of each site; afterwards empty.
  ///   - reduced: The same means after the fine levels; afterwards empty.
  /// - Returns: Planes of the same size.
  /// - Throws: `.cancelled`.
  func corrections(
    original: inout [Plane<Float>], reduced: inout [Plane<Float>]
  ) throws(ImageError) -> [Plane<Float>] {
    let count = shrinkages.map(\.coarseCount).max() ?? 0
    // A step of the last level is 2^count samples; parts reach six of them.
    let margin = max(4 << count, 2)
    let differences = try Self.differences(original, reduced, margin: margin)
    reduced = []
    guard count > 0 else {
      original = []
      return differences
    }
    var sites = try smoothed(original, margin: margin)
    original = []
    let removed = try noise(in: &sites, margin: margin)
    return try concurrentMap(removed.count) { (index) throws(ImageError) in
      let difference = differences[index]
      let noise = removed[index].plane(margin: margin)
      let values = difference.span
      let noiseValues = noise.span
      let factor = 1 / transform.gains[index]
      return Plane(width: noise.width, height: noise.height) { output in
        for position in values.indices {
          output.append(values[position] - factor * noiseValues[position])
        }
      }
    }
  }

  /// The differences of two means of the sites, smoothed.
  private static func differences(
    _ original: [Plane<Float>], _ reduced: [Plane<Float>], margin: Int
  ) throws(ImageError) -> [Plane<Float>] {
    try concurrentMap(original.count) { (index) throws(ImageError) in
      var difference = SampleGrid(original[index], margin: margin)
      difference.subtract(SampleGrid(reduced[index], margin: margin), margin: margin)
      return difference.smoothed(step: 1, margin: margin).plane(margin: margin)
    }
  }

  /// White-balanced values of the sites, smoothed.
  private func smoothed(_ planes: [Plane<Float>], margin: Int) throws(ImageError) -> [SampleGrid] {
    try concurrentMap(planes.count) { (index) throws(ImageError) in
      var grid = SampleGrid(planes[index], margin: margin)
      let gain = transform.gains[index]
      for position in grid.samples.indices { grid.samples[position] *= gain }
      return grid.smoothed(step: 1, margin: margin)
    }
  }

  /// Noise of the coarse levels in values of the sites, which are empty afterwards; its mean over
  /// larger areas is 0.
  private func noise(in sites: inout [SampleGrid], margin: Int) throws(ImageError) -> [SampleGrid] {
    let variance = try variance(sites, margin: margin)
    var components = sites
    sites = []
    transform.mix(&components, isInverse: false)
    var removed = components.map { component in
      var grid = SampleGrid()
      grid.resize(width: component.width, height: component.height)
      return grid
    }
    for level in 0..<(shrinkages.map(\.coarseCount).max() ?? 0) {
      let step = 2 << level
      for index in components.indices { components[index].mirror(margin: margin, reach: 3 * step) }
      let fine = components
      components = try concurrentMap(fine.count) { (index) throws(ImageError) in
        var (means, line) = (SampleGrid(), [Float](repeating: 0, count: fine[index].width))
        fine[index].smooth(into: &means, step: step, margin: margin, line: &line)
        means.mirror(margin: margin, reach: 3 * step)
        return means
      }
      let levels = shrinkages.map { $0.level(WaveletShrinkage.fineCount + level) }
      guard levels.contains(where: { !$0.isIdentity }) else { continue }
      let parts = try parts(
        of: fine, means: components, variance: variance, step: step, margin: margin,
        deviation: Self.deviations[level], levels)
      let sums = removed
      removed = try concurrentMap(sums.count) { (index) throws(ImageError) in
        guard !levels[index].isIdentity else { return sums[index] }
        return sums[index].adding(parts, of: index, step: step, margin: margin)
      }
    }
    transform.mix(&removed, isInverse: true)
    return removed
  }

  /// Variance of the noise of the components of values of the sites.
  private func variance(_ sites: [SampleGrid], margin: Int) throws(ImageError) -> NoiseVariance {
    transform.variance(
      means: try concurrentMap(sites.count) { (index) throws(ImageError) in
        sites[index].smoothed(step: 2, margin: margin)
      })
  }

  /// Rows that are computed together.
  private static let bandHeight = 96

  /// The parts of a level that are to be removed, in bands of rows.
  private func parts(
    of fine: [SampleGrid], means: [SampleGrid], variance: NoiseVariance, step: Int, margin: Int,
    deviation: Float, _ levels: [WaveletShrinkage.Level]
  ) throws(ImageError) -> [LevelDetails] {
    let rows = margin..<fine[0].height - margin
    let count = (rows.count + Self.bandHeight - 1) / Self.bandHeight
    return try concurrentMap(count) { (band) throws(ImageError) in
      let first = rows.lowerBound + band * Self.bandHeight
      var (details, line) = (LevelDetails(), [Float]())
      details.begin(
        rows: first..<min(first + Self.bandHeight, rows.upperBound), of: fine[0], step: step,
        margin: margin, components: fine.count)
      for index in fine.indices {
        details.split(
          index, fine[index], means: means[index],
          limit: levels[index].limit * deviation * deviation, variance: variance, line: &line)
      }
      details.keepRemovedPart(variance: variance, deviation: deviation, levels: levels, line: &line)
      details.freeEstimates()
      return details
    }
  }
}

extension SampleGrid {
  /// Adds the part of a component that is to be removed, less its mean over its surroundings.
  fileprivate func adding(
    _ parts: [LevelDetails], of component: Int, step: Int, margin: Int
  ) -> SampleGrid {
    var (part, means, mean) = (SampleGrid(), SampleGrid(), SampleGrid())
    var (sum, line) = (self, [Float](repeating: 0, count: width))
    part.resize(width: width, height: height)
    for band in parts {
      let rows = band.part(component)
      let start = band.rows.lowerBound * width
      part.samples.replaceSubrange(start..<start + rows.count, with: rows)
    }
    part.mirror(margin: margin, reach: 2 * step)
    part.smooth(into: &means, step: step, margin: margin, line: &line)
    means.mirror(margin: margin, reach: 4 * step)
    means.smooth(into: &mean, step: 2 * step, margin: margin, line: &line)
    for position in sum.samples.indices {
      sum.samples[position] += part.samples[position] - mean.samples[position]
    }
    return sum
  }
}

extension SampleGrid {
  /// Means over a cubic B-spline, mirrored at the edges.
  fileprivate func smoothed(step: Int, margin: Int) -> SampleGrid {
    var (grid, means, line) = (self, SampleGrid(), [Float](repeating: 0, count: width))
    grid.mirror(margin: margin, reach: 2 * step)
    grid.smooth(into: &means, step: step, margin: margin, line: &line)
    return means
  }
}

/// Noise reduction of a component by wavelets without decimation.
///
/// A level is the difference of the values and their mean over a cubic B-spline, whose samples are
/// twice as far apart at each level. `LevelDetails` separates its noise.
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

  /// Variance of the noise of values with uniform noise.
  let variance: Float
  /// From the finest to the coarsest.
  private let levels: [Level]
  /// Number of levels up to the coarsest that changes.
  private let count: Int

  /// Number of levels at full size.
  static let fineCount = 2
  /// Largest number of levels.
  static let maximumCount = 6

  init(variance: Float, levels: [Level]) {
    (self.variance, self.levels) = (variance, levels)
    let last = levels.lastIndex { !$0.isIdentity }
    count = variance > 0 ? last.map { $0 + 1 } ?? 0 : 0
  }

  /// Whether nothing changes.
  var isIdentity: Bool { count == 0 }

  /// Number of levels that are computed at half the size.
  var coarseCount: Int { max(count - Self.fineCount, 0) }

  /// Change of a level: 0 is the finest.
  func level(_ index: Int) -> Level { levels[index] }
}
