internal import Platform
internal import HDRCore
internal import PixelKernels

/// Extends a look that ends at white to displays with headroom: highlights move toward their
/// luminance in the scene, mid-tones do not change.
///
/// With m the largest component of the look and s that of the exposed scene, the look is multiplied
/// by min(max(k s / m, 1), limit) to the power of a weight that rises from 0 at m = 0.45 to 1 at m
/// = 1. k scales the scene to the mid-tones of the look.
struct HighlightRecovery: Hashable, Sendable {
  /// k.
  let scale: Double
  /// The largest gain.
  let limit: Double

  /// Largest component up to which the look does not change.
  private static let start = 0.45
  /// Components of mid-tones in the look.
  static let midtones: ClosedRange<Double> = 0.1...0.3

  /// - Parameters:
  ///   - scale: k.
  ///   - amount: 0 for none, 1 for up to three stops, 2 for up to four.
  init(scale: Double, amount: Double) {
    self.scale = scale
    limit = exp2(3 * min(amount, 1) + max(amount - 1, 0))
  }

  /// Gain of a pixel.
  func gain(shown: Double, scene: Double) -> Double {
    guard shown > Self.start else { return 1 }
    let ratio = min(max(scale * scene / shown, 1), limit)
    let share = min((shown - Self.start) / (1 - Self.start), 1)
    return pow(ratio, share * share * (3 - 2 * share))
  }

  /// Multiplies pixels by their gains.
  ///
  /// - Parameters:
  ///   - row: The look.
  ///   - shown: Largest components of the look.
  ///   - scene: Largest components of the scene; overwritten.
  func apply(to row: inout LightRow, shown: [Float], scene: inout [Float]) {
    precondition(shown.count == row.width && scene.count == row.width)
    var weight = [Float](repeating: 0, count: row.width)
    // SAFETY: all three rows have `width` samples.
    unsafe pk_highlight_ratio(
      shown, &scene, &weight, row.width, Float(scale), Float(limit), Float(Self.start))
    Self.logarithm.apply(to: &scene)
    scene.multiply(by: weight)
    Self.excess.apply(to: &scene)
    unsafe row.withPointers { red, green, blue, count in
      // SAFETY: all four rows have `count` samples.
      unsafe pk_brighten(red, green, blue, count, scene)
    }
  }

  private static let logarithm = SampledFunction(octaves: 0..<5, stepsPerOctave: 1024) { log2($0) }
  private static let excess = SampledFunction(octaves: -24..<3, stepsPerOctave: 512) {
    exp2($0) - 1
  }
}
