// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// The OETF of BT.709, BT.601 and 10-bit BT.2020.
///
/// Displays decode the signal with another function, `BT1886`. Extended range: odd symmetry below
/// 0, the power segment continued above 1.
///
/// Source: Recommendation ITU-R BT.709-6, item 1.2.
package enum BT709 {
  /// Signal of scene light, 1.0 for white.
  package static func oetf(_ scene: Double) -> Double {
    let size = abs(scene)
    let signal = size < 0.018 ? 4.5 * size : 1.099 * pow(size, 0.45) - 0.099
    return scene < 0 ? -signal : signal
  }

  /// Scene light, 1.0 for white, of `signal`.
  package static func inverseOETF(_ signal: Double) -> Double {
    let size = abs(signal)
    let scene = size < 4.5 * 0.018 ? size / 4.5 : pow((size + 0.099) / 1.099, 1 / 0.45)
    return signal < 0 ? -scene : scene
  }
}
