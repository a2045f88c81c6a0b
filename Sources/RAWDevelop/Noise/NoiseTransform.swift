// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// Luminance and color differences with uniform noise.
///
/// Square roots make the noise uniform (generalized Anscombe transform). Luminance and color
/// differences of a Bayer mosaic are those of its squares of 2 x 2 photosites, before they are
/// interpolated, which would spread noise into blotches.
struct NoiseTransform: Sendable {
  let models: [NoiseModel]
  let gains: [Float]
  let amounts: DetailAmounts
  /// Scales that make gray neutral and the noise of green 1; then variances are ratios of scales.
  private let weights: [Float]

  /// - Parameters:
  ///   - models: Noise of the sites: of red, two greens and blue; of three planes; or of one.
  ///   - gains: White-balance gains of the sites.
  ///   - amounts: Shares of the noise to remove, and changes of detail.
  init(models: [NoiseModel], gains: [Float], amounts: DetailAmounts) {
    (self.models, self.gains, self.amounts) = (models, gains, amounts)
    let green = models.count > 1 ? 1 : 0
    weights = models.indices.map { index in
      let ratio = Float(models[index].stableSlope / models[green].stableSlope)
      return (gains[index] / gains[green] * ratio).squareRoot()
    }
  }

  /// Changes of each component.
  var shrinkages: [WaveletShrinkage] {
    models.indices.map { index in
      let isColor = models.count > 1 && (index == 1 || index == 2)
      return WaveletShrinkage(
        variance: variance(index),
        levels: (0..<WaveletShrinkage.maximumCount).map {
          isColor ? colorLevel($0) : luminanceLevel($0, isMain: index == 0)
        })
    }
  }

  /// Energy that counts as noise: little more than its mean.
  private static let limit: Float = 1.3

  private func colorLevel(_ level: Int) -> WaveletShrinkage.Level {
    WaveletShrinkage.Level(
      amount: Float(amounts.color), limit: Self.limit,
      gain: level < WaveletShrinkage.fineCount ? 1 - Float(amounts.moire) : 1)
  }

  /// The coarsest level has visible structure rather than noise.
  private func luminanceLevel(_ level: Int, isMain: Bool) -> WaveletShrinkage.Level {
    var found = WaveletShrinkage.Level(
      amount: level < 5 ? Float(amounts.luminance) : 0, limit: Self.limit)
    guard isMain else { return found }
    if level < WaveletShrinkage.fineCount { found.gain += 0.5 * Float(amounts.detail) }
    if level >= 3 { found.gain += 0.25 * Float(amounts.contrast) }
    return found
  }

  /// Variance of a component.
  private func variance(_ index: Int) -> Float {
    zip(shares(index), weights).reduce(0) { $0 + $1.0 * $1.1 * $1.1 }
  }

  /// Shares of the variances of the sites in that of a component: squares of the coefficients of
  /// `mix`.
  private func shares(_ index: Int) -> [Float] {
    switch (models.count, index) {
    case (4, 0), (4, 2): [1 / 4, 1 / 4, 1 / 4, 1 / 4]
    case (4, 1): [1 / 2, 0, 0, 1 / 2]
    case (4, _): [0, 1 / 2, 1 / 2, 0]
    case (3, 0): [1 / 3, 1 / 3, 1 / 3]
    case (3, 1): [1 / 2, 0, 1 / 2]
    case (3, _): [1 / 6, 4 / 6, 1 / 6]
    default: [1]
    }
  }

  /// Variances of the components of white-balanced linear values.
  ///
  /// - Parameter means: White-balanced linear values of the sites, with little noise.
  /// - Returns: The variance of each value.
  func variance(means: [SampleGrid]) -> NoiseVariance {
    NoiseVariance(models.indices.map { variance($0, means: means) })
  }

  private func variance(_ index: Int, means: [SampleGrid]) -> SampleGrid {
    var variance = SampleGrid()
    variance.resize(width: means[0].width, height: means[0].height)
    for (site, share) in shares(index).enumerated() where share > 0 {
      let slope = share * gains[site] * Float(models[site].slope)
      let offset = share * gains[site] * gains[site] * Float(models[site].offset)
      let values = means[site].samples
      for position in variance.samples.indices {
        variance.samples[position] += slope * max(values[position], 0) + offset
      }
    }
    return variance
  }

  /// Converts linear values of the sites to components with uniform noise.
  func apply(to sites: inout [SampleGrid]) {
    for (index, model) in models.enumerated() {
      let slope = Float(model.stableSlope)
      let offset = Float(model.offset) + 0.375 * slope * slope
      let count = sites[index].width * sites[index].height
      unsafe sites[index].samples.withUnsafeMutableBufferPointer { row in
        guard let row = row.baseAddress else { return }
        // SAFETY: here and below, a grid has at least `count` samples.
        unsafe pk_stabilize(row, count, slope, offset, 2 / slope * weights[index])
      }
    }
    mix(&sites, isInverse: false)
  }

  /// Converts components to linear values of the sites.
  func invert(_ sites: inout [SampleGrid]) {
    mix(&sites, isInverse: true)
    for (index, model) in models.enumerated() {
      let slope = Float(model.stableSlope)
      let offset = Float(model.offset) / slope + 0.375 * slope
      let root = slope / (2 * weights[index])
      let count = sites[index].width * sites[index].height
      unsafe sites[index].samples.withUnsafeMutableBufferPointer { row in
        guard let row = row.baseAddress else { return }
        unsafe pk_unstabilize(row, count, root * root / slope, offset)
      }
    }
  }

  /// Converts between values of the sites and luminance, color differences, and the difference of
  /// the greens.
  func mix(_ sites: inout [SampleGrid], isInverse: Bool) {
    guard sites.count >= 3 else { return }
    let count = sites[0].width * sites[0].height
    precondition(sites.allSatisfy { $0.samples.count >= count })
    var (a, b, c, d): ([Float], [Float], [Float], [Float]) = ([], [], [], [])
    func exchange() {
      swap(&a, &sites[0].samples)
      swap(&b, &sites[1].samples)
      swap(&c, &sites[2].samples)
      if sites.count == 4 { swap(&d, &sites[3].samples) }
    }
    exchange()
    switch (sites.count, isInverse) {
    case (3, false): unsafe pk_noise_triple(&a, &b, &c, count)
    case (3, true): unsafe pk_noise_triple_inverse(&a, &b, &c, count)
    case (_, false): unsafe pk_noise_quad(&a, &b, &c, &d, count)
    case (_, true): unsafe pk_noise_quad_inverse(&a, &b, &c, &d, count)
    }
    exchange()
  }
}
