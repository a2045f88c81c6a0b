// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore
internal import PixelKernels

/// Extends a look that ends at white to displays with headroom: highlights move toward luminance
/// and color of the scene, mid-tones do not change.
///
/// With m the largest component of the look and s that of the exposed scene, the look is multiplied
/// by max(k s / m, 1) to the power of a weight that rises from 0 at m = 0.45 to 1 at m = 1. k scales
/// the scene to the mid-tones of the look. The gain approaches three stops. With it, hue and chroma
/// move from those of the look, which limits each component to white, to those of the scene, which
/// they are from a gain of 1.2 on, and wherever the look is less saturated than the scene: otherwise
/// the sky around the sun has a pale ring.
struct HighlightRecovery: Hashable, Sendable {
  /// k.
  let scale: Double
  /// 0 for none, 1 for up to three stops, 2 for up to four.
  let amount: Double

  /// Largest component up to which the look does not change.
  static let start = 0.45
  /// Components of mid-tones in the look.
  static let midtones: ClosedRange<Double> = 0.1...0.3
  /// The gain from which the color is that of the scene.
  private static let sceneGain = 1.2
  /// Exponent of gains for amounts above 1.
  private var strength: Double { 1 + max(amount - 1, 0) / 3 }

  /// Base-2 logarithm of the gain of a pixel for an amount of 1.
  func stops(shown: Double, scene: Double) -> Double {
    guard shown > Self.start else { return 0 }
    let share = min((shown - Self.start) / (1 - Self.start), 1)
    return Self.limited(log2(max(scale * scene / shown, 1))) * share * share * (3 - 2 * share)
  }

  /// Stops up to about two, and at most three.
  private static func limited(_ stops: Double) -> Double {
    stops / pow(1 + pow(stops / 3, 8), 1 / 8.0)
  }

  /// The color of a pixel.
  ///
  /// - Parameters:
  ///   - look: Color of the look.
  ///   - scene: Color of the scene, as bright as the look.
  ///   - shown: Largest component of the look.
  ///   - stops: Base-2 logarithm of its gain for an amount of 1.
  /// - Returns: The color of the look with headroom.
  func color(
    look: SIMD3<Double>, scene: SIMD3<Double>, shown: Double, stops: Double
  ) -> SIMD3<Double> {
    let share = max(
      Self.sceneShare(stops), Self.restoringShare(look: look, scene: scene, shown: shown))
    let color = exp2(strength * stops) * (look + share * (scene - look))
    return look + min(amount, 1) * (color - look)
  }

  /// Share of the color of the scene at a gain.
  private static func sceneShare(_ stops: Double) -> Double {
    let place = min((exp2(stops) - 1) / (sceneGain - 1), 1)
    return place * place * (3 - 2 * place)
  }

  /// Share of the color of the scene that keeps the saturation from falling below that of the scene:
  /// all of it where the look has 0.05 less, from 0.2 above the start on.
  private static func restoringShare(
    look: SIMD3<Double>, scene: SIMD3<Double>, shown: Double
  ) -> Double {
    func grayShare(_ color: SIMD3<Double>) -> Double { color.min() / max(color.max(), 1e-6) }
    let lacking = grayShare(look) - grayShare(scene)
    let place = min(max((shown - start) * 5, 0), 1)
    return place * place * (3 - 2 * place) * min(max(20 * lacking, 0), 1)
  }

  /// Replaces the look by the look with headroom.
  ///
  /// - Parameters:
  ///   - row: The look.
  ///   - scene: Colors of the scene, as bright as the look.
  ///   - levels: Largest components of the look and of the scene.
  func apply(to row: inout LinearRow, scene: LinearRow, levels: LookRows.Levels) {
    var excess = levels.scene
    var weight = [Float](repeating: 0, count: row.width)
    precondition(levels.shown.count == row.width && excess.count == row.width)
    precondition(scene.width == row.width)
    // SAFETY: all three rows have `width` samples.
    unsafe pk_highlight_ratio(
      levels.shown, &excess, &weight, row.width, Float(scale), 32, Float(Self.start))
    Self.stops.apply(to: &excess)
    excess.multiply(by: weight)
    var share = excess
    Self.share.apply(to: &share)
    if strength != 1 { for x in excess.indices { excess[x] *= Float(strength) } }
    Self.excess.apply(to: &excess)
    let amount = Float(min(amount, 1))
    unsafe row.withPointers { red, green, blue, count in
      // SAFETY: all nine rows have `count` samples.
      unsafe pk_recover(
        red, green, blue, count, scene.red, scene.green, scene.blue, levels.shown, excess, share,
        Float(Self.start), amount)
    }
  }

  private static let stops = SampledFunction(octaves: 0..<5, stepsPerOctave: 1024) {
    limited(log2($0))
  }
  private static let share = SampledFunction(octaves: -24..<3, stepsPerOctave: 512) {
    sceneShare($0)
  }
  private static let excess = SampledFunction(octaves: -24..<3, stepsPerOctave: 512) {
    exp2($0) - 1
  }
}
