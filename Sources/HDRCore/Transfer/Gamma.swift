// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// A pure power function, as in Adobe RGB (563/256), DCI-P3 (2.6) and the gAMA chunk of PNG.
///
/// Extended range: odd symmetry below 0, the power continued above 1.
package enum Gamma {
  /// Linear value of `signal`, 1.0 for white.
  package static func eotf(_ signal: Double, exponent: Double) -> Double {
    let light = pow(abs(signal), exponent)
    return signal < 0 ? -light : light
  }

  /// Signal of the linear value `linear`, 1.0 for white.
  package static func inverseEOTF(_ linear: Double, exponent: Double) -> Double {
    let signal = pow(abs(linear), 1 / exponent)
    return linear < 0 ? -signal : signal
  }
}
