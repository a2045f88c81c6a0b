internal import Foundation

/// The perceptual quantizer.
///
/// Negative signal and light follow by odd symmetry. Of what narrow-range overshoots can reach
/// above full signal, 2 % are kept; beyond, both directions hold.
///
/// Source: SMPTE ST 2084; Recommendation ITU-R BT.2100, table 4. The extension is the toolkit's.
public enum PQ {
  /// Luminance of signal 1, cd/m².
  public static let peakLuminance = 10_000.0
  /// Largest signal that is not held.
  public static let maximumSignal = 1.02

  /// Luminance that a display shows for `signal`.
  ///
  /// - Parameter signal: Nonlinear signal; held outside -1.02...1.02.
  /// - Returns: Luminance in cd/m².
  public static func eotf(_ signal: Double) -> Double {
    let root = pow(min(abs(signal), maximumSignal), 1 / m2)
    let light = pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
    return signal < 0 ? -peakLuminance * light : peakLuminance * light
  }

  /// Signal that makes a display show `luminance`.
  ///
  /// The signal of black is not 0 but 7.3e-7, far below half a code at any depth.
  ///
  /// - Parameter luminance: Luminance in cd/m²; held outside the luminances of -1.02...1.02.
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
