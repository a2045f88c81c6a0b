// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// The curve of sRGB and Display P3.
///
/// Extended range: odd symmetry below 0, the power segment continued above 1.
///
/// Source: IEC 61966-2-1; CSS Color 4 for the extended range.
public enum SRGB {
  /// Linear value of `signal`, 1.0 for white.
  public static func eotf(_ signal: Double) -> Double {
    let size = abs(signal)
    let light = size <= 0.040_45 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4)
    return signal < 0 ? -light : light
  }

  /// Signal of the linear value `linear`, 1.0 for white.
  public static func inverseEOTF(_ linear: Double) -> Double {
    let size = abs(linear)
    let signal = size <= 0.003_130_8 ? 12.92 * size : 1.055 * pow(size, 1 / 2.4) - 0.055
    return linear < 0 ? -signal : signal
  }
}
