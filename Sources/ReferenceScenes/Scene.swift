// SPDX-License-Identifier: Apache-2.0
/// Linear red, green and blue with BT.2020 primaries, in cd/m².
typealias Light = SIMD3<Double>

/// An image computed pixel by pixel.
struct Scene: Sendable {
  var width: Int
  var height: Int
  /// Whether the image has alpha.
  var hasCoverage = false
  /// Linear components and alpha of the pixel in column `x` and row `y`.
  var pixel: @Sendable (_ x: Int, _ y: Int) -> Sample

  /// Components of a pixel.
  struct Sample {
    var light: Light
    /// Straight alpha, 0...1.
    var coverage = 1.0
  }
}

/// Linear interpolation: `from` if `amount` is 0, `to` if it is 1.
func mix(_ from: Light, _ to: Light, _ amount: Double) -> Light { from + (to - from) * amount }

/// Hermite interpolation: 0 below `low`, 1 above `high`.
func smoothstep(_ low: Double, _ high: Double, _ value: Double) -> Double {
  let t = min(max((value - low) / (high - low), 0), 1)
  return t * t * (3 - 2 * t)
}
