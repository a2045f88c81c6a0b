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
    let count = shrinkages.map(\.coarseLevels.count).max() ?? 0
    // A step of the last level is 2^count samples; parts reach six of them.
    let margin = max(4 << count, 2)
    let (before, after) = (original, reduced)
    let differences = try concurrentMap(before.count) { (index) throws(ImageError) in
      var difference = SampleGrid(before[index], margin: margin)
      difference.subtract(SampleGrid(after[index], margin: margin), margin: margin)
      return difference.smoothed(step: 1, margin: margin).plane(margin: margin)
    }
    reduced = []
    guard count > 0 else {
      original = []
      return differences
    }
    let sites = try smoothed(before, margin: margin)
    original = []
    let removed = try noise(in: sites, margin: margin)
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

  /// White-balanced values of the sites, smoothed.
  private func smoothed(
    _ planes: [Plane<Float>], margin: Int
  ) throws(ImageError) -> [SampleGrid] {
    try concurrentMap(planes.count) { (index) throws(ImageError) in
      var grid = SampleGrid(planes[index], margin: margin)
      let gain = transform.gains[index]
      for position in grid.samples.indices { grid.samples[position] *= gain }
      return grid.smoothed(step: 1, margin: margin)
    }
  }

  /// Noise of the coarse levels in values of the sites.
  private func noise(in sites: [SampleGrid], margin: Int) throws(ImageError) -> [SampleGrid] {
    let means = try concurrentMap(sites.count) { (index) throws(ImageError) in
      sites[index].smoothed(step: 2, margin: margin)
    }
    let components = transform.mixed(sites, isInverse: false)
    let parts = try concurrentMap(components.count) { (index) throws(ImageError) in
      noise(
        in: components[index], variance: transform.variance(index, means: means),
        shrinkages[index].coarseLevels, margin: margin)
    }
    return transform.mixed(parts, isInverse: true)
  }

  /// Noise in the coarse levels of a component; its mean over larger areas is 0.
  private func noise(
    in component: SampleGrid, variance: SampleGrid, _ levels: [WaveletShrinkage.Level],
    margin: Int
  ) -> SampleGrid {
    var (grid, line) = (component, [Float](repeating: 0, count: component.width))
    var (removed, part, means, mean) = (SampleGrid(), SampleGrid(), SampleGrid(), SampleGrid())
    removed.resize(width: grid.width, height: grid.height)
    for (index, level) in levels.enumerated() {
      let step = 2 << index
      grid.mirror(margin: margin, reach: 2 * step)
      grid.smooth(into: &means, step: step, margin: margin, line: &line)
      if !level.isIdentity {
        means.mirror(margin: margin, reach: 2 * step)
        let deviation = Self.deviations[index]
        grid.noisePart(
          from: means, variance: variance, into: &part, step: step, margin: margin,
          limit: level.limit * deviation * deviation, level, line: &line)
        part.mirror(margin: margin, reach: 2 * step)
        // The grid is not needed any more.
        part.smooth(into: &grid, step: step, margin: margin, line: &line)
        grid.mirror(margin: margin, reach: 4 * step)
        grid.smooth(into: &mean, step: 2 * step, margin: margin, line: &line)
        for position in removed.samples.indices {
          removed.samples[position] += part.samples[position] - mean.samples[position]
        }
      }
      swap(&grid, &means)
    }
    return removed
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
