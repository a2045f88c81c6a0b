/// Light of one place: red, green and blue of BT.2020 primaries, in cd/m².
typealias Light = SIMD3<Double>

/// A picture that is computed, pixel by pixel.
struct Scene: Sendable {
  var width: Int
  var height: Int
  /// Whether pixels may be transparent.
  var hasCoverage = false
  /// Light and coverage at the pixel in column `x` and row `y`.
  var pixel: @Sendable (_ x: Int, _ y: Int) -> Sample

  /// What a pixel holds.
  struct Sample {
    var light: Light
    /// 0...1; the light is not multiplied by it.
    var coverage = 1.0
  }
}

/// `from` where `amount` is 0, `to` where it is 1.
func mix(_ from: Light, _ to: Light, _ amount: Double) -> Light { from + (to - from) * amount }

/// 0 below `low`, 1 above `high`, smooth in between.
func smoothstep(_ low: Double, _ high: Double, _ value: Double) -> Double {
  let t = min(max((value - low) / (high - low), 0), 1)
  return t * t * (3 - 2 * t)
}
