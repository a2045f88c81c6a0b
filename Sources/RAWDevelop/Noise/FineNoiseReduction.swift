// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Noise reduction of the fine levels, in values with uniform noise.
struct FineNoiseReduction: Sendable {
  /// Memory of a thread.
  struct Buffers: Sendable {
    /// Means of the levels, one component after the other.
    fileprivate var means: [[SampleGrid]] = []
    fileprivate var details = LevelDetails()
    /// A row.
    var line: [Float] = []

    /// Sets the width of rows.
    mutating func resize(width: Int) {
      if line.count < width { line = [Float](repeating: 0, count: width) }
    }
  }

  private let shrinkages: [WaveletShrinkage]

  /// Samples to each side that a result depends on: means of two levels, the energy of the
  /// coarser one, and its covariance.
  static let reach = 2 + 4 + 4 + 2
  /// Standard deviations of the levels of noise with a standard deviation of 1.
  private static let deviations: [Float] = [0.8908, 0.2007]

  init(_ shrinkages: [WaveletShrinkage]) { self.shrinkages = shrinkages }

  /// Changes the components.
  ///
  /// - Parameters:
  ///   - components: Values with a margin of `reach`.
  ///   - buffers: Memory.
  func apply(to components: inout [SampleGrid], _ buffers: inout Buffers) {
    let (count, margin) = (components.count, Self.reach)
    let (width, height) = (components[0].width, components[0].height)
    buffers.resize(width: width)
    while buffers.means.count < Self.deviations.count { buffers.means.append([]) }
    let variance = NoiseVariance(uniform: shrinkages.map(\.variance), width: width)
    var meanReach = 0
    for (index, deviation) in Self.deviations.enumerated() {
      let step = 1 << index
      meanReach += 2 * step
      var means = buffers.means[index]
      buffers.means[index] = []
      while means.count < count { means.append(SampleGrid()) }
      let levels = shrinkages.map { $0.level(index) }
      buffers.details.begin(
        rows: margin..<height - margin, of: components[0], step: step, margin: margin,
        components: count)
      for component in 0..<count {
        // SampleGrid has value semantics; this does not copy.
        let fine = index == 0 ? components[component] : buffers.means[index - 1][component]
        fine.smooth(
          into: &means[component], step: step, margin: meanReach, line: &buffers.line)
        buffers.details.split(
          component, fine, means: means[component],
          limit: levels[component].limit * deviation * deviation, variance: variance,
          line: &buffers.line)
      }
      buffers.means[index] = means
      guard levels.contains(where: { !$0.isIdentity }) else { continue }
      buffers.details.keepRemovedPart(
        variance: variance, deviation: deviation, levels: levels, line: &buffers.line)
      for component in 0..<count {
        buffers.details.subtract(component, from: &components[component])
      }
    }
  }
}
