internal import Foundation
internal import HDRCore
internal import PixelKernels

/// What makes a picture with headroom of a look that ends at white: highlights go back toward the
/// brightness that they have in the scene, mid-tones stay.
///
/// With m the largest component that the look shows and s that of the scene, exposed, the look is
/// multiplied by min(max(k s / m, 1), limit) to the power of a weight that rises from 0 where m is
/// 0.45 to 1 where it is 1. k brings the scene to the brightness of the look's mid-tones.
struct HighlightRecovery: Hashable, Sendable {
  /// k.
  let scale: Double
  /// The largest gain.
  let limit: Double

  /// What is shown up to here stays as it is.
  private static let start = 0.45
  /// What is shown of mid-tones.
  static let midtones: ClosedRange<Double> = 0.1...0.3

  /// - Parameters:
  ///   - scale: k.
  ///   - amount: 0 for none, 1 for up to three stops, 2 for up to four.
  init(scale: Double, amount: Double) {
    self.scale = scale
    limit = exp2(3 * min(amount, 1) + max(amount - 1, 0))
  }

  /// What a pixel is multiplied by.
  func gain(shown: Double, scene: Double) -> Double {
    guard shown > Self.start else { return 1 }
    let ratio = min(max(scale * scene / shown, 1), limit)
    let share = min((shown - Self.start) / (1 - Self.start), 1)
    return pow(ratio, share * share * (3 - 2 * share))
  }

  /// Multiplies pixels by their gains.
  ///
  /// - Parameters:
  ///   - row: What is shown.
  ///   - shown: The largest components of it, in whatever primaries.
  ///   - scene: Those of the scene; used up.
  func apply(to row: inout LightRow, shown: [Float], scene: inout [Float]) {
    precondition(shown.count == row.width && scene.count == row.width)
    var weight = [Float](repeating: 0, count: row.width)
    // SAFETY: all three rows are `width` long.
    unsafe pk_highlight_ratio(
      shown, &scene, &weight, row.width, Float(scale), Float(limit), Float(Self.start))
    Self.logarithm.apply(to: &scene)
    scene.multiply(by: weight)
    Self.excess.apply(to: &scene)
    unsafe row.withPointers { red, green, blue, count in
      // SAFETY: all four rows are `count` long.
      unsafe pk_brighten(red, green, blue, count, scene)
    }
  }

  private static let logarithm = SampledFunction(octaves: 0..<5, stepsPerOctave: 1024) { log2($0) }
  private static let excess = SampledFunction(octaves: -24..<3, stepsPerOctave: 512) {
    exp2($0) - 1
  }
}
