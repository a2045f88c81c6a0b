// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

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
