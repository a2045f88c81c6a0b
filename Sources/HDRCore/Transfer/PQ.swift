// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// The perceptual quantizer.
///
/// Negative signals and luminances follow by odd symmetry. Narrow-range overshoots above full
/// signal are preserved up to 2 %; both directions clamp beyond that.
///
/// Source: SMPTE ST 2084; Recommendation ITU-R BT.2100, table 4. The extension is the toolkit's.
public enum PQ {
  /// Luminance of signal 1, in cd/m².
  public static let peakLuminance = 10_000.0
  /// Largest signal that is not clamped; it corresponds to about 12 000 cd/m².
  public static let maximumSignal = 1.02

  /// Luminance that a display shows for `signal`.
  ///
  /// - Parameter signal: Nonlinear signal; clamped to -1.02...1.02.
  /// - Returns: Luminance in cd/m².
  public static func eotf(_ signal: Double) -> Double {
    let root = pow(min(abs(signal), maximumSignal), 1 / m2)
    let light = pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
    return signal < 0 ? -peakLuminance * light : peakLuminance * light
  }

  /// Signal for which a display shows `luminance`.
  ///
  /// The signal of black is 7.3e-7 instead of 0, far below half a code at any depth.
  ///
  /// - Parameter luminance: Luminance in cd/m²; clamped to the luminances of signals -1.02...1.02.
  /// - Returns: Nonlinear signal.
  public static func inverseEOTF(_ luminance: Double) -> Double {
    let power = pow(min(abs(luminance), maximumLuminance) / peakLuminance, m1)
    let signal = pow((c1 + c2 * power) / (1 + c3 * power), m2)
    return luminance < 0 ? -signal : signal
  }

  private static let maximumLuminance = eotf(maximumSignal)
  private static let m1 = 2610.0 / 16_384
  private static let m2 = 2523.0 / 4096 * 128
  private static let c1 = 3424.0 / 4096
  private static let c2 = 2413.0 / 4096 * 32
  private static let c3 = 2392.0 / 4096 * 32
}
