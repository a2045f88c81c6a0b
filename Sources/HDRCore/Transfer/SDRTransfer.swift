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

/// The reference display of BT.709 and SDR BT.2020 images.
///
/// Below the signal `-b` of luminance 0, where the standard clamps, both functions continue by odd
/// symmetry about it; with a black of 0 that is odd symmetry about signal 0.
///
/// Source: Recommendation ITU-R BT.1886, annex 1. The extension is the toolkit's.
package enum BT1886 {
  /// Luminance that the display shows for `signal`.
  ///
  /// - Parameters:
  ///   - signal: Nonlinear signal, 0 for black and 1 for white.
  ///   - white: Luminance of white, in the unit of the result.
  ///   - black: Luminance of black, in the unit of the result; less than `white`.
  /// - Returns: Luminance in the unit of `white` and `black`.
  package static func eotf(_ signal: Double, white: Double = 1, black: Double = 0) -> Double {
    let (a, b) = gainAndLift(white: white, black: black)
    let lifted = signal + b
    let luminance = a * pow(abs(lifted), exponent)
    return lifted < 0 ? -luminance : luminance
  }

  /// Signal for which the display shows `luminance`, in the unit of `white` and `black`.
  package static func inverseEOTF(
    _ luminance: Double, white: Double = 1, black: Double = 0
  ) -> Double {
    let (a, b) = gainAndLift(white: white, black: black)
    let lifted = pow(abs(luminance) / a, 1 / exponent)
    return (luminance < 0 ? -lifted : lifted) - b
  }

  /// User gain (contrast) and user black level lift (brightness).
  private static func gainAndLift(white: Double, black: Double) -> (a: Double, b: Double) {
    let (whiteRoot, blackRoot) = (pow(white, 1 / exponent), pow(black, 1 / exponent))
    return (pow(whiteRoot - blackRoot, exponent), blackRoot / (whiteRoot - blackRoot))
  }

  private static let exponent = 2.4
}
