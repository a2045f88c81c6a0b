// SPDX-License-Identifier: Apache-2.0
internal import Platform

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
