// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels
internal import Platform

/// Variance of the noise of linear values, which increases linearly with them.
///
/// Source: DNG 1.7.1, NoiseProfile.
struct NoiseModel: Hashable, Sendable {
  /// Variance per linear value.
  var slope: Double
  /// Variance of black.
  var offset: Double

  /// Standard deviation at a linear value.
  func deviation(at value: Double) -> Double { max(slope * value + offset, 0).squareRoot() }

  /// The slope, large enough for roots of single precision.
  var stableSlope: Double { max(slope, 0.01 * offset, 1e-7) }

  /// The model, or one of hardly any noise instead of none.
  var orSmallest: NoiseModel { slope > 0 || offset > 0 ? self : NoiseModel(slope: 1e-6, offset: 0) }

  /// The model of a plane from the numbers of NoiseProfile; `nil` without valid ones.
  init?(profile: [Double], plane: Int) {
    guard profile.count >= 2 else { return nil }
    let first = profile.count >= 2 * (plane + 1) ? 2 * plane : 0
    let (slope, offset) = (profile[first], profile[first + 1])
    guard slope.isFinite, offset.isFinite, slope > 0, slope < 1, abs(offset) < 1 else { return nil }
    (self.slope, self.offset) = (slope, max(offset, 0))
  }

  init(slope: Double, offset: Double) { (self.slope, self.offset) = (slope, offset) }

  /// The usual noise at an ISO sensitivity: a sensor between those of telephones and full frame.
  init(iso: Double, baselineNoise: Double) {
    let factor = baselineNoise * baselineNoise
    slope = 4e-7 * iso * factor
    offset = slope * slope
  }

  /// Measures the noise of planes.
  ///
  /// Variances are those of diagonal differences in blocks of 8 x 8 samples. Of the blocks of similar
  /// brightness, a low percentile is free of structure.
  ///
  /// - Parameters:
  ///   - planes: Linear values of one color each.
  ///   - rowStep: Rows from one block to the next.
  init(measuring planes: [Plane<Float>], rowStep: Int = 16) {
    var blocks = Array(repeating: [Double](), count: Self.binCount)
    var means = Array(repeating: 0.0, count: Self.binCount)
    for plane in planes {
      for y in stride(from: 0, to: plane.height - 7, by: rowStep) {
        for x in stride(from: 0, to: plane.width - 7, by: 16) {
          let (mean, variance) = Self.block(plane, x, y)
          guard mean > -0.1, mean < 0.9 else { continue }
          let bin = min(
            Int(clamping: max(mean, 0).squareRoot() * Double(Self.binCount)), Self.binCount - 1)
          blocks[bin].append(variance)
          means[bin] += mean
        }
      }
    }
    var system = (sumWeight: 0.0, sumX: 0.0, sumXX: 0.0, sumY: 0.0, sumXY: 0.0)
    for bin in 0..<Self.binCount where blocks[bin].count >= 8 {
      let sorted = blocks[bin].sorted()
      let variance = sorted[sorted.count / 5] / Self.lowShare
      guard variance > 0 else { continue }
      let weight = Double(sorted.count).squareRoot() / (variance * variance)
      let x = max(means[bin] / Double(sorted.count), 0)
      system.sumWeight += weight
      system.sumX += weight * x
      system.sumXX += weight * x * x
      system.sumY += weight * variance
      system.sumXY += weight * x * variance
    }
    let determinant = system.sumWeight * system.sumXX - system.sumX * system.sumX
    guard system.sumWeight > 0 else {
      (slope, offset) = (0, 0)
      return
    }
    let fitted =
      determinant > 1e-9 * system.sumWeight * system.sumXX
      ? (system.sumWeight * system.sumXY - system.sumX * system.sumY) / determinant
      : system.sumX > 0 ? system.sumY / system.sumX : 0
    slope = max(fitted, 0)
    offset = max((system.sumY - slope * system.sumX) / system.sumWeight, 0)
  }

  private static let binCount = 24
  /// The 20th percentile of a mean of 16 squares of unit noise.
  private static let lowShare = 0.697

  /// Mean and noise variance of a block.
  private static func block(_ plane: Plane<Float>, _ x: Int, _ y: Int) -> (Double, Double) {
    var (sum, squares): (Float, Float) = (0, 0)
    for dy in stride(from: 0, to: 8, by: 2) {
      let (top, bottom) = (plane.row(y + dy), plane.row(y + dy + 1))
      for dx in stride(from: 0, to: 8, by: 2) {
        let (a, b) = (top[x + dx], top[x + dx + 1])
        let (c, d) = (bottom[x + dx], bottom[x + dx + 1])
        sum += a + b + c + d
        let difference = (a - b - c + d) / 2
        squares += difference * difference
      }
    }
    return (Double(sum) / 64, Double(squares) / 16)
  }
}

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
